/**
 * Returns when a price changed, according to its sportsbook, but no later than it was observed: the
 * sportsbook's clock may be ahead.
 * @param statedAt epoch ms; null if the sportsbook does not say
 * @param observedAt epoch ms
 */
export const statedChange = (statedAt: number | null, observedAt: number): number | null =>
  statedAt === null ? null : Math.min(statedAt, observedAt)
