/** Sums and mean closing-line values of many bets, in all and by a key. */

import { type MeanRange, meanClv, type ValuedBet } from '../../pipeline/rules/odds/bettor-clv.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import type { WeighedBet } from './bet-closes.ts'

export interface SummedBet extends WeighedBet {
  /** The market type; the market as stated when it is unknown. */
  readonly market: string
}

/** Percent rounded to six decimals, to drop floating-point noise. */
export const percentOf = (fraction: number) => Math.round(fraction * 1e8) / 1e6

export function sumOf(bets: readonly SummedBet[]) {
  const valued: ValuedBet[] = []
  for (const { row, found, clv } of bets) {
    if (found && clv !== null) valued.push({ eventId: found.eventId, stake: row.stake, clv })
  }
  const stakes = (staked: readonly { readonly stake: number }[]) =>
    staked.reduce((sum, { stake }) => sum + stake, 0)
  return {
    bets: bets.length,
    with_clv: valued.length,
    events: new Set(valued.map(({ eventId }) => eventId)).size,
    beat_close: valued.filter(({ clv }) => clv > 0).length,
    stake: stakes(bets.map(({ row }) => row)),
    stake_with_clv: stakes(valued),
    avg_clv: meanJson(meanClv(valued, () => 1)),
    stake_weighted_clv: meanJson(meanClv(valued, ({ stake }) => stake)),
  }
}

/** Sums by a key, the largest samples first. */
export function sumsBy(bets: readonly SummedBet[], keyOf: (bet: SummedBet) => string) {
  const groups = new Map<string, SummedBet[]>()
  for (const bet of bets) {
    const key = keyOf(bet)
    const before = groups.get(key)
    if (before) before.push(bet)
    else groups.set(key, [bet])
  }
  return [...groups]
    .map(([group_key, group]) => ({ group_key, ...sumOf(group) }))
    .sort((a, b) => b.with_clv - a.with_clv || compareTexts(a.group_key, b.group_key))
}

/** Counts each distinct text. */
export function countsOf(texts: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}

function meanJson(mean: MeanRange | null) {
  if (!mean) return null
  const { low, high } = mean
  return {
    percent: percentOf(mean.mean),
    low: low === null ? null : percentOf(low),
    high: high === null ? null : percentOf(high),
  }
}
