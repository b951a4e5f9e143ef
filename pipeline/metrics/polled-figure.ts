/** A figure that takes a query: a scrape gets the last answer without waiting, a person waits for a fresh one. */

import { unlessAborted } from '../async/abort-signals.ts'

/** Scrapes cause at most one query in this time. */
const pollEveryMs = 5_000
/** An answer up to this age counts as fresh. */
const freshForMs = 1_000
/** The longest wait for a fresh answer. */
const answerWithinMs = 1_500
/** A query that hangs for this long makes the last answer unusable. */
const hungAfterMs = 10_000

export interface PolledFigure<Figure> {
  /** The last answer, of any age; null when there is none, or a query has hung for ten seconds. May start a query. */
  last(): Figure | null
  /** A fresh answer; null when none comes in time. */
  now(): Promise<Figure | null>
}

/**
 * @param read rejects while there is no answer
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
      return unlessAborted(
        polled.then(() => figure),
        AbortSignal.timeout(answerWithinMs),
      )
    },
  }
}
