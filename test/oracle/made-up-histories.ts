/** Made-up histories of two games at eight sportsbooks: the statements and the order of reading them. */

import fc from 'fast-check'
import { createRandom, type Random } from '../../pipeline/feeds/simulator/random.ts'
import { toAppend } from '../../pipeline/feeds/sink.ts'
import type {
  BoardRecord,
  FeedMarket,
  FeedRecord,
  FeedSelection,
} from '../../schemas/feed-record.ts'

const second = 1_000
const minute = 60 * second

/** Returns the record as on the log, with our names. */
export const onLog = (record: FeedRecord) => toAppend(record).value as BoardRecord

export interface Fixture {
  readonly sport: string
  readonly league: string
  readonly homeTeam: string
  readonly awayTeam: string
  readonly startsLaterMs: number
  readonly questions: readonly Question[]
}

/** A market type with its possible lines, each a question with these outcomes. */
interface Question {
  readonly marketType: string
  readonly playerName?: string
  /** The lines; of a handicap, those of the home side. */
  readonly lines: readonly (number | null)[]
  readonly answers: readonly string[]
  /** Share of statements with the draw; by default that of other outcomes. */
  readonly drawShare?: number
  /** Labels of an outcome, if they tell outcomes apart. */
  readonly labels?: readonly string[]
}

export const beginning = Date.parse('2026-05-02T12:00:00Z')

export const fixtures: readonly Fixture[] = [
  {
    sport: 'basketball',
    league: 'nba',
    homeTeam: 'Boston Celtics',
    awayTeam: 'Miami Heat',
    startsLaterMs: 4 * minute,
    questions: [
      // Sportsbooks that quote a draw ask another question.
      { marketType: 'moneyline', lines: [null], answers: ['home', 'away', 'draw'], drawShare: 0.6 },
      { marketType: 'point_spread', lines: [-2.5, -1, 0, 1.5, 4], answers: ['home', 'away'] },
      {
        marketType: 'total_points',
        lines: [210, 210.5, 213.5, 216],
        answers: ['over', 'under'],
        labels: ['More', 'At least'],
      },
      {
        marketType: 'team_total',
        lines: [104.5, 106],
        answers: ['home_over', 'home_under', 'away_over', 'away_under'],
      },
      {
        marketType: 'player_points',
        playerName: 'Jayson Tatum',
        lines: [24.5, 26.5],
        answers: ['over', 'under'],
      },
    ],
  },
  {
    sport: 'soccer',
    league: 'england_-_premier_league',
    homeTeam: 'Leeds United',
    awayTeam: 'Brentford',
    startsLaterMs: 40 * minute,
    questions: [
      { marketType: 'moneyline', lines: [null], answers: ['home', 'away', 'draw'] },
      { marketType: 'moneyline_3-way', lines: [-1, 1], answers: ['home', 'away', 'draw'] },
      {
        marketType: 'asian_handicap',
        lines: [-0.75, -0.5, 0.25, 1],
        answers: ['home', 'away', 'draw'],
        drawShare: 0.15,
      },
      { marketType: 'total_goals', lines: [2, 2.25, 2.5, 3.5], answers: ['over', 'under'] },
      {
        marketType: 'highest_scoring_half',
        lines: [null],
        answers: ['1st_half', '2nd_half', 'draw'],
        labels: ['One of them', 'That one'],
      },
      { marketType: 'correct_score', lines: [null], answers: ['1_0', '0_1'] },
    ],
  },
]

export const plain = {
  selection: null,
  externalId: null,
  removed: false,
  suspended: false,
  maxBet: null,
  changedAt: null,
  publicBetPct: null,
  deepLink: null,
} as const

/** Some of every set of sportsbooks, and some references of +EV. */
const books = [
  ...['draftkings', 'fanduel', 'caesars', 'bet365', 'bovada'],
  ...['pinnacle', 'betfair', 'unibet_uk'],
]

/** Prices around fair, some generous, a few absurd. */
const pricesOf: Readonly<Record<2 | 3, readonly number[]>> = {
  2: [1.83, 1.87, 1.91, 1.91, 1.95, 1.95, 1.98, 2, 2.02, 2.05, 2.1, 2.2, 2.6, 19],
  3: [2.6, 2.7, 2.8, 2.8, 2.9, 2.9, 3, 3, 3.05, 3.1, 3.2, 3.3, 4.2, 29],
}

const oneOf = <Value>(random: Random, values: readonly Value[]) =>
  values[random.below(values.length)] as Value

/** Returns a sportsbook's markets on part of a fixture, drawn from the seed. */
function marketsOf(
  random: Random,
  { questions }: Fixture,
  share: number,
  isDelta: boolean,
): FeedMarket[] {
  const markets: FeedMarket[] = []
  for (const { marketType, playerName, lines, answers, drawShare = 0.9, labels } of questions) {
    const sides = answers.length === 3 && drawShare > 0.5 ? 3 : 2
    const isHandicap = /spread|handicap|3-way/.test(marketType)
    for (const line of lines) {
      if (!random.chance(share)) continue
      const selections = answers.flatMap((selectionType): FeedSelection[] => {
        if (!random.chance(selectionType === 'draw' ? drawShare : 0.9)) return []
        const removed = isDelta && random.chance(0.1)
        const label = labels && random.chance(0.4) ? oneOf(random, labels) : null
        const isTurned = isHandicap && selectionType === 'away' && line !== null
        const said = (selection: string | null, isRemoved: boolean): FeedSelection => ({
          ...plain,
          selection,
          selectionType,
          line: isTurned ? 0 - line : line,
          price: isRemoved ? null : oneOf(random, pricesOf[sides]),
          removed: isRemoved,
          suspended: !isRemoved && random.chance(0.08),
        })
        if (label === null) return [said(null, removed)]
        // A new name removes the old one, unless the sportsbook forgets it.
        const former = isDelta && random.chance(0.7) ? [...labels!, null] : []
        return [
          ...former.filter((other) => other !== label).map((other) => said(other, true)),
          said(label, removed),
        ]
      })
      markets.push({
        marketType,
        line: isHandicap ? null : line,
        playerName: playerName ?? null,
        statCategory: playerName === undefined ? null : 'points',
        externalId: null,
        maxBet: null,
        suspended: random.chance(0.04),
        selections,
      })
    }
  }
  return markets
}

type Act =
  | {
      readonly does: 'odds'
      readonly book: number
      readonly game: number
      readonly isDelta: boolean
      /** Claims the opposite of what the clock says about being in play. */
      readonly isOdd: boolean
      readonly share: number
    }
  /** Repeats its last statement of prices under other labels. */
  | { readonly does: 'repeat'; readonly book: number; readonly game: number }
  | { readonly does: 'status'; readonly book: number; readonly game: number; readonly at: number }
  | { readonly does: 'source'; readonly book: number; readonly isUp: boolean }
  | { readonly does: 'tick' }

const book = fc.nat({ max: books.length - 1 })
const game = fc.nat({ max: fixtures.length - 1 })
const statuses = ['upcoming', 'live', 'live', 'final', 'postponed', 'cancelled'] as const

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      does: fc.constant('odds' as const),
      book,
      game,
      isDelta: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
      isOdd: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
      share: fc.constantFrom(0, 0.1, 0.1, 0.3, 0.9),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('repeat' as const), book, game }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('status' as const),
      book,
      game,
      at: fc.nat({ max: statuses.length - 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('source' as const), book, isUp: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('tick' as const) }) },
)

/** Sometimes long enough for prices to expire, in play and before the start. */
const waitMs = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom(0, second, 9 * second) },
  { weight: 2, arbitrary: fc.constantFrom(31 * second, 61 * second) },
  { weight: 1, arbitrary: fc.constantFrom(2 * minute, 5 * minute, 16 * minute) },
)

/** A board in its first state, and the records that change it. */
export const histories = fc
  .record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    opening: fc.integer({ min: 2, max: books.length }),
    acts: fc.array(fc.record({ act, waitMs }), { minLength: 5, maxLength: 40, size: 'max' }),
  })
  .map(({ seed, opening, acts }) => {
    const random = createRandom(seed)
    const toRecord = createSpeaker(random)
    const records: BoardRecord[] = [{ type: 'tick', observedAt: beginning }]
    for (let book = 0; book < books.length; book++) {
      for (let game = 0; game < fixtures.length && book < opening; game++) {
        const odds = { book, game, isDelta: false, isOdd: false, share: 0.8 }
        records.push(toRecord({ does: 'odds', ...odds }, beginning))
      }
    }
    let now = beginning
    for (const { act, waitMs } of acts) {
      now += waitMs
      records.push(toRecord(act, now))
    }
    records.push({ type: 'tick', observedAt: now + second })
    return records
  })

function createSpeaker(random: Random) {
  /** Last statement by sportsbook and game. */
  const last = new Map<string, readonly FeedMarket[]>()

  return function toRecord(act: Act, now: number): BoardRecord {
    if (act.does === 'tick') return { type: 'tick', observedAt: now }
    const sportsbook = books[act.book] as string
    const from = { sportsbook, observedAt: now }
    if (act.does === 'source') {
      return onLog({ ...from, type: 'book_status', status: act.isUp ? 'up' : 'down' })
    }
    const fixture = fixtures[act.game] as Fixture
    const { sport, league, homeTeam, awayTeam, startsLaterMs } = fixture
    const hasStarted = now >= beginning + startsLaterMs
    const key = `${sportsbook} ${act.game}`
    const isOdd = act.does === 'odds' && act.isOdd
    const event = {
      externalId: key,
      ...{ sport, league, homeTeam, awayTeam },
      startsAt: beginning + startsLaterMs,
      isLive: act.does === 'status' ? statuses[act.at] === 'live' : isOdd !== hasStarted,
    }
    if (act.does === 'status') {
      const status = statuses[act.at] as (typeof statuses)[number]
      return onLog({ ...from, type: 'event_status', event, status })
    }
    const isDelta = act.does === 'odds' && act.isDelta
    const markets =
      act.does === 'odds'
        ? marketsOf(random, fixture, act.share, isDelta)
        : relabelled(random, fixture, last.get(key) ?? [])
    if (!isDelta) last.set(key, markets)
    return onLog({ ...from, type: 'odds', mode: isDelta ? 'delta' : 'snapshot', event, markets })
  }
}

/** Returns the same prices under other labels, where a question has labels. */
const relabelled = (random: Random, { questions }: Fixture, markets: readonly FeedMarket[]) =>
  markets.map((market) => {
    const labels = questions.find(({ marketType }) => marketType === market.marketType)?.labels
    const selections = market.selections.map((selection) =>
      labels && random.chance(0.3)
        ? { ...selection, selection: oneOf(random, [...labels, null]) }
        : selection,
    )
    return { ...market, selections }
  })

/** A plan to read a history: batch sizes in turn, each with its fault. */
export const plans = fc.array(
  fc.record({
    size: fc.integer({ min: 1, max: 8 }),
    fault: fc.constantFrom('none' as const, 'none' as const, 'restart' as const, 'lost' as const),
  }),
  { minLength: 1, maxLength: 6 },
)

export type Plan = Parameters<Parameters<typeof plans.map>[0]>[0]
