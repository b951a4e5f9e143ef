/**
 * A football season at the sportsbooks of a comparison site: two rows per game, one per team, with
 * each sportsbook's last lines under its number. The lower rotation number is the visitor. These
 * were the last prices, but their times are unknown: they get the time a minute before kick-off,
 * and the result four hours after it.
 *
 * The file does not say two things, which its numbers show. Number 20 is Pinnacle: its mean overround
 * is the lowest of all. The visitor's row has the price of over: in 2023 the share of bets in that row
 * follows the share of over tickets in another source (194 games and lines, correlation 0.62). Other
 * sportsbooks are unnamed and keep their number. Nobody knows which sportsbook the opening price is
 * of, so it is not replayed.
 *
 * Shares of bets belong to no single sportsbook, so they are splits of `consensus`; the visitor's
 * share of a total is that of over. The file's "dollars" are counts of bets, not money: the two of a
 * game have the same ratio as the shares of bets, in all but one of 4,792 pairs of six seasons.
 * Shares of money are unknown.
 */

import type { FeedEvent, OddsRecord, SplitsRecord } from '../../../schemas/feed-record.ts'
import { addTo } from '../../../schemas/grouping.ts'
import { mainMarketType } from '../../../schemas/reference/markets.ts'
import { areShares, sharesFrom } from '../../rules/odds/splits.ts'
import type { Skip } from '../feed.ts'
import { priceOfAmerican, type StatedOutcome, skipEach, unstated } from '../kit/outcomes.ts'
import { seasonInstant } from './kick-off.ts'
import { longestText, numberOf, readCsv } from './recorded-file.ts'
import { createTimeline, resultOf, type Step, scoreOf } from './recording.ts'
import { toSnapshots } from './snapshots.ts'

const closingMs = 60_000
const resultMs = 4 * 3_600_000

/** The columns that identify such a file. */
export const teamRowColumns = [
  'game_id',
  'season',
  'team',
  'date',
  'time',
  'outcome',
  'rotation',
  'opening_moneyline',
  '20_moneyline',
]

type Cells = Readonly<Record<string, string>>

const knownNumbers: Readonly<Record<string, string>> = { 20: 'pinnacle' }

/** The kinds of prices by the suffix of their column, with the column of the line. */
const kinds = [
  { kind: 'moneyline', price: 'moneyline', line: null },
  { kind: 'spread', price: 'spread_odds', line: 'spread' },
  { kind: 'total', price: 'total_odds', line: 'total' },
] as const

const isPriceColumn = (name: string) =>
  /^(opening|\d+)_(moneyline|spread_odds|total_odds)$/.test(name)

export async function* readTeamRows(path: string): AsyncGenerator<Step> {
  const timeline = createTimeline()
  const games = new Map<string, Cells[]>()
  for await (const { line, cells } of readCsv(path, longestText)) {
    if (cells?.game_id) addTo(games, cells.game_id, cells)
    else timeline.add(null, [], [{ reason: 'malformed_row', detail: `line ${line}` }])
  }
  for (const [id, rows] of games) {
    const game = gameOf(id, rows)
    if (typeof game === 'string') {
      timeline.add(null, [], skipEach(game, rows.flatMap(filledPrices)))
      continue
    }
    const { event, isOver } = game
    const prices = pricesOf(game)
    const shares = splitsOf(game)
    const skipped = [...prices.skipped, ...shares.skipped]
    timeline.add(event.startsAt - closingMs, [...prices.records, ...shares.records], skipped)
    if (isOver) {
      const observedAt = event.startsAt + resultMs
      const score = scoreOf(numberOf(game.home.score), numberOf(game.visitor.score))
      timeline.add(observedAt, resultOf('multibook', event, observedAt, score), [])
    }
  }
  yield* timeline.steps()
}

interface Game {
  readonly event: FeedEvent
  readonly visitor: Cells
  readonly home: Cells
  readonly isOver: boolean
}

function gameOf(id: string, rows: readonly Cells[]): Game | string {
  const [visitor, home] = [...rows].sort((a, b) => Number(a.rotation) - Number(b.rotation))
  if (rows.length !== 2 || !visitor?.team || !home?.team || visitor.rotation === home.rotation) {
    return 'unknown_participant'
  }
  const startsAt = seasonInstant(Number(home.season), home.date ?? '', home.time ?? '')
  if (startsAt === null) return 'bad_start'
  const event = {
    externalId: id,
    sport: 'football',
    league: 'nfl',
    homeTeam: home.team,
    awayTeam: visitor.team,
    startsAt,
    isLive: false,
  }
  return { event, visitor, home, isOver: /^FINAL/.test(home.outcome ?? '') }
}

function pricesOf({ event, visitor, home }: Game): { records: OddsRecord[]; skipped: Skip[] } {
  const skipped: Skip[] = []
  const byBook = new Map<string, StatedOutcome[]>()
  for (const [row, side, totalSide] of [
    [home, 'home', 'under'],
    [visitor, 'away', 'over'],
  ] as const) {
    for (const name of Object.keys(row).filter((name) => isPriceColumn(name) && row[name] !== '')) {
      const number = name.slice(0, name.indexOf('_'))
      const column = kinds.find(({ price }) => name === `${number}_${price}`)
      const detail = detailOf(row, name)
      if (number === 'opening' || !column) {
        skipped.push({ reason: 'unknown_sportsbook', detail })
        continue
      }
      const { kind } = column
      const price = priceOfAmerican(numberOf(row[name]) ?? Number.NaN)
      const line = column.line === null ? null : numberOf(row[`${number}_${column.line}`])
      if (price === null || (column.line !== null && line === null)) {
        skipped.push({ reason: price === null ? 'bad_price' : 'no_line', detail })
        continue
      }
      addTo(byBook, knownNumbers[number] ?? `book_${number}`, {
        ...unstated,
        marketType: mainMarketType('football', kind),
        selectionType: kind === 'total' ? totalSide : side,
        line,
        price,
      })
    }
  }
  const observedAt = event.startsAt - closingMs
  return toSnapshots(byBook, { event, observedAt }, skipped)
}

type Bets = readonly [visitor: number, home: number]

function splitsOf({ event, visitor, home }: Game): { records: SplitsRecord[]; skipped: Skip[] } {
  const skipped: Skip[] = []

  function betsOf(kind: string): Bets | null {
    const name = `${kind}_bet_pct`
    if (!visitor[name] && !home[name]) return null
    const bets = sharesFrom([share(visitor[name]), share(home[name])])
    if (bets === null || areShares(bets, true)) return bets
    skipped.push({ reason: 'bad_shares', detail: detailOf(home, name) })
    return null
  }

  const [moneyline, spread, total] = kinds.map(({ kind }) => betsOf(kind))
  if (!moneyline && !spread && !total) return { records: [], skipped }
  const record: SplitsRecord = {
    type: 'splits',
    sportsbook: 'consensus',
    observedAt: event.startsAt - closingMs,
    event,
    moneyline: moneyline
      ? { handle: null, bets: moneyline, awayPrice: null, homePrice: null }
      : null,
    spread: spread ? { handle: null, bets: spread, awayLine: null, homeLine: null } : null,
    total: total ? { handle: null, bets: total, line: null } : null,
  }
  return { records: [record], skipped }
}

const share = (text: string | undefined) => numberOf(text) ?? Number.NaN

const filledPrices = (row: Cells) =>
  Object.keys(row)
    .filter((name) => isPriceColumn(name) && row[name] !== '')
    .map((name) => detailOf(row, name))

const detailOf = (row: Cells, name: string) =>
  `${row.season} ${row.date} ${row.team} ${name} ${row[name]}`
