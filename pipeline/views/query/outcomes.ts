/**
 * What has become of a filter's rows since a stamp: a fold over the board's journal, which checks
 * whether each row matched before and after each change.
 */

import { changeKind, type RowChange } from '../board/journal.ts'
import type { CompiledFilter } from './compiled-filter.ts'

/** What has become of one row that matched at some time since. */
export interface Outcome {
  readonly id: number
  /** Its sportsbook's number in the view. */
  readonly book: number
  /** Whether it matches now. */
  readonly is: boolean
  /** Whether it came, began to match, or its bet was renamed, so that clients need the whole row. */
  readonly isWhole: boolean
  /** The stamp of the newest change by which it came, went or changed in what it shows. */
  readonly stamp: number
}

interface Folded {
  readonly id: number
  readonly book: number
  is: boolean
  isWhole: boolean
  /** Whether what it shows has changed, or it began to match. */
  isNews: boolean
  stamp: number
}

/** Outcomes that are folded change by change, oldest first. */
export interface Outcomes {
  /**
   * Folds the changes after those folded before.
   * @param most stops after this many
   * @param until a stamp, inclusive
   * @returns whether it reached the end; false if there are more
   */
  step(most: number, until?: number): boolean
  /** The newest folded stamp. The journal must still reach back to it at the next step. */
  readonly upTo: number
  list(): Iterable<Outcome>
}

/**
 * Includes rows that came and left again, because a client may have received them meanwhile.
 * @param since a stamp that the journal reaches back to; the changes after it are folded
 */
export function createOutcomes(filterNow: () => CompiledFilter, since: number): Outcomes {
  const found = new Map<number, Folded>()
  let upTo = since
  return {
    step(most, until) {
      const filter = filterNow()
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

/** Returns the outcomes of the changes after `since`, oldest first, up to `until`. */
export function outcomesSince(
  filter: CompiledFilter,
  since: number,
  until?: number,
): readonly Outcome[] {
  const outcomes = createOutcomes(() => filter, since)
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
    // The newest comes last.
    found.delete(id)
    found.set(id, of)
    of.stamp = stamp
  }
  if (!is) return
  of.isNews = true
  if (!was || kind === changeKind.whole) of.isWhole = true
}
