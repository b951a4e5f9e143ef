/**
 * Files of football-data.co.uk. There are three kinds: a season of one division with pregame and
 * closing prices; all seasons of an extra league with closing prices; the fixtures of the next days
 * with prices at the time of the file.
 *
 * A season file has no times of prices. So the early prices get the time two days before kick-off,
 * and closing prices a minute before it. If a sportsbook has closing columns but no closing price,
 * the price is not offered any more. Files up to 2018/19 have closing columns only of Pinnacle, and
 * no time of the kick-off: 15:00 is used. The result is reported two hours after kick-off. Only the
 * order of these times is a fact.
 */

import type { FeedEvent, OddsRecord } from '../../../schemas/feed-record.ts'
import { addTo } from '../../../schemas/grouping.ts'
import { findLeague } from '../../../schemas/reference/leagues.ts'
import { mainMarketType } from '../../../schemas/reference/markets.ts'
import type { Skip } from '../feed.ts'
import { priceOfDecimal, type StatedOutcome, skipEach, unstated } from '../kit/outcomes.ts'
import { ukInstant } from './kick-off.ts'
import { createOffered } from './offered.ts'
import { longestText, numberOf, readCsv } from './recorded-file.ts'
import { createTimeline, RecordingError, resultOf, type Step, scoreOf } from './recording.ts'
import { toSnapshots } from './snapshots.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const earlyMs = 48 * hourMs
const closingMs = minuteMs
const resultMs = 2 * hourMs

/** The kick-off of games whose file has no time. */
const usualKickOff = '15:00'

/** The columns that identify a file of each kind. */
export const fixtureColumns = ['Div', 'Date', 'Time', 'HomeTeam', 'AwayTeam', 'B365H']
export const seasonColumns = ['Div', 'Date', 'HomeTeam', 'AwayTeam', 'FTR']
export const extraLeagueColumns = ['Country', 'League', 'Season', 'Date', 'Home', 'Away', 'Res']

type Cells = Readonly<Record<string, string>>
type Phase = 'early' | 'closing'

/** The content of a column of prices. */
interface PriceColumn {
  readonly name: string
  /** Null for the best and the mean of all sportsbooks, which are no sportsbook's offers. */
  readonly sportsbook: string | null
  readonly phase: Phase
  readonly marketType: string
  readonly selectionType: string
  /** Returns our own side's line from the row: the file has only the home side's handicap. */
  readonly lineOf: (cells: Cells) => number | null
  readonly hasLine: boolean
}

/** `PS` and `P` are one sportsbook, as are `VC` and `BV`: no file has both for one market. */
const sportsbooks: Readonly<Record<string, string | null>> = {
  B365: 'bet365',
  BW: 'bwin',
  IW: 'interwetten',
  PS: 'pinnacle',
  P: 'pinnacle',
  WH: 'williamhill',
  VC: 'betvictor',
  BV: 'betvictor',
  '1XB': 'onexbet',
  BF: 'betfair_sportsbook',
  BFE: 'betfair',
  BFD: 'betfred',
  BMGM: 'betmgm',
  CL: 'coral',
  LB: 'ladbrokes',
  GB: 'gamebookers',
  SB: 'sportingbet',
  SJ: 'stanjames',
  SY: 'stanleybet',
  BS: 'bluesquare',
  SO: 'sportingodds',
  Max: null,
  Avg: null,
  BbMx: null,
  BbAv: null,
}

const goals = 2.5

const priceColumns = new Map<string, PriceColumn>()
for (const [prefix, sportsbook] of Object.entries(sportsbooks)) {
  for (const phase of ['early', 'closing'] as const) {
    const start = phase === 'early' ? prefix : `${prefix}C`
    const add = (
      suffix: string,
      marketType: string,
      selectionType: string,
      lineOf?: PriceColumn['lineOf'],
    ) => {
      const name = `${start}${suffix}`
      priceColumns.set(name, {
        name,
        sportsbook,
        phase,
        marketType,
        selectionType,
        lineOf: lineOf ?? (() => null),
        hasLine: lineOf !== undefined,
      })
    }
    // Up to 2018/19 some sportsbooks have their own handicap.
    const handicap = (cells: Cells) =>
      phase === 'early'
        ? numberOf(cells[`${prefix}AH`] || cells.AHh || cells.BbAHh)
        : numberOf(cells.AHCh)
    const total = mainMarketType('soccer', 'total')
    const spread = mainMarketType('soccer', 'spread')
    add('H', 'moneyline', 'home')
    add('D', 'moneyline', 'draw')
    add('A', 'moneyline', 'away')
    add('>2.5', total, 'over', () => goals)
    add('<2.5', total, 'under', () => goals)
    add('AHH', spread, 'home', handicap)
    add('AHA', spread, 'away', (cells) => {
      const home = handicap(cells)
      return home === null ? null : 0 - home
    })
  }
}

/** Columns without prices; any other filled column is a skip. */
const otherColumns = new Set(
  'Div Date Time HomeTeam AwayTeam Referee Attendance FTHG FTAG FTR HTHG HTAG HTR HS AS HST AST HF AF HC AC HY AY HR AR HO AO HHW AHW HBP ABP HFKC AFKC AHh AHCh B365AH GBAH LBAH Bb1X2 BbOU BbAH BbAHh Season HG AG'.split(
    ' ',
  ),
)

/** Yields the steps of a season: each match early, at the close, and over. */
export const readSeason = (path: string): AsyncGenerator<Step> => stepsOf(readMatches(path))

/** Yields the steps of all seasons of an extra league. */
export const readExtraLeague = (path: string): AsyncGenerator<Step> =>
  stepsOf(readMatches(path, asOfDivision))

/**
 * Returns a row of an extra league in the columns of a division. Its prices without a mark are
 * closing prices.
 */
function asOfDivision({ Country, League, Home, Away, Res, ...others }: Cells): Cells {
  const prices = Object.entries(others).map(([name, price]) => {
    const [, prefix, answer] = /^(P|Max|Avg)([HDA])$/.exec(name) ?? []
    return [prefix === undefined ? name : `${prefix}C${answer}`, price]
  })
  return {
    ...Object.fromEntries(prices),
    Div: `${Country?.trim()} - ${League?.trim()}`,
    HomeTeam: Home?.trim() ?? '',
    AwayTeam: Away?.trim() ?? '',
    FTR: Res?.trim() ?? '',
  }
}

async function* stepsOf(matches: AsyncGenerator<Match>): AsyncGenerator<Step> {
  const timeline = createTimeline()
  const offered = createOffered()
  for await (const row of matches) {
    if ('lost' in row) {
      timeline.add(null, [], row.lost)
      continue
    }
    const { cells, event, columns, unmapped } = row
    const closing = closingSportsbooks(cells)
    const key = `${event.league} ${event.homeTeam} ${event.awayTeam} ${event.startsAt}`
    for (const phase of ['early', 'closing'] as const) {
      const at = event.startsAt - (phase === 'early' ? earlyMs : closingMs)
      const ofPhase = columns.filter((column) => column.phase === phase)
      const { records, skipped } = pricesOf(cells, ofPhase, event, at)
      const withdrawn = offered.replace(key, records, at)
      const gone = withdrawn.filter(({ sportsbook }) => closing.has(sportsbook))
      timeline.add(at, [...records, ...gone], skipped)
    }
    timeline.add(event.startsAt - closingMs, [], unmapped)
    if (/^[HDA]$/.test(cells.FTR ?? '')) {
      const observedAt = event.startsAt + resultMs
      const score = scoreOf(numberOf(cells.FTHG || cells.HG), numberOf(cells.FTAG || cells.AG))
      timeline.add(observedAt, resultOf('football_data', event, observedAt, score), [])
    }
  }
  yield* timeline.steps()
}

/** Returns the sportsbooks with columns for the close in the file. */
function closingSportsbooks(cells: Cells): ReadonlySet<string | null> {
  const columns = Object.keys(cells).flatMap((name) => priceColumns.get(name) ?? [])
  const closing = columns.filter(({ phase }) => phase === 'closing')
  return new Set(closing.map(({ sportsbook }) => sportsbook))
}

/**
 * Yields the only step of a fixtures file; the file's name has its time
 * (`fixtures_20260129T090739Z.csv`).
 * @throws RecordingError if it has none
 */
export async function* readFixtures(path: string): AsyncGenerator<Step> {
  const [, ...digits] =
    /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(path.split(/[/\\]/).at(-1) ?? '') ?? []
  const [year, month, day, hour, minute, second] = digits.map(Number)
  const at =
    digits.length === 0
      ? Number.NaN
      : Date.UTC(year as number, (month as number) - 1, day, hour, minute, second)
  if (Number.isNaN(at)) {
    throw new RecordingError(
      `${path} holds fixtures and does not say when they were read; ` +
        'put the UTC time into its name, as in fixtures_20260129T090739Z.csv',
    )
  }
  const timeline = createTimeline()
  for await (const row of readMatches(path)) {
    if ('lost' in row) {
      timeline.add(at, [], row.lost)
      continue
    }
    const { cells, event, columns, unmapped } = row
    timeline.add(at, [], unmapped)
    // Pregame prices that were published again after the match.
    const stale =
      event.startsAt <= at ? columns : columns.filter(({ phase }) => phase === 'closing')
    const reason = event.startsAt <= at ? 'already_started' : 'not_closed_yet'
    timeline.add(at, [], skipEach(reason, stale.map(detailOf(cells))))
    const fresh = columns.filter((column) => !stale.includes(column))
    const { records, skipped } = pricesOf(cells, fresh, event, at)
    timeline.add(at, records, skipped)
  }
  yield* timeline.steps()
}

type Match =
  | {
      readonly cells: Cells
      readonly event: FeedEvent
      /** The filled columns of prices. */
      readonly columns: readonly PriceColumn[]
      readonly unmapped: readonly Skip[]
    }
  /** A row without a readable match becomes a skip for each of its prices. */
  | { readonly lost: readonly Skip[] }

/** @param asRead renames the columns to those of divisions */
async function* readMatches(
  path: string,
  asRead: (cells: Cells) => Cells = (cells) => cells,
): AsyncGenerator<Match> {
  for await (const { line, cells: read } of readCsv(path, longestText)) {
    if (!read) {
      yield { lost: [{ reason: 'malformed_row', detail: `line ${line}` }] }
      continue
    }
    const cells = asRead(read)
    const filled = Object.keys(cells).filter((name) => cells[name] !== '')
    const columns = filled.flatMap((name) => priceColumns.get(name) ?? [])
    const unmapped = filled
      .filter((name) => !priceColumns.has(name) && !otherColumns.has(name))
      .map((name) => ({ reason: 'unmapped_column', detail: `line ${line} ${name}` }))
    const event = eventOf(cells)
    if (typeof event === 'string') {
      const details = columns.map(({ name }) => `line ${line} ${name}`)
      yield { lost: [...skipEach(event, details), ...unmapped] }
    } else {
      yield { cells, event, columns, unmapped }
    }
  }
}

function eventOf({ Div = '', Date: date = '', Time = '', ...teams }: Cells): FeedEvent | string {
  const { HomeTeam: homeTeam, AwayTeam: awayTeam } = teams
  const league = findLeague(Div, 'soccer')
  const startsAt = ukInstant(date.trim(), Time.trim() || usualKickOff)
  if (!league) return 'unknown_league'
  if (startsAt === null) return 'bad_start'
  if (!homeTeam || !awayTeam || homeTeam === awayTeam) return 'unknown_participant'
  return {
    externalId: null,
    sport: league.sport,
    league: league.id,
    homeTeam,
    awayTeam,
    startsAt,
    isLive: false,
  }
}

function pricesOf(
  cells: Cells,
  columns: readonly PriceColumn[],
  event: FeedEvent,
  observedAt: number,
): { records: OddsRecord[]; skipped: Skip[] } {
  const skipped: Skip[] = []
  const byBook = new Map<string, StatedOutcome[]>()
  for (const column of columns) {
    const { sportsbook, marketType, selectionType, name } = column
    const price = priceOfDecimal(numberOf(cells[name]) ?? Number.NaN)
    const line = column.lineOf(cells)
    if (sportsbook === null || price === null || (column.hasLine && line === null)) {
      const reason =
        sportsbook === null ? 'not_a_sportsbook' : price === null ? 'bad_price' : 'no_line'
      skipped.push({ reason, detail: detailOf(cells)(column) })
      continue
    }
    addTo(byBook, sportsbook, { ...unstated, marketType, selectionType, line, price })
  }
  return toSnapshots(byBook, { event, observedAt }, skipped)
}

const detailOf =
  (cells: Cells) =>
  ({ name }: PriceColumn) =>
    `${cells.Date} ${cells.HomeTeam} - ${cells.AwayTeam} ${name} ${cells[name]}`
