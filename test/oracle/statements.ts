/**
 * Histories of statements that are hard on the board: every sportsbook has its own spellings,
 * starts, sides and ids, repeats itself, is late or contradictory, withdraws prices and lets them
 * expire. Every statement knows its game.
 */

import fc from 'fast-check'
import { toAppend } from '../../pipeline/feeds/sink.ts'
import type { StatedAttributes } from '../../schemas/attributes.ts'
import {
  type BoardRecord,
  type EventStatus,
  eventStatuses,
  type FeedMarket,
  type FeedSelection,
  type OddsRecord,
} from '../../schemas/feed-record.ts'
import { slugSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { anyStated } from '../attribute-values.ts'
import type { GameOfListing } from './compare-boards.ts'
import type { Meaning, MeaningOf, Statement } from './slow-board.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const beginning = Date.parse('2026-05-02T12:00:00Z')

export interface History {
  readonly records: readonly BoardRecord[]
  readonly meaningOf: MeaningOf
  readonly gameOf: GameOfListing
}

interface Fixture {
  readonly game: string
  readonly sport: string
  readonly leagues: readonly string[]
  /** Spellings of one side, then of the other. */
  readonly sides: readonly [readonly string[], readonly string[]]
  readonly startsAt: number
}

const premier = ['England - Premier League', 'England Premier League', 'england_-_premier_league']
const baseball = ['MLB', 'mlb']
const fixtures: readonly Fixture[] = [
  {
    game: 'Leeds v Brentford',
    sport: 'soccer',
    leagues: premier,
    sides: [
      ['Leeds United', 'Leeds', 'Leeds Utd'],
      ['Brentford', 'Brentford FC', 'BRENTFORD'],
    ],
    startsAt: beginning + 2 * hour,
  },
  {
    game: 'Manchester United v Arsenal, the same hour',
    sport: 'soccer',
    leagues: premier,
    sides: [
      ['Manchester United', 'Man Utd', 'Man United'],
      ['Arsenal', 'Arsenal FC'],
    ],
    startsAt: beginning + 2 * hour,
  },
  {
    game: 'Manchester City v Chelsea, the same hour',
    sport: 'soccer',
    leagues: premier,
    sides: [
      ['Manchester City', 'Man City'],
      ['Chelsea', 'Chelsea FC'],
    ],
    startsAt: beginning + 2 * hour,
  },
  {
    game: 'Yankees v Red Sox, the first of two',
    sport: 'baseball',
    leagues: baseball,
    sides: [
      ['New York Yankees', 'NY Yankees'],
      ['Boston Red Sox', 'Boston Red Sox'],
    ],
    startsAt: beginning + hour,
  },
  {
    game: 'Yankees v Red Sox, the second of two',
    sport: 'baseball',
    leagues: baseball,
    sides: [
      ['New York Yankees', 'NY Yankees'],
      ['Boston Red Sox', 'Boston Red Sox'],
    ],
    startsAt: beginning + 5 * hour,
  },
  {
    game: 'nobody knows the league or the sides',
    sport: 'soccer',
    leagues: ['Faroe Valley Cup'],
    sides: [
      ['Blue Anchor', 'BLUE ANCHOR'],
      ['Old Mill Rovers', 'OLD MILL ROVERS', 'Old Mill Rovérs'],
    ],
    startsAt: beginning + 30 * hour,
  },
]

interface Book {
  readonly name: string
  readonly hasIds: boolean
  readonly lateMinutes: number
}

const books: readonly Book[] = [
  { name: 'pinnacle', hasIds: true, lateMinutes: 0 },
  { name: 'DraftKings', hasIds: true, lateMinutes: 0 },
  { name: 'betfair', hasIds: true, lateMinutes: 5 },
  { name: 'Corner Shop', hasIds: false, lateMinutes: 0 },
  { name: 'another_shop', hasIds: true, lateMinutes: 10 },
]

const isReversedAt = (book: number, game: number, seed: number) =>
  ((seed >> ((book * fixtures.length + game) % 29)) & 1) === 1

const spelled = (names: readonly string[], book: number) => names[book % names.length] as string

const idOf = (book: number, game: number) => (books[book]?.hasIds ? `${book}-${game}` : null)

const oneOf = <Value>(...values: Value[]) => fc.constantFrom(...values)

// Content of a statement

const price = oneOf(1.5, 1.91, 2.05, 3.4)

interface Said {
  readonly price: number
  readonly state: 'open' | 'suspended' | 'suspended without a price' | 'removed'
  readonly more: StatedAttributes<'selection'>
  /** Negative where the sportsbook's clock is ahead. */
  readonly changedAgoMs: number | null
}

const said: fc.Arbitrary<Said> = fc.record({
  price,
  state: fc.oneof(
    { weight: 7, arbitrary: fc.constant('open' as const) },
    { weight: 2, arbitrary: oneOf('suspended' as const, 'suspended without a price' as const) },
    { weight: 1, arbitrary: fc.constant('removed' as const) },
  ),
  more: anyStated('selection'),
  changedAgoMs: oneOf(null, null, 3_000, -3_000),
})

/** All questions, each with its outcomes: selection type, possible labels, line. */
type Answer = readonly [type: string, labels: readonly (string | null)[], line?: number]

interface Question {
  readonly marketType: string
  readonly line?: number
  readonly playerName?: string
  readonly answers: readonly Answer[]
}

const questions: readonly Question[] = [
  {
    marketType: 'moneyline',
    answers: [
      ['home', [null, 'Home side']],
      ['away', [null, 'Away side']],
      ['draw', [null]],
    ],
  },
  {
    marketType: 'total_goals',
    line: 2.5,
    answers: [
      ['over', [null, 'Over']],
      ['under', [null, 'Under']],
    ],
  },
  {
    marketType: 'total_goals',
    line: 3,
    answers: [
      ['over', [null]],
      ['under', [null]],
    ],
  },
  {
    marketType: 'point_spread',
    answers: [
      ['home', [null], -1.5],
      ['away', [null], 1.5],
      ['home', [null], 1.5],
      ['away', [null], -1.5],
    ],
  },
  {
    marketType: 'point_spread',
    answers: [
      ['home', [null], -1],
      ['away', [null], 1],
      ['draw', [null], -1],
    ],
  },
  {
    marketType: 'team_total',
    line: 1.5,
    answers: [
      ['home_over', [null, 'Home Over']],
      ['home_under', [null]],
      ['away_over', [null]],
    ],
  },
  {
    marketType: 'player_points',
    line: 10.5,
    playerName: 'Ana Novak',
    answers: [
      ['over', [null, 'Over']],
      ['under', [null]],
    ],
  },
  {
    marketType: 'player_points',
    line: 10.5,
    playerName: 'Eva Novak',
    answers: [
      ['over', [null]],
      ['under', [null]],
    ],
  },
  {
    marketType: 'total_goals_range',
    answers: [
      ['2_3', ['2-3']],
      ['3_2', ['3-2']],
    ],
  },
  {
    marketType: 'correct_score',
    answers: [
      ['2_1', ['2-1']],
      ['1_2', ['1-2']],
      ['0_0', ['0-0']],
    ],
  },
  {
    marketType: 'double_chance',
    answers: [
      ['home_draw', [null]],
      ['away_draw', [null]],
      ['home_away', [null]],
    ],
  },
  {
    marketType: 'how_won',
    answers: [
      ['other', ['By a whisker', 'by a whisker']],
      ['exact', ['By a mile']],
    ],
  },
]

interface SaidMarket {
  readonly question: number
  readonly answers: readonly {
    readonly chosen: number
    readonly label: number
    readonly said: Said
  }[]
  readonly isSuspended: boolean
  readonly more: StatedAttributes<'market'>
  /** Whether the record has the market a second time, at these prices or at another one. */
  readonly again: 'no' | 'same' | 'other price' | 'suspended'
  /** Whether it ends all that it names, or the whole market, without saying at which line. */
  readonly ends: 'no' | 'outcomes' | 'market' | 'line'
}

const saidMarket: fc.Arbitrary<SaidMarket> = fc.record({
  question: fc.nat({ max: questions.length - 1 }),
  answers: fc.uniqueArray(
    fc.record({ chosen: fc.nat({ max: 3 }), label: fc.nat({ max: 1 }), said }),
    { minLength: 1, maxLength: 4, size: 'max', selector: ({ chosen }) => chosen },
  ),
  isSuspended: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  more: anyStated('market'),
  again: fc.oneof(
    { weight: 8, arbitrary: fc.constant('no' as const) },
    oneOf('same' as const, 'other price' as const, 'suspended' as const),
  ),
  ends: fc.oneof(
    { weight: 12, arbitrary: fc.constant('no' as const) },
    { weight: 3, arbitrary: fc.constant('outcomes' as const) },
    { weight: 1, arbitrary: oneOf('market' as const, 'line' as const) },
  ),
})

function toMarkets(of: SaidMarket, mode: OddsRecord['mode'], observedAt: number): FeedMarket[] {
  const { marketType, line, playerName, answers } = questions[of.question] as Question
  const market: FeedMarket = {
    marketType,
    line: line ?? null,
    playerName: playerName ?? null,
    statCategory: playerName === undefined ? null : 'points',
    ...of.more,
    suspended: of.isSuspended,
    selections: of.answers.flatMap(({ chosen, label, said }) => {
      const outcome = answers[chosen]
      return outcome ? [toSelection(outcome, label, said, mode, observedAt)] : []
    }),
  }
  if (of.ends === 'market') return [{ ...market, line: null, suspended: true, selections: [] }]
  if (of.ends === 'line') return [{ ...market, suspended: true, selections: [] }]
  if (of.ends === 'outcomes' && isLined(market)) return [withoutLines(market)]
  const otherPrice = (selection: FeedSelection) => ({
    ...selection,
    price: selection.price === null ? null : selection.price + 0.5,
  })
  if (of.again === 'no') return [market]
  if (of.again === 'same') return [market, market]
  if (of.again === 'suspended') return [suspendedCopy(market), market]
  return [market, { ...market, selections: market.selections.map(otherPrice) }]
}

const isLined = ({ line, selections }: FeedMarket) =>
  line !== null || selections.some((of) => of.line !== null)

/** Returns the market with its outcomes suspended or removed, some beside a price, and no line. */
const withoutLines = (market: FeedMarket): FeedMarket => ({
  ...market,
  line: null,
  selections: market.selections.map((of) => ({ ...of, line: null, suspended: !of.removed })),
})

/** Returns a suspended copy, which some sportsbooks leave of a market that they replaced. */
const suspendedCopy = (market: FeedMarket): FeedMarket => ({
  ...market,
  selections: market.selections.map((selection) => ({
    ...selection,
    price: null,
    suspended: true,
  })),
})

function toSelection(
  [selectionType, labels, line]: Answer,
  label: number,
  { price, state, more, changedAgoMs }: Said,
  mode: OddsRecord['mode'],
  observedAt: number,
): FeedSelection {
  // A snapshot withdraws a price by omitting it.
  const removed = state === 'removed' && mode === 'delta'
  return {
    ...more,
    selection: labels[label % labels.length] ?? null,
    selectionType,
    line: line ?? null,
    price: removed || state === 'suspended without a price' ? null : price,
    removed,
    suspended: state.startsWith('suspended'),
    changedAt: changedAgoMs === null ? null : observedAt - changedAgoMs,
  }
}

// Time and author of a statement

type Act =
  | {
      readonly does: 'odds'
      readonly book: number
      readonly game: number
      readonly mode: OddsRecord['mode']
      readonly lateMs: number
      readonly isLive: boolean
      readonly moved: number
      readonly markets: readonly SaidMarket[]
    }
  | {
      readonly does: 'event_status'
      readonly book: number
      readonly game: number
      readonly lateMs: number
      readonly status: EventStatus
    }
  | { readonly does: 'tick' }
  | { readonly does: 'book_status'; readonly book: number; readonly status: 'up' | 'down' }

const book = fc.nat({ max: books.length - 1 })
const game = fc.nat({ max: fixtures.length - 1 })
const lateMs = oneOf(0, 0, 0, 0, second, 10 * second, 2 * minute)

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('odds' as const),
      book,
      game,
      mode: oneOf('snapshot' as const, 'delta' as const, 'delta' as const),
      lateMs,
      isLive: oneOf(false, false, true),
      moved: oneOf(0, 0, 0, 15, 30),
      markets: fc.uniqueArray(saidMarket, {
        maxLength: 5,
        size: 'max',
        selector: ({ question }) => question,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('event_status' as const),
      book,
      game,
      lateMs,
      status: oneOf(...eventStatuses),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('tick' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('book_status' as const),
      book,
      status: oneOf('up' as const, 'down' as const),
    }),
  },
)

/** Time between two acts: mostly seconds, sometimes enough for prices to expire, or for games to go. */
const waitMs = fc.oneof(
  { weight: 40, arbitrary: oneOf(0, second, 7 * second, 25 * second) },
  { weight: 4, arbitrary: oneOf(95 * second, 5 * minute) },
  { weight: 2, arbitrary: fc.constant(16 * minute) },
  { weight: 1, arbitrary: fc.constant(51 * hour) },
)

/** The delivery of a statement: how many later ones overtake it, and whether it is repeated. */
const delivery = fc.record({
  overtakenBy: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat({ max: 6 })),
  againAfter: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, fc.nat({ max: 10 })),
})

export const histories: fc.Arbitrary<History> = fc
  .record({
    acts: fc.array(fc.record({ act, waitMs, delivery }), {
      minLength: 10,
      maxLength: 60,
      size: 'max',
    }),
    reversed: fc.integer({ min: 0, max: 2 ** 29 - 1 }),
    isReversing: fc.boolean(),
    // With few books and games statements meet often; with many, matching is busy.
    bookCount: fc.integer({ min: 1, max: books.length }),
    gameCount: fc.integer({ min: 1, max: fixtures.length }),
    firstGame: game,
  })
  .map(({ acts, reversed, isReversing, bookCount, gameCount, firstGame }) => {
    const among = (act: Act): Act => ({
      ...act,
      ...('book' in act && { book: act.book % bookCount }),
      ...('game' in act && { game: (firstGame + (act.game % gameCount)) % fixtures.length }),
    })
    const meanings = new Map<Statement, Meaning>()
    const timeline: { readonly place: number; readonly record: BoardRecord }[] = []
    let now = beginning
    for (const [index, { act, waitMs, delivery }] of acts.entries()) {
      now += waitMs
      const record = toRecord(among(act), now, isReversing ? reversed : 0, meanings)
      // Ticks and sportsbooks' states keep their places, because their order is guaranteed.
      const isStatement = record.type === 'odds' || record.type === 'event_status'
      const place = index + (isStatement ? delivery.overtakenBy : 0)
      timeline.push({ place, record })
      if (isStatement && delivery.againAfter !== null) {
        timeline.push({ place: place + delivery.againAfter, record })
      }
    }
    return {
      records: timeline.sort((a, b) => a.place - b.place).map(({ record }) => record),
      meaningOf(statement) {
        const meaning = meanings.get(statement)
        if (!meaning) throw new Error('a statement that was not made here')
        return meaning
      },
      gameOf,
    }
  })

function toRecord(
  act: Act,
  now: number,
  reversed: number,
  meanings: Map<Statement, Meaning>,
): BoardRecord {
  if (act.does === 'tick') return { type: 'tick', observedAt: now }
  const sportsbook = books[act.book]?.name as string
  if (act.does === 'book_status') {
    const { status } = act
    return onLog({ type: 'book_status', sportsbook, observedAt: now, status })
  }
  const fixture = fixtures[act.game] as Fixture
  const isReversed = isReversedAt(act.book, act.game, reversed)
  const sides = fixture.sides.map((names) => spelled(names, act.book)) as [string, string]
  const [homeTeam, awayTeam] = isReversed ? [sides[1], sides[0]] : sides
  const { hasIds, lateMinutes } = books[act.book] as Book
  const observedAt = now - act.lateMs
  // A sportsbook without ids identifies the game by its sides and start, so it never changes these.
  const movedMinutes = hasIds && act.does === 'odds' ? act.moved : 0
  const event = {
    externalId: idOf(act.book, act.game),
    sport: fixture.sport,
    league: spelled(fixture.leagues, act.book),
    homeTeam,
    awayTeam,
    startsAt: fixture.startsAt + (lateMinutes + movedMinutes) * minute,
    isLive: act.does === 'odds' ? act.isLive : act.status === 'live',
  }
  const statement =
    act.does === 'event_status'
      ? onLog({ type: 'event_status', sportsbook, observedAt, event, status: act.status })
      : onLog({
          type: 'odds',
          sportsbook,
          mode: act.mode,
          observedAt,
          event,
          markets: act.markets.flatMap((market) => toMarkets(market, act.mode, observedAt)),
        })
  meanings.set(statement as Statement, { game: fixture.game, isReversed })
  return statement
}

/** Returns the record as on the log, with our names. */
const onLog = (record: Exclude<BoardRecord, { type: 'tick' }>) =>
  toAppend(record).value as BoardRecord

function gameOf({ sportsbook, externalId, listing, startsAt }: Parameters<GameOfListing>[0]) {
  const at = books.findIndex(({ name }) => slugSportsbook(name) === sportsbook)
  const ofBook = fixtures.filter((fixture, game) =>
    externalId === null
      ? fixture.sides.every((names) => listing.includes(spelled(names, at))) &&
        Math.abs(fixture.startsAt - startsAt) < hour
      : idOf(at, game) === externalId,
  )
  return ofBook.length === 1 ? ofBook[0]?.game : undefined
}
