/**
 * Moves of prices. A **move** is one change of a price that stays listed, measured in implied probability. **Steam**
 * is moves of one selection in the same direction at several sportsbooks within a window of time that begins with a
 * move; windows that overlap are one movement. The archive finds past movements by the same definition
 * (`pipeline/archive/movements.ts`). A **drop** is a price's distance below the highest it had within a window.
 *
 * Only entries within the window are kept, and no more than `mostKeys` selections or prices.
 */

/** Slack, so that a move shown as exactly the bound counts: binary fractions are a little off. */
export const moveSlack = 1e-9

/**
 * Returns the implied probability that a change adds, a fraction; above 0 where the price shortened. @param before
 * decimal odds
 */
export const moveSize = (before: number, price: number): number => 1 / price - 1 / before

export const isMove = (before: number, price: number, leastMove: number): boolean =>
  Math.abs(moveSize(before, price)) >= leastMove - moveSlack

/** The most selections or prices that one watch remembers; those that moved longest ago are dropped first. */
const mostKeys = 20_000

/** An entry with a time, in ms of one clock that does not go back. */
interface Timed {
  readonly at: number
}

/** Keeps the entries within a window, by key, the key that was used last at the end. */
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
  /** The caller's own data of the move. */
  readonly of: Of
}

/** A movement, reported when it becomes one; it may go on. */
export interface Movement<Of = unknown> {
  readonly beganAt: number
  /** The moves of its first window so far, in order. */
  readonly moves: readonly Move<Of>[]
}

export interface SteamWatch<Of> {
  /**
   * @param selection the selection with the direction: the key of moves that belong together
   * @returns the movement that starts with the move; null where there is none yet, or it goes on
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
    /** The end of the last window with moves at enough sportsbooks. */
    hotUntil: Number.NEGATIVE_INFINITY,
  }))

  /** Returns the index of the last move that begins a window with enough sportsbooks; -1 for none. */
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
  /** The drop as a part of the highest, in [0, 1). */
  readonly part: number
  /** The time of the first drop: drops whose windows overlap are one. */
  readonly beganAt: number
}

export interface DropChange extends Timed {
  /** The price before and after the change (decimal odds). */
  readonly before: number
  readonly price: number
}

export interface DropWatch {
  /** @returns null where the price has not dropped this far */
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
    /** The end of the window of the last drop. */
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
