/**
 * Moves of prices. A **move** is one change of a price that stays listed, measured in implied probability. **Steam** is
 * moves of one selection in the same direction at several sportsbooks within a window of time that begins with a move;
 * windows that overlap are one movement. The archive finds past movements by the same definition
 * (`pipeline/archive/movements.ts`). A **drop** is by how much a price is below the highest it had within a window.
 *
 * What is kept is what lies within the window, and no more than `mostKeys` selections or prices.
 */

/** A move that is shown as exactly the bound counts: binary fractions are a little off. */
export const moveSlack = 1e-9

/** Implied probability that a change adds, a fraction; above 0 where the price shortened. @param before decimal odds */
export const moveSize = (before: number, price: number): number => 1 / price - 1 / before

export const isMove = (before: number, price: number, leastMove: number): boolean =>
  Math.abs(moveSize(before, price)) >= leastMove - moveSlack

/** Selections or prices of one watch that are remembered; those that moved longest ago are forgotten first. */
const mostKeys = 20_000

/** Times are ms of one clock, and do not go back. */
interface Timed {
  readonly at: number
}

/** What happened within a window, by key, the key that was touched last at the end. */
function createWindows<Entry extends Timed, State extends { entries: Entry[] }>(
  windowMs: number,
  empty: () => State,
) {
  const byKey = new Map<string, State>()
  return (key: string, entry: Entry): State => {
    const state = byKey.get(key) ?? empty()
    byKey.delete(key)
    byKey.set(key, state)
    state.entries = state.entries.filter(({ at }) => at >= entry.at - windowMs)
    state.entries.push(entry)
    for (const [oldest, { entries }] of byKey) {
      const isOver = entries.at(-1)!.at < entry.at - 2 * windowMs
      if (!isOver && byKey.size <= mostKeys) break
      byKey.delete(oldest)
    }
    return state
  }
}

export interface Move<Of = unknown> extends Timed {
  readonly sportsbook: string
  /** What the caller wants to find again. */
  readonly of: Of
}

/** A movement, told when it becomes one; it may go on. */
export interface Movement<Of = unknown> {
  readonly beganAt: number
  /** Those of its first window so far, the first first. */
  readonly moves: readonly Move<Of>[]
}

export interface SteamWatch<Of> {
  /**
   * @param selection with the direction: what moves together
   * @returns the movement that the move makes one; null where it is none yet, or goes on
   */
  take(selection: string, move: Move<Of>): Movement<Of> | null
}

export function createSteamWatch<Of>(of: {
  readonly windowMs: number
  readonly leastSportsbooks: number
}): SteamWatch<Of> {
  const { windowMs, leastSportsbooks } = of
  const windows = createWindows(windowMs, () => ({
    entries: [] as Move<Of>[],
    /** When the last window that has moves at enough sportsbooks ends. */
    hotUntil: Number.NEGATIVE_INFINITY,
  }))

  /** The last move that begins a window with enough sportsbooks; -1 for none. */
  function lastStart(moves: readonly Move<Of>[]): number {
    const sportsbooks = new Set<string>()
    for (let i = moves.length - 1; i >= 0; i--) {
      if (sportsbooks.add(moves[i]!.sportsbook).size >= leastSportsbooks) return i
    }
    return -1
  }

  return {
    take(selection, move) {
      const state = windows(selection, move)
      const { entries: moves, hotUntil } = state
      const last = lastStart(moves)
      if (last < 0) return null
      const beganAt = moves[0]!.at
      state.hotUntil = moves[last]!.at + windowMs
      return beganAt <= hotUntil ? null : { beganAt, moves: [...moves] }
    },
  }
}

/** A price that is below the highest it had within the window by the least drop or more. */
export interface Drop {
  /** By what part of the highest, in [0, 1). */
  readonly part: number
  /** When it first was so: drops whose windows overlap are one. */
  readonly beganAt: number
}

export interface DropChange extends Timed {
  /** The price until now, and from now on (decimal odds). */
  readonly before: number
  readonly price: number
}

export interface DropWatch {
  /** @returns null where the price has not dropped so far */
  take(key: string, change: DropChange): Drop | null
}

/** @param of `leastDrop`, a fraction of the price */
export function createDropWatch(of: {
  readonly windowMs: number
  readonly leastDrop: number
}): DropWatch {
  const { windowMs, leastDrop } = of
  const windows = createWindows(windowMs, () => ({
    entries: [] as DropChange[],
    beganAt: 0,
    /** When the window of the last drop ends. */
    hotUntil: Number.NEGATIVE_INFINITY,
  }))
  return {
    take(key, change) {
      const state = windows(key, change)
      const { at, price } = change
      const highest = state.entries.reduce((most, { before }) => Math.max(most, before), 0)
      const part = 1 - price / highest
      if (part < leastDrop - moveSlack) return null
      if (at > state.hotUntil) state.beganAt = at
      state.hotUntil = at + windowMs
      return { part, beganAt: state.beganAt }
    },
  }
}
