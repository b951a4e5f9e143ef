/**
 * Moves of prices. A **move** is one change of a price that stays listed, measured in implied probability. **Steam**
 * is moves of one selection in the same direction at several sportsbooks within a window of time that begins with a
 * move; windows that overlap are one movement. The archive finds past movements by the same definition
 * (`pipeline/archive/movements.ts`). A **drop** is a price's distance below the highest it had within a window.
 *
 * Prices before a game and prices in play are of different **phases**. A change from one phase to the other is no move,
 * and moves of both phases are in no movement or drop together. A price that is closed when it turns belongs to the
 * phase in which it was last open, or was listed: its first open price after the turn is no move either. A price from
 * before a game that is in play (`behind-play.ts`) is no offer, so its changes are in no steam.
 *
 * `createMoveWindows` keeps recent moves or prices. Many judges, each with bounds of its own, may read one of them.
 */

/** Slack, so that a move shown as exactly the bound counts: binary fractions are a little off. */
export const moveSlack = 1e-9

/**
 * Returns the implied probability that a change adds, a fraction; above 0 where the price shortened. @param before
 * decimal odds
 */
export const moveSize = (before: number, price: number): number => 1 / price - 1 / before

/** Follows which prices have turned from one phase to the other without having been open since. */
export function createTurns() {
  const turnedClosed = new Set<number>()
  return {
    /**
     * Takes each change of a listed price, in order.
     * @param turns whether it goes into play, or back, with this change
     * @returns whether its price was last open in the other phase, so that the change is no move
     */
    isTurn(id: number, turns: boolean, isOpen: boolean): boolean {
      const isOther = turns !== turnedClosed.has(id)
      if (isOther && !isOpen) turnedClosed.add(id)
      else turnedClosed.delete(id)
      return isOther
    },
    /** Takes the listing or withdrawal of a price. */
    forget: (id: number) => turnedClosed.delete(id),
    /** Begins anew, after changes that were not taken. */
    clear: () => turnedClosed.clear(),
  }
}

/** The most selections or prices that are remembered; those that moved longest ago are dropped first. */
const mostKeys = 20_000

/** An entry with a time, in ms of one clock that does not go back. */
interface Timed {
  readonly at: number
}

/** Recent moves or prices. */
export interface MoveWindows<Entry extends Timed> {
  /** @returns the key's entries of the last `windowMs`, in order; the given one is the last. Valid until the next call */
  add(key: string, entry: Entry, windowMs: number): readonly Entry[]
}

export function createMoveWindows<Entry extends Timed>(): MoveWindows<Entry> {
  // The key that was used last is at the end.
  const byKey = new Map<string, Entry[]>()
  return {
    add(key, entry, windowMs) {
      const entries = byKey.get(key) ?? []
      const from = entry.at - windowMs
      const kept = entries.findIndex(({ at }) => at >= from)
      if (kept !== 0) entries.splice(0, kept < 0 ? entries.length : kept)
      entries.push(entry)
      byKey.delete(key)
      byKey.set(key, entries)
      for (const [oldest, old] of byKey) {
        const isOver = old.at(-1)!.at < entry.at - 2 * windowMs
        if (!isOver && byKey.size <= mostKeys) break
        byKey.delete(oldest)
      }
      return entries
    },
  }
}

/** A movement or drop that goes on while its windows overlap. */
interface Lasting {
  readonly beganAt: number
  /** The end of its last window. */
  readonly until: number
}

/** Keeps what lasts, by key, until no window that is open now can overlap it. */
function createLasting(windowMs: number) {
  const byKey = new Map<string, Lasting>()
  return {
    get: (key: string) => byKey.get(key),
    set(key: string, lasting: Lasting, now: number) {
      byKey.delete(key)
      byKey.set(key, lasting)
      for (const [oldest, { until }] of byKey) {
        if (until >= now - windowMs && byKey.size <= mostKeys) break
        byKey.delete(oldest)
      }
    },
  }
}

export interface Move<Of = unknown> extends Timed {
  readonly sportsbook: string
  /** The change of implied probability, above 0. */
  readonly size: number
  /** The caller's own data of the move. */
  readonly of: Of
}

/** A movement, reported when it becomes one; it may go on. */
export interface Movement<Of = unknown> {
  readonly beganAt: number
  /** The moves of its first window so far, in order. */
  readonly moves: readonly Move<Of>[]
}

export interface SteamJudge<Of> {
  /**
   * @param selection the selection with the direction: the key of moves that belong together
   * @param moves its moves, at least those of the judge's window, in order; the last one is new
   * @returns the movement that starts with the new move; null where there is none yet, or it goes on
   */
  take(selection: string, moves: readonly Move<Of>[]): Movement<Of> | null
}

/** @param of `since`: earlier moves do not count */
export function createSteamJudge<Of>(of: {
  readonly windowMs: number
  readonly leastSportsbooks: number
  readonly leastMove: number
  readonly since: number
}): SteamJudge<Of> {
  const { windowMs, leastSportsbooks, leastMove, since } = of
  const movements = createLasting(windowMs)
  const sportsbooks = new Set<string>()

  return {
    take(selection, all) {
      const { at, size } = all.at(-1)!
      const least = leastMove - moveSlack
      if (size < least) return null
      const from = Math.max(since, at - windowMs)
      let first = all.length
      /** The last move that begins a window with enough sportsbooks. */
      let last = -1
      sportsbooks.clear()
      for (let i = all.length - 1; i >= 0 && all[i]!.at >= from; i--) {
        const move = all[i]!
        if (move.size < least) continue
        first = i
        if (last < 0 && sportsbooks.add(move.sportsbook).size >= leastSportsbooks) last = i
      }
      if (last < 0) return null
      const beganAt = all[first]!.at
      const before = movements.get(selection)
      movements.set(selection, { beganAt, until: all[last]!.at + windowMs }, at)
      if (before && beganAt <= before.until) return null
      return { beganAt, moves: all.slice(first).filter((move) => move.size >= least) }
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

export interface DropJudge {
  /**
   * @param changes of one price, at least those of the judge's window, in order; the last one is new
   * @returns null where the price has not dropped this far
   */
  take(key: string, changes: readonly DropChange[]): Drop | null
}

/** @param of `leastDrop`, a fraction of the price; `since`: earlier changes do not count */
export function createDropJudge(of: {
  readonly windowMs: number
  readonly leastDrop: number
  readonly since: number
}): DropJudge {
  const { windowMs, leastDrop, since } = of
  const drops = createLasting(windowMs)
  return {
    take(key, changes) {
      const { at, price } = changes.at(-1)!
      const from = Math.max(since, at - windowMs)
      let highest = 0
      for (const change of changes) {
        if (change.at >= from && change.before > highest) highest = change.before
      }
      const part = 1 - price / highest
      if (part < leastDrop - moveSlack) return null
      const before = drops.get(key)
      const beganAt = before && at <= before.until ? before.beganAt : at
      drops.set(key, { beganAt, until: at + windowMs }, at)
      return { part, beganAt }
    },
  }
}
