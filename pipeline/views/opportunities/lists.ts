/**
 * The opportunities that may be bet on, in order: a list for each kind and set of sportsbooks that somebody has asked
 * for, so that a page is read off it. They stand as of an instant, and cease to by the clock alone.
 */

import { byKind, type OpportunityKind, opportunityKinds } from '../../../schemas/opportunity.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import { createSortedList, type SortedList } from '../../memory/sorted-list.ts'
import { usableMs } from '../../rules/odds/freshness.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import type { BoardView } from '../board/board-view.ts'
import { type Entries, type Entry, type EventEntries, stale } from './entries.ts'
import { standsUntil, type Valued } from './priced.ts'

/** Those of a kind and a set of sportsbooks that may be bet on, the greatest rank first, equals by id. */
export interface OpportunityList extends Pick<SortedList<Valued>, 'size' | 'pieces'> {
  /** Counts what is in it, from now on as it comes and goes. */
  count(tally: Tally): void
}

export interface Tally {
  add(one: Valued, by: 1 | -1): void
}

/** By rank, the greatest first; equals by id. */
export const compareValued = (a: Valued, b: Valued) =>
  b.rank - a.rank || compareTexts(a.entry.row.id, b.entry.row.id)

export type OpportunityLists = ReturnType<typeof createLists>

export function createLists(board: BoardView, entries: Entries) {
  const lists = byKind((): KeptList[] => [])
  /** The instant as of which they stand. */
  let clockAt = Number.NEGATIVE_INFINITY
  /** No event has to be looked at because of the clock before. */
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

  /** Whether it may be bet on as of `clockAt`; if so, its event is looked at again when it ceases to. */
  function mayStand({ taken, ofEvent }: Entry): boolean {
    const until = standsUntil(board, taken!)
    if (clockAt <= until) {
      if (until < ofEvent.standUntil) ofEvent.standUntil = until
      if (until < standUntil) standUntil = until
      return true
    }
    ofEvent.fallenAt = board.find(ofEvent.eventId)?.changed.stamp ?? 0
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

  /** @param isOfAll whether also those that stand */
  function judgeAmong(ofEvent: EventEntries, isOfAll: boolean) {
    ofEvent.fallenAt = Number.NaN
    fallen.delete(ofEvent)
    for (const kind of opportunityKinds) {
      for (const entry of ofEvent.byKind[kind]) {
        // One whose prices have moved is judged when it is valued.
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
    /** It has been valued anew. */
    relist(entry: Entry, exactBefore: Valued | null, veiledBefore: Valued | null, from: number) {
      const { exact, veiled, seenFrom } = entry
      entry.stands = exact !== null && mayStand(entry)
      for (const list of lists[entry.row.kind]) {
        const isIn = (entry.inLists & list.bit) !== 0
        const before = isIn ? valueIn(list, entry, exactBefore, veiledBefore, from) : null
        const value = entry.stands ? valueIn(list, entry, exact, veiled, seenFrom) : null
        if (before || value) list.replace(before, value)
      }
    },
    /** Lets them be as of an instant. */
    moveTo(now: number) {
      if (now === clockAt && now <= standUntil && fallen.size === 0) return
      const hasGoneBack = now < clockAt
      clockAt = now
      if (hasGoneBack) {
        for (const ofEvent of entries.byEvent.values()) judgeEvent(ofEvent)
      }
      for (const ofEvent of fallen) {
        if (ofEvent.count === 0) fallen.delete(ofEvent)
        // Set anew while it is gone through, it comes once more and has not changed.
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
    /** Of a recording that begins again, what was seen is older than what was seen before. */
    noteSighting({ eventId, lastSeenAt }: Sighting) {
      const until = lastSeenAt + usableMs(true)
      const ofEvent = entries.byEvent.get(eventId)
      if (!ofEvent || until >= ofEvent.standUntil) return
      ofEvent.standUntil = until
      if (until < standUntil) standUntil = until
    },
    isKept: (kind: OpportunityKind) => lists[kind].length > 0,
    /** The list, which may have to be filled yet. */
    of(kind: OpportunityKind, level: number): KeptList {
      let list = lists[kind].find(({ bit }) => bit === 1 << level)
      if (!list) {
        list = createList(level)
        lists[kind].push(list)
        list.filling = fill(list, kind)
      }
      return list
    },
    clear() {
      // Those who read them have them in hand.
      for (const kind of opportunityKinds) for (const list of lists[kind]) list.clear()
      clockAt = Number.NEGATIVE_INFINITY
      standUntil = Number.POSITIVE_INFINITY
      fallen.clear()
    },
  }
}

const filledAtOnce = 1_024

interface KeptList extends OpportunityList {
  readonly level: number
  readonly bit: number
  /** The rest of what there was when it was first asked for. */
  filling: Iterator<void> | null
  /** Puts a value in the place of another of the same opportunity; null for none. */
  replace(before: Valued | null, value: Valued | null): void
  clear(): void
}

/** What an opportunity with these values is worth in a list; null for those who see it there not at all. */
function valueIn(
  { bit, level }: KeptList,
  { row }: Entry,
  exact: Valued | null,
  veiled: Valued | null,
  seenFrom: number,
): Valued | null {
  if ((row.scopes & bit) === 0) return null
  return level >= seenFrom ? exact : veiled
}

function createList(level: number): KeptList {
  const sorted = createSortedList(compareValued)
  const tallies: Tally[] = []
  const bit = 1 << level
  return {
    level,
    bit,
    filling: null,
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
      // Entries are made by `entries.ts` alone.
      const entry = (value ?? before)!.entry as Entry
      entry.inLists = value ? entry.inLists | bit : entry.inLists & ~bit
      for (const tally of tallies) {
        if (before) tally.add(before, -1)
        if (value) tally.add(value, 1)
      }
    },
    clear() {
      for (const tally of tallies) {
        for (const piece of sorted.pieces) for (const one of piece) tally.add(one, -1)
      }
      sorted.clear()
      this.filling = null
    },
  }
}
