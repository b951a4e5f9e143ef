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
import { usStates } from '../../schemas/reference/us-states.ts'

export interface Link {
  readonly type: 'outcome' | 'event' | 'homepage'
  readonly url: string
}

/** The state that fills addresses for a caller who names none, or one that the sportsbook does not serve. */
const defaultState = 'pa'

/**
 * A US state, two letters, lower case. With a state, addresses lead to its pages. Without one they
 * lead to the feed's own state, and to the default only if an address needs one.
 */
export type LinkState = string | undefined

/** Returns the state if the sportsbook may serve it; it has no addresses for another one. */
const servedState = ({ states }: DeepLinks, state: LinkState): LinkState =>
  state === undefined || !states || states.includes(state) ? state : undefined

/** @returns null for a sportsbook without addresses */
export function linkToPrice(board: BoardView, quote: Quote, state: LinkState): Link | null {
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
  state: LinkState,
): Link => {
  const outcome = outcomeOf(links, source, externalId, state)
  return outcome ? { type: 'outcome', url: outcome } : linkToEvent(links, externalId, state)
}

function linkToEvent(links: DeepLinks, externalId: string | null, state: LinkState): Link {
  const event = eventPage(links, externalId, state)
  return event ?? homepageOf(links, state)
}

/** Returns null if the sportsbook has no address for the event. */
export function eventPage(
  links: DeepLinks,
  externalId: string | null,
  state: LinkState,
): Link | null {
  const event = links.event && filled(links, links.event, { event_id: externalId }, state)
  return event ? { type: 'event', url: event } : null
}

export function homepageOf(links: DeepLinks, state: LinkState): Link {
  // In a state where the sportsbook takes no bets, its general homepage says so; another state's
  // would not.
  const isServed = servedState(links, state) === state
  const homepage = isServed && links.stateHomepage && filled(links, links.stateHomepage, {}, state)
  return { type: 'homepage', url: homepage || links.homepage }
}

/** Returns the feed's link to the selection, else the filled template. Null without a template or a required id. */
function outcomeOf(
  links: DeepLinks,
  { deepLink, externalMarketId, externalSelectionId }: SourceIds,
  externalId: string | null,
  state: LinkState,
): string | null {
  const own = deepLink === null ? null : filled(links, deepLink, {}, state)
  const address = own === null ? null : addressAt(own, [domainOf(links.homepage)])
  if (address !== null) return inState(address, links, state)
  if (links.outcome === undefined) return null
  const ids = {
    event_id: externalId,
    market_id: externalMarketId,
    selection_id: externalSelectionId,
  }
  return filled(links, links.outcome, ids, state)
}

/** The places of a state in a parsed address. The host's is the label before the domain. */
const statePlaces = {
  host: /(?<=^https:\/\/(?:[^/.]+\.)*)[a-z]{2}(?=\.[^/.]+\.[^/.]+\/)/,
  path: /(?<=^https:\/\/[^/]+\/us\/)[a-z]{2}(?=[/?#]|$)/i,
  query: /(?<=^[^#]*[?&]state=)[a-z]{2}(?=[&#]|$)/i,
} as const

/**
 * Leads an address of a sportsbook to another state, if the address names a state and the
 * sportsbook serves the other one.
 */
function inState(address: string, links: DeepLinks, state: LinkState): string {
  const served = servedState(links, state)
  if (served === undefined) return address
  const toState = (own: string) => (usStates.includes(own.toLowerCase()) ? served : own)
  return (links.stateIn ?? []).reduce(
    (url, place) => url.replace(statePlaces[place], toState),
    address,
  )
}

/**
 * Fills the placeholders of a template; a feed's address may have them too. In parsed addresses
 * their braces are `%7B`. Returns null if a placeholder has no value.
 */
function filled(
  links: DeepLinks,
  template: string,
  ids: Readonly<Record<string, string | null>>,
  state: LinkState,
): string | null {
  const values: typeof ids = { ...ids, state: servedState(links, state) ?? defaultState }
  let isWhole = true
  const url = template.replace(/(?:\{|%7b)(\w+)(?:\}|%7d)/gi, (_, name: string) => {
    const value = values[name.toLowerCase()] ?? null
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
 * Checks the fallback of a request, which is used when there is no link. It must be an https
 * address at a sportsbook or an allowed host, or at a subdomain of one.
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
