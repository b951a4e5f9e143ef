/**
 * GET /api/v1/futures, /futures/odds and /futures/comparison: markets on seasons and tournaments
 * (supplement 3.9). The comparison is what the tool `compare_futures_lines` answers.
 */

import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import { decimalToAmerican, shownPrice } from '../../pipeline/rules/odds/odds.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import {
  exampleFutureComparison,
  exampleFutureOdds,
  exampleFutures,
} from '../../schemas/http/examples/futures.ts'
import {
  futureComparisonObject,
  futureOddsList,
  futureOffsetMax,
  futuresComparisonQuery,
  futuresList,
  futuresOddsQuery,
  futuresQuery,
} from '../../schemas/http/futures.ts'
import type { Query } from '../../schemas/http/query.ts'
import type { Scope } from '../access/scope.ts'
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
import { listBody, objectBody } from '../answer/json.ts'
import { type Filter, readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { requireOneOf } from '../ask/read-query.ts'
import { ApiError } from '../errors.ts'
import { type Prepared, type Route, readRoute } from '../route.ts'

const requires = { feature: 'futures', otherwise: 'tier_restricted' } as const
const tag = 'futures'

export function createFutureRoutes(clock: () => number): readonly Route[] {
  return [listFutures, listFutureOdds, compareFuture(clock)]
}

const listFutures = readRoute({
  path: '/api/v1/futures',
  access: 'key',
  tag,
  summary: 'Markets on seasons and tournaments, by id',
  description:
    'One item per market, whatever each sportsbook calls it. If a sportsbook does not give the season, its market stays separate, under the name of that sportsbook.',
  requires,
  query: futuresQuery,
  answers: {
    200: { description: 'A page of markets.', schema: futuresList, example: exampleFutures },
  },
  errors: ['invalid_filter', 'tier_restricted'],

  prepare({ query, scope }) {
    const asked = readFutureFilters(query, scope)
    return listOfSeen(query, scope, {
      filters: asked.echo,
      items: () =>
        asked.seen().map((seen) => ({ seen: seen.offers, show: () => futureItem(seen, scope) })),
    })
  },
})

const needed = ['future_id', 'market', 'league'] as const

const listFutureOdds = readRoute({
  path: '/api/v1/futures/odds',
  access: 'key',
  tag,
  summary: 'Prices on seasons and tournaments',
  description: 'One row a price, by market, line, selection and sportsbook.',
  requires,
  query: futuresOddsQuery,
  needsOneOf: needed,
  answers: {
    200: { description: 'A page of prices.', schema: futureOddsList, example: exampleFutureOdds },
  },
  errors: ['invalid_filter', 'tier_restricted', 'not_found'],

  prepare({ query, scope }) {
    const { future_id: id, market } = query
    requireOneOf(query, needed)
    const asked = readFutureFilters(query, scope)
    if (market) refuseUnknownQuestions(market, scope)
    const isAsked = (seen: SeenFuture) =>
      (id === undefined || seen.id === id) &&
      (market === undefined || market.includes(seen.row.question) || market.includes(seen.id))
    return listOfSeen(query, scope, {
      filters: { ...asked.echo, ...given({ future_id: id, market }) },
      items() {
        if (id !== undefined) requireFuture(id, scope, scope.sportsbooks)
        return asked.seen().flatMap((seen) => {
          if (!isAsked(seen)) return []
          const name = futureName(seen)
          return seenPrices(seen, scope.sources).map((price) => ({
            seen: [price.offer],
            show: () => futureOddsItem(price, name, scope.board.linkOf),
          }))
        })
      },
    })
  },
})

function compareFuture(clock: () => number): Route {
  return readRoute({
    path: '/api/v1/futures/comparison',
    access: 'key',
    tag,
    summary: 'The prices of one market on a season or tournament, sportsbooks side by side',
    requires,
    query: futuresComparisonQuery,
    answers: {
      200: {
        description: 'The market with its selections.',
        schema: futureComparisonObject,
        example: exampleFutureComparison,
      },
    },
    errors: ['invalid_filter', 'tier_restricted', 'not_found'],

    prepare({ query, scope }) {
      const { future_id: id } = query
      if (id === undefined) {
        throw new ApiError('validation_error', 'future_id is required: the id of one market.', {
          parameters: ['future_id'],
        })
      }
      const { sportsbooks } = readFutureFilters(query, scope)
      return {
        version: versionOf(scope),
        write(page) {
          const seen = requireFuture(id, scope, sportsbooks)
          const now = clock()
          const selections = comparedSelections(seen, scope, now)
          const body = objectBody({ ...futureSummary(seen), selections }, lastSeen(seen.offers))
          appendText(page, JSON.stringify(body))
          return { expiresAt: firstAging(seen, now) }
        },
      }
    },
  })
}

// ---- what is asked

/** Which markets a request is about, and what it may see of them. */
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
        const isAsked =
          (!sports || sports.includes(sport)) &&
          (!leagues || leagues.includes(league)) &&
          (futureType === undefined || type === futureType)
        return isAsked ? [seen] : []
      }),
  }
}

/** A tournament may have futures and no game on the board. */
const isAmongFutures = (scope: Scope, filter: Filter, id: string) =>
  filter !== 'market' &&
  scope.futures
    .markets()
    .some((market) =>
      seenFuture(market, scope.sportsbooks)?.offers.some(({ row }) => row[filter] === id),
    )

function refuseUnknownQuestions(asked: readonly string[], scope: Scope) {
  const known = new Set<string>()
  for (const market of scope.futures.markets()) {
    const seen = seenFuture(market, scope.sportsbooks)
    if (seen) known.add(seen.id).add(seen.row.question)
  }
  const unknown = asked.filter((value) => !known.has(value))
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

/** @throws ApiError not_found, for what other scopes see too */
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

// ---- what is answered

/** Of the sources too: whether prices are active. */
const versionOf = (scope: Scope) => () => scope.futures.version + scope.sources.version

interface Listed {
  /** The offers that the item is of. */
  readonly seen: SeenFuture['offers']
  show(): object
}

function listOfSeen(
  { limit, offset }: { readonly limit: number; readonly offset: number },
  scope: Scope,
  list: {
    readonly filters: Readonly<Record<string, unknown>>
    readonly items: () => readonly Listed[]
  },
): Prepared {
  return {
    version: versionOf(scope),
    write(page) {
      const items = list.items()
      const shown = items.slice(offset, offset + limit)
      const count = shown.length
      const total = items.length
      const end = offset + count
      const pagination = {
        limit,
        offset,
        count,
        total,
        has_more: end < total,
        next_offset: end < total && end <= futureOffsetMax ? end : null,
      }
      const updatedAt = lastSeen(shown.flatMap(({ seen }) => seen))
      const data = shown.map(({ show }) => show())
      appendText(page, listBody(data, { pagination, updatedAt, meta: { filters: list.filters } }))
      return {}
    },
  }
}

function futureItem(seen: SeenFuture, { sources }: Scope) {
  const { books_available, ...summary } = futureSummary(seen)
  const prices = seenPrices(seen, sources)
  const selections = new Set(prices.map(({ key, price }) => `${price.line ?? ''}|${key}`))
  return { ...summary, selection_count: selections.size, books_available }
}

function comparedSelections(seen: SeenFuture, scope: Scope, now: number) {
  const bySelection = new Map<string, SeenPrice[]>()
  for (const one of seenPrices(seen, scope.sources)) {
    const key = `${one.price.line ?? ''}|${one.key}`
    const others = bySelection.get(key)
    if (others) others.push(one)
    else bySelection.set(key, [one])
  }
  return [...bySelection.values()].map((prices) => comparedPrices(prices, now))
}

function comparedPrices(prices: readonly SeenPrice[], now: number) {
  const [{ selection, price }] = prices as readonly [SeenPrice]
  const usable = prices.filter((one) => isUsable(one, now))
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

const quoteOf = ({ price: { price, isActive }, offer }: SeenPrice) => ({
  odds_american: decimalToAmerican(price),
  odds_decimal: shownPrice(price),
  is_active: isActive,
  timestamp: isoTime(offer.lastSeenAt),
})

/** Whether it may be bet on: as prices of games before the start. */
const isUsable = ({ price, offer }: SeenPrice, now: number) =>
  price.isActive && now - offer.lastSeenAt <= usableMs(false)

/** When the next of the offers is too old to be the best (epoch ms); Infinity for none. */
function firstAging({ offers }: SeenFuture, now: number): number {
  const ends = offers.map(({ lastSeenAt }) => lastSeenAt + usableMs(false) + 1)
  return Math.min(...ends.filter((at) => at > now))
}
