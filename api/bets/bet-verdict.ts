/** The result of a bet as its bettor states it. */

import { paid, returnOf, type StakedBet } from '../../pipeline/rules/bets/settle-bet.ts'
import type { BetOutcome, BetVerdict } from '../../schemas/bet.ts'
import type { BetVerdictStated } from '../../schemas/http/bets/statements.ts'

/**
 * Returns what is missing from the stated result or impossible with this stake and price, and what
 * to state instead; null if it is valid. The bounds catch columns of winnings alone or of potential
 * payouts, and losses without a sign. An amount that equals the winnings without the stake may
 * still be right (a deduction, a boost): a stated reason confirms it. The stake of a free bet is
 * the sportsbook's, and counts as returned whatever the result.
 */
export function verdictFault(
  { outcome, returned, shared_by, reason }: BetVerdictStated,
  bet: StakedBet,
): string | null {
  const { price, stake, isFree = false } = bet
  if (outcome === 'dead_heat' && returned == null && shared_by == null) {
    return 'a dead heat needs shared_by, or returned'
  }
  if (returned == null) {
    return outcome === 'cashed_out' ? 'a bet that was cashed out needs returned' : null
  }
  if (outcome === null) return null
  if (outcome === 'cashed_out') {
    return isFree && returned < stake
      ? `returned ${returned} lacks the stake ${stake} of the free bet, which counts as returned: add it`
      : null
  }
  const { isPossible, rule } = returns[outcome]
  if (!isPossible(returned - stake, returned, moneyRounding(stake))) {
    return `returned ${returned} is impossible with the stake ${stake}: ${rule}`
  }
  if (reason != null) return null
  const whole = returnOf(bet, outcome, shared_by ?? null)
  if (isFree && whole !== null && !isAbout(returned, whole, stake)) {
    return `returned ${returned} is not that of a free bet of ${stake} at ${price}, with the stake: ${whole}. ${otherOdds}`
  }
  return whole !== null && whole > stake && isAbout(returned, whole - stake, stake)
    ? `returned ${returned} is what the stake ${stake} at ${price} won, without the stake: add it, also for a free bet. ${otherOdds}`
    : null
}

/**
 * Returns why an amount stated as profit is rather the payout, and what to state instead; null if it may be the profit.
 * @param sharedBy the number of winners of a dead heat
 * @param reason the stated reason, which confirms the amount
 */
export function profitFault(
  profit: number,
  outcome: BetOutcome,
  bet: StakedBet,
  sharedBy: number | null,
  reason: string | null,
): string | null {
  if (reason !== null) return null
  const whole = returnOf(bet, outcome, sharedBy)
  return whole !== null && whole > 0 && isAbout(profit, whole, bet.stake)
    ? `profit ${profit} is what the stake ${bet.stake} at ${bet.price} returns, with the stake: call the column returned. ${otherOdds}`
    : null
}

/**
 * Returns why a bet that was won or lost cannot have the profit 0, and what to state instead; null
 * if it may. Only for a file that shows no loss: its column may have winnings alone, or nothing.
 * @param reason the stated reason, which confirms the amount
 */
export function noProfitFault(
  profit: number,
  outcome: BetOutcome,
  bet: StakedBet,
  sharedBy: number | null,
  reason: string | null,
): string | null {
  if (reason !== null || profit !== 0) return null
  const { stake } = bet
  const whole = returnOf(bet, outcome, sharedBy)
  return whole !== null && whole !== stake
    ? `profit 0 is not that of a bet of ${stake} that was ${outcome}: ${paid(whole - stake, stake)}. A column of winnings alone has no losses; of a free bet, say that it is one. ${otherOdds}`
    : null
}

/**
 * Returns the payout of a free bet including the stake, which counts as returned whatever the
 * result. A file may state the payout with or without the stake: the price shows which. A cash-out
 * is stated without it.
 * @param stated the payout and the profit in the file; the profit is without the stake. Null if
 *   absent
 * @param reason the stated reason, which confirms another amount, with the stake
 * @returns null if neither the file nor the outcome determines it; a message if the amount fits neither
 */
export function freeReturn(
  { returned, profit }: { readonly returned: number | null; readonly profit: number | null },
  outcome: BetOutcome,
  bet: StakedBet,
  sharedBy: number | null,
  reason: string | null,
): number | string | null {
  const { price, stake } = bet
  const whole = returnOf({ ...bet, isFree: true }, outcome, sharedBy)
  const amount = returned ?? profit
  if (amount === null) return whole
  const withStake = paid(stake + amount, stake)
  if (outcome === 'cashed_out') return withStake
  const readings = returned === null ? [withStake] : [amount, withStake]
  const fitting = readings.find((each) => whole !== null && isAbout(each, whole, stake))
  if (fitting !== undefined) return fitting
  if (reason !== null) return readings[0]!
  const name = returned === null ? 'profit' : 'returned'
  return whole === null
    ? 'a dead heat of a free bet needs shared_by'
    : `${name} ${amount} is not that of a free bet of ${stake} at ${price}, whose stake is not yours: ${paid(whole - stake, stake)}. ${otherOdds}`
}

const otherOdds =
  'If it was paid at other odds (a boost, a deduction, a commission), state those odds, or say why in result_reason (at /result: reason).'

/** Ends a fault with one full stop. */
export const faultSentence = (fault: string) => (fault.endsWith('.') ? fault : `${fault}.`)

/** Returns how much rounding to the cent may change an amount of a bet with this stake. */
export const moneyRounding = (stake: number) => Math.min(0.005, stake / 100)

/** Rounding to two places may change decimal odds by this much. */
const priceRounding = 0.005

/** Returns whether two amounts differ by no more than the rounding of both the amount and the odds. */
const isAbout = (amount: number, other: number, stake: number) =>
  Math.abs(amount - other) <= stake * priceRounding + moneyRounding(stake)

interface ReturnRule {
  /** @param off how much rounding may change the profit */
  readonly isPossible: (profit: number, returned: number, off: number) => boolean
  readonly rule: string
}

const withStake = 'Amounts of winnings alone lack the stake: add it.'

const returns: Readonly<Record<Exclude<BetOutcome, 'cashed_out'>, ReturnRule>> = {
  won: {
    isPossible: (profit, _, off) => profit >= -off,
    rule: `a bet that was won, also a free one, returns its stake with the winnings. ${withStake}`,
  },
  half_won: {
    isPossible: (profit) => profit > 0,
    rule: `a bet that was half won returns more than its stake. ${withStake}`,
  },
  refunded: {
    isPossible: (profit, _, off) => Math.abs(profit) <= off,
    rule: 'a bet that was refunded returns its stake. Leave returned out, or state cashed_out for another amount.',
  },
  half_lost: {
    isPossible: (profit, returned, off) => returned > 0 && profit <= off,
    rule: 'a bet that was half lost returns a part of its stake, half as a rule. Leave returned out, and it follows.',
  },
  lost: {
    isPossible: (profit) => profit <= 0,
    rule: 'a bet that was lost returns no more than its stake, which is for a free bet. Leave returned out, or state 0.',
  },
  dead_heat: {
    isPossible: (_, returned) => returned > 0,
    rule: 'a dead heat returns a part of the win, with the stake. State shared_by, or that amount.',
  },
}

/** The same check for a stored result with another stake or price. */
export const statedFault = ({ outcome, returned, sharedBy, reason }: BetVerdict, bet: StakedBet) =>
  verdictFault({ outcome, returned, shared_by: sharedBy, reason }, bet)

/**
 * Returns the stated result of a bet whose price, stake or mark as a free bet is corrected. An
 * amount that equalled the computed one is computed again, unless a reason was stated for it.
 * Another amount stays if the correction does not change the computed one, or if it equals the new
 * computed one. A refund is the stake itself, and is checked against the new stake. The payout of a
 * free bet includes its stake, so another stake changes it.
 * @returns a message if the amount may be wrong with the new ones
 */
export function correctedVerdict(
  verdict: BetVerdict,
  before: StakedBet,
  after: StakedBet,
): BetVerdict | string {
  const { outcome, returned, sharedBy, reason } = verdict
  const isSameStake = after.stake === before.stake
  const isSame = isSameStake && after.price === before.price && after.isFree === before.isFree
  if (returned === null || isSame) return verdict
  const then = returnOf(before, outcome, sharedBy)
  const now = returnOf(after, outcome, sharedBy)
  const follows = (amount: number | null, { stake }: StakedBet) =>
    amount !== null && Math.abs(returned - amount) <= moneyRounding(stake)
  if (outcome !== 'refunded' && reason === null && follows(then, before)) {
    return { ...verdict, returned: null }
  }
  const fault = statedFault(verdict, after)
  if (fault !== null) return `${fault.replace(/\.$/, '')}; ${anew}`
  const isOwnStake = returned < before.stake
  const isSameIfFree = outcome === 'won' || outcome === 'half_won' || after.isFree === true
  const stays =
    outcome === 'cashed_out'
      ? isSameStake || isOwnStake || reason !== null
      : (isSameStake && now !== null && then === now) ||
        ((isOwnStake || isSameIfFree) && follows(now, after))
  return stays
    ? verdict
    : `returned ${returned} follows from neither the old odds and stake nor the new ones: ${anew}`
}

const anew = 'withdraw the result, correct the bet, and state the result again'

/** @returns null if the stated result is withdrawn */
export function verdictOf(stated: BetVerdictStated, at: number): BetVerdict | null {
  const { outcome, returned = null, shared_by: sharedBy = null, reason = null } = stated
  return outcome === null ? null : { outcome, returned, sharedBy, reason, at }
}
