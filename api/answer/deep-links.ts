/** Resolves our links and ids to the prices of an opportunity, a price or a future, and lists their addresses. */

import { appendText, type PageBuffer } from '../../pipeline/text/page-buffer.ts'
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
import { type Link, type LinkState, linkToPrice, nearestLink } from './book-addresses.ts'

/** Returns the query that selects a state's pages in our links. @param state lower case */
export const stateQuery = (state: string) => `?state=${state}`

/** Adds a state to one of our links. @param state lower case; undefined leaves the choice to `/deeplink/{id}` */
export const withState = (path: string, state?: string) =>
  state === undefined ? path : path + stateQuery(state)

/** Adds a state to our links to prices in a JSON text. @param state as `withState` */
export const textWithState = (text: string, state?: string) =>
  state === undefined
    ? text
    : text.replace(/:"\/api\/v1\/deeplink\/[\w-]+(?=")/g, (link) => link + stateQuery(state))

/** Adds a state to our links to prices in a page. @param from the byte where the text with links begins; it goes to the end */
export function addState(page: PageBuffer, from: number, state?: string) {
  if (state === undefined) return
  const text = textWithState(page.bytes.toString('utf8', from, page.length), state)
  page.length = from
  appendText(page, text)
}

/** Adds a state to our links to prices in an object of JSON. @param state as `withState` */
export const objectWithState = <Value>(value: Value, state?: string): Value =>
  state === undefined ? value : JSON.parse(textWithState(JSON.stringify(value), state))

export const isOddsId = (id: string) => /^\d{15}$/.test(id)
export const opportunityIdPattern = /^[0-9a-f]{16}$/
export const isOpportunityId = (id: string) => opportunityIdPattern.test(id)

/** Returns one price for each sportsbook of an opportunity, including those tied at the best price. */
export function quotesOfOpportunity(
  row: OpportunityRow,
  scope: Scope,
  now: number,
): readonly Quote[] {
  const legs = row.legs.flatMap((id) => quoteOf(scope.board, id) ?? [])
  const ties = legs.length === row.legs.length ? kindOf(row.kind).ties : undefined
  const quotes = ties ? ties.quotes(legs, scope, now) : legs
  // If a sportsbook has two prices, the first counts.
  return [
    ...new Map(quotes.toReversed().map((quote) => [quote.sportsbook, quote])).values(),
  ].toReversed()
}

/** Finds the price with an odds id, active or not. Undefined if it is gone. */
export const priceOf = (board: BoardView, id: string): Quote | undefined =>
  isOddsId(id) ? findQuote(board, Number(id)) : undefined

/** Returns the link to a price on a future, which has no event. */
export function linkToFuture({ offer, price }: FoundFuture, state: LinkState): Link | null {
  const links = findSportsbook(offer.row.sportsbook)?.deepLinks
  if (!links) return null
  const { deepLink, externalId: externalSelectionId } = price
  const source = { deepLink, externalMarketId: offer.row.externalId, externalSelectionId }
  return nearestLink(links, source, null, state)
}

export type FoundFuture = NonNullable<ReturnType<FuturesView['findPrice']>>

/** Finds the price on a future by its id. Undefined if it is gone. */
export const futureOf = (futures: FuturesView, id: string): FoundFuture | undefined =>
  isOddsId(id) ? futures.findPrice(Number(id)) : undefined

export interface FoundLinks {
  /** Addresses by sportsbook. */
  readonly links: Readonly<Record<string, string>>
  /** When the newest of its prices was last seen (epoch ms). The board's time would reveal other prices. */
  readonly updatedAt: number
}

/** Returns the `/deeplinks` entry of an id: one address for each sportsbook in the scope. Null if nothing is found. */
export function linksOf(
  id: string,
  scope: Scope,
  state: LinkState,
  now: number,
): FoundLinks | null {
  const { board, opportunities } = scope
  const entry = isOpportunityId(id) ? opportunities.find(id) : undefined
  if (entry) {
    const { row } = entry
    if (!valueIn(scope, entry)) return null
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

function linksOfFuture(id: string, scope: Scope, state: LinkState): FoundLinks | null {
  const found = tierRights[scope.tier].features.futures ? futureOf(scope.futures, id) : undefined
  if (!found) return null
  const { sportsbook } = found.offer.row
  if (!seesSportsbook(scope, sportsbook)) return null
  const link = linkToFuture(found, state)
  return { links: link ? { [sportsbook]: link.url } : {}, updatedAt: found.offer.lastSeenAt }
}
