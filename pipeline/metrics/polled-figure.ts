/**
 * A figure that needs a query. A scrape gets the last result without waiting; a person waits for a
 * fresh one.
 */

import { unlessAborted, within } from '../async/abort-signals.ts'

/** Scrapes cause at most one query in this time. */
const pollEveryMs = 5_000
/** The age up to which a result counts as fresh. */
const freshForMs = 1_000
/** The longest wait for a fresh result. */
const answerWithinMs = 1_500
/** The time after which a hanging query makes the last result unusable. */
const hungAfterMs = 10_000

export interface PolledFigure<Figure> {
  /**
   * Returns the last result, however old; null if there is none, or a query has hung for ten
   * seconds. May start a query.
   */
  last(): Figure | null
  /** Returns a fresh result; null when none comes in time. */
  now(): Promise<Figure | null>
}

/**
 * @param read rejects while there is no result
 * @param monotonic ms
 */
export function createPolledFigure<Figure>(
  read: () => Promise<Figure>,
  monotonic: () => number,
): PolledFigure<Figure> {
  let figure: Figure | null = null
  let polledAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | null = null

  const isOlderThan = (ms: number) => monotonic() - polledAt >= ms

  function poll(): Promise<void> {
    polledAt = monotonic()
    pending = read()
      .catch(() => null)
      .then((answer) => {
        figure = answer
        pending = null
      })
    return pending
  }

  return {
    last() {
      if (!pending && isOlderThan(pollEveryMs)) void poll()
      return pending && isOlderThan(hungAfterMs) ? null : figure
    },
    async now() {
      if (!pending && !isOlderThan(freshForMs)) return figure
      const polled = pending ?? poll()
      const inTime = within(answerWithinMs)
      return unlessAborted(
        polled.then(() => figure),
        inTime.signal,
      ).finally(inTime.forget)
    },
  }
}
