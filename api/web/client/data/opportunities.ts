/** Reads lists of opportunities, and explanations. */

import type { Explanation } from './explanation.ts'
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

/** @param books of the list that contains it; empty for all */
export async function explain(id: string, books: readonly string[]) {
  const among = books.length > 0 ? `?books=${books.join()}` : ''
  const path = `/opportunities/${encodeURIComponent(id)}/explain${among}`
  return (await get<{ data: Explanation }>(path)).data
}
