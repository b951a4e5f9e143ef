/** How a bet can end, in the words of the API. */

export const outcomes = [
  'won',
  'half_won',
  'refunded',
  'half_lost',
  'lost',
  'dead_heat',
  'cashed_out',
] as const
export type Outcome = (typeof outcomes)[number]
