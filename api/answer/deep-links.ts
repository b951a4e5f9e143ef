/** What our links and ids lead to: the prices of an opportunity, a price, a future; and their addresses as JSON. */

import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { FuturesView } from '../../pipeline/views/futures/futures-view.ts'
import { findQuote, type Quote } from '../../pipeline/views/query/quotes.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { tierRights } from '../access/tiers.ts'
import { kindOf } from '../opportunities/all-kinds.ts'
import { valueIn } from '../opportunities/priced.ts'
import { quoteOf } from '../opportunities/quotes.ts'
import { type Link, linkToPrice, nearestLink } from './book-addresses.ts'

/** The query of our own links that chooses a state's pages. @param state lower case */
export const stateEnd = (state: string) => `?state=${state}`

/** A link of ours that chooses a state. @param state lower case; undefined leaves it to `/deeplink/{id}` */
export const withState = (path: string, state?: string) =>
  state === undefined ? path : path + stateEnd(state)

export const isOddsId = (id: string) => /^\d{15}$/.test(id)
export const opportunityId = /^[0-9a-f]{16}$/
export const isOpportunityId = (id: string) => opportunityId.test(id)

/** The sportsbooks an opportunity is taken at, with a price each: those tied at the best one too. */
export function quotesOfOpportunity(
  row: OpportunityRow,
  scope: Scope,
  now: number,
): readonly Quote[] {
  const legs = row.legs.flatMap((id) => quoteOf(scope.board, id) ?? [])
  const ties = legs.length === row.legs.length ? kindOf(row.kind).ties : undefined
  const quotes = ties ? ties.quotes(legs, scope, now) : legs
  // Of a sportsbook with two of them the first.
  return [
    ...new Map(quotes.toReversed().map((quote) => [quote.sportsbook, quote])).values(),
  ].toReversed()
}

/** The price of an odds id, whether bets are taken on it or not; undefined when it is gone. */
export const priceOf = (board: BoardView, id: string): Quote | undefined =>
  isOddsId(id) ? findQuote(board, Number(id)) : undefined

/** The same for a price on a season, which is of no event. */
export function linkToFuture({ offer, price }: FoundFuture, state: string): Link | null {
  const links = findSportsbook(offer.row.sportsbook)?.deepLinks
  if (!links) return null
  const { deepLink, externalId: externalSelectionId } = price
  const source = { deepLink, externalMarketId: offer.row.externalId, externalSelectionId }
  return nearestLink(links, source, null, state)
}

export type FoundFuture = NonNullable<ReturnType<FuturesView['findPrice']>>

/** The price on a season with an id; undefined when it is gone. */
export const futureOf = (futures: FuturesView, id: string): FoundFuture | undefined =>
  isOddsId(id) ? futures.findPrice(Number(id)) : undefined

export interface FoundLinks {
  /** Addresses by sportsbook. */
  readonly links: Readonly<Record<string, string>>
  /** When the newest of its prices was last seen (epoch ms); of the board it would tell of others. */
  readonly updatedAt: number
}

/** What `/deeplinks` says of an id: its sportsbooks in the scope with an address each; null for none. */
export function linksOf(id: string, scope: Scope, state: string, now: number): FoundLinks | null {
  const { board, opportunities, visibility } = scope
  const entry = isOpportunityId(id) ? opportunities.find(id) : undefined
  if (entry) {
    const { row } = entry
    const isSeen = (row.scopes & visibility) !== 0
    if (!isSeen || !valueIn(scope, entry)) return null
    const quotes = quotesOfOpportunity(row, scope, now)
    const links = quotes.flatMap((quote) => {
      const link = linkToPrice(board, quote, state)
      return link ? [[quote.sportsbook, link.url] as const] : []
    })
    const updatedAt = Math.max(0, ...quotes.map(({ offer }) => offer.lastSeenAt))
    return { links: Object.fromEntries(links), updatedAt }
  }
  const quote = priceOf(board, id)
  if (!quote) return linksOfFuture(id, scope, state)
  if (!seesSportsbook(scope, quote.sportsbook)) return null
  const link = linkToPrice(board, quote, state)
  const { sportsbook, lastSeenAt } = quote.offer
  return { links: link ? { [sportsbook]: link.url } : {}, updatedAt: lastSeenAt }
}

function linksOfFuture(id: string, scope: Scope, state: string): FoundLinks | null {
  const found = tierRights[scope.tier].features.futures ? futureOf(scope.futures, id) : undefined
  if (!found) return null
  const { sportsbook } = found.offer.row
  if (!seesSportsbook(scope, sportsbook)) return null
  const link = linkToFuture(found, state)
  return { links: link ? { [sportsbook]: link.url } : {}, updatedAt: found.offer.lastSeenAt }
}
