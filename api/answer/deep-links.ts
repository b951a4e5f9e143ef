/**
 * From a price or an opportunity to the sportsbook that offers it: the nearest page there is an
 * address for. The selection itself (`outcome`), else the event, else the homepage. Nothing here is
 * fetched; an address leads to a sportsbook, or, as a fallback, to a host the operator allows.
 */

import { getDomain } from 'tldts'
import { invariant } from '../../pipeline/invariant.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { SourceIds } from '../../pipeline/views/board/row-sources.ts'
import type { FuturesView } from '../../pipeline/views/futures/futures-view.ts'
import { findQuote, type Quote, sourceOf } from '../../pipeline/views/query/quotes.ts'
import { memoise } from '../../schemas/memoise.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import { type DeepLinks, findSportsbook, sportsbooks } from '../../schemas/reference/sportsbooks.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { tierRights } from '../access/tiers.ts'
import { kindOf } from '../opportunities/all-kinds.ts'
import { withFigures } from '../opportunities/priced.ts'
import { quoteOf } from '../opportunities/quotes.ts'

export interface Link {
  readonly type: 'outcome' | 'event' | 'homepage'
  readonly url: string
}

export const defaultState = 'pa'

/** The query of our own links that chooses a state's pages. @param state lower case */
export const stateEnd = (state: string) => `?state=${state}`

/** A link of ours that chooses a state. @param state lower case; undefined leaves it to `/deeplink/{id}` */
export const withState = (path: string, state?: string) =>
  state === undefined ? path : path + stateEnd(state)

export const isOddsId = (id: string) => /^\d{15}$/.test(id)
export const isOpportunityId = (id: string) => /^[0-9a-f]{16}$/.test(id)

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

/** @param state two letters, lower case @returns null for a sportsbook without addresses */
export function linkToPrice(board: BoardView, quote: Quote, state: string): Link | null {
  const { sportsbook, externalId } = quote.offer
  const links = findSportsbook(sportsbook)?.deepLinks
  if (!links) return null
  const source = sourceOf(board, quote)
  const outcome = outcomeOf(links, source, externalId, state)
  return outcome ? { type: 'outcome', url: outcome } : linkToEvent(links, externalId, state)
}

/** The same for a price on a season, which is of no event. */
export function linkToFuture({ offer, price }: FoundFuture, state: string): Link | null {
  const links = findSportsbook(offer.row.sportsbook)?.deepLinks
  if (!links) return null
  const { deepLink, externalId: externalSelectionId } = price
  const source = { deepLink, externalMarketId: offer.row.externalId, externalSelectionId }
  const outcome = outcomeOf(links, source, null, state)
  return outcome ? { type: 'outcome', url: outcome } : linkToEvent(links, null, state)
}

export type FoundFuture = NonNullable<ReturnType<FuturesView['findPrice']>>

/** The price on a season with an id; undefined when it is gone. */
export const futureOf = (futures: FuturesView, id: string): FoundFuture | undefined =>
  isOddsId(id) ? futures.findPrice(Number(id)) : undefined

export function linkToEvent(links: DeepLinks, externalId: string | null, state: string): Link {
  const event = links.event && filled(links.event, { event_id: externalId, state })
  if (event) return { type: 'event', url: event }
  const homepage = links.stateHomepage && filled(links.stateHomepage, { state })
  return { type: 'homepage', url: homepage || links.homepage }
}

/** The sportsbook's own link to the selection, or one of the known form; null when it lacks an id. */
function outcomeOf(
  links: DeepLinks,
  { deepLink, externalMarketId, externalSelectionId }: SourceIds,
  externalId: string | null,
  state: string,
): string | null {
  const own = deepLink === null ? null : addressAt(deepLink, [domainOf(links.homepage)])
  if (own !== null) return own
  if (links.outcome === undefined) return null
  return filled(links.outcome, {
    event_id: externalId,
    market_id: externalMarketId,
    selection_id: externalSelectionId,
    state,
  })
}

/** The template with its placeholders filled; null where one has no value. */
function filled(template: string, values: Readonly<Record<string, string | null>>): string | null {
  let isWhole = true
  const url = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? null
    if (value === null || value === '') isWhole = false
    return encodeURIComponent(value ?? '')
  })
  return isWhole ? url : null
}

/**
 * The domain that a homepage is registered under, where all hosts are the sportsbook's own: a feed links
 * to `sports.nj.betmgm.com` or `www.draftkings.com` beside the host of the homepage.
 */
const domainOf = memoise((homepage: string): string => {
  const domain = getDomain(homepage, { allowPrivateDomains: true })
  invariant(domain !== null, `${homepage} is at a registered domain`)
  return domain
})

const bookDomains = sportsbooks.flatMap(({ deepLinks }) =>
  deepLinks ? [domainOf(deepLinks.homepage)] : [],
)

/**
 * Where a client may be led when there is no link: an https address at a sportsbook, or at a host
 * the operator allows, or below one.
 * @returns the address as it is understood; null for any other
 */
export const allowedFallback = (text: string, linkHosts: readonly string[]): string | null =>
  addressAt(text, [...bookDomains, ...linkHosts])

/**
 * An https address at one of the hosts or below, without port or credentials.
 * @returns the address as it was understood, in ASCII: as it was written, others could understand another; null
 *   for any other text
 */
function addressAt(text: string, hosts: readonly string[]): string | null {
  if (!/^https:\/\/[^\\\s]+$/i.test(text)) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' || url.port !== '') return null
  if (url.username !== '' || url.password !== '') return null
  const named = url.hostname
  const isAtOne = hosts.some((host) => {
    const base = host.toLowerCase().replace(/^www\./, '')
    return named === base || named.endsWith(`.${base}`)
  })
  return isAtOne ? url.href : null
}

export interface FoundLinks {
  /** Addresses by sportsbook. */
  readonly links: Readonly<Record<string, string>>
  /** When the newest of its prices was last seen (epoch ms); of the board it would tell of others. */
  readonly updatedAt: number
}

/** What `/deeplinks` says of an id: its sportsbooks in the scope with an address each; null for none. */
export function linksOf(id: string, scope: Scope, state: string, now: number): FoundLinks | null {
  const { board, opportunities, opportunityBit } = scope
  const entry = isOpportunityId(id) ? opportunities.find(id) : undefined
  if (entry) {
    const { row } = entry
    const isSeen = (row.scopes & opportunityBit) !== 0
    if (!isSeen || !withFigures(scope, entry, kindOf(row.kind))) return null
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
