/**
 * Addresses at a sportsbook: the page nearest to a price that exists. That is the selection itself
 * (`outcome`), else the event, else the homepage. No address is fetched. An address leads to a sportsbook or,
 * as a fallback, to a host that the operator allows.
 */

import { getDomain } from 'tldts'
import { invariant } from '../../pipeline/invariant.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { SourceIds } from '../../pipeline/views/board/row-sources.ts'
import { type Quote, sourceOf } from '../../pipeline/views/query/quotes.ts'
import { memoise } from '../../schemas/memoise.ts'
import { type DeepLinks, findSportsbook, sportsbooks } from '../../schemas/reference/sportsbooks.ts'

export interface Link {
  readonly type: 'outcome' | 'event' | 'homepage'
  readonly url: string
}

export const defaultState = 'pa'

/** @param state two letters, lower case @returns null for a sportsbook without addresses */
export function linkToPrice(board: BoardView, quote: Quote, state: string): Link | null {
  const { sportsbook, externalId } = quote.offer
  const links = findSportsbook(sportsbook)?.deepLinks
  if (!links) return null
  return nearestLink(links, sourceOf(board, quote), externalId, state)
}

/** The nearest page of a sportsbook for a selection with these ids. */
export const nearestLink = (
  links: DeepLinks,
  source: SourceIds,
  externalId: string | null,
  state: string,
): Link => {
  const outcome = outcomeOf(links, source, externalId, state)
  return outcome ? { type: 'outcome', url: outcome } : linkToEvent(links, externalId, state)
}

export function linkToEvent(links: DeepLinks, externalId: string | null, state: string): Link {
  const event = links.event && filled(links.event, { event_id: externalId, state })
  if (event) return { type: 'event', url: event }
  const homepage = links.stateHomepage && filled(links.stateHomepage, { state })
  return { type: 'homepage', url: homepage || links.homepage }
}

/** Returns the feed's link to the selection, else the filled template. Null without a template or a required id. */
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

/** Fills the placeholders of a template. Returns null if one has no value. */
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
 * Returns the registered domain of a homepage. All its hosts belong to the sportsbook: feeds link to
 * `sports.nj.betmgm.com` or `www.draftkings.com` besides the homepage's host.
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
 * Checks the fallback of a request, used when there is no link: an https address at a sportsbook or an
 * allowed host, or at a subdomain of one.
 * @returns the parsed address; null if it is not allowed
 */
export const allowedFallback = (text: string, linkHosts: readonly string[]): string | null =>
  addressAt(text, [...bookDomains, ...linkHosts])

/**
 * Checks for an https address at one of the hosts or a subdomain, without port or credentials.
 * @returns the parsed address in ASCII, because clients may parse the original differently; null for any
 *   other text
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
