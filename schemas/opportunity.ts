/**
 * One row of the opportunities table: that an opportunity exists, with which prices, since when and
 * for whom. It has no current price or figure. Prices are those of the rows it names, which are in
 * the same partition and move in the same commit; its figures follow from them at any time by the
 * rules (`pipeline/rules/odds/opportunity-figures.ts`). A reader of both tables in order knows the
 * opportunity's worth when it was detected, at its best and when it ended.
 */

import type { FairMeasure } from './fair-measure.ts'
import { hashIdentity } from './ids.ts'
import { type Tier, tierBooks } from './reference/tier-books.ts'

/**
 * The kinds, a row each. A row has the plural name (in paths, as a stream channel and as a feature
 * of the tiers), the name in sentences, the prefix of its stream events, and the lowest tier that
 * has it.
 */
const kinds = {
  ev: { family: 'ev', words: '+EV', prefix: 'ev', fromTier: 'pro' },
  arbitrage: { family: 'arbitrage', words: 'arbitrage', prefix: 'arb', fromTier: 'hobby' },
  middle: { family: 'middles', words: 'middles', prefix: 'middles', fromTier: 'pro' },
  low_hold: { family: 'low_hold', words: 'low hold', prefix: 'low_hold', fromTier: 'pro' },
} as const satisfies Record<string, KindNames>

interface KindNames {
  readonly family: string
  readonly words: string
  readonly prefix: string
  readonly fromTier: Tier
}

export type OpportunityKind = keyof typeof kinds
export type Family = (typeof kinds)[OpportunityKind]['family']
export type EventPrefix = (typeof kinds)[OpportunityKind]['prefix']

/** The kinds in the order of documents and streams. */
export const opportunityKinds = Object.keys(kinds) as readonly OpportunityKind[]

export const familyOf = (kind: OpportunityKind): Family => kinds[kind].family
export const wordsOf = (kind: OpportunityKind): string => kinds[kind].words
export const prefixOf = (kind: OpportunityKind): EventPrefix => kinds[kind].prefix
export const lowestTierOf = (kind: OpportunityKind): Tier => kinds[kind].fromTier

export const familyNames = opportunityKinds.map(familyOf)

/** Returns a table with one entry per kind. */
export const byKind = <T>(of: (kind: OpportunityKind) => T) =>
  Object.fromEntries(opportunityKinds.map((kind) => [kind, of(kind)])) as Readonly<
    Record<OpportunityKind, T>
  >

/** An opportunity by its identity and its prices. */
export interface OpportunityRow {
  /** 16 lower-case hex digits, see `opportunityId`, which does not include prices. */
  readonly id: string
  readonly kind: OpportunityKind
  readonly eventId: string
  readonly league: string
  /** Odds ids of the prices to take, in the order of the sides. */
  readonly legs: readonly number[]
  /**
   * +EV: odds ids of all outcomes at the sharp book that the fair price is from, or at each of a blend or the
   * consensus; else empty.
   */
  readonly reference: readonly number[]
  /** +EV: the method that makes the fair price from these; null for the power method. */
  readonly measure: FairMeasure | null
  /** A set of `visibilityBit`s: the tiers that see all its prices, and nothing better. */
  readonly scopes: number
  /** Whether two sportsbooks on the line differ so much that one of them may mean something else. */
  readonly isSuspected: boolean
  /** When it first existed (epoch ms); kept while it lives, and when other tiers start to see it. */
  readonly detectedAt: number
  /** Its figures at that time; null if no history is kept, or none was kept then. */
  readonly detected: OpportunityFigures | null
}

/** The figures of an opportunity. */
export interface OpportunityFigures {
  /**
   * The gain of a stake of 1, for sure or on average, after fees if they are counted; a fraction.
   */
  readonly worth: number
  /** The decimal odds of each leg, as offered. */
  readonly prices: readonly number[]
}

/**
 * The sets of sportsbooks that opportunities are computed for, each including those before it. Tiers with equal sets
 * share one.
 */
export const visibilityBit = { hobby: 1, pro: 2, all: 4, owner: 8 } as const

/** A set of sportsbooks that accounts see; each has the sportsbooks of those before it. */
export type Visibility = 0 | 1 | 2 | 3

/** The last set: all sportsbooks, including those that only the owner may see. Empty while there are none. */
export const ownerVisibility = 3

/** Returns the first visibility that has the sportsbook, if everybody may see it. */
export function visibilityOf(sportsbook: string): 0 | 1 | 2 {
  if (tierBooks.hobby?.has(sportsbook)) return 0
  return tierBooks.pro?.has(sportsbook) ? 1 : 2
}

/** Returns the first visibility whose tiers have a kind. */
export function firstVisibilityOf(kind: OpportunityKind): 0 | 1 | 2 {
  const tier = lowestTierOf(kind)
  if (tier === 'free' || tier === 'hobby') return 0
  return tier === 'pro' ? 1 : 2
}

/** The fields that identify an opportunity. */
export interface OpportunityIdentity {
  readonly kind: OpportunityKind
  readonly eventId: string
  readonly marketType: string
  /** The line of the first side; both lines of a middle, `216.5/219.5`. */
  readonly line: number | string | null
  readonly playerName: string | null
  /** Whether it is in play; a bet before the start is another one. */
  readonly isLive: boolean
  /** Sportsbook and selection type of each leg. */
  readonly legs: readonly (readonly [sportsbook: string, selectionType: string])[]
  /**
   * The first set whose tiers have its measure, if tiers below have another one; 0 if all have it.
   */
  readonly measureVisibility?: Visibility
}

/** Returns the id: 64 bits of a hash over all identifying fields, independent of the order of the legs. */
export function opportunityId(of: OpportunityIdentity): string {
  const { kind, eventId, marketType, line, playerName, isLive, legs, measureVisibility = 0 } = of
  const state = isLive ? 'live' : 'pre'
  let text = `${kind}|${eventId}|${marketType}|${line ?? ''}|${playerName ?? ''}|${state}`
  if (measureVisibility > 0) text += `|${Object.keys(visibilityBit)[measureVisibility]}`
  for (const pair of legs.map(([book, type]) => `${book}:${type}`).sort()) text += `|${pair}`
  const { a, b, c, d } = hashIdentity(text)
  return [d, c, b, a].map((limb) => limb.toString(16).padStart(4, '0')).join('')
}
