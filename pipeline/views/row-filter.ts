/**
 * Which rows of an event a filter names. Events themselves are picked by `odds-page.ts`; here they
 * are given.
 */

import { decimalToAmerican } from '../rules/odds.ts'
import type { BoardView, EventBlock } from './board-view.ts'
import type { OddsFilter } from './odds-page.ts'
import type { Selection } from './odds-rows.ts'

export interface RowFilter {
  /** Called for each block before its rows; false when it has none. */
  enter(block: EventBlock): boolean
  /** Whether a row of the entered block is named. */
  names(row: number): boolean
  /** Every row of every event is named. */
  readonly isOpen: boolean
}

export function createRowFilter(view: BoardView, filter: OddsFilter): RowFilter {
  const { rows } = view
  const { live, minAmerican, maxAmerican, mainLine } = filter
  const allowed = filter.sportsbooks && bookMask(view, filter.sportsbooks)
  const markets = filter.marketTypes && new Set(filter.marketTypes)
  const isPriced = minAmerican !== undefined || maxAmerican !== undefined
  const least = minAmerican ?? Number.NEGATIVE_INFINITY
  const most = maxAmerican ?? Number.POSITIVE_INFINITY
  let mainLines: ReadonlySet<Selection> | undefined

  return {
    isOpen: !allowed && !markets && live === undefined && !isPriced && mainLine === undefined,
    enter(block) {
      if (markets && !markets.has(block.marketType)) return false
      if (mainLine !== undefined) mainLines = mainSelections(view, block, allowed)
      return true
    },
    names(row) {
      if (allowed && allowed[rows.sighted(row).book] !== 1) return false
      if (live !== undefined && rows.isLive(row) !== live) return false
      if (isPriced) {
        const american = decimalToAmerican(rows.price(row))
        if (american < least || american > most) return false
      }
      return mainLines === undefined || mainLines.has(rows.selection(row)) === mainLine
    },
  }
}

/** One byte a sportsbook of the view: 1 where it is among those named. */
export function bookMask(view: BoardView, sportsbooks: readonly string[]): Uint8Array {
  const mask = new Uint8Array(view.sportsbooks.length)
  for (const sportsbook of sportsbooks) {
    const book = view.book(sportsbook)
    if (book !== undefined) mask[book] = 1
  }
  return mask
}

/** One rung of a ladder: the rows of one player (or none), team and line. */
interface Rung {
  readonly selections: Set<Selection>
  /** Bits of the sportsbooks that offer it. */
  readonly books: Set<number>
  /** Best price by selection type. */
  readonly prices: Map<string, number>
  readonly line: number
}

/**
 * The selections of each question's main line: of its rungs the one that most of the allowed
 * sportsbooks offer, then the one whose best prices are closest to even, then the lowest line.
 * Where there is no line, everything is.
 */
function mainSelections(
  view: BoardView,
  block: EventBlock,
  allowed: Uint8Array | undefined,
): ReadonlySet<Selection> {
  const { rows } = view
  const questions = new Map<string, Map<number, Rung>>()
  const main = new Set<Selection>()
  for (let i = 0; i < block.count; i++) {
    const row = block.rows[i]!
    const { book } = rows.sighted(row)
    if (allowed && allowed[book] !== 1) continue
    const selection = rows.selection(row)
    const { line, playerName, selectionType } = selection
    if (line === null) {
      main.add(selection)
      continue
    }
    // Home -1.5 and away +1.5 are one rung, named by the home side's line.
    const at = selectionType === 'away' ? 0 - line : line
    const team = /^(home|away)_/.exec(selectionType)?.[1] ?? ''
    const question = `${team}|${playerName ?? ''}`
    const rungs = questions.get(question) ?? new Map<number, Rung>()
    questions.set(question, rungs)
    const rung: Rung = rungs.get(at) ?? {
      selections: new Set(),
      books: new Set(),
      prices: new Map(),
      line: at,
    }
    rungs.set(at, rung)
    rung.selections.add(selection)
    if (!rows.isActive(row)) continue
    rung.books.add(book)
    const best = rung.prices.get(selectionType) ?? 0
    rung.prices.set(selectionType, Math.max(best, rows.price(row)))
  }
  for (const rungs of questions.values()) {
    const best = [...rungs.values()].reduce((first, second) =>
      compareRungs(first, second) <= 0 ? first : second,
    )
    for (const selection of best.selections) main.add(selection)
  }
  return main
}

const compareRungs = (a: Rung, b: Rung) =>
  b.books.size - a.books.size || unevenness(a) - unevenness(b) || a.line - b.line

/** How far apart the implied probabilities of its sides are; 1 where a side is missing. */
function unevenness({ prices }: Rung): number {
  if (prices.size < 2) return 1
  const implied = [...prices.values()].map((price) => 1 / price)
  return Math.max(...implied) - Math.min(...implied)
}
