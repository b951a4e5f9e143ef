/** GET /api/v1/deeplink/:id: redirects to a price at its sportsbook (interface 4.11, supplement 3.15). */

import { findGameOfSides } from '../../pipeline/rules/names/named-game.ts'
import { eventListKey } from '../../pipeline/views/board/board-index.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { Quote } from '../../pipeline/views/query/quotes.ts'
import { text, usState } from '../../schemas/http/query.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import type { AliasDesk } from '../access/aliases.ts'
import { createScopes, type Scope, seesSportsbook } from '../access/scope.ts'
import { tierRights } from '../access/tiers.ts'
import {
  allowedFallback,
  eventPage,
  homepageOf,
  type Link,
  type LinkState,
  linkToPrice,
} from '../answer/book-addresses.ts'
import {
  futureOf,
  isOpportunityId,
  linkToFuture,
  priceOf,
  quotesOfOpportunity,
} from '../answer/deep-links.ts'
import { gameOnBoard, spellingsOf } from '../bets/found-bets.ts'
import { sportAndLeague } from '../bets/stated-bets.ts'
import type { Boards } from '../boards.ts'
import { ApiError } from '../errors.ts'
import { isSeenIn, valueIn } from '../opportunities/priced.ts'
import { type ActionRoute, openAction } from '../route.ts'

const hint = (what: string) => text({ description: what, maxLength: 200 })

export interface DeepLinkSettings {
  /** Hosts that `fallback` may lead to, besides those of sportsbooks. */
  readonly linkHosts: readonly string[]
  /** Whether a bare id redirects without a key. */
  readonly publicRedirects: boolean
}

/** The game that a client means, if the id of its link is gone. */
interface Hints {
  readonly game_id?: string | undefined
  readonly sport?: string | undefined
  readonly league?: string | undefined
  readonly home?: string | undefined
  readonly away?: string | undefined
}

export function createDeepLinkRoute(
  boards: Boards,
  aliases: Pick<AliasDesk, 'names'>,
  { linkHosts, publicRedirects }: DeepLinkSettings,
): ActionRoute {
  const scopes = createScopes(boards)
  const scopeOf = (tier: Tier) => scopes.of({ tier, isOwner: false })

  /**
   * Returns the id and the scope to look it up in. A client that follows our signed link has no key and sees only an
   * address; it is not led to prices of owner-only sources. Bare ids can be guessed, so without a key they lead to
   * prices of the free tier's board, alone or as an opportunity, as it was a minute ago. The operator can turn these off.
   */
  function lookUp(path: string, keyScope: Scope | undefined) {
    const signed = boards.links.idOf(path)
    if (signed === undefined) return { id: path, scope: keyScope ?? publicScope() }
    const everything = scopeOf('enterprise')
    const row = isOpportunityId(signed) ? everything.opportunities.find(signed)?.row : undefined
    return { id: signed, scope: row ? leastScope(row) : everything }
  }

  /** Returns the scope of what is asked without a key or a signature; undefined if that leads nowhere. */
  const publicScope = () => (publicRedirects ? scopeOf('free') : undefined)

  /** Returns the prices of an opportunity that the scope sees, with those tied; none if it has ended there. */
  function quotesOf(id: string, scope: Scope): readonly Quote[] {
    if (scope.delaySeconds === 0) {
      const entry = scope.opportunities.find(id)
      return entry && valueIn(scope, entry)
        ? quotesOfOpportunity(entry.row, scope, boards.now())
        : []
    }
    // The legs are at two sportsbooks at least, which are all of the free tier: nobody else is tied there.
    const row = boards.delayedOpportunities.get(id)
    if (!row || !leastScope(row)) return []
    const quotes = row.legs.flatMap((leg) => priceOf(scope.board, String(leg)) ?? [])
    const isWhole = quotes.length === row.legs.length
    return isWhole && quotes.every(({ sportsbook }) => seesSportsbook(scope, sportsbook))
      ? quotes
      : []
  }

  /** Returns the scope of the lowest tier that sees an opportunity. */
  function leastScope(row: OpportunityRow): Scope | undefined {
    // Naming a tied sportsbook that this tier does not see would reveal its price.
    return [scopeOf('hobby'), scopeOf('pro'), scopeOf('enterprise')].find((scope) =>
      isSeenIn(scope, row),
    )
  }

  /** @param book a sportsbook's id; undefined for the first with an address */
  function linkOf(
    id: string,
    book: string | undefined,
    state: LinkState,
    scope: Scope,
  ): Link | null {
    const { board } = scope
    if (isOpportunityId(id)) {
      for (const quote of quotesOf(id, scope)) {
        const isOfBook = book === undefined || quote.sportsbook === book
        const link = isOfBook ? linkToPrice(board, quote, state) : null
        if (link) return link
      }
      return null
    }
    const quote = priceOf(board, id)
    const hasFutures = tierRights[scope.tier].features.futures
    const future = quote || !hasFutures ? undefined : futureOf(scope.futures, id)
    const sportsbook = quote?.sportsbook ?? future?.offer.row.sportsbook
    if (sportsbook === undefined || !seesSportsbook(scope, sportsbook)) return null
    if (book !== undefined && sportsbook !== book) return null
    if (quote) return linkToPrice(board, quote, state)
    return future ? linkToFuture(future, state) : null
  }

  /**
   * Returns the event's page at a sportsbook from the hints for a price that is gone. The hints may name any game
   * and sportsbook, whatever the id, so a signature gives no right to more than the caller sees without it.
   */
  function hinted(
    find: (scope: Scope) => ViewEvent | undefined,
    book: string,
    state: LinkState,
    keyScope?: Scope,
  ): Link | null {
    const scope = keyScope ?? publicScope()
    const links = findSportsbook(book)?.deepLinks
    if (!links || !scope || !seesSportsbook(scope, book)) return null
    return eventPage(links, find(scope)?.offers.get(book)?.externalId ?? null, state)
  }

  /** Returns the event that the sportsbook lists with these teams; undefined if it lists none or several. */
  function eventNamed(
    { sport, league, home, away }: Hints,
    book: string,
    { board }: Scope,
  ): ViewEvent | undefined {
    if (home === undefined || away === undefined) return undefined
    if (sport === undefined && league === undefined) return undefined
    const of = sportAndLeague(sport, league)
    const key = of.league === null ? eventListKey.sport(of.sport) : eventListKey.league(of.league)
    const games = board
      .events(key)
      .filter(({ offers }) => offers.has(book))
      .map(gameOnBoard)
    const stated = { home, away, ...of, sportsbook: book }
    const found = findGameOfSides(stated, games, spellingsOf(aliases.names()))
    return found ? board.find(found.id) : undefined
  }

  return openAction({
    method: 'get',
    path: '/api/v1/deeplink/:id',
    access: 'public',
    takesKey: true,
    readsBoard: true,
    tag: 'deep links',
    summary: 'Go to a price at its sportsbook',
    description:
      'Accepts the links in `deep_link` and `/deeplinks`, and plain ids: with a key, of all it sees; without one, of prices of the free tier and of opportunities, 60 s late (`OVERROUND_PUBLIC_REDIRECTS`). Redirects to the selection, else to the event, else to the homepage; `X-Deep-Link-Type` says which. An opportunity leads to its first sportsbook that has a link, or to `book`.',
    query: {
      state: usState({
        description: 'US state, by its two letters; default: that of your profile, else pa.',
      }),
      book: text({ description: 'Only a price of this sportsbook.', maxLength: 60 }),
      fallback: text({
        description:
          'Where to redirect if there is no such price: an https address at a sportsbook or an allowed host; others are ignored.',
        maxLength: 2_000,
      }),
      game_id: hint(
        'The event, if the price is gone: with `book`, leads to its page there, else to `fallback`, else to the homepage.',
      ),
      sport: hint('Sport of the teams, or `league`.'),
      league: hint('League of the teams.'),
      home: hint(
        'In place of `game_id`: the home team, with `away`, `book` and `league` or `sport`.',
      ),
      away: hint('The away team.'),
    },
    pathParameters: {
      id: 'The last part of one of our links, or the id of a price (15 digits) or of an opportunity (16 hex digits).',
    },
    answer: { status: 302, description: 'Location is the page at the sportsbook.' },
    // More than any person follows. Guessing ids faster could reveal a sportsbook's listings.
    perMinute: 60,
    errors: [
      'validation_error',
      'not_found',
      'rate_limited',
      'invalid_api_key',
      'expired_api_key',
      'disabled_api_key',
      'service_unavailable',
    ],
    handle({ path, query, scope: keyScope }) {
      const { id, scope } = lookUp(path.id ?? '', keyScope)
      const { state, fallback } = query
      const book = query.book === undefined ? undefined : bookId(query.book)
      const pageOf = (find: (scope: Scope) => ViewEvent | undefined) =>
        book === undefined ? null : hinted(find, book, state, keyScope)
      const link =
        (scope && linkOf(id, book, state, scope)) ??
        pageOf(({ board }) => board.find(query.game_id ?? ''))
      if (link) return redirectTo(link)
      const elsewhere = fallback === undefined ? null : allowedFallback(fallback, linkHosts)
      if (elsewhere !== null) return redirect(elsewhere)
      // Tried after the fallback, which is for the caller's game: these teams may meet again
      // tomorrow.
      const ofTeams = pageOf((scope) => eventNamed(query, book!, scope))
      if (ofTeams) return redirectTo(ofTeams)
      const links = book === undefined ? null : findSportsbook(book)?.deepLinks
      if (links && namesGame(query)) return redirectTo(homepageOf(links, state))
      const hint = keyScope
        ? ''
        : ' A key sees more, and `deep_link` has a signed address that needs none.'
      throw new ApiError('not_found', `No price with a link has this id.${hint}`)
    },
  })
}

/** Returns our id of a sportsbook; the text itself if it is not listed. */
const bookId = (text: string) => findSportsbook(text)?.id ?? text

const namesGame = ({ game_id, home, away }: Hints) =>
  game_id !== undefined || (home !== undefined && away !== undefined)

const redirectTo = ({ url, type }: Link) => redirect(url, { 'X-Deep-Link-Type': type })

const redirect = (url: string, headers: Readonly<Record<string, string>> = {}) => ({
  status: 302,
  headers: { Location: url, 'Cache-Control': 'private, max-age=60', ...headers },
})
