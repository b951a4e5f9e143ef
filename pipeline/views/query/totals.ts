/**
 * The number of prices that match a filter. If the board's counts by level (all, sport, league, market) suffice, they
 * are used. Otherwise prices are counted once: many rows by one pass through the columns, few row
 * by row. Then the count follows the journal, which shows the rows that begin or cease to match.
 */

import { countLevel } from '../board/board-index.ts'
import type { BoardView } from '../board/board-view.ts'
import type { RowChange } from '../board/journal.ts'
import { mainShift } from '../board/row-table.ts'
import type { ViewEvent } from '../board/view-event.ts'
import { type CompiledFilter, compile } from './compiled-filter.ts'
import { type OddsFilter, usesOnly } from './odds-filter.ts'
import { createRowScan, isManyRows } from './row-scan.ts'

export interface Totals {
  readonly total: number
  /** Returns how many of them an event has; absent if unknown. Valid until the next change. */
  readonly rowsOf?: ((event: ViewEvent) => number) | undefined
  /**
   * For a filter for which `isCounted` is true: a number that stays the same as long as the same
   * rows match.
   */
  readonly rowsChangedAt?: number
}

/** The way to count the rows of each compiled filter. */
const counters = new WeakMap<CompiledFilter, () => Totals>()

/** Returns the current totals of the filter. */
export function totalsOf(compiled: CompiledFilter): Totals {
  let counter = counters.get(compiled)
  if (!counter) {
    counter = counterOf(compiled)
    counters.set(compiled, counter)
  }
  return counter()
}

function counterOf(compiled: CompiledFilter): () => Totals {
  if (isCounted(compiled)) return createCounter(compiled)
  return compiled.isOpen ? () => sumOfEvents(compiled) : () => countsOf(compiled)
}

/** Sums the rows of the events of an open filter. */
function sumOfEvents(compiled: CompiledFilter): Totals {
  const next = compiled.events()
  let total = 0
  for (let event = next(); event; event = next()) total += event.rowCount
  return { total, rowsOf: (event) => event.rowCount }
}

/** Returns the number of rows that match the filter. */
export const totalOf = (view: BoardView, filter: OddsFilter): number =>
  totalsOf(compile(view, filter)).total

/** Creates the counter of a filter for which the counts by level suffice. */
function createCounter(compiled: CompiledFilter): () => Totals {
  const { view, filter, isOpen } = compiled
  const rowsOf = isOpen ? (event: ViewEvent) => event.rowCount : undefined
  const { live } = filter
  const books = filter.sportsbooks && bookNumbers(view, filter.sportsbooks)
  let levels: readonly string[] = []
  let shapeStamp = -1
  const main = mainOf(compiled)
  const isOff = main !== undefined && ((compiled.bits.wanted >> mainShift) & main) === 0
  const isByState = main !== undefined || live !== undefined
  let known: Totals = { total: 0 }
  return () => {
    if (shapeStamp !== view.shapeStamp) {
      // There may be a new league.
      levels = levelsOf(view, filter)
      shapeStamp = view.shapeStamp
    }
    const rowsChangedAt = view.countsChangedAt(levels, isByState)
    if (known.rowsChangedAt === rowsChangedAt) return known
    let total = 0
    for (const level of levels) {
      const ofMain = view.total(level, books, live, main)
      total += isOff ? view.total(level, books, live) - ofMain : ofMain
    }
    known = { total, rowsOf, rowsChangedAt }
    return known
  }
}

/** The fields that the counts kept by level cover; the others select neither rows nor levels. */
const countedBy: ReadonlySet<keyof OddsFilter> = new Set([
  'leagues',
  'sports',
  'marketTypes',
  'sportsbooks',
  'live',
  'mainLine',
  'ownMainLine',
  'lineSet',
  'isMarketNamed',
])

/** Returns the main line bits that the filter tests; undefined for none. */
const mainOf = ({ bits }: CompiledFilter) => bits.mask >> mainShift || undefined

/**
 * Returns whether the counts kept by level suffice for the total: for main lines, there are counts
 * of one bit at a time.
 */
export function isCounted(compiled: CompiledFilter): boolean {
  const main = mainOf(compiled) ?? 0
  return usesOnly(compiled.filter, countedBy) && (main & (main - 1)) === 0
}

/** Returns levels that do not overlap and together hold the rows of the filter. */
function levelsOf(view: BoardView, { leagues, sports, marketTypes }: OddsFilter): string[] {
  const markets = marketTypes && [...new Set(marketTypes)]
  if (leagues || (sports && markets)) {
    const within = view
      .leagues()
      .filter(
        ({ sport, league }) =>
          (!sports || sports.includes(sport)) && (!leagues || leagues.includes(league)),
      )
    if (!markets) return within.map(countLevel.league)
    return within.flatMap((league) => markets.map((type) => countLevel.leagueMarket(league, type)))
  }
  if (sports) return [...new Set(sports)].map(countLevel.sport)
  return markets ? markets.map(countLevel.market) : [countLevel.all]
}

function bookNumbers(view: BoardView, sportsbooks: readonly string[]): readonly number[] {
  return [...new Set(sportsbooks)].flatMap((sportsbook) => view.book(sportsbook) ?? [])
}

/** Counts the matching rows of a matching event. */
export function countRowsOf(compiled: CompiledFilter, event: ViewEvent): number {
  if (compiled.isOpen) return event.rowCount
  let sum = 0
  for (const block of event.blocks) {
    if (!compiled.enter(block)) continue
    for (let i = 0; i < block.count; i++) if (compiled.names(block.rows[i]!)) sum++
  }
  return sum
}

// ---- by event

interface Counts extends Totals {
  total: number
  /** Changes up to this stamp are counted. */
  stamp: number
  /** The number of rows that were looked at for the count. */
  readonly looked: number
  readonly ofEvents: Map<ViewEvent, number>
}

/**
 * The counts of each board's most recently used filters. Few are kept, because each may have an
 * entry for every event.
 */
const countsOfViews = new WeakMap<BoardView, Map<OddsFilter, Counts>>()
const mostCounts = 64

/** The cost of a change, in rows scanned. */
const changeCost = 16

function countsOf(compiled: CompiledFilter): Counts {
  const { view, filter } = compiled
  let ofView = countsOfViews.get(view)
  if (!ofView) {
    ofView = new Map()
    countsOfViews.set(view, ofView)
  }
  const known = ofView.get(filter)
  const isStanding = known !== undefined && isWithinReach(view, known)
  if (isStanding) follow(compiled, known)
  const counts = isStanding ? known : count(compiled)
  // With such a filter, `matches` may be true for a market without rows.
  if (filter.isMarketNamed) return counts
  // The most recently used comes last.
  ofView.delete(filter)
  ofView.set(filter, counts)
  if (ofView.size > mostCounts) ofView.delete(ofView.keys().next().value!)
  return counts
}

const isWithinReach = ({ journal }: BoardView, { stamp, looked }: Counts) =>
  stamp >= journal.reach && changeCost * journal.countAfter(stamp) <= looked

function follow({ view, matches }: CompiledFilter, counts: Counts) {
  const { ofEvents } = counts
  view.journal.forEach(counts.stamp, (change: RowChange) => {
    const { block, book } = change
    const { marketType } = block
    const was = matches(
      change.eventBefore,
      marketType,
      book,
      change.priceBefore,
      change.stateBefore,
    )
    const is = matches(change.event, marketType, book, change.price, change.state)
    if (was === is) return
    const by = is ? 1 : -1
    counts.total += by
    const rows = (ofEvents.get(block.event) ?? 0) + by
    if (rows === 0) ofEvents.delete(block.event)
    else ofEvents.set(block.event, rows)
  })
  counts.stamp = view.watermark
}

function count(compiled: CompiledFilter): Counts {
  const { view, filter } = compiled
  const ofEvents = new Map<ViewEvent, number>()
  let total = 0
  let looked = 0
  function add(event: ViewEvent, rows: number) {
    if (rows === 0) return
    total += rows
    ofEvents.set(event, (ofEvents.get(event) ?? 0) + rows)
  }
  if (isManyRows(view, filter)) {
    const { listOf, end } = view.rows.columns
    const rowsOfLists = createRowScan(view, filter).counts()
    for (let i = 1; i < rowsOfLists.length; i++) {
      if (rowsOfLists[i]! > 0) add(listOf[i]!.event, rowsOfLists[i]!)
    }
    looked = end
  } else {
    const next = compiled.events()
    for (let event = next(); event; event = next()) {
      add(event, countRowsOf(compiled, event))
      looked += event.rowCount
    }
  }
  const rowsOf = (event: ViewEvent) => ofEvents.get(event) ?? 0
  return { total, stamp: view.watermark, looked, ofEvents, rowsOf }
}
