/** The query of a list of opportunities, and its form in an address. */

import { isWhen, type When } from '../shell/when.ts'
import { type Kind, kinds, kindViews, type Order } from './kinds.ts'

export interface ListQuery {
  readonly kind: Kind
  /** Empty for all. */
  readonly league: string
  readonly when: When
  readonly order: Order
  /** Ids of leagues to leave out if no league is requested. */
  readonly hidden: ReadonlySet<string>
  /** Sportsbooks to consider as if there were no others; empty for all. */
  readonly books: readonly string[]
  /** Additional filters of the service, as a query string. */
  readonly filters: string
  readonly limit: number
}

/** Most rows of a list, before rows of the same bet are joined. */
const limit = 200

/** Reads the query of an address: the page's own parameters, and filters by the service's names, as alerts use them. */
export function readListQuery(parameters: URLSearchParams): Omit<ListQuery, 'hidden' | 'books'> {
  // The list's other path has a hyphen.
  const named = parameters.get('kind')?.replace('-', '_')
  const kind = kinds.find((one) => one === named) ?? 'arbitrage'
  const when = parameters.get('when')
  const live = parameters.get('live')
  const whenOfLive = live === null ? 'all' : live === 'true' ? 'live' : 'upcoming'
  const sort = parameters.get('sort') as Order | null
  const filters = [...parameters].filter(([name]) => Object.hasOwn(kindViews[kind].filters, name))
  return {
    kind,
    league: parameters.get('league') ?? '',
    when: isWhen(when) ? when : whenOfLive,
    order: sort !== null && Object.hasOwn(kindViews[kind].orders, sort) ? sort : 'worth',
    filters: new URLSearchParams(filters).toString(),
    limit,
  }
}
