/**
 * Shares of bets or money as sources state them: fractions or percent, of two outcomes, with or
 * without a draw beside them. Validates them, and swaps the sides of splits.
 */

import type { Splits } from '../../../schemas/splits.ts'

export type Shares = readonly [number, number]

/** The most that the shares of all outcomes may differ from 1: sources round each of them. */
const tolerance = 0.021

/**
 * Returns fractions from fractions or percent: a share above 1 means that both are percent. Null if
 * both are zero, which sources send while the shares are unknown.
 */
export function sharesFrom([first, second]: Shares): Shares | null {
  if (first === 0 && second === 0) return null
  return Math.max(first, second) > 1 ? [ofPercent(first), ofPercent(second)] : [first, second]
}

/** Returns the fraction with exactly the digits of the percentage: 52.87 is 0.5287. */
const ofPercent = (percent: number) => Math.round(1e6 * percent) / 1e8

/**
 * Returns whether two fractions can be shares of one market.
 * @param isWhole whether the two outcomes are the only ones; a moneyline may have a draw beside them
 */
export function areShares([first, second]: Shares, isWhole: boolean): boolean {
  // Written so that NaN fails.
  if (!(first >= 0 && second >= 0 && first <= 1 && second <= 1)) return false
  const sum = first + second
  return sum <= 1 + tolerance && (isWhole ? sum >= 1 - tolerance : sum > 0)
}

/** Returns the splits, with null for each market without shares; null if there are none at all. */
export function nonEmptySplits({ moneyline, spread, total }: Splits): Splits | null {
  const quoted = { moneyline: spoken(moneyline), spread: spoken(spread), total: spoken(total) }
  return quoted.moneyline || quoted.spread || quoted.total ? quoted : null
}

const spoken = <Market extends object>(market: Market | null): Market | null =>
  market && Object.values(market).some((value) => value !== null) ? market : null

/** Returns the same with home and away exchanged; over and under stay. */
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
