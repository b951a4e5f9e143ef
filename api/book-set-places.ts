/** Which set of sportsbooks gives its place to another one, so that no account keeps the places of all. */

export interface Place {
  /** The account that woke the set; empty for a caller without a key. */
  readonly account: string
  /** Time of the last read (epoch ms). */
  readonly readAt: number
  /** Number of streams and alerts that keep it awake. */
  readonly holders: number
  /** Whether it has only been peeked at lately: it counts to no account, and gives way to anybody. */
  readonly isSpare: boolean
}

/** A set that has not been read for this long may lose its place to another one. */
export const yieldMs = 10_000

/**
 * Returns the set that loses its place when an account needs one and none is free: a spare one if
 * there is any. Otherwise, an account that has its share can only replace its own idle sets. For any other account, a set of an account
 * above its share goes first, idle or not, then any idle set. Held sets keep their places.
 * @param share places of one account
 * @param now epoch ms
 * @returns null if none gives way
 */
export function placeFor<Taken extends Place>(
  account: string,
  taken: Iterable<Taken>,
  share: number,
  now: number,
): Taken | null {
  const counts = new Map<string, number>()
  for (const { account, isSpare } of taken) {
    if (!isSpare) counts.set(account, (counts.get(account) ?? 0) + 1)
  }
  const countOf = (name: string) => counts.get(name) ?? 0

  function idlest(isOpen: (place: Taken) => boolean): Taken | null {
    let found: Taken | null = null
    for (const place of taken) {
      if (place.holders > 0 || !isOpen(place)) continue
      if (!found || place.readAt < found.readAt) found = place
    }
    return found
  }

  const spare = idlest(({ isSpare }) => isSpare)
  if (spare) return spare
  const isIdle = ({ readAt }: Taken) => now - readAt >= yieldMs
  if (countOf(account) >= share) {
    return idlest((place) => place.account === account && isIdle(place))
  }
  return idlest((place) => countOf(place.account) > share) ?? idlest(isIdle)
}
