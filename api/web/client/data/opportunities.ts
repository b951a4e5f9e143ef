/** Asks the service for lists of opportunities, and for explanations. */

import type { Explanation } from '../../wire.ts'
import type { ListQuery } from './list-query.ts'
import { readOpportunities } from './opportunity-list.ts'
import { get } from './rest.ts'

export const listOpportunities = (query: ListQuery) => readOpportunities(query, get)

/** @param books of the list that contains it; empty for all */
export async function explain(id: string, books: readonly string[]) {
  const among = books.length > 0 ? `?books=${books.join()}` : ''
  const path = `/opportunities/${encodeURIComponent(id)}/explain${among}`
  return (await get<{ data: Explanation }>(path)).data
}
