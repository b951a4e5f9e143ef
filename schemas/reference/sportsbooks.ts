/**
 * Sportsbooks and the keys feeds give them. Brands that price apart (a national site, an exchange
 * beside a fixed-odds book) are entries of their own; an alias is another key of the same prices.
 * Who may see which sportsbook is in tier-books.ts; building a link out of a template is not here.
 */
import { memoise } from '../memoise.ts'
import { normaliseName } from './normalise-name.ts'
import rows from './sportsbooks.json' with { type: 'json' }
import { requiredTier, sharpOnlyBooks } from './tier-books.ts'

export type Region = 'US' | 'UK' | 'EU' | 'AU' | 'GLOBAL'

/**
 * Addresses with the placeholders `{event_id}`, `{market_id}`, `{selection_id}` (the sportsbook's
 * own ids) and `{state}` (US state code, lower case). Only forms that are known to work are listed.
 */
export interface DeepLinks {
  readonly homepage: string
  /** The homepage for players of one US state, where the sportsbook has such addresses. */
  readonly stateHomepage?: string
  readonly event?: string
  readonly outcome?: string
}

export interface Sportsbook {
  readonly id: string
  /** Assigned once, dense from 1, never reused. */
  readonly numericalId: number
  readonly displayName: string
  readonly shortName: string
  readonly category:
    | 'us_retail'
    | 'us_offshore'
    | 'sharp'
    | 'exchange'
    | 'prediction_market'
    | 'dfs'
    | 'social'
    | 'international'
  readonly isSharp: boolean
  readonly regions: readonly Region[]
  readonly status: 'active' | 'inactive' | 'limited'
  readonly hasLiveOdds: boolean
  readonly hasPlayerProps: boolean
  readonly features: readonly string[]
  /** The lowest tier that sees its prices; null when every tier does. */
  readonly requiresTier: 'hobby' | 'pro' | 'sharp' | null
  /** Null when the sportsbook has no addresses one can link to. */
  readonly deepLinks: DeepLinks | null
  readonly aliases: readonly string[]
}

type Row = Omit<Sportsbook, 'isSharp' | 'requiresTier' | 'features'> & {
  readonly liquidity?: boolean
}

export const sportsbooks: readonly Sportsbook[] = (rows as readonly Row[]).map(
  ({ liquidity, ...row }) => ({
    ...row,
    isSharp: sharpOnlyBooks.has(row.id),
    requiresTier: requiredTier(row.id),
    features: [
      ...(row.hasLiveOdds ? ['live'] : []),
      ...(row.hasPlayerProps ? ['player_props'] : []),
      ...(row.deepLinks ? ['deep_links'] : []),
      ...(liquidity ? ['liquidity'] : []),
    ],
  }),
)

/** Those of today: what `/sportsbooks` lists, and how many a tier with all of them may see. */
export const listedSportsbooks = sportsbooks.filter(({ status }) => status !== 'inactive')

const byName = new Map<string, Sportsbook>()
for (const sportsbook of sportsbooks) {
  for (const name of [sportsbook.id, sportsbook.displayName, ...sportsbook.aliases]) {
    byName.set(normaliseName(name), sportsbook)
  }
}

/** The sportsbook of an id, display name or alias, case-insensitively. */
export const findSportsbook: (text: string) => Sportsbook | undefined = memoise((text) =>
  byName.get(normaliseName(text)),
)

/** The id for a sportsbook we do not list: lower case words joined by `_`, `unknown` for none. */
export function slugSportsbook(text: string): string {
  return normaliseName(text).replaceAll(' ', '_') || 'unknown'
}
