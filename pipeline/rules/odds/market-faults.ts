/**
 * The faults of a stated market: an outcome that its question cannot have, a line too many or too few, lines that
 * contradict each other. Only this file lists them: push ingest reports them to the sender, and the processor of
 * prices keeps such rows off the board, whatever the source.
 *
 * A statement that has no meaning, or would put a price on the wrong side, is left out. A statement
 * that means something else than usual for its type is kept, but compared only with its own kind,
 * and the sender gets a warning. Examples: an additional outcome (`three-ways.ts` has its type), a
 * moneyline with a line.
 */

import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { homeLine, isHandicap } from './questions.ts'
import { isWithoutLine, rungOfSides } from './stated-market.ts'
import { questionsBeside, rungOf } from './three-ways.ts'

/** Names of the faults, in snake_case, also used for counting. */
export type MarketFault =
  | 'answer_of_another_market'
  | 'missing_line'
  | 'contradictory_lines'
  | 'unexpected_line'
  | 'unexpected_draw'

/** Returns why a selection does not fit its market; null if it fits, or its type is not listed. */
export function selectionFault(
  market: Pick<FeedMarket, 'marketType' | 'line'>,
  selection: Pick<FeedSelection, 'selectionType' | 'line'>,
): MarketFault | null {
  const listed = findMarket(market.marketType)
  if (listed === undefined) return null
  const { answers, hasLine } = listed
  if (foreignOutcomes[answers]?.has(selection.selectionType)) return 'answer_of_another_market'
  const needsLine = hasLine && countsByLine.has(answers)
  return needsLine && selection.line === null && market.line === null ? 'missing_line' : null
}

/**
 * Returns whether a selection without its line is suspended or removed: that applies to all its
 * lines.
 */
export const isUnlinedEnd = (market: FeedMarket, selection: FeedSelection): boolean =>
  (market.suspended || selection.suspended || selection.removed) &&
  selectionFault(market, selection) === 'missing_line'

const noSides = new Set(['home', 'away', 'draw'])
const noCounts = new Set(['over', 'under', 'odd', 'even'])

/**
 * Outcomes that belong to another kind of question. Rare outcomes, such as `other`, are in no set.
 */
const foreignOutcomes: Readonly<Partial<Record<Answers, ReadonlySet<string>>>> = {
  winner: noCounts,
  handicap: noCounts,
  two_ways: new Set([...noCounts, 'draw']),
  three_ways: noCounts,
  over_under: noSides,
  team_over_under: noSides,
  yes_no: new Set([...noSides, ...noCounts]),
  odd_even: noSides,
}

/** Kinds with lines in which an outcome without a line has no meaning. */
const countsByLine: ReadonlySet<Answers> = new Set([
  'handicap',
  'three_ways',
  'over_under',
  'team_over_under',
])

/**
 * Returns whether both sides are offered equally often but never at the same line: home -1.5 beside
 * away -1.5, over 2.5 beside under 3.5. Also true for one pair of sides beside a draw at another
 * line. The line of such a market is ambiguous.
 */
export const hasContradictoryLines = (market: FeedMarket): boolean =>
  isDrawElsewhere(market) || areSidesElsewhere(market)

function isDrawElsewhere(market: FeedMarket): boolean {
  const isDraw = ({ selectionType, removed }: FeedSelection) => selectionType === 'draw' && !removed
  if (!market.selections.some(isDraw)) return false
  const rung = rungOfSides(market)
  return rung !== null && market.selections.some((of) => isDraw(of) && rungOf(market, of) !== rung)
}

function areSidesElsewhere({ marketType, line, selections }: FeedMarket): boolean {
  const listed = findMarket(marketType)
  const isOfMargin = listed?.hasLine === true && isHandicap(marketType)
  const isOfCount = listed?.answers === 'over_under'
  const [one, other] = isOfMargin ? ['home', 'away'] : isOfCount ? ['over', 'under'] : []
  if (one === undefined || other === undefined || selections.length < 2) return false
  if (selections.length === 2) return isBrokenPair(marketType, line, selections, one, other)
  const rungs = new Set<number>()
  const opposite: number[] = []
  for (const stated of selections) {
    const rung = homeLine(marketType, stated.selectionType, stated.line ?? line)
    if (rung === null || stated.removed) continue
    if (stated.selectionType === one) rungs.add(rung)
    else if (stated.selectionType === other) opposite.push(rung)
  }
  return (
    rungs.size > 0 && rungs.size === opposite.length && !opposite.some((rung) => rungs.has(rung))
  )
}

/** Returns the same for the two selections that most markets have. */
function isBrokenPair(
  marketType: string,
  line: number | null,
  [first, second]: readonly FeedSelection[],
  one: string,
  other: string,
): boolean {
  if (!first || !second || first.removed || second.removed) return false
  const { selectionType: a } = first
  const { selectionType: b } = second
  if (!((a === one && b === other) || (a === other && b === one))) return false
  const rung = homeLine(marketType, a, first.line ?? line)
  const opposite = homeLine(marketType, b, second.line ?? line)
  return rung !== null && opposite !== null && rung !== opposite
}

/**
 * Returns the type under which prices are served if an additional outcome changes the market's
 * question; null if no priced outcome does.
 */
export function typeBesideMore(market: FeedMarket, sport: string): string | null {
  for (const { marketType, has, isNamedUnpriced } of questionsBeside(market, sport)) {
    const isMore = ({ selectionType, removed, price }: FeedSelection) =>
      has(selectionType) && !removed && (price !== null || isNamedUnpriced)
    if (market.selections.some(isMore)) return marketType
  }
  return null
}

/**
 * Returns whether a question has a line although it usually has none: then it is separate from
 * those without.
 */
export const isUnexpectedLine = ({ marketType, line, selections }: FeedMarket): boolean =>
  isWithoutLine(marketType) &&
  (line !== null || selections.some((selection) => selection.line !== null))
