/**
 * Recordings of The Odds API as CSV: one price per row, or one sportsbook's main markets per row.
 * Rows are joined to the original response and read by the adapter's own parser, so that a replayed
 * price means the same as a live one.
 *
 * Records have the time of the snapshot, not a sportsbook's `last_update`: all of a snapshot was
 * true then, and the time of an event at a sportsbook must not go back. (The two are 26 s apart in
 * the median of the AFL recording, 15 minutes at most.)
 *
 * If a sportsbook is missing from a listed event, it has withdrawn its prices. If an event is
 * missing from a snapshot, that is no withdrawal: snapshots only list the events of the recorder's
 * query. In the AFL recording, 11 of 21 events are left out and come back, 13 times in all; of the
 * 19 that leave permanently, 18 do so after their start. Such prices expire on the board.
 */

import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { groupBy } from '../../../schemas/grouping.ts'
import { findLeague, type League } from '../../../schemas/reference/leagues.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import { pushAll } from '../../memory/push-all.ts'
import type { Skip } from '../feed.ts'
import { instantOf } from '../kit/instant.ts'
import { type OddsFormat, parseOdds } from '../the-odds-api/parse.ts'
import { createOffered } from './offered.ts'
import { numberOf, readCsv } from './recorded-file.ts'
import { mostInStep, RecordingError, type RecordingOptions, type Step } from './recording.ts'

type Cells = Readonly<Record<string, string>>

interface Game {
  readonly id: string
  readonly sport_key: string
  readonly commence_time: string
  readonly home_team: string
  readonly away_team: string
}

/** One price as stated in a row; the parser gets it unchanged. */
interface Outcome {
  readonly game: Game
  readonly bookmaker: string
  readonly market: string
  readonly name: string
  readonly price: unknown
  readonly point: number | null
}

/** The columns that identify a file of one price a row. */
export const priceRowColumns = [
  'event_id',
  'home_team',
  'away_team',
  'commence_time',
  'bookmaker',
  'market',
  'outcome_name',
  'price',
  'point',
  'snapshot_utc',
]

/**
 * Yields the steps of a file with one price per row, in decimal odds; each `snapshot_utc` is a full
 * snapshot.
 * @throws RecordingError if neither the rows, the options nor the file's name have the league
 */
export async function* readPriceRows(
  path: string,
  options: RecordingOptions,
): AsyncGenerator<Step> {
  const sportKey = await findSportKey(path, options)
  const outcomesOf = (cells: Cells): Outcome[] | null => {
    const { event_id: id, bookmaker, market, outcome_name: name } = cells
    const point = numberOf(cells.point)
    const isComplete = id && bookmaker && market && name && (point !== null || !cells.point)
    if (!isComplete) return null
    const price = numberOf(cells.price) ?? (cells.price || null)
    const game = gameOf(cells, id, cells.sport_key || sportKey)
    return [{ game, bookmaker, market, name, price, point }]
  }
  const timeOf = (cells: Cells) => snapshotTime(cells.snapshot_utc ?? '')
  yield* readSnapshots(path, { format: 'decimal', timeOf, outcomesOf })
}

/** The columns that identify a file of one sportsbook's main markets a row. */
export const gameRowColumns = [
  'sport',
  'snapshot_taken_at_utc',
  'game_id',
  'commence_time',
  'home_team',
  'away_team',
  'bookmaker',
  'ml_home',
  'ml_away',
  'spread_home',
  'spread_home_odds',
  'spread_away',
  'spread_away_odds',
  'total_line',
  'total_over_odds',
  'total_under_odds',
]

/** Yields the steps of a file with one row per game, sportsbook and snapshot, in American odds. */
export async function* readGameRows(path: string): AsyncGenerator<Step> {
  const outcomesOf = (cells: Cells): Outcome[] | null => {
    const { sport = '', game_id: id, bookmaker } = cells
    const league = findLeague(sport)
    const sportKey = league && sportKeyOf(league)
    if (!id || !bookmaker || !sportKey) return null
    const game = gameOf(cells, id, sportKey)
    const { home_team: home, away_team: away } = game
    const outcome = (market: string, name: string, price: string, line?: string) => ({
      game,
      bookmaker,
      market,
      name,
      price: numberOf(cells[price]) ?? cells[price],
      point: line === undefined ? null : numberOf(cells[line]),
    })
    return [
      outcome('h2h', home, 'ml_home'),
      outcome('h2h', away, 'ml_away'),
      outcome('spreads', home, 'spread_home_odds', 'spread_home'),
      outcome('spreads', away, 'spread_away_odds', 'spread_away'),
      outcome('totals', 'Over', 'total_over_odds', 'total_line'),
      outcome('totals', 'Under', 'total_under_odds', 'total_line'),
    ].filter(({ price }) => price !== '')
  }
  const timeOf = (cells: Cells) =>
    instantOf(cells.snapshot_taken_at_utc || cells.api_snapshot_timestamp_utc)
  yield* readSnapshots(path, { format: 'american', timeOf, outcomesOf })
}

interface RowReading {
  readonly format: OddsFormat
  readonly timeOf: (cells: Cells) => number | null
  /** Returns the prices of a row, or null for an incomplete row. */
  readonly outcomesOf: (cells: Cells) => Outcome[] | null
}

/** The most prices of one snapshot, which is held whole. */
const mostAtOnce = 1_000_000

async function* readSnapshots(path: string, reading: RowReading): AsyncGenerator<Step> {
  const offered = createOffered()
  let at: number | null = null
  let outcomes: Outcome[] = []
  let skipped: Skip[] = []

  function flush(): Step {
    const read = at === null ? null : placeSnapshot(at, outcomes, reading.format, offered)
    const step = {
      at,
      records: read?.records ?? [],
      skipped: [...skipped, ...(read?.skipped ?? [])],
    }
    outcomes = []
    skipped = []
    return step
  }

  for await (const { line, cells } of readCsv(path)) {
    if (skipped.length >= mostInStep) {
      yield { at: null, records: [], skipped }
      skipped = []
    }
    if (outcomes.length > mostAtOnce) {
      throw new RecordingError(
        `${path} has more than ${mostAtOnce} prices of one time, at line ${line}; give each row the time of its snapshot`,
      )
    }
    const stated = cells && reading.outcomesOf(cells)
    if (!stated) {
      skipped.push({ reason: 'malformed_row', detail: `line ${line}` })
      continue
    }
    const time = reading.timeOf(cells)
    // A snapshot that continues after a later one has begun would look like a second one.
    if (time === null || (at !== null && time < at)) {
      const reason = time === null ? 'no_time' : 'out_of_order'
      skipped.push(
        ...stated.map((outcome) => ({ reason, detail: `line ${line} ${outcome.market}` })),
      )
      continue
    }
    if (at !== null && time > at) yield flush()
    at = time
    pushAll(outcomes, stated)
  }
  if (outcomes.length > 0 || skipped.length > 0) yield flush()
}

function placeSnapshot(
  at: number,
  outcomes: readonly Outcome[],
  oddsFormat: OddsFormat,
  offered: ReturnType<typeof createOffered>,
): Step {
  const data = dataOf(outcomes)
  const timestamp = new Date(at).toISOString()
  const parsed = parseOdds({ timestamp, data }, { oddsFormat, receivedAt: at })
  const odds = parsed.records.filter((record): record is OddsRecord => record.type === 'odds')
  const byEvent = groupBy(odds, ({ event }) => event.externalId)
  // An event without a start gives no records, which does not mean that it has no prices.
  const listed = data.filter(({ commence_time }) => instantOf(commence_time) !== null)
  const records = listed.flatMap(({ id }) => {
    const ofEvent = byEvent.get(id) ?? []
    return [...ofEvent, ...offered.replace(id, ofEvent, at)]
  })
  return { at, records, skipped: parsed.skipped }
}

/** Returns the list of events, each with its bookmakers, their markets and outcomes, in the rows' order. */
function dataOf(outcomes: readonly Outcome[]) {
  return [...groupBy(outcomes, ({ game }) => game.id).values()].map((ofEvent) => ({
    ...(ofEvent[0] as Outcome).game,
    bookmakers: [...groupBy(ofEvent, ({ bookmaker }) => bookmaker)].map(([key, ofBook]) => ({
      key,
      markets: [...groupBy(ofBook, ({ market }) => market)].map(([market, ofMarket]) => ({
        key: market,
        outcomes: ofMarket.map(({ name, price, point }) => ({ name, price, point })),
      })),
    })),
  }))
}

const gameOf = (cells: Cells, id: string, sportKey: string): Game => ({
  id,
  sport_key: sportKey,
  commence_time: cells.commence_time ?? '',
  home_team: cells.home_team ?? '',
  away_team: cells.away_team ?? '',
})

/** Parses `20260303_060344`, optionally with a label after it (`_daily`), or an ISO time. */
function snapshotTime(text: string): number | null {
  const digits = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)(?:_[a-z]+)?$/.exec(text)
  if (!digits) return instantOf(text)
  const [, year, month, day, hour, minute, second] = digits
  return instantOf(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** Returns the key of the file's only league; empty if each row has its own. */
async function findSportKey(path: string, { league: named }: RecordingOptions): Promise<string> {
  for await (const { cells } of readCsv(path)) {
    if (cells?.sport_key) return ''
    break
  }
  const fileName = path.split(/[/\\]/).at(-1) ?? ''
  const names = named === undefined ? fileName.toLowerCase().split(/[^a-z0-9]+/) : [named]
  const leagues = new Set(names.flatMap((name) => findLeague(name) ?? []))
  const [league] = leagues
  const key = leagues.size === 1 && league ? sportKeyOf(league) : undefined
  if (key === undefined) {
    throw new RecordingError(
      `${path} does not say its league${named === undefined ? '' : `, and ${named} is none we can use`}; ` +
        'name one, as in ?league=afl',
    )
  }
  return key
}

/** Returns The Odds API's key of a league, whose first word is its sport. */
const sportKeyOf = ({ aliases, sport }: League): string | undefined =>
  aliases.find((alias) => /_/.test(alias) && findSport(alias.split('_')[0] ?? '')?.id === sport)
