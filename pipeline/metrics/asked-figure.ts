/** A figure that others have to be asked for: a scrape has the last answer and waits for none, a person waits for one. */

import { unlessAborted } from '../async/abort-signals.ts'

/** Asked at most so often, however many scrape. */
const askedEveryMs = 5_000
/** So old an answer still counts as one of now, however many look. */
const freshForMs = 1_000
/** How long whoever looks waits for an answer. */
const freshWithinMs = 1_500
/** A question that hangs for so long hides whatever has happened since the last answer. */
const unansweredMs = 10_000

export interface AskedFigure<Figure> {
  /**
   * The last answer, however old it is; null where there is none, and once a question has hung for ten seconds.
   * A call may ask anew.
   */
  last(): Figure | null
  /** An answer of now; null where none comes in time. */
  now(): Promise<Figure | null>
}

/**
 * @param ask rejects while there is no answer
 * @param monotonic ms
 */
export function createAskedFigure<Figure>(
  ask: () => Promise<Figure>,
  monotonic: () => number,
): AskedFigure<Figure> {
  let figure: Figure | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null

  const isOlderThan = (ms: number) => monotonic() - askedAt >= ms

  function renew(): Promise<void> {
    askedAt = monotonic()
    asking = ask()
      .catch(() => null)
      .then((answer) => {
        figure = answer
        asking = null
      })
    return asking
  }

  return {
    last() {
      if (!asking && isOlderThan(askedEveryMs)) void renew()
      return asking && isOlderThan(unansweredMs) ? null : figure
    },
    async now() {
      if (!asking && !isOlderThan(freshForMs)) return figure
      const renewed = asking ?? renew()
      return unlessAborted(
        renewed.then(() => figure),
        AbortSignal.timeout(freshWithinMs),
      )
    },
  }
}
