/** A figure that others have to be asked for: a scrape has the last answer and waits for none, a person waits for one. */

import { unlessAborted } from '../signals.ts'

/** Asked at most so often, however many scrape. */
const pollEveryMs = 5_000
/** So old an answer still counts as one of now, however many look. */
const freshForMs = 1_000
/** How long whoever looks waits for an answer. */
const answerWithinMs = 1_500
/** A question that hangs for so long hides whatever has happened since the last answer. */
const hungAfterMs = 10_000

export interface PolledFigure<Figure> {
  /**
   * The last answer, however old it is; null where there is none, and once a question has hung for ten seconds.
   * A call may ask anew.
   */
  last(): Figure | null
  /** An answer of now; null where none comes in time. */
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
