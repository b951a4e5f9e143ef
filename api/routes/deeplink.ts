/** GET /api/v1/deeplink/:id: leads to a price at its sportsbook (interface 4.11, supplement 3.15). */

import { text, usState } from '../../schemas/http/query.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { createScopes, type Scope, seesSportsbook } from '../access/scope.ts'
import {
  allowedFallback,
  defaultState,
  futureOf,
  isOpportunityId,
  type Link,
  linkToEvent,
  linkToFuture,
  linkToPrice,
  priceOf,
  quotesOfOpportunity,
} from '../answer/deep-links.ts'
import type { Boards } from '../boards.ts'
import { ApiError } from '../errors.ts'
import { type ActionRoute, openAction } from './route.ts'

const hint = (what: string) => text({ description: what, maxLength: 200 })

/** @param linkHosts hosts that `fallback` may lead to, beside those of sportsbooks */
export function createDeepLinkRoute(boards: Boards, linkHosts: readonly string[]): ActionRoute {
  // Who follows a link has no key; ids cannot be guessed, and an address is all there is to see. What
  // only the owner may see is not led to: he has `/deeplinks`, with his key.
  const scopes = createScopes(boards)
  const scopeOf = (tier: Tier) => scopes.of({ tier, isOwner: false })

  /** @param book a sportsbook's id; undefined for the first */
  function linkOf(id: string, book: string | undefined, state: string): Link | null {
    const everything = scopeOf('enterprise')
    const { board, opportunities } = everything
    const row = isOpportunityId(id) ? opportunities.find(id)?.row : undefined
    if (row) {
      // Of the sportsbooks tied with it, those that everybody sees who sees the opportunity: naming
      // another one would reveal its price.
      const isSeenBy = ({ opportunityBit }: Scope) => (row.scopes & opportunityBit) !== 0
      const scope = [scopeOf('hobby'), scopeOf('pro'), everything].find(isSeenBy)
      if (!scope) return null
      const quotes = quotesOfOpportunity(row, scope, boards.now())
      const quote = quotes.find(({ sportsbook }) => book === undefined || sportsbook === book)
      return quote ? linkToPrice(board, quote, state) : null
    }
    const quote = priceOf(board, id)
    const future = quote ? undefined : futureOf(everything.futures, id)
    if (future) {
      const { sportsbook } = future.offer.row
      if (!seesSportsbook(everything, sportsbook)) return null
      return book === undefined || sportsbook === book ? linkToFuture(future, state) : null
    }
    if (!quote || !seesSportsbook(everything, quote.sportsbook)) return null
    if (book !== undefined && quote.sportsbook !== book) return null
    return linkToPrice(board, quote, state)
  }

  /** The page of the event, by what the client remembers of a price that is gone. */
  function hinted(gameId: string, book: string, state: string): Link | null {
    const links = findSportsbook(book)?.deepLinks
    if (!links) return null
    const isSeen = seesSportsbook(scopeOf('enterprise'), book)
    const offer = isSeen ? boards.live.find(gameId)?.offers.get(book) : undefined
    return linkToEvent(links, offer?.externalId ?? null, state)
  }

  return openAction({
    method: 'get',
    path: '/api/v1/deeplink/:id',
    access: 'public',
    tag: 'deep links',
    summary: 'Go to a price at its sportsbook',
    description:
      'Redirects to the selection at the sportsbook, or to the page of the event, or to the homepage, whichever is the nearest there is an address for; `X-Deep-Link-Type` says which. Of an opportunity to its first sportsbook, or to `book`.',
    query: {
      state: usState({ description: 'US state, by its two letters; default pa.' }),
      book: text({ description: 'Only a price of this sportsbook.', maxLength: 60 }),
      fallback: text({
        description:
          'Where to lead when there is no such price: an https address at a sportsbook, or at a host the operator allows; any other is as if absent.',
        maxLength: 2_000,
      }),
      game_id: hint(
        'The event, for when the price is gone: with `book`, leads to that event there.',
      ),
      sport: hint('Said by clients; changes nothing.'),
      league: hint('Said by clients; changes nothing.'),
      home: hint('Said by clients; changes nothing.'),
      away: hint('Said by clients; changes nothing.'),
    },
    pathParameters: { id: 'The id of a price, 15 digits, or of an opportunity, 16 hex digits.' },
    answers: { 302: { description: 'Location is the page at the sportsbook.' } },
    // No person follows more links than that, and whoever guesses ids could learn what a sportsbook
    // lists.
    perMinute: 60,
    errors: ['validation_error', 'not_found', 'rate_limited'],
    handle({ path, query }) {
      const { id = '' } = path
      const { state = defaultState, fallback, game_id } = query
      const book = query.book === undefined ? undefined : bookId(query.book)
      const link =
        linkOf(id, book, state) ??
        (game_id !== undefined && book !== undefined ? hinted(game_id, book, state) : null)
      if (link) return redirect(link.url, { 'X-Deep-Link-Type': link.type })
      const elsewhere = fallback === undefined ? null : allowedFallback(fallback, linkHosts)
      if (elsewhere !== null) return redirect(elsewhere)
      throw new ApiError('not_found', 'No price with a link has this id.')
    },
  })
}

/** Our id; as it is for one we do not list. */
const bookId = (text: string) => findSportsbook(text)?.id ?? text

const redirect = (url: string, headers: Readonly<Record<string, string>> = {}) => ({
  status: 302,
  headers: { Location: url, 'Cache-Control': 'private, max-age=60', ...headers },
})
