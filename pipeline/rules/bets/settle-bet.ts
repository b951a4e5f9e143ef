/**
 * The result of a bet by the final score: won, lost, refunded, or half of either. Only questions about the score are
 * settled here: who wins, by how much, how many points. A score cannot settle other questions, such as corners,
 * players or who scores first.
 *
 * Regulation time counts in soccer, and in any market in which a draw is an outcome or, by its
 * name, returns the stakes (`draw_no_bet`). Otherwise overtime counts. If a draw is no outcome, a
 * tie returns the stakes.
 */

import type { BetOutcome } from '../../../schemas/bet.ts'
import type { GameResult, Score } from '../../../schemas/game-result.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { returned, type Settled, settled } from '../odds/two-lines.ts'
import { isInCents } from '../odds/whole-cents.ts'

/** The outcome that a bet is on. */
export interface BackedOutcome {
  readonly sport: string
  readonly marketType: string
  readonly selectionType: string
  /** The line, signed from the selection's own side. */
  readonly line: number | null
}

/**
 * @returns 1 won, 0 refunded, -1 lost, 0.5 and -0.5 for halves of a quarter line; null if the
 * result does not settle it
 */
export function settleBet(bet: BackedOutcome, result: GameResult): Settled | null {
  const market = findMarket(bet.marketType)
  if (!market || !isAboutScore(market)) return null
  const score = scoreOf(market, bet.sport, result)
  if (!score) return null
  const { selectionType, line } = bet
  const margin = score.home - score.away
  const points = score.home + score.away
  switch (market.answers) {
    case 'winner':
    case 'two_ways':
      return winnerOf(selectionType, margin, bet.sport === 'soccer' && market.answers === 'winner')
    case 'three_ways':
      return threeWayOf(selectionType, margin, line ?? 0)
    case 'handicap':
      return line === null ? null : handicapOf(selectionType, margin, line)
    case 'over_under':
      return line === null ? null : overUnder(selectionType, points, line)
    case 'team_over_under': {
      const [, side, way] = /^(home|away)_(over|under)$/.exec(selectionType) ?? []
      return line === null || !side ? null : overUnder(way!, score[side as keyof Score], line)
    }
    case 'odd_even':
      if (selectionType !== 'odd' && selectionType !== 'even') return null
      return wonIf((points % 2 === 1) === (selectionType === 'odd'))
    case 'double_chance':
      return doubleChance(selectionType, margin)
    case 'score':
      return exactScore(selectionType, score)
    case 'yes_no':
      return yesNo(selectionType, score.home > 0 && score.away > 0)
    case 'team_yes_no':
      return teamYesNo(market, selectionType, score)
    default:
      return null
  }
}

/** Returns whether the final score and the scores of periods can settle bets on the market. */
export function isSettledByScore(marketType: string): boolean {
  const market = findMarket(marketType)
  return market !== undefined && market !== null && isAboutScore(market)
}

/**
 * If a game is played earlier or later by more than this, some sportsbooks return bets on it and
 * others keep them.
 */
export const movedMs = 12 * 3_600_000

/**
 * Returns whether a game was played at the start that it had when a bet was made, so that the score settles the bet.
 * @param startsAt the start then (epoch ms)
 * @param playedAt the last start that was stated (epoch ms)
 */
export const isSameStart = (startsAt: number, playedAt: number) =>
  Math.abs(playedAt - startsAt) <= movedMs

/** Questions that count the score although their types do not say so. */
const scoreQuestions: ReadonlySet<string> = new Set([
  'correct_score',
  'both_teams_to_score',
  'double_chance',
  'draw_no_bet',
  'moneyline',
  'moneyline_3-way',
  'odd_even',
  'total_points_odd_even',
  'total_goals_odd_even',
  'total_runs_odd_even',
  'team_to_score',
  'clean_sheet',
  'team_clean_sheet',
  'team_to_win_to_nil',
  'to_win_to_nil',
])

const isAboutScore = (market: Market) =>
  market.counts === 'score' || scoreQuestions.has(market.base)

const withDraw: ReadonlySet<Answers> = new Set(['three_ways', 'double_chance', 'score'])

function scoreOf(market: Market, sport: string, result: GameResult): Score | null {
  if (market.period !== 'game') return result.periods.get(market.period) ?? null
  const isRegulation =
    sport === 'soccer' || withDraw.has(market.answers) || market.base === 'draw_no_bet'
  return isRegulation ? result.regulation : result.final
}

const wonIf = (isWon: boolean): Settled => (isWon ? 1 : -1)

function winnerOf(selectionType: string, margin: number, hasDraw: boolean): Settled | null {
  if (selectionType === 'draw') return hasDraw ? wonIf(margin === 0) : null
  if (selectionType !== 'home' && selectionType !== 'away') return null
  if (margin === 0) return hasDraw ? -1 : 0
  return wonIf(margin > 0 === (selectionType === 'home'))
}

/** @param line of a handicap with a draw; the draw's line has home's sign */
function threeWayOf(selectionType: string, margin: number, line: number): Settled | null {
  switch (selectionType) {
    case 'home':
      return wonIf(margin + line > 0)
    case 'away':
      return wonIf(margin - line < 0)
    case 'draw':
      return wonIf(margin + line === 0)
    default:
      return null
  }
}

function handicapOf(selectionType: string, margin: number, line: number): Settled | null {
  if (selectionType === 'home') return settled(-line, margin)
  return selectionType === 'away' ? settled(-line, -margin) : null
}

function overUnder(selectionType: string, points: number, line: number): Settled | null {
  if (selectionType === 'over') return settled(line, points)
  return selectionType === 'under' ? ((0 - settled(line, points)) as Settled) : null
}

function doubleChance(selectionType: string, margin: number): Settled | null {
  const outcomes = selectionType.split('_')
  if (outcomes.length !== 2 || !outcomes.every((each) => ['home', 'draw', 'away'].includes(each))) {
    return null
  }
  return wonIf(outcomes.includes(margin > 0 ? 'home' : margin < 0 ? 'away' : 'draw'))
}

function exactScore(selectionType: string, { home, away }: Score): Settled | null {
  return /^\d+_\d+$/.test(selectionType) ? wonIf(selectionType === `${home}_${away}`) : null
}

function yesNo(selectionType: string, isSo: boolean): Settled | null {
  if (selectionType !== 'yes' && selectionType !== 'no') return null
  return wonIf(isSo === (selectionType === 'yes'))
}

function teamYesNo({ base }: Market, selectionType: string, score: Score): Settled | null {
  const [, side, said] = /^(home|away)_(yes|no)$/.exec(selectionType) ?? []
  if (!side) return null
  const [own, other] = side === 'home' ? [score.home, score.away] : [score.away, score.home]
  const isSo =
    base === 'team_to_score'
      ? own > 0
      : base.endsWith('clean_sheet')
        ? other === 0
        : own > 0 && other === 0
  return yesNo(said!, isSo)
}

// ---- money

const outcomeOfSettled: ReadonlyMap<Settled, BetOutcome> = new Map([
  [1, 'won'],
  [0.5, 'half_won'],
  [0, 'refunded'],
  [-0.5, 'half_lost'],
  [-1, 'lost'],
])
const settledOfOutcome = new Map([...outcomeOfSettled].map(([bet, outcome]) => [outcome, bet]))

export const outcomeOf = (bet: Settled): BetOutcome => outcomeOfSettled.get(bet)!

/** Returns the settlement of an outcome that a score can decide. */
export const settledOf = (outcome: BetOutcome): Settled => settledOfOutcome.get(outcome)!

/** A bet that is settled. */
export interface StakedBet {
  /** Decimal odds. */
  readonly price: number
  readonly stake: number
  /** Whether the stake is the sportsbook's, which counts as returned whatever the result. Default: false. */
  readonly isFree?: boolean
}

/**
 * Returns the payout of a bet, with the stake, as `paid`.
 * @param sharedBy the number of winners in a dead heat
 * @returns null if the outcome does not determine it
 */
export function returnOf(
  { price, stake, isFree = false }: StakedBet,
  outcome: BetOutcome,
  sharedBy: number | null,
): number | null {
  const isShared = outcome === 'dead_heat'
  const bet = settledOfOutcome.get(outcome)
  if (isShared ? sharedBy === null : bet === undefined) return null
  const own = isShared ? (stake * price) / sharedBy! : stake * returned(price, bet!)
  // Of a free bet that several share, each has the winnings of its part.
  const lacking = isFree && isShared ? stake - stake / sharedBy! : 0
  return paid(isFree ? Math.max(stake, own + lacking) : own, stake)
}

/**
 * Rounds an amount of a bet with this stake: to the cent, or to eight places if the stake is not in
 * whole cents (bitcoin, units).
 */
export const paid = (amount: number, stake: number) =>
  isInCents(stake) ? cents(amount) : tidy(amount)

/** Rounds to eight places, to remove errors of binary fractions. */
export const tidy = (amount: number) => Math.round(amount * 1e8) / 1e8 + 0

/** Rounds to the nearest cent; rounds up a half cent even if its binary fraction is just below. */
export const cents = (amount: number) => Math.round(amount * 100 + 1e-7) / 100 + 0
