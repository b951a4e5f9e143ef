/**
 * The outcome that changes the question of a market. In a tie, a winner or handicap with two
 * outcomes pays or returns the stake; with a draw as an outcome it loses. The same goes for an over
 * beside an "exactly". So prices beside such an outcome have their own type and are never mixed
 * with the others. With a draw, that is the three-way type; with any other outcome, a type that is
 * compared with no other.
 *
 * If a three-way market offers two sides without a draw, at prices that leave no room for one, it
 * also asks another question: draw no bet, or who qualifies. It is unknown which, so it is compared
 * with no other.
 *
 * The outcome belongs to a **rung** (`questions.ts`): under one name, a sportsbook may offer -1
 * with three outcomes and -1.5 with two.
 */

import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import { memoise } from '../../../schemas/memoise.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findMarket, typeInPeriod } from '../../../schemas/reference/markets.ts'
import { outcomesListed } from './outcome-words.ts'
import { homeLine } from './questions.ts'

/**
 * Returns the type of the question with a draw (or "neither") as an additional outcome; null if it
 * already has one or cannot have one, or its type is not listed.
 */
export function typeWithDraw(marketType: string, sport: string): string | null {
  return sport === 'soccer' ? inSoccer(marketType) : elsewhere(marketType)
}

const elsewhere = memoise((marketType: string): string | null => {
  const market = findMarket(marketType)
  if (market?.answers === 'winner') return typeInPeriod('moneyline_3-way', market.period)
  if (market?.answers === 'handicap' && market.counts === 'score') {
    return typeInPeriod('handicap_3-way', market.period)
  }
  return market && ofTwo.has(market.answers) ? `${marketType}_3-way` : null
})

const ofTwo: ReadonlySet<Answers> = new Set([
  'handicap',
  'two_ways',
  'over_under',
  'team_over_under',
  'yes_no',
  'odd_even',
])

/** Returns the type in soccer, where the winner always has a draw. */
const inSoccer = memoise((marketType: string) =>
  findMarket(marketType)?.answers === 'winner' ? null : elsewhere(marketType),
)

/**
 * A question related to that of a stated market: the same with an additional outcome, or without
 * its draw.
 */
export interface QuestionBeside {
  readonly marketType: string
  /** Whether it is the question without the draw. No outcome shows it; `isDrawn` does. */
  readonly isWithoutDraw: boolean
  /** Returns whether a selection type is the additional outcome. */
  readonly has: (selectionType: string) => boolean
  /**
   * Whether the outcome counts even without a price: a possible draw of a winner or handicap shows
   * the question.
   */
  readonly isNamedUnpriced: boolean
}

/**
 * Returns the questions that a market becomes by an additional outcome; the first that has one
 * counts.
 */
export const questionsBeside = (
  { marketType, playerName }: Pick<FeedMarket, 'marketType' | 'playerName'>,
  sport: string,
): readonly QuestionBeside[] =>
  besides(`${sport === 'soccer' ? sport : ''}|${playerName === null ? '' : 'player'}|${marketType}`)

const besides = memoise((key: string): readonly QuestionBeside[] => {
  const [sport = '', about = ''] = key.split('|', 2)
  const marketType = key.slice(sport.length + about.length + 2)
  const listed = outcomesListed(marketType, sport)
  const market = findMarket(marketType)
  // The outcomes of a double chance overlap. In a market of players, an unknown word is a player.
  if (!listed || !market || market.answers === 'double_chance') return []
  if (market.isPlayerProp && about === '') return []
  const withDraw = typeWithDraw(marketType, sport)
  const isOfSides = market.answers === 'winner' || market.answers === 'handicap'
  // An unknown outcome beside two sides may be their draw.
  const mayBeDraw = isOfSides && withDraw !== null
  const ofOtherKind = mayBeDraw ? overUnders : otherKinds
  const others: QuestionBeside = {
    marketType: `${marketType}_with_other`,
    isWithoutDraw: false,
    has: (type) => type !== 'draw' && !listed.has(type) && !ofOtherKind.test(type),
    isNamedUnpriced: mayBeDraw,
  }
  if (listed.has('draw')) return [others, withoutDraw(marketType)]
  if (withDraw === null) return [others]
  return [
    others,
    {
      marketType: withDraw,
      isWithoutDraw: false,
      has: (type) => type === 'draw',
      isNamedUnpriced: isOfSides,
    },
  ]
})

const withoutDraw = (marketType: string): QuestionBeside => ({
  marketType: typeWithoutDraw(marketType),
  isWithoutDraw: true,
  has: () => false,
  isNamedUnpriced: false,
})

/** Returns the type of a three-way market without its draw. */
export const typeWithoutDraw = (marketType: string) => `${marketType}_without_draw`

/**
 * Types of outcomes of another kind of market, or of a person: these are no additional outcomes.
 */
const otherKinds =
  /^(home|away)$|^(home|away|draw)_(home|away|draw)$|(^|_)(over|under|yes|no|odd|even)$|^(over|under)_/
/** The outcomes that are never a draw, as `even`, `no` or `home_draw` may be. */
const overUnders = /(^|_)(over|under)$|^(over|under)_/

/** Returns whether any market of the record has an outcome that changes its question. */
export function hasOutcomeMore(record: readonly FeedMarket[], sport: string): boolean {
  for (const market of record) {
    const listed = outcomesListed(market.marketType, sport)
    if (listed === null) continue
    for (const { selectionType } of market.selections) {
      if (listed.has(selectionType)) continue
      if (questionsBeside(market, sport).some(({ has }) => has(selectionType))) return true
    }
  }
  return false
}

/** The rungs of a stated market that have the additional outcome; `all` if its rung is unknown. */
export type RungsMore = ReadonlySet<number | null> | 'all'

/**
 * Returns the rungs of a stated market on which its record has the additional outcome. The outcome
 * is in the market itself. Or, if each outcome is a market by itself, it is in another market of
 * this type without this market's own outcomes: on the rungs of this one, or without a rung.
 *
 * An outcome that is withdrawn while the others get new prices still shows their question.
 * @param record all markets of the record, under our types
 * @param isMore returns whether a stated selection is the additional outcome
 * @returns null for none
 */
export function rungsMore(
  market: FeedMarket,
  record: readonly FeedMarket[],
  sport: string,
  isMore: (stated: FeedSelection) => boolean,
): RungsMore | null {
  const listed = outcomesListed(market.marketType, sport)
  const isOwn = ({ selectionType }: FeedSelection) => listed?.has(selectionType) === true
  const more = new Set<number | null>()
  const own = market.selections.filter(isOwn)
  const rungs = new Set(own.map((stated) => rungOf(market, stated)))
  const isOffering = own.some((stated) => !stated.removed)
  for (const other of record) {
    if (other.marketType !== market.marketType || other.playerName !== market.playerName) continue
    if (other !== market && other.selections.some(isOwn)) continue
    for (const stated of other.selections) {
      if (!isMore(stated) || (stated.removed && !isOffering)) continue
      const rung = rungOf(other, stated)
      const isOver = stated.removed || stated.suspended || other.suspended
      // If it is suspended at all lines, that says nothing about these lines.
      const isElsewhere = other !== market && (rung !== null || isOver) && !rungs.has(rung)
      if (!isElsewhere) more.add(rung)
    }
  }
  if (more.size === 0) return null
  const areKnown = own.length === 0 || [...more].every((rung) => rungs.has(rung))
  return areKnown ? more : 'all'
}

/** Returns the rung that a stated selection is on. */
export const rungOf = ({ marketType, line }: FeedMarket, stated: FeedSelection) =>
  homeLine(marketType, stated.selectionType, stated.line ?? line)

/**
 * Returns whether the prices of a rung's own outcomes make a complete question: their implied
 * probabilities sum to 1 or more.
 */
export function isWhole(market: FeedMarket, rung: number | null, sport: string): boolean {
  const listed = outcomesListed(market.marketType, sport)
  let sum = 0
  for (const stated of market.selections) {
    const isOwn = listed?.has(stated.selectionType) === true
    if (!isOwn || stated.price === null || rungOf(market, stated) !== rung) continue
    sum += 1 / stated.price
  }
  return sum >= 1
}

/** Returns whether a record states a draw of a market on a rung, priced or not. */
export type StatesDraw = (market: FeedMarket, rung: number | null) => boolean

/** @param record all markets of the record, under our types */
export function drawsOf(record: readonly FeedMarket[]): StatesDraw {
  const drawn = new Map<string, Set<number | null>>()
  const keyOf = ({ marketType, playerName }: FeedMarket) => `${marketType}|${playerName}`
  for (const market of record) {
    for (const stated of market.selections) {
      if (stated.selectionType !== 'draw') continue
      const rungs = drawn.get(keyOf(market)) ?? new Set()
      drawn.set(keyOf(market), rungs.add(rungOf(market, stated)))
    }
  }
  return (market, rung) => {
    const rungs = drawn.get(keyOf(market))
    return rungs !== undefined && (rungs.has(rung) || rungs.has(null))
  }
}

/**
 * Returns whether a three-way market has its draw on a rung: the record states a draw, or both
 * sides at prices that leave room for one. Null if that is unknown.
 */
export function isDrawn(
  market: FeedMarket,
  rung: number | null,
  statesDraw: StatesDraw,
  sport: string,
): boolean | null {
  if (statesDraw(market, rung)) return true
  const missing = new Set(outcomesListed(market.marketType, sport))
  missing.delete('draw')
  for (const stated of market.selections) {
    const isPriced = stated.price !== null && rungOf(market, stated) === rung
    if (isPriced) missing.delete(stated.selectionType)
  }
  return missing.size > 0 ? null : !isWhole(market, rung, sport)
}

/** Returns the three-way markets that a snapshot states without their draw on some rung. */
export function marketsWithoutDraw(
  record: readonly FeedMarket[],
  sport: string,
): ReadonlySet<FeedMarket> {
  const found = new Set<FeedMarket>()
  let statesDraw: StatesDraw | undefined
  for (const market of record) {
    const isOfThree = outcomesListed(market.marketType, sport)?.has('draw') === true
    if (!isOfThree || hasOutsider(market)) continue
    statesDraw ??= drawsOf(record)
    const rungs = new Set(market.selections.map((stated) => rungOf(market, stated)))
    for (const rung of rungs) {
      if (isDrawn(market, rung, statesDraw, sport) === false) found.add(market)
    }
  }
  return found
}

/**
 * Returns whether a side may be less likely than the margin. Then the draw may be that too, and
 * just be omitted.
 */
export const hasOutsider = ({ selections }: FeedMarket) =>
  selections.some(({ price }) => price !== null && price >= outsider)
const outsider = 8

/**
 * Returns the rows of one sportsbook on one event with their current types; some may date from before draws had their
 * own types.
 */
export function filedAnew(rows: readonly OddsRow[], sport: string): readonly OddsRow[] {
  const drawn = new Set<string>()
  for (const row of rows) if (row.selectionType === 'draw') drawn.add(rungOfRow(row))
  if (drawn.size === 0) return rows
  return rows.map((row) => {
    const marketType = row.playerName === null ? typeWithDraw(row.marketType, sport) : null
    return marketType !== null && drawn.has(rungOfRow(row)) ? { ...row, marketType } : row
  })
}

const rungOfRow = ({ marketType, selectionType, line }: OddsRow) =>
  `${marketType} ${homeLine(marketType, selectionType, line)}`
