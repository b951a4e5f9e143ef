/**
 * GET /api/v1/futures, /futures/odds and /futures/comparison: markets on seasons and tournaments (supplement 3.9).
 * The comparison also serves the tool `compare_futures_lines`.
 */

import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import { decimalToAmerican, shownPrice } from '../../pipeline/rules/odds/odds.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import { groupBy } from '../../schemas/grouping.ts'
import {
  futureComparison,
  futureComparisonObject,
  futureItem,
  futureOddsList,
  futureOffsetMax,
  futuresComparisonQuery,
  futuresList,
  futuresOddsQuery,
  futuresQuery,
} from '../../schemas/http/futures.ts'
import type { Query } from '../../schemas/http/query.ts'
import type { Scope } from '../access/scope.ts'
import { withState } from '../answer/deep-links.ts'
import {
  futureName,
  futureOddsItem,
  futureSummary,
  lastSeen,
  type SeenFuture,
  type SeenPrice,
  seenFuture,
  seenPrices,
} from '../answer/futures.ts'
import { itemOfRow } from '../answer/items.ts'
import { listResource, objectResource } from '../answer/resource.ts'
import { type Filter, readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { requireOneOf } from '../ask/read-query.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Route } from '../route.ts'

const requires = { feature: 'futures', otherwise: 'tier_restricted' } as const
const tag = 'futures'

export function createFutureRoutes(clock: () => number): readonly Route[] {
  return [listFutures, listFutureOdds, compareFuture(clock)]
}

const listFutures = listResource({
  path: '/api/v1/futures',
  access: 'key',
  tag,
  summary: 'Markets on seasons and tournaments, by id',
  description:
    'One item per market, whatever each sportsbook calls it. If a sportsbook does not give the season, its market stays separate, under the name of that sportsbook.',
  requires,
  query: futuresQuery,
  maxOffset: futureOffsetMax,
  answer: { description: 'A page of markets.', schema: futuresList },
  errors: ['invalid_filter', 'tier_restricted'],

  read({ query, scope }) {
    const named = readFutureFilters(query, scope)
    const meta = { filters: named.echo }
    return {
      version: versionOf(scope),
      now: () => ({ rows: named.seen(), updatedAt: newestOffer, meta }),
      show: (seen: SeenFuture) => shownFuture(seen, scope),
    }
  },
})

const needed = ['future_id', 'market', 'league'] as const

const listFutureOdds = listResource({
  path: '/api/v1/futures/odds',
  access: 'key',
  tag,
  summary: 'Prices on seasons and tournaments',
  description: 'One row per price, by market, line, selection and sportsbook.',
  requires,
  query: futuresOddsQuery,
  needsOneOf: needed,
  maxOffset: futureOffsetMax,
  answer: { description: 'A page of prices.', schema: futureOddsList },
  tool: {
    name: 'get_futures_odds',
    description:
      'Prices on seasons and tournaments, such as who becomes champion, one row for each sportsbook ' +
      'and selection. Rows have the ids of markets as `future_market_id`. ' +
      'Needs one of `league`, `market` and `future_id`.',
    inputs: ['league', 'market', 'future_id', 'sport', 'sportsbook', 'limit', 'offset'],
    said: { market: 'champion, total_wins, …' },
    shape: { items: ['data'] },
  },
  errors: ['invalid_filter', 'tier_restricted', 'not_found'],

  read({ query, scope }) {
    const { future_id: id, market, state } = query
    requireOneOf(query, needed)
    const named = readFutureFilters(query, scope)
    if (market) refuseUnknownQuestions(market, scope)
    const isNamed = (seen: SeenFuture) =>
      (id === undefined || seen.id === id) &&
      (market === undefined || market.includes(seen.row.question) || market.includes(seen.id))
    const meta = { filters: { ...named.echo, ...given({ future_id: id, market }) } }
    const linkOf = (id: number) => withState(scope.board.linkOf(id), state)
    return {
      version: versionOf(scope),
      now() {
        if (id !== undefined) requireFuture(id, scope, scope.sportsbooks)
        const rows = named.seen().flatMap((seen) => {
          if (!isNamed(seen)) return []
          const name = futureName(seen)
          return seenPrices(seen, scope).map((price) => ({
            ...{ price, name },
            offers: [price.offer],
          }))
        })
        return { rows, updatedAt: (shown: readonly NamedPrice[]) => newestOffer(shown), meta }
      },
      show: ({ price, name }: NamedPrice) => futureOddsItem(price, name, linkOf),
    }
  },
})

/** A price with its market's name and its offer. */
interface NamedPrice extends Pick<SeenFuture, 'offers'> {
  readonly price: SeenPrice
  readonly name: string
}

/** Returns the newest sighting of the rows' offers (epoch ms). */
const newestOffer = (shown: readonly Pick<SeenFuture, 'offers'>[]) =>
  lastSeen(shown.flatMap(({ offers }) => offers))

function compareFuture(clock: () => number): Route {
  return objectResource({
    path: '/api/v1/futures/comparison',
    access: 'key',
    tag,
    summary: 'The prices of one market on a season or tournament, sportsbooks side by side',
    requires,
    query: futuresComparisonQuery,
    answer: { description: 'The market with its selections.', schema: futureComparisonObject },
    tool: {
      name: 'compare_futures_lines',
      description: 'The prices of one market on a season or tournament side by side.',
      inputs: ['future_id', 'sportsbook'],
      shape: { items: ['data', 'selections'], without: ['last_seen_at', 'odds_changed_at'] },
    },
    errors: ['invalid_filter', 'tier_restricted', 'not_found'],

    read({ query, scope }) {
      const { future_id: id } = query
      if (id === undefined) {
        throw invalid(['future_id'], 'future_id is required: the id of one market.')
      }
      const { sportsbooks } = readFutureFilters(query, scope)
      return {
        version: versionOf(scope),
        now() {
          const seen = requireFuture(id, scope, sportsbooks)
          const now = clock()
          const data = itemOfRow(futureComparison, seen.row, {
            ...futureSummary(seen),
            selections: comparedSelections(seen, scope, now),
          })
          return { data, updatedAt: lastSeen(seen.offers), expiresAt: firstAging(seen, now) }
        },
      }
    },
  })
}

// ---- requests

/** Reads the requested markets and the sportsbooks visible in them. */
function readFutureFilters(
  query: Partial<Query<typeof futuresQuery>>,
  scope: Scope,
): {
  readonly sportsbooks: readonly string[] | undefined
  readonly echo: Readonly<Record<string, unknown>>
  seen(): readonly SeenFuture[]
} {
  const { sport, league, sportsbook, add_sportsbook, future_type: futureType } = query
  const { sports, leagues, sportsbooks, echo } = readFilters(
    { sport, league, sportsbook, add_sportsbook },
    scope,
    (filter, id) => isAmongFutures(scope, filter, id),
  )
  return {
    sportsbooks,
    echo: { ...echo, ...given({ future_type: futureType }) },
    seen: () =>
      scope.futures.markets().flatMap((market) => {
        const seen = seenFuture(market, sportsbooks)
        if (!seen) return []
        const { sport, league, futureType: type } = seen.row
        const isMatch =
          (!sports || sports.includes(sport)) &&
          (!leagues || leagues.includes(league)) &&
          (futureType === undefined || type === futureType)
        return isMatch ? [seen] : []
      }),
  }
}

/** A tournament may have futures but no game on the board. */
const isAmongFutures = (scope: Scope, filter: Filter, id: string) =>
  filter !== 'market' &&
  scope.futures
    .markets()
    .some((market) =>
      seenFuture(market, scope.sportsbooks)?.offers.some(({ row }) => row[filter] === id),
    )

function refuseUnknownQuestions(requested: readonly string[], scope: Scope) {
  const known = new Set<string>()
  for (const market of scope.futures.markets()) {
    const seen = seenFuture(market, scope.sportsbooks)
    if (seen) known.add(seen.id).add(seen.row.question)
  }
  const unknown = requested.filter((value) => !known.has(value))
  if (unknown.length === 0) return
  const said = unknown.map((value) => value.slice(0, 60)).join(', ')
  throw new ApiError('invalid_filter', `Unknown market: ${said}.`, {
    details: {
      fields: { market: unknown },
      reference: { market: '/api/v1/futures' },
      did_you_mean: [],
    },
  })
}

/** @throws ApiError not_found, also for markets that only other scopes see */
function requireFuture(
  id: string,
  scope: Scope,
  sportsbooks: readonly string[] | undefined,
): SeenFuture {
  const market = scope.futures.find(id)
  const seen = market && seenFuture(market, sportsbooks)
  if (seen) return seen
  throw new ApiError('not_found', `There is no futures market ${id.slice(0, 200)} now.`, {
    reference: '/api/v1/futures',
  })
}

// ---- responses

/** Sources are included because they decide whether prices are active. */
const versionOf = (scope: Scope) => () => scope.futures.version + scope.sources.version

function shownFuture(seen: SeenFuture, scope: Scope) {
  const prices = seenPrices(seen, scope)
  const selections = new Set(prices.map(({ key, price }) => `${price.line ?? ''}|${key}`))
  return itemOfRow(futureItem, seen.row, {
    ...futureSummary(seen),
    selection_count: selections.size,
  })
}

function comparedSelections(seen: SeenFuture, scope: Scope, now: number) {
  const bySelection = groupBy(
    seenPrices(seen, scope),
    ({ price, key }) => `${price.line ?? ''}|${key}`,
  )
  const { references } = scope.board
  return [...bySelection.values()].map((prices) => comparedPrices(prices, references, now))
}

function comparedPrices(
  prices: readonly SeenPrice[],
  references: ReadonlySet<string>,
  now: number,
) {
  const [{ selection, price }] = prices as readonly [SeenPrice]
  const usable = prices.filter(
    (one) =>
      isUsable(one, now) && one.withheld === null && !references.has(one.offer.row.sportsbook),
  )
  const best = usable.reduce<SeenPrice | null>(
    (most, one) => (most === null || one.price.price > most.price.price ? one : most),
    null,
  )
  const worst = usable.reduce<SeenPrice | null>(
    (least, one) => (least === null || one.price.price < least.price.price ? one : least),
    null,
  )
  return {
    selection,
    ...(price.line !== null && { line: price.line }),
    books: Object.fromEntries(prices.map((one) => [one.offer.row.sportsbook, quoteOf(one)])),
    best_book: best?.offer.row.sportsbook ?? null,
    best_odds: best && decimalToAmerican(best.price.price),
    worst_book: worst?.offer.row.sportsbook ?? null,
    worst_odds: worst && decimalToAmerican(worst.price.price),
  }
}

const quoteOf = ({ price: { price, isActive }, offer, withheld }: SeenPrice) => ({
  odds_american: decimalToAmerican(price),
  odds_decimal: shownPrice(price),
  is_active: isActive,
  timestamp: isoTime(offer.lastSeenAt),
  ...(withheld && { withheld }),
})

/** Returns whether a price can be bet on, by the age limit of pre-match prices. */
const isUsable = ({ price, offer }: SeenPrice, now: number) =>
  price.isActive && now - offer.lastSeenAt <= usableMs(false)

/** Returns when the next offer becomes too old to be the best (epoch ms); Infinity for none. */
function firstAging({ offers }: SeenFuture, now: number): number {
  const ends = offers.map(({ lastSeenAt }) => lastSeenAt + usableMs(false) + 1)
  return Math.min(...ends.filter((at) => at > now))
}
