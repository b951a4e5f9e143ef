/**
 * Moves of prices. A **move** is one change of a price that stays listed, measured in implied
 * probability. **Steam** is moves of one selection in the same direction at several sportsbooks
 * within a window of time that begins with a move. Overlapping windows are one movement. The
 * archive finds past movements by the same definition (`pipeline/archive/movements.ts`). A **drop**
 * is how far a price is below its highest value within a window.
 *
 * Pregame and in-play prices are different **phases**. A change of phase is no move, and no
 * movement or drop has moves of both phases. If a price is closed when its phase changes, it still
 * belongs to the phase in which it was last open or was listed: its first open price after that is
 * no move either. A pregame price of a game in play (`behind-play.ts`) is no offer, so its changes
 * do not count as steam.
 *
 * `createSteamWindows` and `createDropWindows` keep recent moves. Many judges with different bounds
 * may read one of them, and none scans a whole window at each change.
 */

import { bisect } from '../../memory/bisect.ts'

/** Tolerance, so that a move that is shown as exactly the bound counts despite binary fractions. */
export const moveSlack = 1e-9

/**
 * Returns by how much a change raises the implied probability; above 0 if the price shortened.
 * @param before decimal odds
 */
export const moveSize = (before: number, price: number): number => 1 / price - 1 / before

/** Follows which prices have changed their phase and have not been open since. */
export function createTurns() {
  const turnedClosed = new Set<number>()
  return {
    /**
     * Takes each change of a listed price, in order.
     * @param turns whether this change takes the price into play or back
     * @returns whether the price was last open in the other phase, so that the change is no move
     */
    isTurn(id: number, turns: boolean, isOpen: boolean): boolean {
      const isOther = turns !== turnedClosed.has(id)
      if (isOther && !isOpen) turnedClosed.add(id)
      else turnedClosed.delete(id)
      return isOther
    },
    /** Takes the listing or withdrawal of a price. */
    forget: (id: number) => turnedClosed.delete(id),
    /** Forgets all, because changes were missed. */
    clear: () => turnedClosed.clear(),
  }
}

/**
 * The most selections or prices that are remembered; the ones that moved longest ago are dropped
 * first.
 */
const mostKeys = 20_000
/**
 * The most moves or changes that are remembered, in all and per key; the oldest are dropped first.
 */
const mostEntries = 5 * mostKeys
const mostOfKey = 10_000

/** An entry with a time, in ms of one clock that does not go back. */
interface Timed {
  readonly at: number
}

/** The recent ones, by key. */
export interface MoveWindows<Entry, Recent> {
  /**
   * @returns the recent entries of the key, at least those of the last `windowMs`, with the given
   * entry. Valid until the next call
   */
  add(key: string, entry: Entry, windowMs: number): Recent
}

/** How the entries of a key are kept. */
interface Keeping<Entry extends Timed, Recent> {
  create(): Recent
  /** In order; the newest is the last. */
  entries(recent: Recent): Entry[]
  /** Adds the newest. */
  add(recent: Recent, entry: Entry): void
  /** Called when the oldest was dropped. */
  dropped?(recent: Recent, entry: Entry): void
}

function createWindows<Entry extends Timed, Recent>(
  keeping: Keeping<Entry, Recent>,
): MoveWindows<Entry, Recent> {
  // The key that was used last is at the end.
  const byKey = new Map<string, Recent>()
  let count = 0

  function dropOld(recent: Recent, from: number) {
    const entries = keeping.entries(recent)
    let old = Math.max(0, entries.length - mostOfKey)
    while (old < entries.length && entries[old]!.at < from) old++
    if (old === 0) return
    for (const entry of entries.splice(0, old)) keeping.dropped?.(recent, entry)
  }

  return {
    add(key, entry, windowMs) {
      const recent = byKey.get(key) ?? keeping.create()
      const entries = keeping.entries(recent)
      count -= entries.length
      keeping.add(recent, entry)
      dropOld(recent, entry.at - windowMs)
      count += entries.length
      byKey.delete(key)
      byKey.set(key, recent)
      for (const [oldest, old] of byKey) {
        const ofOldest = keeping.entries(old)
        const isOver = ofOldest.at(-1)!.at < entry.at - 2 * windowMs
        if (!isOver && byKey.size <= mostKeys && count <= mostEntries) break
        byKey.delete(oldest)
        count -= ofOldest.length
      }
      return recent
    },
  }
}

/** A movement or drop, which goes on while its windows overlap. */
interface Lasting {
  readonly beganAt: number
  /** The end of its last window. */
  readonly until: number
}

/** Keeps movements or drops by key until no open window can overlap them. */
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

/** A movement, reported once enough sportsbooks have moved; it may go on. */
export interface Movement<Of = unknown> {
  readonly beganAt: number
  /** The moves of its first window so far, in order. */
  readonly moves: readonly Move<Of>[]
}

/** Recent moves of one selection in one direction. */
export interface RecentMoves<Of> {
  /** In order; the last one is the newest. */
  readonly moves: readonly Move<Of>[]
  /** A list for each sportsbook: in order, its moves that are larger than all later ones. */
  readonly bySportsbook: readonly (readonly Move<Of>[])[]
}

/** Returns the place of a sportsbook's list; -1 for none. They are few, so a map would cost more. */
function placeIn(bySportsbook: readonly (readonly Move[])[], sportsbook: string): number {
  for (let i = 0; i < bySportsbook.length; i++) {
    if (bySportsbook[i]![0]!.sportsbook === sportsbook) return i
  }
  return -1
}

export const createSteamWindows = <Of>(): MoveWindows<Move<Of>, RecentMoves<Of>> =>
  createWindows<Move<Of>, { readonly moves: Move<Of>[]; readonly bySportsbook: Move<Of>[][] }>({
    create: () => ({ moves: [], bySportsbook: [] }),
    entries: ({ moves }) => moves,
    add({ moves, bySportsbook }, move) {
      moves.push(move)
      const place = placeIn(bySportsbook, move.sportsbook)
      if (place < 0) {
        bySportsbook.push([move])
        return
      }
      const largest = bySportsbook[place]!
      while (largest.length > 0 && largest.at(-1)!.size <= move.size) largest.pop()
      largest.push(move)
    },
    dropped({ bySportsbook }, move) {
      const place = placeIn(bySportsbook, move.sportsbook)
      const largest = bySportsbook[place]!
      if (largest[0] !== move) return
      if (largest.length > 1) largest.shift()
      else bySportsbook.splice(place, 1)
    },
  })

export interface SteamJudge<Of> {
  /**
   * @param selection the selection and the direction: the key of moves that belong together
   * @param recent its moves, at least those of the judge's window; the last one is new
   * @returns the movement that is complete with the new move; null if there is none, or an earlier
   * one goes on
   */
  take(selection: string, recent: RecentMoves<Of>): Movement<Of> | null
}

const descending = (a: number, b: number) => b - a

/** @param of `since`: earlier moves do not count */
export function createSteamJudge<Of>(of: {
  readonly windowMs: number
  readonly leastSportsbooks: number
  readonly leastMove: number
  readonly since: number
}): SteamJudge<Of> {
  const { windowMs, leastSportsbooks, since } = of
  const least = of.leastMove - moveSlack
  const movements = createLasting(windowMs)
  /** The time of each sportsbook's newest move that counts. */
  const newest: number[] = []

  return {
    take(selection, { moves, bySportsbook }) {
      const { at, size } = moves.at(-1)!
      if (size < least) return null
      const from = Math.max(since, at - windowMs)
      newest.length = 0
      for (let place = 0; place < bySportsbook.length; place++) {
        const largest = bySportsbook[place]!
        let last = largest.length - 1
        if (largest[last]!.size < least) {
          last = bisect(0, last, (i) => largest[i]!.size >= least) - 1
        }
        if (last >= 0 && largest[last]!.at >= from) newest.push(largest[last]!.at)
      }
      if (newest.length < leastSportsbooks) return null
      // The last window with enough sportsbooks begins with this move.
      const until = newest.sort(descending)[leastSportsbooks - 1]! + windowMs
      const before = movements.get(selection)
      if (before && at <= before.until) {
        movements.set(selection, { beganAt: before.beganAt, until }, at)
        return null
      }
      // Few changes come here, because a movement goes on for at least a window.
      let first = bisect(0, moves.length, (i) => moves[i]!.at < from)
      while (moves[first]!.size < least) first++
      const beganAt = moves[first]!.at
      const goesOn = before !== undefined && beganAt <= before.until
      movements.set(selection, { beganAt: goesOn ? before.beganAt : beganAt, until }, at)
      if (goesOn) return null
      return { beganAt, moves: moves.slice(first).filter((move) => move.size >= least) }
    },
  }
}

/** A price that is below its highest value within the window by at least the least drop. */
export interface Drop {
  /** The drop as a fraction of the highest price, in [0, 1). */
  readonly part: number
  /** The time of the first drop; overlapping windows are one drop. */
  readonly beganAt: number
}

export interface DropChange extends Timed {
  /** The price before and after the change (decimal odds). */
  readonly before: number
  readonly price: number
}

/**
 * Recent changes of one price, in order: those from a price that is higher than in all later ones,
 * and the newest.
 */
export type RecentChanges = readonly DropChange[]

export const createDropWindows = (): MoveWindows<DropChange, RecentChanges> =>
  createWindows<DropChange, DropChange[]>({
    create: () => [],
    entries: (changes) => changes,
    add(changes, change) {
      while (changes.length > 0 && changes.at(-1)!.before <= change.before) changes.pop()
      changes.push(change)
    },
  })

export interface DropJudge {
  /**
   * @param recent the changes of one price, at least those of the judge's window; the last one is new
   * @returns null if the price has not dropped this far
   */
  take(key: string, recent: RecentChanges): Drop | null
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
    take(key, recent) {
      const { at, price } = recent.at(-1)!
      const from = Math.max(since, at - windowMs)
      // The oldest change in the window is from the highest price.
      const highest = recent[bisect(0, recent.length, (i) => recent[i]!.at < from)]?.before
      if (highest === undefined) return null
      const part = 1 - price / highest
      if (part < leastDrop - moveSlack) return null
      const before = drops.get(key)
      const beganAt = before && at <= before.until ? before.beganAt : at
      drops.set(key, { beganAt, until: at + windowMs }, at)
      return { part, beganAt }
    },
  }
}
