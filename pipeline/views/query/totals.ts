/**
 * How many prices a filter asks for. Where the counts kept by level can tell, from those; else of many
 * rows by one pass through the columns, and of few row by row.
 */

import { type BoardView, countLevel } from '../board/board-view.ts'
import type { ViewEvent } from '../board/view-event.ts'
import { type CompiledFilter, compile } from './compiled-filter.ts'
import { asksOnly, type OddsFilter } from './odds-filter.ts'
import { createRowScan, isManyRows } from './row-scan.ts'

export interface Totals {
  readonly total: number
  /** How many of them an event has, where that is known. */
  readonly rowsOf?: ((event: ViewEvent) => number) | undefined
}

/** How each compiled filter is counted. */
const counters = new WeakMap<CompiledFilter, () => Totals>()

/** What the filter comes to now. */
export function totalsOf(asked: CompiledFilter): Totals {
  let counter = counters.get(asked)
  if (!counter) {
    counter = createCounter(asked)
    counters.set(asked, counter)
  }
  return counter()
}

/** All rows the filter names. */
export const totalOf = (view: BoardView, filter: OddsFilter): number =>
  totalsOf(compile(view, filter)).total

function createCounter(asked: CompiledFilter): () => Totals {
  const { view, filter, isOpen } = asked
  const rowsOf = isOpen ? (event: ViewEvent) => event.rowCount : undefined
  if (isCounted(filter)) {
    const books = filter.sportsbooks && bookNumbers(view, filter.sportsbooks)
    const levels = levelsOf(view, filter)
    return () => {
      let total = 0
      for (const level of levels) total += view.total(level, books, filter.live)
      return { total, rowsOf }
    }
  }
  return () => {
    if (rowsOf || !isManyRows(view, filter)) return { total: countRows(asked), rowsOf }
    return scannedTotals(asked)
  }
}

/** What the counts kept by level go by; the others pick neither rows nor levels. */
const countedBy: ReadonlySet<keyof OddsFilter> = new Set([
  'leagues',
  'sports',
  'marketTypes',
  'sportsbooks',
  'live',
  'lineSet',
  'isMarketNamed',
])

/** Whether the counts kept by level can tell the total. */
export const isCounted = (filter: OddsFilter) => asksOnly(filter, countedBy)

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

function countRows(asked: CompiledFilter): number {
  const next = asked.events()
  let sum = 0
  for (let event = next(); event; event = next()) sum += countRowsOf(asked, event)
  return sum
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

/**
 * Of each board the last totals made by a pass through the columns: a page is looked at for its tag
 * before it is written. One is as large as the board, so there are no more.
 */
const scanned = new WeakMap<
  BoardView,
  { readonly asked: CompiledFilter; readonly stamp: number; readonly totals: Totals }
>()

function scannedTotals(asked: CompiledFilter): Totals {
  const { view } = asked
  const stamp = view.changeStamp({})
  const last = scanned.get(view)
  if (last?.asked === asked && last.stamp === stamp) return last.totals
  const counts = createRowScan(view, asked.filter).counts()
  let total = 0
  for (const count of counts) total += count
  const totals: Totals = {
    total,
    rowsOf({ offers }) {
      let sum = 0
      for (const { number } of offers.values()) sum += counts[number]!
      return sum
    },
  }
  scanned.set(view, { asked, stamp, totals })
  return totals
}
