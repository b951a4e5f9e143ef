/**
 * The sportsbooks that a tier may see, as configuration data: a set lists those that the tier adds to the one below
 * it. `sharp` and `enterprise` see every sportsbook and need no list.
 */
export type Tier = 'free' | 'hobby' | 'pro' | 'sharp' | 'enterprise'

const addedByFree = ['draftkings', 'fanduel']
const addedByHobby = ['betmgm', 'caesars', 'thescorebet']
const addedByPro = [
  'bet365',
  'betrivers',
  'fanatics',
  'hardrock',
  'ballybet',
  'bovada',
  'betonline',
  'novig',
  'kalshi',
  'polymarket',
]

/** Sportsbook ids by tier; null for every sportsbook. */
export const tierBooks: Readonly<Record<Tier, ReadonlySet<string> | null>> = {
  free: new Set(addedByFree),
  hobby: new Set([...addedByFree, ...addedByHobby]),
  pro: new Set([...addedByFree, ...addedByHobby, ...addedByPro]),
  sharp: null,
  enterprise: null,
}

/** Sportsbooks whose prices lead the market. Never part of a set above. */
export const sharpOnlyBooks: ReadonlySet<string> = new Set([
  'pinnacle',
  'circa',
  'bookmaker',
  'sbobet',
  'onexbet',
  'prophetx',
  'betfair',
])

/** Returns the lowest tier that sees a sportsbook; null when every tier does. */
export function requiredTier(sportsbook: string): 'hobby' | 'pro' | 'sharp' | null {
  if (tierBooks.free?.has(sportsbook)) return null
  if (tierBooks.hobby?.has(sportsbook)) return 'hobby'
  if (tierBooks.pro?.has(sportsbook)) return 'pro'
  return 'sharp'
}
