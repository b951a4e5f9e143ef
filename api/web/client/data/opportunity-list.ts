/** Reads the best opportunities of a list, and whether there are more. */

import type { Page } from '../../wire.ts'
import { type Kind, kindViews, type WireOf } from './kinds.ts'
import type { ListQuery } from './list-query.ts'
import { type Opportunity, readOpportunity } from './opportunity.ts'

export interface OpportunityList {
  readonly opportunities: readonly Opportunity[]
  /** Whether the service has further ones. */
  readonly hasMore: boolean
  /** The bounds of figures that the service has applied, also those by default. */
  readonly bounds: readonly (readonly [name: string, value: number])[]
}

/**
 * Reads further pages if hidden leagues fill some, until more than half of `limit` are left.
 * @param get reads a path of the service
 */
export async function readOpportunities(
  query: ListQuery,
  get: (path: string) => Promise<Page<WireOf[Kind]>>,
): Promise<OpportunityList> {
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
    const { data, pagination, meta } = await get(`/opportunities/${kind}?${parameters}`)
    for (const item of data) {
      const one = readOpportunity(kind, item as never)
      if (league || !hidden.has(one.league)) opportunities.push(one)
    }
    const hasMore = pagination.has_more
    if (!hasMore || opportunities.length > limit / 2)
      return { opportunities, hasMore, bounds: boundsIn(meta) }
  }
}

const boundsIn = ({ filters }: Page<never>['meta']) =>
  Object.entries(filters ?? {}).filter(
    (filter): filter is [string, number] => typeof filter[1] === 'number',
  )
