/** GET /api/v1/opportunities/…: +EV, arbitrage, middles and low hold (interface 4.9). */

import { isGuaranteed } from '../../pipeline/rules/middles.ts'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import {
  arbitrageList,
  evList,
  exampleArbitrage,
  exampleArbitrageCsv,
  exampleEv,
  exampleLowHold,
  exampleMiddle,
  exampleMiddles,
  exampleMiddlesSummary,
  lowHoldList,
  middleList,
  middleObject,
  middlesSummaryObject,
} from '../../schemas/http/opportunities.ts'
import {
  arbitrageQuery,
  arbitrageSorts,
  evQuery,
  evSorts,
  lowHoldQuery,
  lowHoldSorts,
  middleSorts,
  middlesQuery,
  middlesSummaryQuery,
} from '../../schemas/http/opportunity-query.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import type { Scope } from '../access/scope.ts'
import { isOpportunityId, stateEnd } from '../answer/deep-links.ts'
import { instant, listBody, objectBody } from '../answer/json.ts'
import { given } from '../ask/odds-filter.ts'
import { ApiError } from '../errors.ts'
import {
  bestEv,
  defaultMaxHold,
  defaultMinProfit,
  defaultMinSize,
  evContext,
} from '../opportunities/beside.ts'
import {
  arbitrageCsv,
  arbitrageFigures,
  type PricedArbitrage,
  shownArbitrage,
} from '../opportunities/kinds/arbitrage.ts'
import { evFigures, isPlayerProp, type PricedEv, shownEv } from '../opportunities/kinds/ev.ts'
import { isAtBooks, lowHoldFigures, shownLowHold } from '../opportunities/kinds/low-hold.ts'
import {
  highestQuality,
  middleFiguresOf,
  middleQuality,
  type PricedMiddle,
  shownMiddle,
} from '../opportunities/kinds/middles.ts'
import {
  averageOf,
  bookOf,
  countBy,
  findStanding,
  type Listing,
  marketOf,
  newestSeen,
  opportunityAnswer,
  type Priced,
  pageOf,
  requestedOpportunities,
  sortOf,
  sportOf,
} from '../opportunities/listing.ts'
import { alternateLines } from '../opportunities/main-line.ts'
import { oldestAgeMs, percent, rounded, selectionOf } from '../opportunities/quotes.ts'
import { evMeasuredBy } from '../opportunities/recompute.ts'
import { type ReadRoute, readRoute } from './route.ts'

export interface OpportunityParts {
  readonly clock: () => number
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
}

const tag = 'opportunities'
const errors = ['invalid_filter', 'tier_restricted'] as const
const source = 'live'

export function createOpportunityRoutes(parts: OpportunityParts): readonly ReadRoute[] {
  return [
    listEv(parts),
    listArbitrage(parts),
    listMiddles(parts),
    summariseMiddles(parts),
    getMiddle(parts),
    listLowHold(parts, '/api/v1/opportunities/low_hold'),
    // Where the old path leads. One of the two is enough for the document.
    { ...listLowHold(parts, '/api/v1/opportunities/low-hold'), isHidden: true },
  ]
}

// ---- +EV

function listEv({ clock, chain }: OpportunityParts): ReadRoute {
  return readRoute({
    path: '/api/v1/opportunities/ev',
    access: 'key',
    tag,
    summary: 'Prices better than the sharp book’s without its margin',
    description:
      'Each sportsbook with such a price on a selection is an item. `sportsbook` names whose prices; `min_odds` and `max_odds` bound them.',
    requires: { feature: 'ev', otherwise: 'feature_required' },
    query: evQuery,
    answers: { 200: { description: 'A page of +EV.', schema: evList, example: exampleEv } },
    errors,
    prepare({ query, scope }) {
      const listing = requestedOpportunities(query, scope)
      const { key, isDescending } = sortOf(query.sort, evSorts, '-ev')
      const devigBook = query.devig_book && sharpBookOf(query.devig_book)
      const { min_ev, max_ev, min_market_width, max_market_width, min_kelly, max_kelly } = query
      const { min_confidence, max_confidence, max_odds_age, is_player_prop } = query
      const { is_alternate_line, arb_available, player_name, stat_category, selection } = query
      const maxHold = query.max_hold ?? defaultMaxHold
      return opportunityAnswer(
        scope,
        clock,
        (now) => {
          const context = evContext(scope, chain, now)
          const all = devigBook
            ? evMeasuredBy(devigBook, scope, listing, now)
            : listing.all('ev', evFigures, now)
          const items = all.filter((item) => {
            const { figures, legs } = item
            const { ev, width, kelly } = figures
            const { statCategory, selection: answer } = legs[0]!
            return (
              isWithin(percent(ev), min_ev ?? 0, max_ev) &&
              isWithin(
                percent(width),
                min_market_width,
                Math.min(maxHold, max_market_width ?? maxHold),
              ) &&
              isWithin(percent(kelly), min_kelly, max_kelly) &&
              (is_player_prop === undefined || isProp(item) === is_player_prop) &&
              isSameText(answer.playerName, player_name) &&
              isSameText(statCategory, stat_category) &&
              isNamed(item, selection) &&
              (arb_available === undefined ||
                (context.arbProfitOf(item) !== null) === arb_available) &&
              (is_alternate_line === undefined ||
                context.isAlternate(item) === is_alternate_line) &&
              isYoung([...legs, ...item.reference], max_odds_age, now) &&
              ((min_confidence === undefined && max_confidence === undefined) ||
                isWithin(context.trust(item).confidence, min_confidence, max_confidence))
            )
          })
          const keys: Record<typeof key, (item: PricedEv) => number> = {
            ev: ({ figures }) => figures.ev,
            kelly: ({ figures }) => figures.kelly,
            confidence: (item) => context.trust(item).confidence,
            book_count: (item) => context.trust(item).bookCount,
            time: ({ event }) => event.startsAt,
            odds: ({ legs }) => legs[0]!.price,
          }
          const { page, pagination } = pageOf(items, keys[key], isDescending, query)
          const shown = page.map((item) =>
            shownEv(item, {
              scope,
              chain: context.chain,
              now,
              arbProfit: context.arbProfitOf(item),
              isAlternateLine: context.isAlternate(item),
            }),
          )
          const evs = items.map(({ figures }) => percent(figures.ev))
          const updatedAt = newestSeen(page)
          const meta = {
            source,
            last_update: instant(updatedAt),
            filters: {
              ...listing.echo(),
              ...given({
                ...echoOf(query),
                min_ev: min_ev ?? 0,
                max_hold: maxHold,
                devig_book: devigBook,
              }),
            },
            summary: {
              count: items.length,
              avg_ev: rounded(averageOf(evs), 2),
              max_ev: maxOf(evs),
              by_sportsbook: countBy(items, bookOf),
              by_sport: countBy(items, sportOf),
              by_market: countBy(items, marketOf),
            },
          }
          return { body: listBody(shown, { pagination, updatedAt, meta }) }
        },
        appendText,
      )
    },
  })
}

/** @throws ApiError invalid_filter */
function sharpBookOf(text: string): string {
  const known = findSportsbook(text)
  if (known) return known.id
  throw new ApiError('invalid_filter', `devig_book: ${text} is no sportsbook we know.`, {
    details: {
      fields: { devig_book: [text] },
      reference: { devig_book: '/api/v1/sportsbooks' },
      did_you_mean: [],
    },
  })
}

// ---- arbitrage

function listArbitrage({ clock }: OpportunityParts): ReadRoute {
  return readRoute({
    path: '/api/v1/opportunities/arbitrage',
    access: 'key',
    tag,
    summary: 'Prices that pay whatever happens',
    description:
      'The best price of every answer, at two sportsbooks or more. What would pay more than 10 % is a wrong price and left out. `sportsbook` names a leg’s; `min_odds` and `max_odds` bound every leg. `format=csv` answers with a file.',
    requires: { feature: 'arbitrage', otherwise: 'feature_required' },
    query: arbitrageQuery,
    answers: {
      200: {
        description: 'A page of arbitrage.',
        schema: arbitrageList,
        example: exampleArbitrage,
        csv: exampleArbitrageCsv,
      },
    },
    errors,
    prepare({ query, scope }) {
      const listing = requestedOpportunities(query, scope)
      const { key, isDescending } = sortOf(query.sort, arbitrageSorts, '-profit')
      const minProfit = query.min_profit ?? defaultMinProfit
      return opportunityAnswer(
        scope,
        clock,
        (now) => {
          let items: PricedArbitrage[] = listing
            .all('arbitrage', arbitrageFigures, now)
            .filter(
              ({ figures, legs }) =>
                percent(figures.profit) >= minProfit && isYoung(legs, query.max_odds_age, now),
            )
          if (query.group === 'best') items = bestOfMarkets(items)
          const keys: Record<typeof key, (item: PricedArbitrage) => number | string> = {
            profit: ({ figures }) => figures.profit,
            time: ({ event }) => event.startsAt,
            sport: sportOf,
            market: marketOf,
          }
          const { page, pagination } = pageOf(items, keys[key], isDescending, query)
          const isAlternate = alternateLines(scope)
          const shown = page.map((item) =>
            shownArbitrage(item, {
              scope,
              now,
              ev: scope.tier === 'hobby' ? null : bestEv(item, scope, now),
              isAlternateLine: isAlternate(item),
            }),
          )
          const updatedAt = newestSeen(page)
          if (query.format === 'csv') {
            const day = new Date(now).toISOString().slice(0, 10)
            const headers = {
              'Content-Type': 'text/csv; charset=utf-8',
              'Content-Disposition': `attachment; filename="arbitrage_${day}.csv"`,
            }
            return { body: arbitrageCsv(shown), headers }
          }
          const profits = items.map(({ figures }) => percent(figures.profit))
          const meta = {
            source,
            filters: {
              ...listing.echo(),
              ...given({ ...echoOf(query), min_profit: minProfit }),
            },
            books_analyzed: booksAnalyzed(scope),
            summary: {
              count: items.length,
              avg_profit: rounded(averageOf(profits), 2),
              max_profit: maxOf(profits),
              by_market: countBy(items, marketOf),
              by_sport: countBy(items, sportOf),
            },
          }
          return { body: listBody(shown, { pagination, updatedAt, meta }) }
        },
        appendText,
      )
    },
  })
}

/** The best of each event and market. */
function bestOfMarkets(items: readonly PricedArbitrage[]): PricedArbitrage[] {
  const best = new Map<string, PricedArbitrage>()
  for (const item of items) {
    const key = `${item.event.id}|${marketOf(item)}`
    const known = best.get(key)
    if (!known || isBetter(item, known)) best.set(key, item)
  }
  return [...best.values()]
}

/** Of equal profits the first id, as in the list. */
const isBetter = (a: PricedArbitrage, b: PricedArbitrage) =>
  a.figures.profit === b.figures.profit ? a.row.id < b.row.id : a.figures.profit > b.figures.profit

const booksAnalyzed = ({ board, sportsbooks }: Scope) =>
  board.sportsbooksWithRows().filter((book) => !sportsbooks || sportsbooks.includes(book)).length

// ---- middles

function listMiddles({ clock }: OpportunityParts): ReadRoute {
  return readRoute({
    path: '/api/v1/opportunities/middles',
    access: 'key',
    tag,
    summary: 'Two bets that may both win',
    description:
      'Those with a negative expected value are listed too. `sportsbook` names one of the two; `min_odds` and `max_odds` bound both.',
    requires: { feature: 'middles', otherwise: 'tier_restricted' },
    query: middlesQuery,
    answers: {
      200: { description: 'A page of middles.', schema: middleList, example: exampleMiddles },
    },
    errors,
    prepare({ query, scope }) {
      const listing = requestedOpportunities(query, scope)
      // Nobody looks for the worst first: both spellings sort downwards.
      const { key } = sortOf(query.sort, middleSorts, 'quality')
      const minSize = query.min_size ?? defaultMinSize
      return opportunityAnswer(
        scope,
        clock,
        (now) => {
          const items = middlesOf(listing, now).filter(
            ({ figures, legs }) =>
              figures.size >= minSize && isYoung(legs, query.max_odds_age, now),
          )
          const keys: Record<typeof key, (item: PricedMiddle) => number> = {
            quality: (item) => middleQuality(item, now),
            ev: ({ figures }) => figures.expectedValue,
            probability: ({ figures }) => figures.probability,
            middle_size: ({ figures }) => figures.size,
          }
          const bound = key === 'quality' ? highestQuality : undefined
          const { page, pagination } = pageOf(items, keys[key], true, query, bound)
          const shown = page.map((item) => shownMiddle(item, now))
          const meta = {
            source,
            filters: { ...listing.echo(), ...given({ ...echoOf(query), min_size: minSize }) },
            summary: { count: items.length },
          }
          const body = listBody(shown, { pagination, updatedAt: newestSeen(page), meta })
          return { body: bodyWithState(body, query.state) }
        },
        appendText,
      )
    },
  })
}

const middlesOf = (listing: Listing, now: number) => listing.all('middle', middleFiguresOf, now)

function getMiddle({ clock }: OpportunityParts): ReadRoute {
  return readRoute({
    path: '/api/v1/opportunities/middles/:id',
    access: 'key',
    tag,
    summary: 'One middle',
    requires: { feature: 'middles', otherwise: 'tier_restricted' },
    query: {},
    pathParameters: { id: 'The id of the middle, 16 hex digits.' },
    answers: { 200: { description: 'The middle.', schema: middleObject, example: exampleMiddle } },
    errors: ['not_found'],
    prepare({ path, scope }) {
      const { id = '' } = path
      requireOpportunityId(id)
      return opportunityAnswer(
        scope,
        clock,
        (now) => {
          const entry = scope.opportunities.find(id)
          const isMiddle = entry?.row.kind === 'middle'
          const item = isMiddle ? findStanding(scope, entry, middleFiguresOf, now) : null
          if (!item) throw new ApiError('not_found', 'There is no middle with this id now.')
          return {
            body: JSON.stringify(objectBody(shownMiddle(item, now), newestSeen([item]))),
          }
        },
        appendText,
      )
    },
  })
}

/** @throws ApiError validation_error for what cannot be an id */
export function requireOpportunityId(id: string) {
  if (isOpportunityId(id)) return
  throw new ApiError('validation_error', 'An opportunity id is 16 lower-case hex digits.', {
    parameters: ['id'],
  })
}

const summaryStandsMs = 10_000

function summariseMiddles({ clock }: OpportunityParts): ReadRoute {
  return readRoute({
    path: '/api/v1/opportunities/middles/summary',
    access: 'key',
    tag,
    summary: 'All middles in figures',
    description: 'Worked out every ten seconds.',
    requires: { feature: 'middles', otherwise: 'tier_restricted' },
    query: middlesSummaryQuery,
    answers: {
      200: {
        description: 'The figures.',
        schema: middlesSummaryObject,
        example: exampleMiddlesSummary,
      },
    },
    errors,
    prepare({ query, scope }) {
      const listing = requestedOpportunities({ ...query, offset: 0 }, scope)
      return {
        version: () => Math.floor(clock() / summaryStandsMs),
        write(page) {
          const now = clock()
          const items = middlesOf(listing, now)
          const updatedAt = newestSeen(items)
          const meta = { filters: listing.echo() }
          appendText(page, JSON.stringify(objectBody(summaryOf(items), updatedAt, meta)))
          return {}
        },
      }
    },
  })
}

function summaryOf(items: readonly PricedMiddle[]) {
  const books: { readonly book: string }[] = []
  let best: PricedMiddle | undefined
  for (const item of items) {
    for (const book of new Set(item.legs.map(({ sportsbook }) => sportsbook))) books.push({ book })
    const { expectedValue } = item.figures
    if (expectedValue > (best?.figures.expectedValue ?? 0)) best = item
  }
  const average = (of: (item: PricedMiddle) => number, places: number) =>
    rounded(averageOf(items.map(of)), places)
  const count = (is: (item: PricedMiddle) => boolean) => items.filter(is).length
  return {
    total: items.length,
    positive_ev_count: count(({ figures }) => figures.expectedValue > 0),
    guaranteed_profit_count: count(({ figures }) => isGuaranteed(figures.worst)),
    player_prop_count: count(isProp),
    has_key_numbers_count: count(({ figures }) => figures.outlook.keyNumbers.length > 0),
    by_sport: countBy(items, sportOf),
    by_market: countBy(items, marketOf),
    by_sportsbook: countBy(books, ({ book }) => book),
    avg_middle_size: average(({ figures }) => figures.size, 2),
    avg_probability: average(({ figures }) => figures.probability, 4),
    avg_ev: average(({ figures }) => 100 * figures.expectedValue, 2),
    best_ev: best
      ? { ev: percent(best.figures.expectedValue), sport: sportOf(best), market: marketOf(best) }
      : null,
  }
}

// ---- low hold

function listLowHold({ clock }: OpportunityParts, path: string): ReadRoute {
  return readRoute({
    path,
    access: 'key',
    tag,
    summary: 'Best prices that leave little to the sportsbooks',
    description:
      'Negative holds, which are arbitrage, are listed too. `sportsbook` names one of a side’s best; `min_odds` and `max_odds` bound every side.',
    requires: { feature: 'low_hold', otherwise: 'feature_required' },
    query: lowHoldQuery,
    answers: {
      200: { description: 'A page of low holds.', schema: lowHoldList, example: exampleLowHold },
    },
    errors,
    prepare({ query, scope }) {
      const listing = requestedOpportunities(query, scope)
      const { key, isDescending } = sortOf(query.sort, lowHoldSorts, 'hold')
      const maxHold = query.max_hold ?? defaultMaxHold
      return opportunityAnswer(
        scope,
        clock,
        (now) => {
          const items = listing
            .all('low_hold', lowHoldFigures, now, {
              isOfBooks: (item, books) => isAtBooks(item, books, scope, now),
            })
            .filter(
              ({ figures, legs }) =>
                percent(figures.hold) <= maxHold && isYoung(legs, query.max_odds_age, now),
            )
          const keys = {
            hold: ({ figures }: (typeof items)[number]) => figures.hold,
            market: marketOf,
            sport: sportOf,
          }
          const { page, pagination } = pageOf<(typeof items)[number]>(
            items,
            keys[key],
            isDescending,
            query,
          )
          const isAlternate = alternateLines(scope)
          const shown = page.map((item) =>
            shownLowHold(item, { scope, now, isAlternateLine: isAlternate(item) }),
          )
          const holds = items.map(({ figures }) => percent(figures.hold))
          const meta = {
            source,
            filters: { ...listing.echo(), ...given({ ...echoOf(query), max_hold: maxHold }) },
            summary: {
              count: items.length,
              avg_hold: rounded(averageOf(holds), 2),
              min_hold: minOf(holds),
              by_market: countBy(items, marketOf),
              by_sport: countBy(items, sportOf),
            },
          }
          const body = listBody(shown, { pagination, updatedAt: newestSeen(page), meta })
          return { body: bodyWithState(body, query.state) }
        },
        appendText,
      )
    },
  })
}

/**
 * A body whose links to prices lead to the pages for a US state.
 * @param state lower case
 */
const bodyWithState = (body: string, state: string | undefined) =>
  state === undefined
    ? body
    : body.replace(/:"\/api\/v1\/deeplink\/\d+(?=")/g, (link) => link + stateEnd(state))

// ---- tests of one item

const isWithin = (value: number, from: number | undefined, to: number | undefined) =>
  (from === undefined || value >= from) && (to === undefined || value <= to)

const isYoung = (quotes: Priced['legs'], maxAgeSeconds: number | undefined, now: number) =>
  maxAgeSeconds === undefined || oldestAgeMs(quotes, now) <= 1_000 * maxAgeSeconds

const isSameText = (value: string | null, wanted: string | undefined) =>
  wanted === undefined || value?.toLowerCase() === wanted.toLowerCase()

function isNamed({ legs }: Priced, wanted: string | undefined): boolean {
  if (wanted === undefined) return true
  const { selection } = legs[0]!
  return isSameText(selection.label, wanted) || isSameText(selectionOf(legs[0]!).label, wanted)
}

const isProp = ({ legs }: Priced) =>
  isPlayerProp(legs[0]!.marketType, legs[0]!.selection.playerName)

/** 0 for none. */
const maxOf = (values: readonly number[]) =>
  values.reduce((most, value) => Math.max(most, value), values[0] ?? 0)
const minOf = (values: readonly number[]) =>
  values.reduce((least, value) => Math.min(least, value), values[0] ?? 0)

/** The numbers, flags and words of a request, for `meta.filters`. */
function echoOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { limit, offset, sort, format, ...others } = query
  return Object.fromEntries(
    Object.entries(others).filter(([, value]) => value !== undefined && !Array.isArray(value)),
  )
}
