/**
 * The prices on offer at each snapshot of a recording with one price a row, read straight from its
 * rows, without any feed, parser or board of ours.
 */

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'

export interface Snapshot {
  readonly at: number
  /** Prices by `event sportsbook market side line`, of every event at its newest snapshot so far. */
  readonly prices: ReadonlyMap<string, number>
  /** The prices of them that have not expired at this time. */
  readonly fresh: ReadonlyMap<string, number>
}

export const priceKey = (
  event: string,
  sportsbook: string,
  market: string,
  side: string,
  line: number | null,
) => JSON.stringify([event, sportsbook, market, side, line])

type Cells = Readonly<Record<string, string>>

const markets: Readonly<Record<string, string>> = {
  h2h: 'moneyline',
  spreads: 'point_spread',
  totals: 'total_points',
}
const minute = 60_000

/** Reads snapshots. The exchange's lay side is not a price to back, and a price of 1 is none. */
export function readSnapshots(file: URL): Snapshot[] {
  const [header = [], ...lines] = gunzipSync(readFileSync(file))
    .toString('utf8')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(','))
  const rows = lines.map((values): Cells => {
    if (values.length !== header.length) throw new Error(`quoted values in ${file}`)
    return Object.fromEntries(header.map((name, column) => [name, values[column] ?? '']))
  })
  const moments = [...new Set(rows.map((row) => row.snapshot_utc ?? ''))].sort(
    (a, b) => instantOf(a) - instantOf(b),
  )
  const newest = new Map<string, { at: number; isLive: boolean; prices: Map<string, number> }>()
  return moments.map((moment) => {
    const at = instantOf(moment)
    const now = rows.filter(({ snapshot_utc }) => snapshot_utc === moment)
    for (const event of new Set(now.map(({ event_id }) => event_id ?? ''))) {
      const ofEvent = now.filter(({ event_id }) => event_id === event)
      const isLive = Date.parse(ofEvent[0]?.commence_time ?? '') <= at
      newest.set(event, { at, isLive, prices: pricesOf(ofEvent) })
    }
    const all = [...newest.values()]
    const fresh = all.filter((of) => at - of.at <= (of.isLive ? 1.5 : 15) * minute)
    return {
      at,
      prices: new Map(all.flatMap(({ prices }) => [...prices])),
      fresh: new Map(fresh.flatMap(({ prices }) => [...prices])),
    }
  })
}

/** Returns the prices of one event at one snapshot. */
function pricesOf(rows: readonly Cells[]): Map<string, number> {
  const prices = new Map<string, number>()
  // A sportsbook with a price for the draw asks another question than one without.
  const withDraw = new Set(
    rows.filter((row) => row.outcome_name === 'Draw').map(({ bookmaker }) => bookmaker),
  )
  const ambiguous = new Set<string>()
  for (const row of rows) {
    const { event_id = '', bookmaker = '', market = '', outcome_name, home_team, point } = row
    const isThreeWay = market === 'h2h' && withDraw.has(bookmaker)
    const marketType = isThreeWay ? 'moneyline_3-way' : markets[market]
    const price = Number(row.price)
    if (marketType === undefined || price <= 1) continue
    const side =
      market === 'totals'
        ? String(outcome_name).toLowerCase()
        : outcome_name === home_team
          ? 'home'
          : outcome_name === row.away_team
            ? 'away'
            : 'draw'
    const sportsbook = findSportsbook(bookmaker)?.id ?? bookmaker
    const line = point ? Number(point) : null
    const key = priceKey(event_id, sportsbook, marketType, side, line)
    const before = prices.get(key)
    if (before !== undefined && before !== price) ambiguous.add(key)
    prices.set(key, price)
  }
  for (const key of ambiguous) prices.delete(key)
  return prices
}

/** Parses `20260303_060344`, possibly with `_daily` behind, or an ISO time; all in UTC. */
function instantOf(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)(_daily)?$/.exec(text)
  if (!parts) return Date.parse(text)
  const [, year, month, day, hours, minutes, seconds] = parts
  return Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`)
}
