/**
 * Lists of opportunities: which of a kind a request names within its scope, with their figures as
 * prices stand now, in order. Figures are remembered while nothing of their event changes; ages run
 * with the clock and are looked up each time.
 */

import { createFirstN } from '../../pipeline/memory/first-n.ts'
import { easternOffsetMs } from '../../pipeline/rules/event-id.ts'
import { decimalToAmerican } from '../../pipeline/rules/odds.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import type { BoardView, ViewEvent } from '../../pipeline/views/board/board-view.ts'
import type { ListedOpportunity } from '../../pipeline/views/opportunities/opportunity-view.ts'
import { isUnchanged } from '../../pipeline/views/query/quotes.ts'
import type { EventRow } from '../../schemas/event.ts'
import { type dateRanges, maxOpportunityOffset } from '../../schemas/http/opportunity-query.ts'
import type { OpportunityKind, OpportunityRow } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { eventFilter, findEvent } from '../ask/event-filters.ts'
import { type FilterQuery, readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { ApiError } from '../errors.ts'
import type { Prepared } from '../routes/route.ts'
import { isStanding, otherSide, type Quote, quotesOf } from './quotes.ts'

/** An opportunity with its prices as they stand. */
export interface Priced {
  readonly row: OpportunityRow
  readonly event: ViewEvent
  readonly legs: readonly Quote[]
  /** The sharp book's answers; empty unless it is +EV. */
  readonly reference: readonly Quote[]
  /** Of a middle: what the same sportsbooks offer on the other side of each line. */
  readonly others: readonly (Quote | undefined)[]
}

export interface ListQuery extends FilterQuery {
  readonly event?: readonly string[] | undefined
  readonly team?: readonly string[] | undefined
  readonly date?: string | undefined
  readonly q?: string | undefined
  readonly live?: boolean | undefined
  readonly min_odds?: number | undefined
  readonly max_odds?: number | undefined
  readonly date_range?: (typeof dateRanges)[number] | undefined
}

export interface Listing {
  /** Whether an event is one the request names. */
  events(now: number): (event: ViewEvent) => boolean
  /** Those of a kind that the request names, as of now. */
  all<Figures extends object>(
    kind: OpportunityKind,
    figuresOf: FiguresOf<Figures>,
    now: number,
    options?: ListOptions<Figures>,
  ): (Priced & { readonly figures: Figures })[]
  /** What `meta.filters` says. */
  echo(): Readonly<Record<string, unknown>>
}

export interface ListOptions<Figures> {
  /** Default: the table. */
  readonly among?: Iterable<ListedOpportunity>
  /** Whether an item is of one of the sportsbooks asked for; default: when a leg is. */
  readonly isOfBooks?: (
    item: Priced & { readonly figures: Figures },
    books: ReadonlySet<string>,
  ) => boolean
}

/** What the prices come to; null when they do not make an opportunity any more. */
export type FiguresOf<Figures> = (priced: Priced) => Figures | null

/** What is remembered of an opportunity. */
interface Kept {
  readonly event: ViewEvent
  readonly eventRow: EventRow
  /** Of the event; NaN where a price that is missing does not matter. */
  readonly offerChanges: number
  /** The prices it rests on. */
  readonly quotes: readonly Quote[]
  readonly priced: (Priced & { readonly figures: object }) | null
  /** The stamp of the board at which all of it held. */
  heldAt: number
}

/** The opportunity with its figures; null when a price is gone or they are none any more. */
function price<Figures extends object>(
  board: BoardView,
  entry: ListedOpportunity,
  figuresOf: FiguresOf<Figures>,
): (Priced & { readonly figures: Figures }) | null {
  const before = entry.kept as Kept | undefined
  // Most events have not had a price moved since they were looked at.
  if (before && before.eventRow === before.event.row && before.event.pricedAt <= before.heldAt) {
    return before.priced as ReturnType<typeof price<Figures>>
  }
  const { row } = entry
  const event = board.find(row.eventId)
  if (!event) return null
  if (before && stillHolds(before, board, event)) {
    before.heldAt = board.watermark
    return before.priced as ReturnType<typeof price<Figures>>
  }
  const legs = quotesOf(board, row.legs)
  const reference = quotesOf(board, row.reference)
  if (!legs || !reference) return null
  const others = row.kind === 'middle' ? legs.map((leg) => otherSide(board, leg)) : []
  const bare = { row, event, legs: asShown(event, legs), reference, others }
  const figures = figuresOf(bare)
  const priced = figures && { figures, ...bare }
  const quotes = [...legs, ...reference, ...others.filter((other) => other !== undefined)]
  const kept: Kept = {
    event,
    eventRow: event.row,
    offerChanges: others.includes(undefined) ? event.offerChanges : Number.NaN,
    quotes,
    priced,
    heldAt: board.watermark,
  }
  entry.kept = kept
  return priced
}

/** One opportunity, where the scope has it and it may be bet on now. */
export function findStanding<Figures extends object>(
  scope: Scope,
  entry: ListedOpportunity | undefined,
  figuresOf: FiguresOf<Figures>,
  now: number,
): (Priced & { readonly figures: Figures }) | null {
  if (!entry || (entry.row.scopes & scope.opportunityBit) === 0) return null
  const item = price(scope.board, entry, figuresOf)
  return item && isStanding([...item.legs, ...item.reference], scope, now) ? item : null
}

function stillHolds(kept: Kept, board: BoardView, event: ViewEvent): boolean {
  const { eventRow, offerChanges, quotes } = kept
  if (kept.event !== event || eventRow !== event.row) return false
  if (!Number.isNaN(offerChanges) && offerChanges !== event.offerChanges) return false
  return quotes.every((quote) => isUnchanged(board, quote))
}

/** Home before away as the event is shown, which may not be its frame. */
function asShown({ row }: ViewEvent, legs: Quote[]): readonly Quote[] {
  const [first, second, ...others] = legs
  if (!row.flipped || !first || !second) return legs
  return first.selection.selectionType === 'home' ? [second, first, ...others] : legs
}

/** @throws ApiError invalid_filter, tier_restricted, validation_error */
export function requestedOpportunities(
  query: ListQuery & { readonly offset: number },
  scope: Scope,
): Listing {
  if (query.offset > maxOpportunityOffset) {
    throw new ApiError('validation_error', `offset is at most ${maxOpportunityOffset}.`, {
      parameters: ['offset'],
    })
  }
  const filters = readFilters(query, scope)
  const { sports, leagues, named } = filters
  const { event: ids, live, min_odds, max_odds, team, date, q, date_range } = query
  const isEventNamed = eventFilter({ team, date, q })
  const books = named && new Set(named)

  function events(now: number) {
    const range = date_range && rangeOf(date_range, now)
    const eventIds = ids && new Set(ids.flatMap((id) => findEvent(scope, id)?.id ?? []))
    const answers = new Map<ViewEvent, boolean>()
    return (event: ViewEvent) => {
      const known = answers.get(event)
      if (known !== undefined) return known
      const { row, startsAt } = event
      const isNamed =
        (!eventIds || eventIds.has(event.id)) &&
        (!sports || sports.includes(row.sport)) &&
        (!leagues || leagues.includes(row.league)) &&
        (!isEventNamed || isEventNamed(event)) &&
        (!range || (startsAt >= range.from && startsAt < range.to))
      answers.set(event, isNamed)
      return isNamed
    }
  }

  return {
    events,
    all(kind, figuresOf, now, { among, isOfBooks = hasLegAt } = {}) {
      const { board, opportunityBit, opportunities } = scope
      const markets = filters.marketTypes && new Set(filters.marketTypes)
      const isOfEvent = events(now)
      const found: (Priced & { readonly figures: object })[] = []
      for (const entry of among ?? opportunities.all(kind)) {
        if ((entry.row.scopes & opportunityBit) === 0) continue
        const priced = price(board, entry, figuresOf)
        if (!priced || !isOfEvent(priced.event)) continue
        const { legs } = priced
        if (!isStanding(legs, scope, now) || !isStanding(priced.reference, scope, now)) continue
        const { marketType, isLive } = legs[0]!
        if (markets && !markets.has(marketType)) continue
        if (live !== undefined && isLive !== live) continue
        if (books && !isOfBooks(priced, books)) continue
        if (min_odds !== undefined && legs.some(({ price }) => american(price) < min_odds)) continue
        if (max_odds !== undefined && legs.some(({ price }) => american(price) > max_odds)) continue
        found.push(priced)
      }
      return found as ReturnType<Listing['all']> as never
    },
    echo: () => ({
      ...filters.echo,
      ...given({ event: ids, live, min_odds, max_odds, team, date_range }),
    }),
  }
}

const american = decimalToAmerican

const hasLegAt = ({ legs }: Priced, books: ReadonlySet<string>) =>
  legs.some(({ sportsbook }) => books.has(sportsbook))

/** Today, tomorrow or seven days by US Eastern time, whatever the length of the day (epoch ms). */
export function rangeOf(range: (typeof dateRanges)[number], now: number) {
  const first = range === 'tomorrow' ? 1 : 0
  const last = range === 'week' ? 7 : first + 1
  return { from: easternMidnight(now, first), to: easternMidnight(now, last) }
}

/** Midnight in US Eastern time, `days` after that of the day of `now` (epoch ms). */
function easternMidnight(now: number, days: number): number {
  const local = new Date(now + easternOffsetMs(now))
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days)
  // The clock changes at two in the morning: what holds at five UTC holds at midnight.
  return midnight - easternOffsetMs(midnight + 5 * 3_600_000)
}

/**
 * The page of a sorted list.
 * @param keyOf sorts ascending; `isDescending` the other way; ties by id
 * @param boundOf no key of an item is above it; for keys that are slow to tell, of descending lists
 */
export function pageOf<Item extends Priced>(
  items: Item[],
  keyOf: (item: Item) => number | string,
  isDescending: boolean,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  boundOf?: (item: Item) => number,
) {
  const page = firstOf(items, keyOf, isDescending, offset + limit, boundOf).slice(offset)
  const total = items.length
  const hasMore = offset + page.length < total
  const next = offset + page.length
  const pagination = {
    limit,
    offset,
    count: page.length,
    total,
    has_more: hasMore,
    next_offset: hasMore && next <= maxOpportunityOffset ? next : null,
  }
  return { page, pagination }
}

interface Keyed<Item> {
  readonly item: Item
  readonly key: number | string
}

/** The first `count` in order; most of a long list is never put in one. */
function firstOf<Item extends Priced>(
  items: readonly Item[],
  keyOf: (item: Item) => number | string,
  isDescending: boolean,
  count: number,
  boundOf: ((item: Item) => number) | undefined,
): Item[] {
  const sign = isDescending ? -1 : 1
  const inOrder = (a: Keyed<Item>, b: Keyed<Item>) =>
    sign * compare(a.key, b.key) || compareTexts(a.item.row.id, b.item.row.id)
  const first = createFirstN(count, inOrder)
  for (const item of items) {
    const last = first.last
    if (last && boundOf && boundOf(item) < Number(last.key)) continue
    first.add({ item, key: keyOf(item) })
  }
  return first.sorted().map(({ item }) => item)
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareTexts(String(a), String(b))
}

/** `-name` sorts downwards. */
export function sortOf<Name extends string, Key extends string>(
  asked: Name | `-${Name}` | undefined,
  keys: Readonly<Record<Name, Key>>,
  fallback: Name | `-${Name}`,
): { readonly key: Key; readonly isDescending: boolean } {
  const text = asked ?? fallback
  const isDescending = text.startsWith('-')
  return { key: keys[(isDescending ? text.slice(1) : text) as Name], isDescending }
}

/** How many items there are of each, by name. */
export function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const counts = new Map<string, number>()
  for (const item of items) {
    const key = keyOf(item)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => compareTexts(a, b)))
}

export const sportOf = ({ event }: Priced) => event.row.sport
export const marketOf = ({ legs }: Priced) => legs[0]!.marketType
export const bookOf = ({ legs }: Priced) => legs[0]!.sportsbook

export const averageOf = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** When the newest price on the page was seen (epoch ms); 0 for an empty one. */
export const newestSeen = (items: readonly Priced[]) =>
  items.reduce(
    (newest, { legs }) =>
      legs.reduce((latest, { offer }) => Math.max(latest, offer.lastSeenAt), newest),
    0,
  )

/** Ages are said to a tenth of a second; what is older than this answer is asked for anew. */
const agesStandMs = 1_000

/**
 * An answer made of opportunities: it stands until a price or an opportunity changes, or, because
 * ages run, for a second.
 */
export function opportunityAnswer(
  scope: Scope,
  clock: () => number,
  write: (now: number) => {
    readonly body: string
    readonly headers?: Readonly<Record<string, string>>
  },
  append: (page: Parameters<Prepared['write']>[0], body: string) => void,
): Prepared {
  const board = scope.board.watch({})
  let last = [-1, -1]
  let version = 0
  return {
    version() {
      const now = [board(), scope.opportunities.version]
      if (now[0] !== last[0] || now[1] !== last[1]) {
        last = now
        version++
      }
      return version
    },
    write(page) {
      const now = clock()
      const { body, headers } = write(now)
      append(page, body)
      return { expiresAt: now + agesStandMs, ...(headers && { headers }) }
    },
  }
}
