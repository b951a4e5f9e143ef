/** A figure that others have to be asked for: a scrape has the last answer, and waits for none. */

/** Asked at most so often, however many scrape. */
const askedEveryMs = 5_000

/**
 * @param ask rejects while there is no answer
 * @param monotonic ms
 * @returns the last answer, null where there is none; each call may ask anew
 */
export function createAskedFigure<Figure>(
  ask: () => Promise<Figure>,
  monotonic: () => number,
): () => Figure | null {
  let figure: Figure | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let isAsking = false

  async function renew() {
    askedAt = monotonic()
    isAsking = true
    figure = await ask().catch(() => null)
    isAsking = false
  }

  return () => {
    if (!isAsking && monotonic() - askedAt >= askedEveryMs) void renew()
    return figure
  }
}
