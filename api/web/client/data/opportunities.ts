/** Reads lists of opportunities, and explanations. */

import type { Settled } from '../../../../pipeline/rules/odds/two-lines.ts'
import { type Kind, kindViews, type WireOf } from './kinds.ts'
import type { ListQuery } from './list-query.ts'
import { type Opportunity, readOpportunity } from './opportunity.ts'
import { get } from './rest.ts'
import type { Page } from './wire.ts'

/** Returns the best opportunities, at most `limit`. Reads further pages if hidden leagues fill some. */
export async function listOpportunities(query: ListQuery): Promise<readonly Opportunity[]> {
  const { kind, league, hidden, when, order, books, filters, limit } = query
  const parameters = new URLSearchParams(filters)
  parameters.set('limit', String(limit))
  if (league) parameters.set('league', league)
  if (when !== 'all') parameters.set('live', String(when === 'live'))
  if (books.length > 0) parameters.set('books', books.join())
  const sort = kindViews[kind].orders[order]
  if (sort) parameters.set('sort', sort)
  const opportunities: Opportunity[] = []
  for (let offset = 0; ; offset += limit) {
    if (offset > 0) parameters.set('offset', String(offset))
    const page = await get<Page<WireOf[Kind]>>(`/opportunities/${kind}?${parameters}`)
    for (const item of page.data) {
      const one = readOpportunity(kind, item as never)
      if (league || !hidden.has(one.league)) opportunities.push(one)
    }
    if (!page.pagination.has_more || opportunities.length > limit / 2) return opportunities
  }
}

// ---- explanation

export interface Explanation {
  readonly kind: string
  readonly event_name: string
  readonly market_type: string
  readonly line: number | null
  readonly detected_at: string
  readonly quotes: readonly {
    readonly role: string
    readonly sportsbook: string | null
    readonly selection: string
    readonly selection_type: string
    readonly line: number | null
    readonly odds_decimal: number | null
    /** Only for legs: the odds after the fee. */
    readonly fee?: { readonly odds_after_fee: number }
    readonly age_seconds: number | null
    readonly is_hidden: boolean
  }[]
  readonly result: { readonly fair?: number }
  readonly stakes: {
    /**
     * In the order of the quotes with the role `leg`. `max_bet` is the highest stake, by the sportsbook and by the
     * profile.
     */
    readonly legs: readonly { readonly max_bet: number | null }[]
    /** How the legs can be settled other than by one of them winning alone. */
    readonly other_outcomes: readonly (readonly Settled[])[]
  }
  readonly devig: readonly {
    readonly sportsbook: string | null
    readonly answers: readonly string[]
    readonly overround: number
    readonly methods: Readonly<
      Record<
        string,
        { readonly fair_probabilities: readonly number[]; readonly ev_percentage?: number } | null
      >
    >
  }[]
  readonly ends: readonly {
    readonly cause: string
    readonly sportsbook: string | null
    readonly to_odds_decimal: number | null
    readonly at: string | null
  }[]
  readonly is_mismatch_suspected: boolean
}

/** @param books of the list that contains it; empty for all */
export async function explain(id: string, books: readonly string[]) {
  const among = books.length > 0 ? `?books=${books.join()}` : ''
  const path = `/opportunities/${encodeURIComponent(id)}/explain${among}`
  return (await get<{ data: Explanation }>(path)).data
}
