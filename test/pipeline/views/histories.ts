/** Random histories of the board's tables, small enough that all parts interact. */

import fc from 'fast-check'
import type { LogRecord, Position } from '../../../pipeline/log/log.ts'
import { createBoardView } from '../../../pipeline/views/board/board-view.ts'
import type { OddsFilter } from '../../../pipeline/views/query/odds-filter.ts'
import { type AttributeValues, noAttributes } from '../../../schemas/attributes.ts'
import type { EventRow } from '../../../schemas/event.ts'
import { oddsId } from '../../../schemas/ids.ts'
import { type MainLineRow, mainLineKey } from '../../../schemas/main-line.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { type Sighting, sightingKey } from '../../../schemas/sighting.ts'
import { topics } from '../../../schemas/topics.ts'
import { anyAttributes } from '../../attribute-values.ts'
import { oddsIdentityText } from '../../odds-identity.ts'
import { createNaiveBoard, homesLine, logRecord, type NaiveBoard } from './naive-board.ts'

export const baseTime = Date.parse('2026-11-20T12:00:00.000Z')
export const sportsbooks = ['draftkings', 'fanduel', 'pinnacle', 'corner shop'] as const

const leagues = [
  { league: 'england_-_premier_league', sport: 'soccer' },
  { league: 'italy_-_serie_a', sport: 'soccer' },
  { league: 'nba', sport: 'basketball' },
] as const

const fixtures = [
  { league: 0, home: 'Leeds United', away: 'Brentford' },
  { league: 0, home: 'Nottingham "Forest"', away: 'Straße \\ Łódź' },
  { league: 1, home: '東京', away: 'A' },
  { league: 2, home: 'Knicks', away: 'Nets' },
  { league: 2, home: 'Bulls', away: 'Heat 🔥' },
] as const

export const eventId = (fixture: number) => `game-${fixture}`

type Answer = readonly [
  marketType: string,
  selectionType: string,
  selection: string,
  line: number | null,
  playerName: string | null,
]

const answers: readonly Answer[] = [
  ['moneyline', 'home', 'H', null, null],
  ['moneyline', 'away', 'A', null, null],
  ['moneyline', 'draw', 'Draw', null, null],
  ['point_spread', 'home', 'H', -1.5, null],
  ['point_spread', 'away', 'A', 1.5, null],
  ['point_spread', 'home', 'H', 0, null],
  ['point_spread', 'away', 'A', -10.25, null],
  ['total_goals', 'over', 'Over', 2.5, null],
  ['total_goals', 'under', 'Under', 2.5, null],
  ['player_points', 'over', 'Zoë "Q" Ünal Over', 22.5, 'Zoë "Q" Ünal'],
  ['player_points', 'under', 'Zoë "Q" Ünal Under', 22.5, 'Zoë "Q" Ünal'],
  ['player_points', 'over', 'Ann Over', 22.5, 'Ann'],
  ['double_chance', 'home_draw', 'H or Draw', null, null],
  ['correct_score', '2_1', '2-1', null, null],
  ['zz_unlisted', 'other', 'b', null, null],
  ['zz_unlisted', 'other', 'a', null, null],
  ['moneyline_3-way', 'draw', 'Draw', -1, null],
  ['race_to_points', 'home', 'H', 20, null],
  ['race_to_points', 'away', 'A', 20, null],
  ['total_goals', 'over', 'Over', 3.5, null],
  ['total_goals', 'under', 'Under', 3.5, null],
  ['team_total', 'home_over', 'H Over', 1.5, null],
  ['team_total', 'away_over', 'A Over', 2.5, null],
  ['team_total', 'away_under', 'A Under', 0.5, null],
  ['aa_unlisted', 'yes', 'Yes', 3, null],
]

const prices = [1.001, 1.01, 1.5, 1.9090909090909092, 2, 2.05, 11, 101.5, 12_345.678, 1e6]

export type Op =
  | {
      readonly op: 'event'
      readonly fixture: number
      readonly day: number
      readonly flipped: boolean
      readonly rename: boolean
      readonly isLive: boolean
    }
  | { readonly op: 'eventGone'; readonly fixture: number }
  | {
      readonly op: 'odds'
      readonly fixture: number
      readonly book: number
      readonly answer: number
      readonly price: number
      readonly changed: boolean
      readonly isLive: boolean
      readonly isActive: boolean
      readonly attributes?: Partial<AttributeValues>
      readonly at: number
    }
  | {
      readonly op: 'oddsGone'
      readonly fixture: number
      readonly book: number
      readonly answer: number
    }
  | {
      readonly op: 'sighting'
      readonly fixture: number
      readonly book: number
      readonly at: number
      readonly externalId: string | null
    }
  | {
      readonly op: 'mainLine'
      readonly fixture: number
      /** One of the question's outcomes, with a rung. */
      readonly answer: number
      readonly isLive: boolean
      /** Indexes of the outcomes with the main lines, by set of sportsbooks. Null if the question has only one rung. */
      readonly lines: readonly number[] | null
      readonly own: readonly (readonly [book: number, answer: number])[]
    }

const fixture = fc.nat(fixtures.length - 1)
const book = fc.nat(sportsbooks.length - 1)
const answer = fc.nat(answers.length - 1)
const at = fc.integer({ min: -3_600_000, max: 3_600_000 })

const eventOp = (days: number): fc.Arbitrary<Op> =>
  fc.record({
    op: fc.constant('event' as const),
    fixture,
    day: fc.nat(days),
    flipped: fc.boolean(),
    rename: fc.boolean(),
    isLive: fc.boolean(),
  })

const oddsOp: fc.Arbitrary<Op> = fc.record({
  op: fc.constant('odds' as const),
  fixture,
  book,
  answer,
  price: fc.constantFrom(...prices),
  changed: fc.boolean(),
  isLive: fc.boolean(),
  isActive: fc.boolean(),
  attributes: anyAttributes,
  at,
})

const oddsGoneOp: fc.Arbitrary<Op> = fc.record({
  op: fc.constant('oddsGone' as const),
  fixture,
  book,
  answer,
})

const sightingOp: fc.Arbitrary<Op> = fc.record({
  op: fc.constant('sighting' as const),
  fixture,
  book,
  at,
  externalId: fc.constantFrom(null, '77', 'x'),
})

/** Outcomes whose questions have several lines. */
const ladder = [3, 4, 5, 6, 7, 8, 17, 18, 19, 20, 21]

const onLadder = fc.constantFrom(...ladder)

const mainLineOp: fc.Arbitrary<Op> = fc.record({
  op: fc.constant('mainLine' as const),
  fixture,
  answer: onLadder,
  isLive: fc.boolean(),
  lines: fc.option(fc.array(onLadder, { minLength: 5, maxLength: 5 }), { nil: null, freq: 5 }),
  own: fc.array(fc.tuple(book, onLadder), { maxLength: 3 }),
})

const eventGoneOp: fc.Arbitrary<Op> = fc.record({ op: fc.constant('eventGone' as const), fixture })

/** @param days number of days over which the start of an event moves; 0 for a fixed start */
export const anyOp = (days = 2): fc.Arbitrary<Op> =>
  fc.oneof(
    { weight: 3, arbitrary: eventOp(days) },
    { weight: 14, arbitrary: oddsOp },
    { weight: 4, arbitrary: oddsGoneOp },
    { weight: 3, arbitrary: sightingOp },
    { weight: 4, arbitrary: mainLineOp },
    { weight: 1, arbitrary: eventGoneOp },
  )

export function eventRow(op: Extract<Op, { op: 'event' }>): EventRow {
  const { home, away, league } = fixtures[op.fixture]!
  const [homeTeam, awayTeam] = op.flipped ? [away, home] : [home, away]
  return {
    id: eventId(op.fixture),
    ...leagues[league],
    leagueMapped: true,
    homeTeam: op.rename ? `${homeTeam}, the team with a name longer than it was` : homeTeam,
    awayTeam,
    flipped: op.flipped,
    // Some events start at the same time, so that ids decide.
    startsAt: baseTime + op.day * 86_400_000 + (op.fixture % 2) * 3_600_000,
    status: op.isLive ? 'live' : 'upcoming',
    isLive: op.isLive,
    updatedAt: baseTime,
  }
}

function rowId(fixtureNumber: number, bookNumber: number, answerNumber: number): number {
  const [marketType, selectionType, selection, line, playerName] = answers[answerNumber]!
  return oddsId(
    oddsIdentityText({
      sportsbook: sportsbooks[bookNumber]!,
      eventId: eventId(fixtureNumber),
      marketType,
      line,
      playerName,
      selectionType,
      selection,
    }),
  )
}

/** Returns the id of the row that clients know. */
export const oddsIdOf = (op: Extract<Op, { op: 'odds' | 'oddsGone' }>): string =>
  String(rowId(op.fixture, op.book, op.answer))

export function oddsRow(op: Extract<Op, { op: 'odds' }>): OddsRow {
  const [marketType, selectionType, selection, line, playerName] = answers[op.answer]!
  return {
    id: rowId(op.fixture, op.book, op.answer),
    eventId: eventId(op.fixture),
    league: leagues[fixtures[op.fixture]!.league].league,
    sportsbook: sportsbooks[op.book]!,
    marketType,
    selection,
    selectionType,
    line,
    playerName,
    statCategory: playerName === null ? null : 'points',
    price: op.price,
    isLive: op.isLive,
    isActive: op.isActive,
    observedAt: baseTime + op.at,
    changedAt: op.changed ? baseTime + op.at : null,
    ...noAttributes,
    ...op.attributes,
  }
}

export function sightingRow(op: Extract<Op, { op: 'sighting' }>): Sighting {
  return {
    eventId: eventId(op.fixture),
    league: leagues[fixtures[op.fixture]!.league].league,
    sportsbook: sportsbooks[op.book]!,
    lastSeenAt: baseTime + op.at,
    externalId: op.externalId,
    listing: 'l',
    hasGivenPrices: true,
    statedAt: null,
    formerListings: [],
    homeTeam: 'Leeds United',
    awayTeam: 'Brentford',
    startsAt: baseTime,
    swapped: false,
    isLive: false,
    statedStatus: null,
  }
}

function mainLineRecord(op: Extract<Op, { op: 'mainLine' }>): LogRecord {
  const [marketType, selectionType, , , playerName] = answers[op.answer]!
  const [side, ...rest] = selectionType.split('_')
  const team: MainLineRow['team'] =
    rest.length > 0 && (side === 'home' || side === 'away') ? side : null
  const of = { eventId: eventId(op.fixture), marketType, team, playerName, isLive: op.isLive }
  const lineOf = (answer: number) =>
    homesLine(answers[answer]![0], answers[answer]![1], answers[answer]![3]!)
  const row: MainLineRow | null = op.lines && {
    ...of,
    league: leagues[fixtures[op.fixture]!.league].league,
    lines: op.lines.map(lineOf),
    own: op.own.map(([number, answer]) => ({
      sportsbook: sportsbooks[number]!,
      line: lineOf(answer),
    })),
  }
  return logRecord(topics.mainLines, mainLineKey(of), row)
}

export function recordOf(op: Op): LogRecord {
  switch (op.op) {
    case 'mainLine':
      return mainLineRecord(op)
    case 'event':
      return logRecord(topics.events, eventId(op.fixture), eventRow(op))
    case 'eventGone':
      return logRecord(topics.events, eventId(op.fixture), null)
    case 'odds': {
      const row = oddsRow(op)
      return logRecord(topics.odds, String(row.id), row)
    }
    case 'oddsGone':
      return logRecord(topics.odds, String(rowId(op.fixture, op.book, op.answer)), null)
    case 'sighting': {
      const row = sightingRow(op)
      return logRecord(topics.sightings, sightingKey(row.eventId, row.sportsbook), row)
    }
  }
}

/** Returns all fixtures as first announced. */
export const announcements = (): LogRecord[] =>
  fixtures.map((_, i) =>
    recordOf({ op: 'event', fixture: i, day: 0, flipped: false, rename: false, isLive: false }),
  )

const some = <T>(...values: T[]) =>
  fc.option(fc.subarray(values, { minLength: 1 }), { nil: undefined, freq: 3 })

const eventTests: readonly NonNullable<OddsFilter['isEventNamed']>[] = [
  (row) => row.startsAt >= baseTime + 86_400_000,
  (row) => row.homeTeam.includes('longer than it was') || row.league === 'nba',
  () => false,
]
const bound = fc.constantFrom(-100_000, -200, -110, 100, 105, 1_000, 10_050, 1e9)

/** Values for each field of a filter: a field without any does not compile. The main line is separate. */
const drawn = {
  sportsbooks: some<string>(...sportsbooks, 'never seen', 'betmgm'),
  sports: some('soccer', 'basketball', 'curling'),
  leagues: some<string>(...leagues.map(({ league }) => league), 'nowhere'),
  marketTypes: some('moneyline', 'point_spread', 'player_points', 'zz_unlisted', 'run_line'),
  eventIds: some(eventId(0), eventId(2), eventId(4), 'no such event'),
  live: fc.option(fc.boolean(), { nil: undefined, freq: 3 }),
  stalePregame: fc.option(fc.boolean(), { nil: undefined, freq: 4 }),
  minAmerican: fc.option(bound, { nil: undefined, freq: 4 }),
  maxAmerican: fc.option(bound, { nil: undefined, freq: 4 }),
  isEventNamed: fc.option(fc.constantFrom(...eventTests), { nil: undefined, freq: 4 }),
} satisfies Record<
  Exclude<keyof OddsFilter, 'mainLine' | 'lineSet' | 'ownMainLine' | 'isMarketNamed'>,
  unknown
>

export const anyDeltaFilter: fc.Arbitrary<OddsFilter> = fc.record(drawn)

/** Many changes to a few questions, so that their main lines move. */
export const anyLadderOp: fc.Arbitrary<Op> = anyOp(0).map((op) => ({
  ...op,
  fixture: op.fixture % 2,
  ...('answer' in op && { answer: ladder[op.answer % ladder.length]! }),
}))

const anyLine: fc.Arbitrary<OddsFilter> = fc.oneof(
  fc.record({ mainLine: fc.boolean(), lineSet: fc.nat(4) }),
  fc.record({ mainLine: fc.boolean() }),
  fc.record({ ownMainLine: fc.boolean() }),
)

/** Filters by the main line. */
export const anyLineFilter: fc.Arbitrary<OddsFilter> = fc
  .tuple(anyDeltaFilter, anyLine)
  .map(([{ sportsbooks, live, stalePregame, minAmerican, isEventNamed }, line]) => ({
    sportsbooks,
    live,
    stalePregame,
    minAmerican,
    isEventNamed,
    ...line,
  }))

/** Filters by one member alone, by its name. */
export const anyAlone: readonly (readonly [member: string, fc.Arbitrary<OddsFilter>])[] = [
  ...Object.entries<fc.Arbitrary<unknown>>(drawn).map(
    ([member, values]) =>
      [
        member,
        values
          .filter((value) => value !== undefined)
          .map((value): OddsFilter => ({ [member]: value })),
      ] as const,
  ),
  ['main lines', anyLine],
]

export const anyFilter: fc.Arbitrary<OddsFilter> = fc
  .tuple(anyDeltaFilter, fc.option(anyLine, { nil: {}, freq: 3 }))
  .map(([filter, line]) => ({ ...filter, ...line }))

// ---- steps

/** Changes at one time. */
export interface Step {
  readonly ops: readonly Op[]
  readonly reset: boolean
  /** Time since the step before; negative if the clock goes back. */
  readonly elapsedMs: number
}

/**
 * @param options.resets whether the view is sometimes emptied
 * @param options.op the operations; default any
 */
export const anyStep = (options: { resets: boolean; op?: fc.Arbitrary<Op> }): fc.Arbitrary<Step> =>
  fc.record({
    ops: fc.array(options.op ?? anyOp(), { maxLength: 12 }),
    reset: options.resets ? fc.nat(25).map((n) => n === 0) : fc.constant(false),
    elapsedMs: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 720_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: -5_000, max: -1 }) },
    ),
  })

/** Returns the records of a step that a changelog can hold: an unknown event has nothing to withdraw yet. */
export function changelog(ops: readonly Op[], naive: NaiveBoard): LogRecord[] {
  const known = new Set(naive.events.keys())
  const records: LogRecord[] = []
  for (const op of ops) {
    if (op.op === 'event') known.add(eventId(op.fixture))
    if (op.op === 'eventGone') known.delete(eventId(op.fixture))
    if (op.op === 'oddsGone' && !known.has(eventId(op.fixture))) continue
    records.push(recordOf(op))
  }
  return records
}

/** Creates a view and a naive board that get the same records, with their own clock. */
export function createBoardPair(books?: ReadonlySet<string>) {
  const view = createBoardView(books ? { books } : {})
  const naive = createNaiveBoard(books)
  let now = baseTime

  function take(records: readonly LogRecord[]) {
    view.apply(records, position, now)
    naive.applyAll(records)
  }

  return {
    view,
    naive,
    /** The current time, epoch ms. */
    get now() {
      return now
    },
    wait(elapsedMs: number) {
      now += elapsedMs
      view.advance(now)
    },
    take,
    step({ ops, reset, elapsedMs }: Step) {
      now += elapsedMs
      if (reset) {
        view.reset(now)
        naive.clear()
      }
      take(changelog(ops, naive))
    },
  }
}

export const position: Position = { epoch: 'e', offsets: {} }
