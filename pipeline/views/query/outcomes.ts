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

/** Outcomes that are folded change by change, oldest first. */
export interface Outcomes {
  /**
   * Folds the changes after those folded before.
   * @param most ends after so many
   * @param until a stamp, inclusive
   * @returns whether it came to an end; false where there are more
   */
  step(most: number, until?: number): boolean
  /** The newest stamp that is folded, which the journal must still reach back to when the next is. */
  readonly upTo: number
  list(): Iterable<Outcome>
}

/**
 * A row that came and went again is among them: a client may have been told of it meanwhile.
 * @param since a stamp that the journal reaches back to; the changes after it are folded
 */
export function createOutcomes(asked: () => CompiledFilter, since: number): Outcomes {
  const found = new Map<number, Folded>()
  let upTo = since
  return {
    step(most, until) {
      const filter = asked()
      const { journal } = filter.view
      let left = most
      journal.forEach(
        upTo,
        (change) => {
          fold(found, filter, change)
          upTo = change.stamp
          return --left > 0
        },
        until,
      )
      return left > 0
    },
    get upTo() {
      return upTo
    },
    *list() {
      for (const of of found.values()) if (!of.is || of.isNews) yield of
    },
  }
}

/** The outcomes of the changes after `since`, oldest first, up to `until`. */
export function outcomesSince(
  asked: CompiledFilter,
  since: number,
  until?: number,
): readonly Outcome[] {
  const outcomes = createOutcomes(() => asked, since)
  outcomes.step(Number.POSITIVE_INFINITY, until)
  return [...outcomes.list()]
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
  if (of.stamp !== stamp) {
    // The newest stands last.
    found.delete(id)
    found.set(id, of)
    of.stamp = stamp
  }
  if (!is) return
  of.isNews = true
  if (!was || kind === changeKind.whole) of.isWhole = true
}
