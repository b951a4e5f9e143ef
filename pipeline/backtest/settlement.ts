/**
 * The +EV of a recording as bets at the first price (after fees, if they are subtracted), settled
 * by the final scores. Figures: outcomes, profit of staking plans, and the first half of the days
 * compared with the second. One bet per opportunity, even if it comes back.
 */

import type { BetOutcome } from '../../schemas/bet.ts'
import type { GameResultRow } from '../../schemas/game-result.ts'
import { questionOf } from '../../schemas/reference/markets.ts'
import { cents, isSameStart, outcomeOf, returnOf, settleBet } from '../rules/bets/settle-bet.ts'
import { gameResultOf, isScoredByPoints } from '../rules/games/game-result.ts'
import { type MeanRange, meanYield } from '../rules/odds/bettor-clv.ts'
import { countsFromBet } from '../rules/odds/in-play-handicaps.ts'
import { kellyFraction } from '../rules/odds/value.ts'
import type { Life } from './lives.ts'

/** The row of a game's result, and when it was reported (epoch ms). */
export interface SaidResult {
  readonly row: GameResultRow
  readonly at: number
}

/** A bet that a score has settled. */
export interface SettledBet {
  readonly life: Life
  /** Decimal odds as offered, and (`net`) after the sportsbook's fee. */
  readonly price: number
  readonly net: number
  /** The expected gain of a stake of 1, as stated at the birth. */
  readonly edge: number
  readonly outcome: BetOutcome
  /** Epoch ms; after the bet was made. */
  readonly settledAt: number
}

export interface StakingOptions {
  /** Part of the full Kelly stake, 0 to 1. */
  readonly kelly: number
  /** The most of the bankroll on one bet with the capped plan, 0 to 1. */
  readonly cap: number
}

export const usualStaking: StakingOptions = { kelly: 0.25, cap: 0.02 }

/** The initial bankroll of every plan, and the flat plan's stake on each bet. */
export const bankroll = 10_000
export const flatStake = 100

/** The result of one plan, in money. */
export interface PlanResult {
  readonly plan: 'flat' | 'kelly' | 'capped kelly'
  /** The number of bets with a stake: not all, if the bankroll was exhausted. */
  readonly bets: number
  readonly staked: number
  readonly profit: number
  /** Profit divided by the initial bankroll, and by all stakes (null without stakes). */
  readonly roi: number
  readonly yield: number | null
  /**
   * The deepest fall of the settled bankroll from an earlier peak: in money, and as a fraction of
   * that peak. Results at the same time count together.
   */
  readonly drawdown: number
  readonly drawdownShare: number
}

/** Bets of a part of the days at a flat stake. */
export interface HalfResult {
  /** The days of the bets, in UTC (`YYYY-MM-DD`). */
  readonly from: string
  readonly to: string
  readonly bets: number
  /** Mean edge as stated. */
  readonly edge: number
  /** Profit divided by stake, with its interval over games. */
  readonly yield: MeanRange
}

export interface Settlement {
  readonly bets: readonly SettledBet[]
  /**
   * Bets that are not settled. No score settles them (such as in-play handicaps of soccer), or
   * their game has no score or was not played at its stated start.
   */
  readonly unsettled: number
  /** The yield of flat stakes, with its interval over games; null without bets. */
  readonly yield: MeanRange | null
  readonly plans: readonly PlanResult[]
  /** The earlier half of the days first; empty if all bets are of one day. */
  readonly halves: readonly HalfResult[]
}

/** @param lives in order of birth */
export function settleLives(
  lives: readonly Life[],
  results: ReadonlyMap<string, SaidResult>,
  staking: StakingOptions = usualStaking,
): Settlement {
  const firstLives = new Map<string, Life>()
  for (const life of lives) {
    if (life.kind === 'ev' && !firstLives.has(life.id)) firstLives.set(life.id, life)
  }
  const bets = [...firstLives.values()].flatMap((life) => settledBet(life, results) ?? [])
  return {
    bets,
    unsettled: firstLives.size - bets.length,
    yield: yieldOf(bets),
    plans: [
      runPlan('flat', bets, () => flatStake),
      runPlan('kelly', bets, (bet, settled) => staking.kelly * kellyOf(bet) * settled),
      runPlan(
        'capped kelly',
        bets,
        (bet, settled) => Math.min(staking.kelly * kellyOf(bet), staking.cap) * settled,
      ),
    ],
    halves: halvesOf(bets),
  }
}

function settledBet(life: Life, results: ReadonlyMap<string, SaidResult>): SettledBet | null {
  const result = results.get(life.eventId)
  const [leg] = life.legs
  if (!leg || result?.row.status !== 'final') return null
  const { sport, startsAt, reports } = result.row
  const { marketType, isLive, bornAt } = life
  if (!isSameStart(life.startsAt, startsAt)) return null
  const game = gameResultOf(sport, startsAt, reports, marketType)
  if (typeof game === 'string' || !isScoredByPoints(sport)) return null
  // Most sportsbooks count only the score after the bet, others the whole game.
  const { answers } = questionOf(marketType)
  if ((isLive || bornAt > startsAt) && countsFromBet(answers, sport)) return null
  const { selectionType, line, price, net } = leg
  const settled = settleBet({ sport, marketType, selectionType, line }, game)
  if (settled === null) return null
  const settledAt = Math.max(result.at, bornAt + 1)
  return { life, price, net, edge: life.worthAtBirth, outcome: outcomeOf(settled), settledAt }
}

const gainOf = ({ net, outcome }: SettledBet, stake: number) =>
  returnOf({ price: net, stake }, outcome, null)! - stake

/** Returns the full Kelly stake as a fraction of the bankroll; the fair probability follows from the edge. */
const kellyOf = ({ net, edge }: SettledBet) => kellyFraction((1 + edge) / net, net)

function yieldOf(bets: readonly SettledBet[]): MeanRange | null {
  const valued = bets.map((bet) => ({
    eventId: bet.life.eventId,
    stake: flatStake,
    clv: gainOf(bet, flatStake) / flatStake,
  }))
  return meanYield(valued)
}

/**
 * Runs bets in order of time: a result counts before a bet at the same time. Flat stakes are
 * unlimited; others are limited to the money that is not at stake already.
 * @param stakeOf returns the stake by the bankroll with all results so far
 */
function runPlan(
  plan: PlanResult['plan'],
  bets: readonly SettledBet[],
  stakeOf: (bet: SettledBet, settled: number) => number,
): PlanResult {
  const steps = bets.flatMap((bet) => [
    { at: bet.life.bornAt, bet, isEnd: false },
    { at: bet.settledAt, bet, isEnd: true },
  ])
  steps.sort((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd))
  const open = new Map<SettledBet, number>()
  const sums = { bets: 0, staked: 0, atStake: 0 }
  let settled = bankroll
  let height = bankroll
  let drawdown = 0
  let drawdownShare = 0
  for (const [i, { at, bet, isEnd }] of steps.entries()) {
    if (!isEnd) {
      const free = plan === 'flat' ? Number.POSITIVE_INFINITY : Math.max(0, settled - sums.atStake)
      const stake = cents(Math.min(stakeOf(bet, settled), free))
      if (stake <= 0) continue
      open.set(bet, stake)
      sums.bets++
      sums.staked = cents(sums.staked + stake)
      sums.atStake = cents(sums.atStake + stake)
      continue
    }
    const stake = open.get(bet)
    if (stake !== undefined) {
      sums.atStake = cents(sums.atStake - stake)
      settled = cents(settled + gainOf(bet, stake))
    }
    // Results at the same time count together, because their order has no meaning.
    const next = steps[i + 1]
    if (next?.isEnd && next.at === at) continue
    height = Math.max(height, settled)
    drawdown = Math.max(drawdown, cents(height - settled))
    drawdownShare = Math.max(drawdownShare, (height - settled) / height)
  }
  const profit = cents(settled - bankroll)
  return {
    plan,
    bets: sums.bets,
    staked: sums.staked,
    profit,
    roi: profit / bankroll,
    yield: sums.staked === 0 ? null : profit / sums.staked,
    drawdown,
    drawdownShare,
  }
}

const dayOf = ({ life }: SettledBet) => new Date(life.bornAt).toISOString().slice(0, 10)

/** Returns both halves of the days with bets; of an odd number, the first half has one more. */
function halvesOf(bets: readonly SettledBet[]): HalfResult[] {
  const days = [...new Set(bets.map(dayOf))].sort()
  if (days.length < 2) return []
  const middle = Math.ceil(days.length / 2)
  return [days.slice(0, middle), days.slice(middle)].map((half) => {
    const [from, to] = [half[0]!, half.at(-1)!]
    const some = bets.filter((bet) => dayOf(bet) >= from && dayOf(bet) <= to)
    const edge = some.reduce((sum, bet) => sum + bet.edge, 0) / some.length
    return { from, to, bets: some.length, edge, yield: yieldOf(some)! }
  })
}
