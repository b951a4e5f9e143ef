/**
 * How many prices a filter asks for. Where the counts kept by level can tell, from those. Else they are counted
 * once: of many rows by one pass through the columns, and of few row by row. From then on the journal says what
 * has come to be asked for and what has ceased to.
 */

import { type BoardView, countLevel } from '../board/board-view.ts'
import type { RowChange } from '../board/journal.ts'
import { mainShift } from '../board/row-table.ts'
import type { ViewEvent } from '../board/view-event.ts'
import { type CompiledFilter, compile } from './compiled-filter.ts'
import { asksOnly, type OddsFilter } from './odds-filter.ts'
import { createRowScan, isManyRows } from './row-scan.ts'

export interface Totals {
  readonly total: number
  /** How many of them an event has, where that is known. Good until the next change. */
  readonly rowsOf?: ((event: ViewEvent) => number) | undefined
  /** Of a filter that is `isCounted`: the same number as long as the same rows are asked for. */
  readonly rowsChangedAt?: number
}

/** How each compiled filter is counted that levels can tell. */
const counters = new WeakMap<CompiledFilter, () => Totals>()

/** What the filter comes to now. */
export function totalsOf(asked: CompiledFilter): Totals {
  if (isCounted(asked)) {
    let counter = counters.get(asked)
    if (!counter) {
      counter = createCounter(asked)
      counters.set(asked, counter)
    }
    return counter()
  }
  if (!asked.isOpen) return countsOf(asked)
  const next = asked.events()
  let total = 0
  for (let event = next(); event; event = next()) total += event.rowCount
  return { total, rowsOf: (event) => event.rowCount }
}

/** All rows the filter names. */
export const totalOf = (view: BoardView, filter: OddsFilter): number =>
  totalsOf(compile(view, filter)).total

/** Of a filter that levels can tell. */
function createCounter(asked: CompiledFilter): () => Totals {
  const { view, filter, isOpen } = asked
  const rowsOf = isOpen ? (event: ViewEvent) => event.rowCount : undefined
  const { live } = filter
  const books = filter.sportsbooks && bookNumbers(view, filter.sportsbooks)
  const levels = levelsOf(view, filter)
  const main = mainOf(asked)
  const isOff = main !== undefined && ((asked.bits.wanted >> mainShift) & main) === 0
  const isByState = main !== undefined || live !== undefined
  return () => {
    let total = 0
    for (const level of levels) {
      const ofMain = view.total(level, books, live, main)
      total += isOff ? view.total(level, books, live) - ofMain : ofMain
    }
    return { total, rowsOf, rowsChangedAt: view.countsChangedAt(levels, isByState) }
  }
}

/** What the counts kept by level go by; the others pick neither rows nor levels. */
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

/** The bits of main lines that are asked about; undefined for none. */
const mainOf = ({ bits }: CompiledFilter) => bits.mask >> mainShift || undefined

/** Whether the counts kept by level can tell the total: those of main lines are kept of one bit at a time. */
export function isCounted(asked: CompiledFilter): boolean {
  const main = mainOf(asked) ?? 0
  return asksOnly(asked.filter, countedBy) && (main & (main - 1)) === 0
}

/** Levels that do not overlap and together are the filter. */
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

/** How many rows of an event that the filter asks for it names. */
export function countRowsOf(asked: CompiledFilter, event: ViewEvent): number {
  if (asked.isOpen) return event.rowCount
  let sum = 0
  for (const block of event.blocks) {
    if (!asked.enter(block)) continue
    for (let i = 0; i < block.count; i++) if (asked.names(block.rows[i]!)) sum++
  }
  return sum
}

// ---- by event

interface Counts extends Totals {
  total: number
  /** All that changed up to here is counted. */
  stamp: number
  /** How many rows were looked at to count them. */
  readonly looked: number
  readonly ofEvents: Map<ViewEvent, number>
}

/** Of each board, for the filters asked about last. Each may name every event of its board, so there are few. */
const countsOfViews = new WeakMap<BoardView, Map<OddsFilter, Counts>>()
const mostCounts = 64

/** A change takes as long as so many rows that are gone through. */
const changeCost = 16

function countsOf(asked: CompiledFilter): Counts {
  const { view, filter } = asked
  let ofView = countsOfViews.get(view)
  if (!ofView) {
    ofView = new Map()
    countsOfViews.set(view, ofView)
  }
  const known = ofView.get(filter)
  const isStanding = known !== undefined && isWithinReach(view, known)
  if (isStanding) follow(asked, known)
  const counts = isStanding ? known : count(asked)
  // Of such a filter `matches` holds for more than is there now.
  if (filter.isMarketNamed) return counts
  // The last in line was asked for last.
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
    const left = (ofEvents.get(block.event) ?? 0) + by
    if (left === 0) ofEvents.delete(block.event)
    else ofEvents.set(block.event, left)
  })
  counts.stamp = view.watermark
}

function count(asked: CompiledFilter): Counts {
  const { view, filter } = asked
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
    const next = asked.events()
    for (let event = next(); event; event = next()) {
      add(event, countRowsOf(asked, event))
      looked += event.rowCount
    }
  }
  const rowsOf = (event: ViewEvent) => ofEvents.get(event) ?? 0
  return { total, stamp: view.watermark, looked, ofEvents, rowsOf }
}
