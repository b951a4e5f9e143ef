/**
 * The published share that exchanges and prediction markets take of a bet that is matched at once. An account that
 * pays less (a discount, another country) states it in `OVERROUND_FEES`. A sportsbook that is not here takes nothing
 * beside its prices, as far as is known: SX Bet (single bets) and Novig say so; ProphetX publishes no rate.
 */

export interface Fee {
  /**
   * `net_winnings`: a share of what a bet wins, nothing when it loses. `contract`: paid with the
   * stake, the rate times p (1 - p) for each contract that pays 1 and costs p.
   */
  readonly on: 'net_winnings' | 'contract'
  /** Fraction: 0.02 is 2 %. */
  readonly rate: number
  /** For a fee on contracts: the unit to which an order's fee is rounded up, in the currency's units. */
  readonly roundedUpTo?: number
}

/** The fees by sportsbook; sources beside each, read in 2026. */
export const standardFees: ReadonlyMap<string, Fee> = new Map<string, Fee>([
  // Market base rate of most markets; the packages "Basic" and "Rewards+" are 2 and 8 %.
  ['betfair', { on: 'net_winnings', rate: 0.05 }],
  // Since November 2019: 2 % for customers in the UK and Ireland, 4 % elsewhere.
  ['matchbook', { on: 'net_winnings', rate: 0.04 }],
  // help.smarkets.com, "How is commission calculated": the standard tier.
  ['smarkets', { on: 'net_winnings', rate: 0.02 }],
  // Fee schedule, general trading fees: 0.07 C P (1 - P), rounded up to the next cent of an order.
  ['kalshi', { on: 'contract', rate: 0.07, roundedUpTo: 0.01 }],
  // docs.polymarket.com/trading/fees: C x rate x p (1 - p), takers only; sports 0.03.
  ['polymarket', { on: 'contract', rate: 0.03, roundedUpTo: 0.00001 }],
])
