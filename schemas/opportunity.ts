/**
 * One row of the opportunities table: that an opportunity exists, of which prices, since when and
 * for whom. It says no price and no figure of now. Prices are those of the rows it names, which lie in
 * the same partition and move in the same commit; what they come to at any moment follows from them by
 * the rules (`pipeline/rules/odds/opportunity-figures.ts`). Whoever reads both tables in order knows what
 * an opportunity was worth when it was detected, at its best and when it went.
 */

import type { FairMeasure } from './fair-measure.ts'
import { hashIdentity } from './ids.ts'
import { type Tier, tierBooks } from './reference/tier-books.ts'

/**
 * The kinds, a row each: the name of all of a kind (in paths, as a stream channel and as a feature
 * of the tiers), what sentences call them, what the names of its stream events begin with, and the
 * lowest tier that has it.
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

/** In the order in which documents and streams have them. */
export const opportunityKinds = Object.keys(kinds) as readonly OpportunityKind[]

export const familyOf = (kind: OpportunityKind): Family => kinds[kind].family
export const wordsOf = (kind: OpportunityKind): string => kinds[kind].words
export const prefixOf = (kind: OpportunityKind): EventPrefix => kinds[kind].prefix
export const lowestTierOf = (kind: OpportunityKind): Tier => kinds[kind].fromTier

export const familyNames = opportunityKinds.map(familyOf)

/** A table with one entry a kind. */
export const byKind = <T>(of: (kind: OpportunityKind) => T) =>
  Object.fromEntries(opportunityKinds.map((kind) => [kind, of(kind)])) as Readonly<
    Record<OpportunityKind, T>
  >

/** That there is an opportunity, and of what. */
export interface OpportunityRow {
  /** 16 lower-case hex digits, see `opportunityId`; prices are no part of it. */
  readonly id: string
  readonly kind: OpportunityKind
  readonly eventId: string
  readonly league: string
  /** Odds ids of the prices to take, in the order of the sides. */
  readonly legs: readonly number[]
  /** +EV: odds ids of all outcomes at the sharp book that the fair price is of, or at each of the consensus; else empty. */
  readonly reference: readonly number[]
  /** +EV: how the fair price is made of these; null for the power method. */
  readonly measure: FairMeasure | null
  /** A set of `scopeBit`s: the tiers that see all it is made of, and nothing better. */
  readonly scopes: number
  /** Two sportsbooks on the line differ so much that one of them may mean something else. */
  readonly isSuspected: boolean
  /** When it came to be (epoch ms); kept while it lives, and when other tiers come to see it. */
  readonly detectedAt: number
  /** What it came to then; null where no history is kept, or was not then. */
  readonly detected: OpportunityFigures | null
}

/** What an opportunity came to. */
export interface OpportunityFigures {
  /** What a stake of 1 gained, for sure or on average, fees counted where they are; a fraction. */
  readonly worth: number
  /** Of each leg, decimal odds as offered. */
  readonly prices: readonly number[]
}

/**
 * The sets of sportsbooks that opportunities are computed for, each holding those before it. Tiers
 * with equal sets share one.
 */
export const scopeBit = { hobby: 1, pro: 2, all: 4, owner: 8 } as const

/** The place of a set in `scopeBit`. */
export type ScopeLevel = 0 | 1 | 2 | 3

/** The last set: all sportsbooks, those that only the owner may see too. Empty while there are none. */
export const ownerLevel = 3

/** The first set, by its place in `scopeBit`, that has the sportsbook, if everybody may see it. */
export function scopeLevel(sportsbook: string): 0 | 1 | 2 {
  if (tierBooks.hobby?.has(sportsbook)) return 0
  return tierBooks.pro?.has(sportsbook) ? 1 : 2
}

/** The first set whose tiers have a kind, by its place in `scopeBit`. */
export function firstScopeLevel(kind: OpportunityKind): 0 | 1 | 2 {
  const tier = lowestTierOf(kind)
  if (tier === 'free' || tier === 'hobby') return 0
  return tier === 'pro' ? 1 : 2
}

/** What identifies an opportunity. */
export interface OpportunityIdentity {
  readonly kind: OpportunityKind
  readonly eventId: string
  readonly marketType: string
  /** The line of the first side; both lines of a middle, `216.5/219.5`. */
  readonly line: number | string | null
  readonly playerName: string | null
  /** A bet before the start and one in play are not the same. */
  readonly isLive: boolean
  /** Sportsbook and selection type of each leg. */
  readonly legs: readonly (readonly [sportsbook: string, selectionType: string])[]
  /** The first set whose tiers have its measure, where tiers below have another one; 0 where all have it. */
  readonly measureLevel?: ScopeLevel
}

/** The id: 64 bits of a hash over all that identifies it, the order of the legs aside. */
export function opportunityId(of: OpportunityIdentity): string {
  const { kind, eventId, marketType, line, playerName, isLive, legs, measureLevel = 0 } = of
  const state = isLive ? 'live' : 'pre'
  let text = `${kind}|${eventId}|${marketType}|${line ?? ''}|${playerName ?? ''}|${state}`
  if (measureLevel > 0) text += `|${Object.keys(scopeBit)[measureLevel]}`
  for (const pair of legs.map(([book, type]) => `${book}:${type}`).sort()) text += `|${pair}`
  const { a, b, c, d } = hashIdentity(text)
  return [d, c, b, a].map((limb) => limb.toString(16).padStart(4, '0')).join('')
}
