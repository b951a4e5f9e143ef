/**
 * The opportunities that may be bet on, in order: a list per kind and set of sportsbooks that
 * somebody reads. A page is read directly from a list. The lists are valid at one time, and entries
 * leave them as the clock moves on. A list that nobody reads any more is let go.
 */

import { byKind, type OpportunityKind, opportunityKinds } from '../../../schemas/opportunity.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import { createSortedList, type SortedList } from '../../memory/sorted-list.ts'
import { usableMs } from '../../rules/odds/freshness.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import type { BoardView } from '../board/board-view.ts'
import { type Entries, type Entry, type EventEntries, stale } from './entries.ts'
import { standsUntil, type Valued } from './priced.ts'

/**
 * The opportunities of a kind and a set of sportsbooks that may be bet on, by descending rank, then
 * id.
 */
export interface OpportunityList extends Pick<SortedList<Valued>, 'size' | 'pieces'> {
  /** Counts the list's entries in a tally, now and as they come and go. */
  count(tally: Tally): void
}

export interface Tally {
  add(one: Valued, by: 1 | -1): void
}

const compareIds = (a: Valued, b: Valued) => compareTexts(a.entry.row.id, b.entry.row.id)

/** Compares by rank, the greatest first, then by id. */
export const compareValued = (a: Valued, b: Valued) => b.rank - a.rank || compareIds(a, b)

export type OpportunityLists = ReturnType<typeof createLists>

export function createLists(board: BoardView, entries: Entries) {
  const lists: Record<OpportunityKind, KeptList[]> = byKind(() => [])
  /** How often an opportunity of each kind was valued. */
  const valuedCount: Record<OpportunityKind, number> = byKind(() => 0)
  /** The time that the lists are valid for. */
  let clockAt = Number.NEGATIVE_INFINITY
  /** Until this time (epoch ms), the clock alone changes no list. */
  let standUntil = Number.POSITIVE_INFINITY
  const fallen = new Set<EventEntries>()

  function put(entry: Entry) {
    for (const list of lists[entry.row.kind]) {
      const value = valueIn(list, entry, entry.exact, entry.veiled, entry.seenFrom)
      if (value) list.replace(null, value)
    }
  }

  function unlist(entry: Entry) {
    const { exact, veiled, seenFrom, inLists } = entry
    entry.stands = false
    if (inLists === 0) return
    for (const list of lists[entry.row.kind]) {
      if ((inLists & list.bit) === 0) continue
      list.replace(valueIn(list, entry, exact, veiled, seenFrom), null)
    }
  }

  /** Returns whether it may be bet on at `clockAt`. If so, its event is checked again when that ends. */
  function mayStand({ taken, ofEvent }: Entry): boolean {
    const until = standsUntil(board, taken!)
    if (clockAt <= until) {
      if (until < ofEvent.standUntil) ofEvent.standUntil = until
      if (until < standUntil) standUntil = until
      return true
    }
    // The first of them counts: any change of the event after that may bring it back.
    if (!fallen.has(ofEvent)) ofEvent.fallenAt = board.find(ofEvent.eventId)?.changed.stamp ?? 0
    fallen.add(ofEvent)
    return false
  }

  function judge(entry: Entry) {
    const stands = mayStand(entry)
    if (stands === entry.stands) return
    if (!stands) return unlist(entry)
    entry.stands = true
    put(entry)
  }

  function judgeEvent(ofEvent: EventEntries) {
    ofEvent.standUntil = Number.POSITIVE_INFINITY
    judgeAmong(ofEvent, true)
  }

  /** @param isOfAll whether to judge also those that stand */
  function judgeAmong(ofEvent: EventEntries, isOfAll: boolean) {
    ofEvent.fallenAt = Number.NaN
    fallen.delete(ofEvent)
    for (const kind of opportunityKinds) {
      for (const entry of ofEvent.byKind[kind]) {
        // If an entry's prices have moved, it is judged when it is valued.
        const hasValue = entry.exact !== null && entry.stale === stale.nothing
        if (hasValue && (isOfAll || !entry.stands)) judge(entry)
      }
    }
  }

  function* fill(list: KeptList, kind: OpportunityKind): Generator<void> {
    const all = [...entries.ofKinds[kind]]
    for (let at = 0; at < all.length; at++) {
      const entry = all[at]!
      if (entry.stands && (entry.inLists & list.bit) === 0) {
        const value = valueIn(list, entry, entry.exact, entry.veiled, entry.seenFrom)
        if (value) list.replace(null, value)
      }
      if (at % filledAtOnce === filledAtOnce - 1) yield
    }
  }

  return {
    unlist,
    /** Updates the lists for an entry that was valued again. */
    relist(entry: Entry, exactBefore: Valued | null, veiledBefore: Valued | null, from: number) {
      const { exact, veiled, seenFrom } = entry
      valuedCount[entry.row.kind]++
      entry.stands = exact !== null && mayStand(entry)
      for (const list of lists[entry.row.kind]) {
        const isIn = (entry.inLists & list.bit) !== 0
        const before = isIn ? valueIn(list, entry, exactBefore, veiledBefore, from) : null
        const value = entry.stands ? valueIn(list, entry, exact, veiled, seenFrom) : null
        if (before || value) list.replace(before, value)
      }
    },
    /** Moves the lists to another time (epoch ms). */
    moveTo(now: number) {
      if (now === clockAt && now <= standUntil && fallen.size === 0) return
      const hasGoneBack = now < clockAt
      clockAt = now
      if (hasGoneBack) {
        for (const ofEvent of entries.byEvent.values()) judgeEvent(ofEvent)
      }
      for (const ofEvent of fallen) {
        if (ofEvent.count === 0) fallen.delete(ofEvent)
        // An event that is added again during the loop is visited twice, but is unchanged the
        // second time.
        const stamp = board.find(ofEvent.eventId)?.changed.stamp ?? 0
        if (stamp !== ofEvent.fallenAt) judgeAmong(ofEvent, false)
      }
      if (now <= standUntil) return
      standUntil = Number.POSITIVE_INFINITY
      for (const ofEvent of entries.byEvent.values()) {
        if (now > ofEvent.standUntil) judgeEvent(ofEvent)
        if (ofEvent.standUntil < standUntil) standUntil = ofEvent.standUntil
      }
    },
    /** Handles a recording that starts again: new sightings are then older than earlier ones. */
    noteSighting({ eventId, lastSeenAt }: Sighting) {
      const until = lastSeenAt + usableMs(true)
      const ofEvent = entries.byEvent.get(eventId)
      if (!ofEvent || until >= ofEvent.standUntil) return
      ofEvent.standUntil = until
      if (until < standUntil) standUntil = until
    },
    isKept: (kind: OpportunityKind) => lists[kind].length > 0,
    /** Returns the list, which may still have to be filled. */
    of(kind: OpportunityKind, visibility: number): KeptList {
      let list = lists[kind].find(({ bit }) => bit === 1 << visibility)
      if (!list) {
        list = createList(visibility)
        lists[kind].push(list)
        list.filling = fill(list, kind)
      }
      list.readAt = valuedCount[kind]
      return list
    },
    /** Does a part of the work of filling a list. @returns whether there is more */
    fillSome(list: KeptList): boolean {
      if (list.filling?.next().done ?? true) list.filling = null
      return list.filling !== null
    },
    /** Lets lists of a kind go that cost more since their last read than to make them anew. */
    letGo(kind: OpportunityKind) {
      const most = keptTimes * entries.ofKinds[kind].length + keptAnyway
      const isRead = ({ readAt }: KeptList) => valuedCount[kind] - readAt <= most
      if (lists[kind].every(isRead)) return
      for (const list of lists[kind]) {
        if (isRead(list)) continue
        for (const piece of list.pieces) {
          // Only `entries.ts` makes entries.
          for (const { entry } of piece) (entry as Entry).inLists &= ~list.bit
        }
      }
      lists[kind] = lists[kind].filter(isRead)
    },
    clear() {
      for (const kind of opportunityKinds) lists[kind] = []
      clockAt = Number.NEGATIVE_INFINITY
      standUntil = Number.POSITIVE_INFINITY
      fallen.clear()
    },
  }
}

const filledAtOnce = 1_024

/**
 * While nobody reads a list, so many times the opportunities of its kind are valued for it, and so
 * many more: minutes of changes. To make it anew costs about one time.
 */
const keptTimes = 4
const keptAnyway = 4_096

interface KeptList extends OpportunityList {
  readonly visibility: number
  readonly bit: number
  /** The remaining work of filling the list after its first request. */
  filling: Iterator<void> | null
  /** How often an opportunity of its kind had been valued when it was last read. */
  readAt: number
  /** Replaces one value of an opportunity by another; null for none. */
  replace(before: Valued | null, value: Valued | null): void
}

/** Returns the value of an opportunity in a list; null if the list's readers do not see it. */
function valueIn(
  { bit, visibility }: KeptList,
  { row }: Entry,
  exact: Valued | null,
  veiled: Valued | null,
  seenFrom: number,
): Valued | null {
  if ((row.scopes & bit) === 0) return null
  return visibility >= seenFrom ? exact : veiled
}

function createList(visibility: number): KeptList {
  const sorted = createSortedList<Valued>(({ rank }) => 0 - rank, compareIds)
  const tallies: Tally[] = []
  const bit = 1 << visibility
  return {
    visibility,
    bit,
    filling: null,
    readAt: 0,
    get size() {
      return sorted.size
    },
    get pieces() {
      return sorted.pieces
    },
    count(tally) {
      for (const piece of sorted.pieces) for (const one of piece) tally.add(one, 1)
      tallies.push(tally)
    },
    replace(before, value) {
      if (before && value) sorted.replace(before, value)
      else if (value) sorted.add(value)
      else if (before) sorted.remove(before)
      // Only `entries.ts` makes entries.
      const entry = (value ?? before)!.entry as Entry
      entry.inLists = value ? entry.inLists | bit : entry.inLists & ~bit
      for (const tally of tallies) {
        if (before) tally.add(before, -1)
        if (value) tally.add(value, 1)
      }
    },
  }
}
