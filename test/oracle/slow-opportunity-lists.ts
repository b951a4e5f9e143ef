/**
 * Lists of opportunities the slow way: each request reads all rows of the table, with the board's prices of their ids,
 * and recomputes their figures. The form of an item is not repeated here.
 */

import { type Scope, scopedSportsbooks, seesSportsbook } from '../../api/access/scope.ts'
import { eventFilter } from '../../api/ask/event-filters.ts'
import { type FilterQuery, readFilters } from '../../api/ask/filters.ts'
import { detectedAt, isPlayerProp } from '../../api/opportunities/about.ts'
import { shownAnew } from '../../api/opportunities/item-texts.ts'
import type { Kind } from '../../api/opportunities/kind.ts'
import { rangeOf } from '../../api/opportunities/listing.ts'
import { isAlternate } from '../../api/opportunities/main-line.ts'
import { quoteOf, seenQuotes } from '../../api/opportunities/quotes.ts'
import { isSureProfit } from '../../pipeline/rules/odds/arbitrage.ts'
import { confidenceScore, referenceWeight } from '../../pipeline/rules/odds/confidence.ts'
import { netOf } from '../../pipeline/rules/odds/fees.ts'
import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import { marketShape, ownLine, sharedLine } from '../../pipeline/rules/odds/market-shape.ts'
import { qualityScore } from '../../pipeline/rules/odds/middles.ts'
import { decimalToAmerican } from '../../pipeline/rules/odds/odds.ts'
import {
  arbitrageFigures,
  evFigures,
  type FiguresOf,
  lowHoldFigures,
  middleWorth,
  veiledFigures,
} from '../../pipeline/rules/odds/opportunity-figures.ts'
import { isValue } from '../../pipeline/rules/odds/value.ts'
import type { Item } from '../../pipeline/views/opportunities/priced.ts'
import { type Quote, quotesAt } from '../../pipeline/views/query/quotes.ts'
import type { OpportunityKind, OpportunityRow } from '../../schemas/opportunity.ts'

/** The parameters of a request, for any kind. */
export type RequestQuery = FilterQuery & Readonly<Record<string, unknown>>

export interface SlowList {
  /** As on the page. */
  readonly data: readonly object[]
  readonly total: number
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** In percent; undefined for a kind without it. */
  readonly average: number | undefined
  readonly extreme: number | undefined
}

export function slowList(
  kind: Kind,
  scope: Scope,
  chain: readonly string[],
  query: RequestQuery,
  now: number,
): SlowList {
  const items = itemsOf(kind.name, scope, now).filter((item) =>
    matches(kind, item, scope, chain, query, now),
  )
  const chosen = query.group === 'best' ? bestOfMarkets(items) : items
  const word = (query.sort as string | undefined) ?? kind.contract.defaultSort
  const key = kind.contract.sorts[word.replace('-', '')]!
  const sign = word.startsWith('-') || (kind.name === 'middle' && key !== 'time') ? -1 : 1
  const keys = new Map(chosen.map((item) => [item, keyOf(key, item, scope, chain, now)] as const))
  const sorted = chosen.toSorted((a, b) => {
    const [one, other] = [keys.get(a)!, keys.get(b)!]
    if (one !== other) return sign * (one < other ? -1 : 1)
    return a.row.id < b.row.id ? -1 : 1
  })
  const { limit, offset } = query as { limit: number; offset: number }
  const seen = kind.at({ scope, chain, now, state: query.state as string | undefined })
  const figures = chosen.map((item) => hundredths(summaryFigure(kind.name, item)))
  return {
    data: sorted.slice(offset, offset + limit).map((item) => shownAnew(item, seen)),
    total: chosen.length,
    counts: {
      sport: countsBy(chosen, ({ event }) => event.row.sport),
      marketType: countsBy(chosen, ({ legs }) => legs[0]!.marketType),
      sportsbook: countsBy(chosen, ({ legs }) => legs[0]!.sportsbook),
    },
    average:
      figures.length === 0 ? 0 : Math.round(figures.reduce((a, b) => a + b) / figures.length) / 100,
    extreme: figures.length === 0 ? 0 : extremeOf(kind.name, figures) / 100,
  }
}

// ---- all items

function itemsOf(kind: OpportunityKind, scope: Scope, now: number): Item[] {
  return scope.opportunities
    .all(kind)
    .flatMap(({ row }) => itemOf(row, scope) ?? [])
    .filter(({ legs, reference }) => [...legs, ...reference].every((of) => stands(of, scope, now)))
}

function stands(quote: Quote, { sources }: Scope, now: number): boolean {
  const { isLive, offer, sportsbook, event } = quote
  if (now - offer.lastSeenAt > usableMs(isLive) || sources.down.has(sportsbook)) return false
  return isLive || event.startsAt > now
}

function itemOf(row: OpportunityRow, scope: Scope): Item | null {
  const { board, opportunities, visibilityBit } = scope
  if ((row.scopes & visibilityBit) === 0) return null
  const framed = row.legs.map((id) => quoteOf(board, id))
  const reference = row.reference.map((id) => quoteOf(board, id))
  if (!areThere(framed) || !areThere(reference)) return null
  const { event } = framed[0]!
  const isTurned = event.row.flipped && framed[0]!.selection.selectionType === 'home'
  const legs = isTurned && framed[1] ? [framed[1], framed[0]!, ...framed.slice(2)] : framed
  const others = row.kind === 'middle' ? framed.map((leg) => otherSide(leg, scope)) : []
  const nets = legs.map((leg) => netOf(leg, opportunities.fees))
  const prices = {
    marketType: legs[0]!.marketType,
    sport: event.row.sport,
    league: event.row.league,
    lines: legs.map(({ selection }) => selection.line),
    prices: nets,
    offered: legs.map(({ price }) => price),
    against: others.length
      ? legs.map((leg) => others.find((of) => of?.sportsbook === leg.sportsbook)?.price ?? 0)
      : reference.map(({ price }) => price),
    sources: reference.filter(
      ({ selection }) => selection.selectionType === legs[0]!.selection.selectionType,
    ).length,
    measure: row.measure,
    outcome: reference.findIndex(
      ({ selection }) => selection.selectionType === legs[0]!.selection.selectionType,
    ),
  }
  const figures = figuresOf(row.kind, prices, reference, scope)
  return figures && { row, event, legs, nets, reference, others, figures }
}

const areThere = (quotes: readonly (Quote | undefined)[]): quotes is Quote[] =>
  !quotes.includes(undefined)

function figuresOf(
  kind: OpportunityKind,
  prices: Parameters<typeof evFigures>[0] & Parameters<typeof middleWorth>[0],
  reference: readonly Quote[],
  scope: Scope,
): object | null {
  if (kind === 'low_hold') return lowHoldFigures(prices)
  if (kind === 'middle') return middleWorth(prices)
  if (kind === 'arbitrage') {
    const figures = arbitrageFigures(prices)
    return isSureProfit(figures.profit) ? figures : null
  }
  const figures = evFigures(prices)
  if (!figures || !isValue(figures.ev)) return null
  const isSeen = seesSportsbook(scope, reference[0]!.sportsbook)
  return isSeen ? figures : veiledFigures(figures, prices.prices[0]!)
}

function otherSide(leg: Quote, { board }: Scope): Quote | undefined {
  const { selectionType, line, playerName } = leg.selection
  const shape = marketShape(leg.marketType, leg.event.row.sport)!
  const { group, column } = shape.columnOf.get(selectionType)!
  const wanted = {
    playerName,
    selectionType: shape.types[group]![1 - column]!,
    line: ownLine(shape, 1 - column, sharedLine(shape, selectionType, line)),
  }
  const found = quotesAt(board, leg.block, wanted, leg.sportsbook).filter(
    ({ isActive, isLive }) => isActive && isLive === leg.isLive,
  )
  return found.length === 1 ? found[0] : undefined
}

// ---- filters

function matches(
  kind: Kind,
  item: Item,
  scope: Scope,
  chain: readonly string[],
  query: RequestQuery,
  now: number,
): boolean {
  const { event, legs, figures } = item
  const { sports, leagues, named, marketTypes } = readFilters(query, scope)
  const number = (name: string) => query[name] as number | undefined
  const within = (value: number, least?: string, most?: string) =>
    value >= (number(least ?? '') ?? Number.NEGATIVE_INFINITY) &&
    value <= (number(most ?? '') ?? Number.POSITIVE_INFINITY)
  const bounds = Object.fromEntries(
    Object.entries(kind.contract.bounds).map(([name, of]) => [name, number(name) ?? of.ofLists]),
  )
  const { date_range } = query as { readonly date_range?: 'today' }
  const range = date_range && rangeOf(date_range, now)
  const isOfEvent = eventFilter(query as Parameters<typeof eventFilter>[0])
  const oldest = Math.max(...seenQuotes(item, scope).map(({ offer }) => now - offer.lastSeenAt), 0)
  const books = named && new Set(scopedSportsbooks(scope, named))
  if (kind.name === 'ev') {
    const { ev, width, kelly } = figures as FiguresOf['ev']
    const { confidence } = trustOf(item as Item<FiguresOf['ev']>, scope, chain, now)
    const isEv =
      within(percent(ev), undefined, 'max_ev') &&
      within(percent(width), 'min_market_width', 'max_market_width') &&
      within(percent(kelly), 'min_kelly', 'max_kelly') &&
      within(confidence, 'min_confidence', 'max_confidence') &&
      (query.is_player_prop === undefined || isPlayerProp(item) === query.is_player_prop) &&
      (query.is_alternate_line === undefined ||
        isAlternate(item, scope) === query.is_alternate_line)
    if (!isEv) return false
  }
  return (
    kind.isWithin(figures, bounds) &&
    (!sports || sports.includes(event.row.sport)) &&
    (!leagues || leagues.includes(event.row.league)) &&
    (!marketTypes || marketTypes.includes(legs[0]!.marketType)) &&
    (query.live === undefined || legs[0]!.isLive === query.live) &&
    (!isOfEvent || isOfEvent(event.row)) &&
    (!range || (event.startsAt >= range.from && event.startsAt < range.to)) &&
    now - detectedAt(item, scope) >= (number('min_age_ms') ?? Number.NEGATIVE_INFINITY) &&
    oldest <= 1_000 * (number('max_odds_age') ?? Number.POSITIVE_INFINITY) &&
    legs.every(({ price }) => within(decimalToAmerican(price), 'min_odds', 'max_odds')) &&
    (!books ||
      legs.some(({ sportsbook }) => books.has(sportsbook)) ||
      (kind.ties?.quotes(legs, scope, now).some(({ sportsbook }) => books.has(sportsbook)) ??
        false))
  )
}

function bestOfMarkets(items: readonly Item[]): Item[] {
  const profit = ({ figures }: Item) => (figures as FiguresOf['arbitrage']).profit
  const isOfSame = (a: Item, b: Item) =>
    a.event === b.event && a.legs[0]!.marketType === b.legs[0]!.marketType
  return items.filter((item) =>
    items.every(
      (other) =>
        !isOfSame(item, other) ||
        profit(other) < profit(item) ||
        (profit(other) === profit(item) && other.row.id >= item.row.id),
    ),
  )
}

// ---- sorting

function keyOf(
  key: string,
  item: Item,
  scope: Scope,
  chain: readonly string[],
  now: number,
): number | string {
  const { event, legs, figures } = item
  if (key === 'time') return event.startsAt
  if (key === 'sport') return event.row.sport
  if (key === 'market') return legs[0]!.marketType
  if (key === 'odds') return legs[0]!.price
  if (key === 'confidence' || key === 'book_count') {
    const trust = trustOf(item as Item<FiguresOf['ev']>, scope, chain, now)
    return key === 'confidence' ? trust.confidence : trust.bookCount
  }
  if (item.row.kind !== 'middle') return (figures as Readonly<Record<string, number>>)[key]!
  const { probability, expectedValue, size } = figures as FiguresOf['middle']
  if (key === 'ev') return expectedValue
  if (key === 'probability') return probability
  if (key === 'middle_size') return size
  const oldestAgeMs = Math.max(...legs.map(({ offer }) => Math.max(0, now - offer.lastSeenAt)))
  return qualityScore({ probability, expectedValue, size, oldestAgeMs })
}

function trustOf(item: Item<FiguresOf['ev']>, scope: Scope, chain: readonly string[], now: number) {
  const { legs, reference, figures } = item
  const sharp = reference[0]!.sportsbook
  const ages = seenQuotes(item, scope).map(({ offer }) => Math.max(0, now - offer.lastSeenAt))
  const bookCount = quotingNow(legs[0]!, scope, now).filter(
    (book) => book === sharp || seesSportsbook(scope, book),
  ).length
  const confidence = confidenceScore({
    bookCount,
    ageMs: Math.max(...ages),
    isLive: legs[0]!.isLive,
    width: figures.width,
    referenceWeight: referenceWeight(chain.indexOf(sharp)),
  })
  return { bookCount, confidence }
}

/** Returns the sportsbooks with one active price of the outcome, seen lately, of a source that is up, not withheld. */
const quotingNow = ({ block, selection, isLive }: Quote, { board, sources }: Scope, now: number) =>
  [...block.event.offers.values()].flatMap(({ sportsbook, lastSeenAt }) => {
    if (sources.down.has(sportsbook) || now - lastSeenAt > usableMs(isLive)) return []
    const prices = quotesAt(board, block, selection, sportsbook)
    const [price, ...more] = prices.filter((quote) => quote.isLive === isLive)
    const isQuoted = price?.isActive && [null, 'reference'].includes(price.withheld)
    return isQuoted && more.length === 0 ? sportsbook : []
  })

// ---- totals

/** Multiplied in two steps, as what is shown: 0.00015 is 0.02, and 1e4 times it is below 1.5. */
const percent = (fraction: number) => Math.round(100 * (100 * fraction)) / 100
const hundredths = (percentage: number) => Math.round(100 * percentage)

function summaryFigure(kind: OpportunityKind, { figures }: Item): number {
  const { ev, profit, hold } = figures as Readonly<Record<string, number>>
  return percent({ ev, arbitrage: profit, low_hold: hold, middle: 0 }[kind] ?? Number.NaN)
}

const extremeOf = (kind: OpportunityKind, figures: readonly number[]) =>
  kind === 'low_hold' ? Math.min(...figures) : Math.max(...figures)

function countsBy(items: readonly Item[], of: (item: Item) => string) {
  const counts: Record<string, number> = {}
  for (const item of items) counts[of(item)] = (counts[of(item)] ?? 0) + 1
  return counts
}
