/** What a tier may do, one row each (interface 5, supplement 5.12). */

import { type Tier, tierBooks } from '../../schemas/reference/tier-books.ts'

export interface TierRights {
  readonly tier: Tier
  /** How late the tier sees everything (seconds). */
  readonly delaySeconds: number
  /** The sportsbooks it sees; null for all. */
  readonly sportsbooks: ReadonlySet<string> | null
}

export const freeDelaySeconds = 60

export const tierRights: Readonly<Record<Tier, TierRights>> = {
  free: rights('free', freeDelaySeconds),
  hobby: rights('hobby', 0),
  pro: rights('pro', 0),
  sharp: rights('sharp', 0),
  enterprise: rights('enterprise', 0),
}

function rights(tier: Tier, delaySeconds: number): TierRights {
  return { tier, delaySeconds, sportsbooks: tierBooks[tier] }
}
