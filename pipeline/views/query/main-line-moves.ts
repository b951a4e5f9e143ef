/**
 * Which rows may have come onto the main line of their question, or left it, by changes to others: by
 * a price of another sportsbook, by one that is suspended, by one that has gone.
 */

import type { Removal } from '../board/removals.ts'
import type { EventBlock } from '../board/view-event.ts'
import type { CompiledFilter } from './compiled-filter.ts'
import { mainLinesOf } from './main-lines.ts'

/** A row that changed, or whose main line may have moved. */
export interface MovedRow {
  readonly row: number
  /**
   * The oldest change that it may have moved by: that of any row of its market and player. A client
   * that goes on from there is told again of what changed later.
   */
  readonly stamp: number
}

/** What changed of one market and one player, or none: a question is always of one. */
interface Touched {
  stamp: number
  /** Lines without their sign: home -1.5 and away +1.5 are one rung. */
  readonly lines: Set<number>
}

/**
 * @param changed rows of the filter's events, sportsbooks and markets
 * @param gone removals of the same
 * @returns rows of the same, each once: what changed, and what may have moved
 */
export function rowsMovedBy(
  { view, books, lineBooks }: CompiledFilter,
  changed: Iterable<number>,
  gone: Iterable<Removal>,
): MovedRow[] {
  const { rows, changes } = view
  const markets = new Map<EventBlock, Map<string | null, Touched>>()

  const moved: MovedRow[] = []

  function touch(block: EventBlock, playerName: string | null, line: number, stamp: number) {
    let players = markets.get(block)
    if (!players) {
      players = new Map()
      markets.set(block, players)
    }
    const touched = players.get(playerName) ?? { stamp, lines: new Set() }
    players.set(playerName, touched)
    touched.stamp = Math.min(touched.stamp, stamp)
    touched.lines.add(Math.abs(line))
  }

  for (const row of changed) {
    const { playerName, line } = rows.selection(row)
    const stamp = changes.stamp(row)
    if (line === null) moved.push({ row, stamp })
    else touch(rows.block(row), playerName, line, stamp)
  }
  for (const { block, selection, stamp } of gone) {
    const { playerName, line } = selection
    if (line !== null) touch(block, playerName, line, stamp)
  }
  for (const [block, players] of markets) {
    const changedSelections = block.selections.filter(
      ({ playerName, line }) =>
        line !== null && players.get(playerName)?.lines.has(Math.abs(line)) === true,
    )
    const movable = mainLinesOf(view).movable(block, changedSelections, lineBooks)
    for (let i = 0; i < block.count; i++) {
      const row = block.rows[i]!
      const { number, playerName, line } = rows.selection(row)
      const touched = line === null ? undefined : players.get(playerName)
      if (!touched || !movable.has(number)) continue
      if (!books || books[rows.sighted(row).book] === 1) moved.push({ row, stamp: touched.stamp })
    }
  }
  return moved
}
