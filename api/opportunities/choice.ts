/** A query for opportunities of a kind, read once, and its predicate. Lists and alerts share it. */

import type { Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { Scope } from '../access/scope.ts'
import { listBounds } from './bounds.ts'
import type { Kind, Seen, UntypedQuery } from './kind.ts'
import { type Listing, type ListQuery, requestedOpportunities } from './listing.ts'
import { oldestAgeMs, seenQuotes } from './quotes.ts'

/** The parsed query of a kind's list. */
export type KindQuery = UntypedQuery &
  ListQuery & { readonly offset: number; readonly max_odds_age?: number | undefined }

export interface Choice {
  readonly listing: Listing
  /** The query as interpreted by the kind. */
  readonly understood: UntypedQuery
  readonly bounds: Readonly<Record<string, number>>
  /** Returns whether the figures are within the bounds. */
  isWithin(one: Valued): boolean
  /** Returns a predicate of current opportunities as of now, valid until the board changes. */
  at(seen: Seen, now: number): (one: Valued) => boolean
}

/** @throws ApiError invalid_filter, tier_restricted, validation_error */
export function choiceOf(kind: Kind, query: KindQuery, scope: Scope): Choice {
  const listing = requestedOpportunities(query, scope)
  const understood = kind.understand?.(query) ?? query
  const bounds = listBounds(kind, understood)
  const { max_odds_age } = query
  const isWithin = ({ figures }: Valued) => kind.isWithin(figures, bounds)
  return {
    listing,
    understood,
    bounds,
    isWithin,
    at(seen, now) {
      const isNamed = listing.names(kind, now)
      return (one) =>
        isWithin(one) &&
        isNamed(one) &&
        (max_odds_age === undefined || isYoung(one, max_odds_age, scope, now)) &&
        (seen.matches?.(one, understood) ?? true)
    },
  }
}

function isYoung(one: Valued, maxAgeSeconds: number, scope: Scope, now: number): boolean {
  const item = scope.opportunities.item(one)
  return oldestAgeMs(seenQuotes(item, scope), now) <= 1_000 * maxAgeSeconds
}
