/**
 * What shares of bets or money can be, as sources state them: fractions or percent, of two answers
 * that are all there are, or of two answers beside a draw; and splits with their sides turned.
 */

import type { Splits } from '../../../schemas/splits.ts'

export type Shares = readonly [number, number]

/** How far the shares of all answers may be from 1: sources round each of them. */
const tolerance = 0.021

/**
 * Fractions from fractions or percent: a share above 1 tells that both are percent. Null where both are
 * zero, by which sources say that they do not know yet.
 */
export function sharesFrom([first, second]: Shares): Shares | null {
  if (first === 0 && second === 0) return null
  return Math.max(first, second) > 1 ? [ofPercent(first), ofPercent(second)] : [first, second]
}

/** With the digits of the percentage and no more: 52.87 is 0.5287. */
const ofPercent = (percent: number) => Math.round(1e6 * percent) / 1e8

/**
 * Whether two fractions can be shares of one market.
 * @param isWhole whether the two answers are all there are; a moneyline may have a draw beside them
 */
export function areShares([first, second]: Shares, isWhole: boolean): boolean {
  // Written so that what is no number fails.
  if (!(first >= 0 && second >= 0 && first <= 1 && second <= 1)) return false
  const sum = first + second
  return sum <= 1 + tolerance && (isWhole ? sum >= 1 - tolerance : sum > 0)
}

/** The splits, with null for a market that they say nothing of; null for none at all. */
export function nonEmptySplits({ moneyline, spread, total }: Splits): Splits | null {
  const quoted = { moneyline: spoken(moneyline), spread: spoken(spread), total: spoken(total) }
  return quoted.moneyline || quoted.spread || quoted.total ? quoted : null
}

const spoken = <Market extends object>(market: Market | null): Market | null =>
  market && Object.values(market).some((value) => value !== null) ? market : null

/** The same with home and away exchanged; over and under stay. */
export function turnedSplits({ moneyline, spread, total }: Splits): Splits {
  return {
    moneyline: moneyline && {
      handle: turned(moneyline.handle),
      bets: turned(moneyline.bets),
      awayPrice: moneyline.homePrice,
      homePrice: moneyline.awayPrice,
    },
    spread: spread && {
      handle: turned(spread.handle),
      bets: turned(spread.bets),
      awayLine: spread.homeLine,
      homeLine: spread.awayLine,
    },
    total,
  }
}

const turned = (shares: Shares | null): Shares | null => shares && [shares[1], shares[0]]
