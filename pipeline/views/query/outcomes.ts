/**
 * What became of the rows of a filter since a stamp: one fold over the journal of the board, of whether each row was
 * asked for before each change and is after it.
 */

import { changeKind, type RowChange } from '../board/journal.ts'
import type { CompiledFilter } from './compiled-filter.ts'

/** Of one row, which was asked for at some time since. */
export interface Outcome {
  readonly id: number
  /** Its sportsbook's number in the view. */
  readonly book: number
  /** Whether it is asked for now. */
  readonly is: boolean
  /** Whether it came, came to be asked for, or its bet is named anew: who has it merged before has it whole. */
  readonly isWhole: boolean
  /** Of the newest change by which it came, went, or shows something else. */
  readonly stamp: number
}

interface Folded {
  readonly id: number
  readonly book: number
  is: boolean
  isWhole: boolean
  /** Whether it shows something else, or came to be asked for. */
  isNews: boolean
  stamp: number
}

/**
 * The outcomes of the changes after `since`, oldest first, up to `until`. A row that came and went again is among them: a client may
 * have been told of it meanwhile.
 * @param since a stamp that the journal reaches back to
 */
export function outcomesSince(
  asked: CompiledFilter,
  since: number,
  until?: number,
): readonly Outcome[] {
  const found = new Map<number, Folded>()
  asked.view.journal.forEach(since, (change) => fold(found, asked, change), until)
  return Array.from(found.values())
    .filter(({ is, isNews }) => !is || isNews)
    .sort((a, b) => a.stamp - b.stamp)
}

function fold(found: Map<number, Folded>, { matches }: CompiledFilter, change: RowChange) {
  const { id, book, kind, stamp } = change
  const { marketType } = change.block
  const was = matches(change.eventBefore, marketType, book, change.priceBefore, change.stateBefore)
  const is = matches(change.event, marketType, book, change.price, change.state)
  if (!was && !is) return
  let of = found.get(id)
  if (!of) {
    of = { id, book, is, isWhole: false, isNews: false, stamp }
    found.set(id, of)
  }
  of.is = is
  if (is && was && kind === changeKind.standing) return
  of.stamp = stamp
  if (!is) return
  of.isNews = true
  if (!was || kind === changeKind.whole) of.isWhole = true
}
