/** The warnings of opportunities, each with its meaning in words: for the documents, and for texts that people read. */

export const opportunityWarnings = {
  LIVE_GAME: 'in play',
  POTENTIALLY_STALE_ODDS:
    'the oldest price was seen over 30 s ago (in play) or 120 s (before the start)',
  LIVE_STALE_ODDS: 'in play, the oldest price was seen over 30 s ago',
  STALE_PREMATCH_ODDS: 'the oldest price was seen over 120 s ago',
  VERY_STALE_ODDS: 'the oldest price was seen over 120 s ago (in play) or 600 s (before the start)',
  STALE_ODDS: 'the oldest price was seen over 30 s ago',
  HIGH_EV_SUSPICIOUS: 'more than 10 % is suspicious',
  SINGLE_SHARP_REF: 'no second sharp book quotes the market now',
  CONSENSUS_REF: 'no sharp book quotes the market; the consensus of at least three others is used',
  LOW_IMPLIED_TOTAL: 'the implied probabilities sum to under 95 %',
  LIVE_HIGH_PROFIT_SUSPICIOUS: 'more than 5 % in play is suspicious',
  HIGH_PROBABILITY: 'both bets win with a chance above 15 %',
  LARGE_GAP: 'the gap is more than 3 points',
  GUARANTEED_PROFIT: 'the middle cannot lose, as shown',
  MODEL_EXCEEDS_PRICES:
    'its chance by the model of results is 5 points above that implied by the prices',
  STALE_PREGAME_PRICE:
    'in play, a price, or one that measures it, has not moved since before the start',
  MARKET_MISMATCH_SUSPECTED: 'two sportsbooks differ so much that one may mean another market',
} as const satisfies Readonly<Record<string, string>>

export type OpportunityWarning = keyof typeof opportunityWarnings

/** Returns a warning in words. */
export const warningText = (code: string): string =>
  (opportunityWarnings as Readonly<Record<string, string>>)[code] ??
  code.toLowerCase().replaceAll('_', ' ')
