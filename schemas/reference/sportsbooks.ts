/**
 * Sportsbooks and their keys in feeds. Brands with separate prices (a national site, an exchange beside a fixed-odds
 * book) are separate entries; an alias is another key of the same prices. The tiers that see a sportsbook are in
 * tier-books.ts; links are built from the templates elsewhere.
 */
import {
  count,
  flag,
  listOf,
  oneOf,
  optional,
  orNull,
  readDataFile,
  row,
  type TypeOf,
  text,
  texts,
} from '../data-file.ts'
import { memoise } from '../memoise.ts'
import { normaliseName } from './normalise-name.ts'
import rows from './sportsbooks.json' with { type: 'json' }
import { requiredTier, sharpOnlyBooks } from './tier-books.ts'

/**
 * Addresses with the placeholders `{event_id}`, `{market_id}`, `{selection_id}` (the sportsbook's own ids) and
 * `{state}` (US state code, lower case). Only forms known to work are listed.
 */
const deepLinks = row({
  homepage: text,
  /** The homepage for players of one US state, if the sportsbook has such addresses. */
  stateHomepage: optional(text),
  /** Where its addresses name the state: `sports.nj.…`, `/us/nj/…`, `state=nj`. */
  stateIn: optional(listOf(oneOf(['host', 'path', 'query']))),
  /** The US states in which it takes bets online, lower case: it has no address for another one. */
  states: optional(texts),
  event: optional(text),
  outcome: optional(text),
})

const sportsbook = row({
  id: text,
  /** Assigned once, dense from 1, never reused. */
  numericalId: count,
  displayName: text,
  shortName: text,
  category: oneOf([
    'us_retail',
    'us_offshore',
    'sharp',
    'exchange',
    'prediction_market',
    'dfs',
    'social',
    'international',
  ]),
  regions: listOf(oneOf(['US', 'UK', 'EU', 'AU', 'GLOBAL'])),
  status: oneOf(['active', 'inactive', 'limited']),
  hasLiveOdds: flag,
  hasPlayerProps: flag,
  /** Null when the sportsbook has no addresses to link to. */
  deepLinks: orNull(deepLinks),
  /** Whether it states how much may be staked at a price. */
  liquidity: optional(flag),
  aliases: texts,
})

type Row = TypeOf<typeof sportsbook>

export type DeepLinks = TypeOf<typeof deepLinks>

export interface Sportsbook extends Omit<Row, 'liquidity'> {
  readonly isSharp: boolean
  readonly features: readonly string[]
  /** The lowest tier that sees its prices; null when every tier does. */
  readonly requiresTier: 'hobby' | 'pro' | 'sharp' | null
}

const listed = readDataFile('schemas/reference/sportsbooks.json', listOf(sportsbook), rows)

export const sportsbooks: readonly Sportsbook[] = listed.map(({ liquidity, ...stated }) => ({
  ...stated,
  isSharp: sharpOnlyBooks.has(stated.id),
  requiresTier: requiredTier(stated.id),
  features: [
    ...(stated.hasLiveOdds ? ['live'] : []),
    ...(stated.hasPlayerProps ? ['player_props'] : []),
    ...(stated.deepLinks ? ['deep_links'] : []),
    ...(liquidity ? ['liquidity'] : []),
  ],
}))

/** The current sportsbooks: those that `/sportsbooks` lists, and the number a tier with all of them may see. */
export const listedSportsbooks = sportsbooks.filter(({ status }) => status !== 'inactive')

const byName = new Map<string, Sportsbook>()
for (const sportsbook of sportsbooks) {
  for (const name of [sportsbook.id, sportsbook.displayName, ...sportsbook.aliases]) {
    byName.set(normaliseName(name), sportsbook)
  }
}

/** Returns the sportsbook of an id, display name or alias, case-insensitively. */
export const findSportsbook: (text: string) => Sportsbook | undefined = memoise((text) =>
  byName.get(normaliseName(text)),
)

/** Returns the name of a sportsbook for people; its id if we do not list it. */
export const displayNameOf = (id: string): string => findSportsbook(id)?.displayName ?? id

/** Returns the id for a sportsbook we do not list: lower case words joined by `_`, `unknown` for none. */
export function slugSportsbook(text: string): string {
  return normaliseName(text).replaceAll(' ', '_') || 'unknown'
}

/** Returns our id of a sportsbook by any of its names; `unknown` when the name has no letter in it. */
export const idOfSportsbook: (name: string) => string = memoise(
  (name) => findSportsbook(name)?.id ?? slugSportsbook(name),
)
