/**
 * Pages of the odds table: which rows a filter names, in page order (event start, event id, market,
 * selection, sportsbook), copied as the bytes they are kept as.
 *
 * No page looks up the whole table: events come from the smallest list a filter names, and totals
 * from counts kept by level. What these cannot tell of many rows, one pass through their columns
 * tells, and then which events are worth a look as well.
 */

import { bisect } from '../../memory/bisect.ts'
import { type ContentHash, createContentHash } from '../../memory/content-hash.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { type PageBuffer, reserve } from '../../text/page-buffer.ts'
import type { BoardView, EventBlock, ViewEvent } from '../board/board-view.ts'
import { compareMarkets, countLevel, eventListKey } from '../board/board-view.ts'
import { compareSelections, type SelectionOrder } from '../board/odds-rows.ts'
import { compareEvents, firstNotBefore } from '../board/sorted-events.ts'
import type { PageWitness } from './page-witness.ts'
import { createRowFilter, type RowFilter } from './row-filter.ts'
import { createRowScan, isManyRows } from './row-scan.ts'

/** A row's place in page order, which holds when the row itself is gone. */
export interface RowPlace {
  readonly startsAt: number
  readonly eventId: string
  readonly marketType: string
  readonly selection: SelectionOrder
  readonly sportsbook: string
}

export interface OddsFilter {
  /** Sportsbooks allowed; undefined for all in the view. */
  readonly sportsbooks?: readonly string[] | undefined
  readonly sports?: readonly string[] | undefined
  readonly leagues?: readonly string[] | undefined
  readonly marketTypes?: readonly string[] | undefined
  readonly eventIds?: readonly string[] | undefined
  readonly live?: boolean | undefined
  /** Bounds of the American price, as shown, both inclusive. */
  readonly minAmerican?: number | undefined
  readonly maxAmerican?: number | undefined
  /** True for the main line of each question, false for the others. */
  readonly mainLine?: boolean | undefined
  /** For what has gone: whether a type that perhaps no row carries any more is one of `marketTypes`. */
  readonly isMarketNamed?: ((marketType: string) => boolean) | undefined
  /** What else is asked of events. */
  readonly isEventNamed?: ((event: ViewEvent) => boolean) | undefined
}

export interface PageRange {
  /** 1 to some hundreds. */
  readonly limit: number
  readonly offset: number
  /** Start behind this place instead of at `offset`. */
  readonly after?: RowPlace | undefined
}

export interface OddsPage {
  readonly count: number
  /** All rows the filter names. */
  readonly total: number
  readonly hasMore: boolean
  /** The last row's place; null on an empty page. */
  readonly last: RowPlace | null
  /** Numbers of the sportsbooks on the page. */
  readonly books: ReadonlySet<number>
  /** The newest sighting on the page (epoch ms); 0 when empty. */
  readonly updatedAt: number
  /** What the page says so far; whoever adds to the answer adds to it. */
  readonly content: ContentHash
}

/** Whether a `PageWitness` can speak for pages of the filter. */
export const isWitnessed = (filter: OddsFilter): boolean =>
  isCounted(filter) && filter.live === undefined

/**
 * Appends the rows of a page to `into`, without the comma before the first. Without `into` nothing
 * is copied: the page is only looked at.
 * @param witness of a filter that is `isWitnessed`
 */
export function writeOddsPage(
  view: BoardView,
  filter: OddsFilter,
  range: PageRange,
  into: PageBuffer | null,
  witness?: PageWitness,
): OddsPage {
  const { rows } = view
  const { named, tally } = planOf(view, filter)
  witness?.begin(view, () => tally().total)
  const onPage = new Set<number>()
  const content = createContentHash()
  const { total, rowsOf } = tally()
  const next = eventsOf(view, filter, range.after)
  const start = into?.length ?? 0
  let skip = range.after ? 0 : range.offset
  // The total says when the last row has been met, but not how many lie before a cursor.
  const mostLeft = range.after ? total : Math.max(0, total - skip)
  let count = 0
  let hasMore = false
  let updatedAt = 0
  let lastBlock: EventBlock | undefined
  let lastRow = -1

  pages: for (let event = next(); event && count < mostLeft; event = next()) {
    witness?.event(event)
    const ofEvent = rowsOf?.(event)
    if (ofEvent === 0) continue
    if (!range.after && ofEvent !== undefined && skip >= ofEvent) {
      skip -= ofEvent
      continue
    }
    for (const block of event.blocks) {
      if (!named.enter(block)) continue
      const first = range.after ? firstAfter(view, block, range.after) : 0
      let runStart = -1
      for (let i = first; i < block.count; i++) {
        const row = block.rows[i]!
        const isNamed = named.names(row)
        if (isNamed && skip > 0) skip--
        else if (isNamed) {
          if (count === range.limit) {
            hasMore = true
            if (runStart >= 0) copy(block, runStart, i)
            break pages
          }
          if (runStart < 0) runStart = i
          count++
          const list = rows.sighted(row)
          const { book, lastSeenAt } = list
          witness?.row(row, list)
          onPage.add(book)
          rows.addContent(row, content)
          content.add(lastSeenAt)
          if (lastSeenAt > updatedAt) updatedAt = lastSeenAt
          lastBlock = block
          lastRow = row
          continue
        }
        if (runStart >= 0) {
          copy(block, runStart, i)
          runStart = -1
        }
      }
      if (runStart >= 0) copy(block, runStart, block.count)
    }
  }
  // Every text begins with the comma that follows its predecessor; the first has none.
  if (into && count > 0) into.bytes[start] = blank
  content.add(total)
  content.add(hasMore ? count : -count)

  return {
    count,
    total,
    hasMore,
    last: lastBlock ? placeOf(view, lastBlock, lastRow) : null,
    books: onPage,
    updatedAt,
    content,
  }

  function copy(block: EventBlock, from: number, to: number) {
    if (!into) return
    reserve(into, rows.textBytes(block, from, to))
    into.length = rows.copyText(block, from, to, into.bytes, into.length)
  }
}

const blank = 0x20

export function placeOf(view: BoardView, block: EventBlock, row: number): RowPlace {
  const { playerName, line, selectionType, label } = view.rows.selection(row)
  return {
    startsAt: block.event.startsAt,
    eventId: block.event.id,
    marketType: block.marketType,
    selection: { playerName, line, selectionType, label },
    sportsbook: view.sportsbooks[view.rows.sighted(row).book]!,
  }
}

/** The first row of the block behind a place; 0 where the whole block is. */
function firstAfter(view: BoardView, block: EventBlock, after: RowPlace): number {
  const { event } = block
  if (event.id !== after.eventId) return 0
  const market = compareMarkets(block.marketType, after.marketType)
  if (market !== 0) return market > 0 ? 0 : block.count
  return bisect(0, block.count, (at) => {
    const row = block.rows[at]!
    const order =
      compareSelections(view.rows.selection(row), after.selection) ||
      compareTexts(view.sportsbooks[view.rows.sighted(row).book]!, after.sportsbook)
    return order <= 0
  })
}

/** Whether the row at `index` of the block stands before (negative), at (0) or behind a place. */
export function compareToPlace(
  view: BoardView,
  block: EventBlock,
  index: number,
  { startsAt, eventId, marketType, selection, sportsbook }: RowPlace,
): number {
  const row = block.rows[index]!
  return (
    compareEvents(block.event, { id: eventId, startsAt }) ||
    compareMarkets(block.marketType, marketType) ||
    compareSelections(view.rows.selection(row), selection) ||
    compareTexts(view.sportsbooks[view.rows.sighted(row).book]!, sportsbook)
  )
}

function bookNumbers(view: BoardView, sportsbooks: readonly string[]): readonly number[] {
  return [...new Set(sportsbooks)].flatMap((sportsbook) => view.book(sportsbook) ?? [])
}

// ---- events of a filter

/** Events that may hold named rows, in page order, from the place onwards. */
export function eventsOf(
  view: BoardView,
  filter: OddsFilter,
  after: RowPlace | undefined,
): () => ViewEvent | undefined {
  const { leagues, sports, sportsbooks, live, isEventNamed } = filter
  const lists = eventLists(view, filter)
  const from = after && { id: after.eventId, startsAt: after.startsAt }
  const next = merged(lists, from)
  const league = leagues && new Set(leagues)
  const sport = sports && new Set(sports)
  return () => {
    for (let event = next(); event; event = next()) {
      if (league && !league.has(event.row.league)) continue
      if (sport && !sport.has(event.row.sport)) continue
      if (sportsbooks && !offeredBy(event, sportsbooks)) continue
      if (live !== undefined && !hasRows(event, live)) continue
      if (isEventNamed && !isEventNamed(event)) continue
      return event
    }
    return undefined
  }
}

function offeredBy(event: ViewEvent, sportsbooks: readonly string[]): boolean {
  for (const sportsbook of sportsbooks) {
    if ((event.offers.get(sportsbook)?.rowCount ?? 0) > 0) return true
  }
  return false
}

function hasRows({ rowCount, liveRowCount }: ViewEvent, live: boolean): boolean {
  return live ? liveRowCount > 0 : liveRowCount < rowCount
}

function eventsById(view: BoardView, eventIds: readonly string[]): readonly ViewEvent[] {
  const found = new Set<ViewEvent>()
  for (const id of eventIds) {
    const event = view.find(id)
    if (event && event.rowCount > 0) found.add(event)
  }
  return [...found].sort(compareEvents)
}

/** The shortest lists that hold the filter's events, each in page order. */
export function eventLists(view: BoardView, filter: OddsFilter): readonly (readonly ViewEvent[])[] {
  if (filter.eventIds) return [eventsById(view, filter.eventIds)]
  const { leagues, sports, sportsbooks, live } = filter
  const choices = [[view.events(live ? eventListKey.live : eventListKey.all)]]
  if (leagues) choices.push(leagues.map((league) => view.events(eventListKey.league(league))))
  if (sports) choices.push(sports.map((sport) => view.events(eventListKey.sport(sport))))
  if (sportsbooks && sportsbooks.length <= 4) {
    choices.push(sportsbooks.map((sportsbook) => view.events(eventListKey.book(sportsbook))))
  }
  const length = (lists: readonly (readonly ViewEvent[])[]) =>
    lists.reduce((sum, list) => sum + list.length, 0)
  return choices.reduce((least, choice) => (length(choice) < length(least) ? choice : least))
}

/** One walk through several ordered lists; an event in two of them comes once. */
function merged(
  lists: readonly (readonly ViewEvent[])[],
  from: { id: string; startsAt: number } | undefined,
): () => ViewEvent | undefined {
  const at = lists.map((list) => (from ? firstNotBefore(list, from) : 0))
  if (lists.length === 1) {
    const [list] = lists
    let i = at[0]!
    return () => list![i++]
  }
  let last: ViewEvent | undefined
  return () => {
    for (;;) {
      let least = -1
      for (let i = 0; i < lists.length; i++) {
        const event = lists[i]![at[i]!]
        if (event && (least < 0 || compareEvents(event, lists[least]![at[least]!]!) < 0)) least = i
      }
      if (least < 0) return undefined
      const event = lists[least]![at[least]!++]!
      if (event === last) continue
      last = event
      return event
    }
  }
}

// ---- plans

/** What a filter comes to on a board of one shape. */
interface Plan {
  readonly view: BoardView
  readonly shapeStamp: number
  readonly named: RowFilter
  tally(): Tally
}

// A filter that is used again on a board of the same shape is not worked out again.
const plans = new WeakMap<OddsFilter, Plan>()

function planOf(view: BoardView, filter: OddsFilter): Plan {
  const known = plans.get(filter)
  if (known?.view === view && known.shapeStamp === view.shapeStamp) return known
  const plan: Plan = {
    view,
    shapeStamp: view.shapeStamp,
    ...plannedTally(view, filter),
  }
  plans.set(filter, plan)
  return plan
}

// ---- totals

/** How many rows a filter names. */
interface Tally {
  readonly total: number
  /** How many of them an event has, where that is known. */
  readonly rowsOf?: (event: ViewEvent) => number
}

function plannedTally(view: BoardView, filter: OddsFilter): Pick<Plan, 'named' | 'tally'> {
  const named = createRowFilter(view, filter)
  const rowsOf = named.isOpen ? { rowsOf: (event: ViewEvent) => event.rowCount } : undefined
  if (isCounted(filter)) {
    const total = plannedTotal(view, filter)
    return { named, tally: () => ({ total: total(), ...rowsOf }) }
  }
  const tally = () => {
    if (rowsOf || !isManyRows(view, filter)) return { total: countedByRow(view, filter), ...rowsOf }
    return lastTally(view, filter)
  }
  return { named, tally }
}

/** The last one made by a pass through the columns, for a page whose tag has been told before. */
let last: { view: BoardView; filter: OddsFilter; stamp: number; tally: Tally } | undefined

function lastTally(view: BoardView, filter: OddsFilter): Tally {
  const stamp = view.changeStamp({})
  if (last?.view === view && last.filter === filter && last.stamp === stamp) return last.tally
  const counts = createRowScan(view, filter).counts()
  const tally: Tally = {
    total: sumOf(counts),
    rowsOf({ offers }) {
      let sum = 0
      for (const { number } of offers.values()) sum += counts[number]!
      return sum
    },
  }
  last = { view, filter, stamp, tally }
  return tally
}

export function sumOf(counts: Int32Array): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}

function plannedTotal(view: BoardView, filter: OddsFilter): () => number {
  const books = filter.sportsbooks && bookNumbers(view, filter.sportsbooks)
  const levels = levelsOf(view, filter)
  return () => {
    let sum = 0
    for (const level of levels) sum += view.total(level, books, filter.live)
    return sum
  }
}

/** All rows the filter names. */
export const totalOf = (view: BoardView, filter: OddsFilter): number =>
  planOf(view, filter).tally().total

/** Whether the counts kept by level can tell the total. */
const isCounted = (filter: OddsFilter) =>
  !filter.eventIds &&
  !filter.isEventNamed &&
  filter.minAmerican === undefined &&
  filter.maxAmerican === undefined &&
  filter.mainLine === undefined

/** Levels that do not overlap and together are the filter. */
function levelsOf(view: BoardView, { leagues, sports, marketTypes }: OddsFilter): string[] {
  const markets = marketTypes && [...new Set(marketTypes)]
  if (leagues || (sports && markets)) {
    const within = view
      .leagues()
      .filter(({ sport, league }) => among(sports, sport) && among(leagues, league))
    if (!markets) return within.map(countLevel.league)
    return within.flatMap((league) => markets.map((type) => countLevel.leagueMarket(league, type)))
  }
  if (sports) return [...new Set(sports)].map(countLevel.sport)
  return markets ? markets.map(countLevel.market) : [countLevel.all]
}

const among = (named: readonly string[] | undefined, value: string) =>
  named === undefined || named.includes(value)

function countedByRow(view: BoardView, filter: OddsFilter): number {
  const named = createRowFilter(view, filter)
  const next = eventsOf(view, filter, undefined)
  let sum = 0
  for (let event = next(); event; event = next()) {
    if (named.isOpen) {
      sum += event.rowCount
      continue
    }
    for (const block of event.blocks) {
      if (!named.enter(block)) continue
      for (let i = 0; i < block.count; i++) if (named.names(block.rows[i]!)) sum++
    }
  }
  return sum
}
