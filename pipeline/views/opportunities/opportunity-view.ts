/**
 * The table of opportunities in memory, and what each comes to by the prices on the board. Rows are written by their
 * changelog alone; figures are worked out when a price moves, once for all who read them. Each kind has a list for
 * each set of sportsbooks, in order and without those that may not be bet on now, so that a page is read off it.
 *
 * It follows the board through its journal, which tells all that moves a price, also what is in no log.
 */

import {
  byKind,
  type OpportunityKind,
  type OpportunityRow,
  opportunityKinds,
  ownerLevel,
  type ScopeLevel,
  scopeBit,
  scopeLevel,
} from '../../../schemas/opportunity.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../../schemas/sportsbook-status.ts'
import { topics } from '../../../schemas/topics.ts'
import type { LogRecord } from '../../log/log.ts'
import { grown } from '../../memory/grown.ts'
import { createLinkedSlots, noSlot } from '../../memory/linked-slots.ts'
import { createSortedList, type SortedList } from '../../memory/sorted-list.ts'
import { type Fees, noFees } from '../../rules/fees.ts'
import { usableMs } from '../../rules/freshness.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import type { BoardView } from '../board/board-view.ts'
import { changeKind, type RowChange } from '../board/journal.ts'
import type { ViewEvent } from '../board/view-event.ts'
import type { View } from '../view.ts'
import {
  type Item,
  type ListedOpportunity,
  pricedOn,
  pricesTaken,
  standsUntil,
  type TakenRows,
  takenRows,
  type Valued,
  valued,
  veiled,
} from './priced.ts'

/** Those of a kind and a set of sportsbooks that may be bet on, the greatest rank first, equals by id. */
export interface OpportunityList extends Pick<SortedList<Valued>, 'size' | 'pieces'> {
  /** Counts what is in it, from now on as it comes and goes. */
  count(tally: Tally): void
}

export interface Tally {
  add(one: Valued, by: 1 | -1): void
}

export interface OpportunityView extends View {
  readonly board: BoardView
  /** Fees that figures count. */
  readonly fees: Fees
  reset(): void
  apply(records: readonly LogRecord[]): void
  find(id: string): ListedOpportunity | undefined
  /** All of a kind, in no order. */
  all(kind: OpportunityKind): readonly ListedOpportunity[]
  /** Those of a kind of one event. */
  ofEvent(eventId: string, kind: OpportunityKind): Iterable<ListedOpportunity>
  /**
   * What it comes to for those who see the sportsbooks of a level. The same object until a price of it changes; null
   * when a price is gone, or when the prices no longer make one.
   */
  value(entry: ListedOpportunity, level: number): Valued | null
  /** The same of a row that the table does not have. */
  valueRow(row: OpportunityRow, level: number): Valued | null
  /** Whether it may be bet on at an instant (epoch ms). */
  stands(of: Valued, now: number): boolean
  /** With its prices. */
  item<Figures extends object>(of: Valued<Figures>): Item<Figures>
  /** Those of a level, at an instant (epoch ms). Good until the board changes. */
  list(kind: OpportunityKind, level: number, now: number): OpportunityList
  /** The same of some events, in the order of the list. */
  listOf(
    kind: OpportunityKind,
    level: number,
    now: number,
    isOfEvent: (event: ViewEvent) => boolean,
  ): readonly Valued[]
  /** Grows with every change. */
  readonly version: number
  /** Ids whose rows changed after a version, some several times; null when that is not kept any more. */
  changedAfter(version: number): readonly string[] | null
}

/** Changes of rows whose ids are kept. */
const keptChanges = 0x8000

/** So many are valued before others have their turn: some milliseconds. */
const valuedAtOnce = 512

const levels = Object.keys(scopeBit).map((_, level) => level as ScopeLevel)

interface Entry extends ListedOpportunity {
  /** Where it stands among those of its kind. */
  place: number
  readonly ofEvent: EventEntries
  /** Whether it has to be valued anew. */
  isDirty: boolean
  /** The rows that it takes; null while one is missing, or no bets are taken on it. */
  taken: TakenRows | null
  /** Its places among the users of these rows, in their order. */
  readonly slots: number[]
  /** Where other sides count: of which market, and of which sportsbooks, by their numbers on the board. */
  marketType: string
  books: readonly number[]
  /** The lowest level that sees what it is measured against. */
  seenFrom: number
  exact: Valued | null
  veiled: Valued | null
  isListed: boolean
}

interface EventEntries {
  readonly eventId: string
  readonly byKind: Readonly<Record<OpportunityKind, Set<Entry>>>
  count: number
  /** None of those that are listed ceases to stand before (epoch ms). */
  standUntil: number
  /** Some have figures and do not stand: the stamp of the event when they were last looked at, else NaN. */
  fallenAt: number
}

/** By rank, the greatest first; equals by id. */
export const compareValued = (a: Valued, b: Valued) =>
  b.rank - a.rank || compareTexts(a.entry.row.id, b.entry.row.id)

export function createOpportunityView(board: BoardView, fees: Fees = noFees): OpportunityView {
  const kinds = byKind((): Entry[] => [])
  const lists = byKind(() => levels.map(createList))
  const nobodys = createList()
  const byId = new Map<string, Entry>()
  const byEvent = new Map<string, EventEntries>()
  /** By odds id, those that wait for a price to come, or to be taken bets on again. */
  const waiting = new Map<number, Set<Entry>>()
  let users = createUsers<Entry>()
  let dirty: Entry[] = []
  /** Some have been valued, and then all that there were at first. */
  let hasValues = false
  /** The stamp up to which the board has been followed. */
  let followedTo = 0
  /** The instant at which those that are listed stand. */
  let clockAt = Number.NEGATIVE_INFINITY
  /** No event has to be looked at because of the clock before. */
  let standUntil = Number.POSITIVE_INFINITY
  const fallen = new Set<EventEntries>()
  /** Sportsbooks that only the owner sees, with since when that is so for each that anything is said of. */
  const ownersOnly = new Set<string>()
  const statusSince = new Map<string, number>()
  let version = 0
  /** Ids in the order they changed, each with the version it came to. */
  let changed: { readonly id: string; readonly version: number }[] = []
  /** Changes up to this version are not kept. */
  let forgotten = 0

  function noteChange(id: string) {
    changed.push({ id, version })
    if (changed.length < 2 * keptChanges) return
    changed = changed.slice(keptChanges)
    forgotten = changed[0]!.version - 1
  }

  // ---- rows

  function remove(id: string) {
    const entry = byId.get(id)
    if (!entry) return
    const { row, place, ofEvent } = entry
    byId.delete(id)
    const ofKind = kinds[row.kind]
    const last = ofKind.pop()!
    if (last !== entry) {
      ofKind[place] = last
      last.place = place
    }
    unvalue(entry)
    // What is left of it among the dirty ones is passed over.
    entry.isDirty = false
    ofEvent.byKind[row.kind].delete(entry)
    if (--ofEvent.count > 0) return
    byEvent.delete(row.eventId)
    fallen.delete(ofEvent)
  }

  function add(row: OpportunityRow) {
    const ofKind = kinds[row.kind]
    let ofEvent = byEvent.get(row.eventId)
    if (!ofEvent) {
      ofEvent = {
        eventId: row.eventId,
        byKind: byKind(() => new Set<Entry>()),
        count: 0,
        standUntil: Number.POSITIVE_INFINITY,
        fallenAt: Number.NaN,
      }
      byEvent.set(row.eventId, ofEvent)
    }
    const entry: Entry = {
      row,
      place: ofKind.length,
      ofEvent,
      isDirty: false,
      taken: null,
      slots: [],
      marketType: '',
      books: none,
      seenFrom: 0,
      exact: null,
      veiled: null,
      isListed: false,
    }
    ofKind.push(entry)
    byId.set(row.id, entry)
    ofEvent.byKind[row.kind].add(entry)
    ofEvent.count++
    soil(entry)
  }

  // ---- what has to be valued anew

  function soil(entry: Entry) {
    if (entry.isDirty) return
    entry.isDirty = true
    dirty.push(entry)
  }

  function soilEvent({ byKind }: EventEntries) {
    for (const kind of opportunityKinds) for (const entry of byKind[kind]) soil(entry)
  }

  function soilAll() {
    for (const kind of opportunityKinds) for (const entry of kinds[kind]) soil(entry)
  }

  function follow(change: RowChange) {
    if (change.kind === changeKind.standing) return
    users.forEach(change.row, soil)
    for (const entry of waiting.get(change.id) ?? none) soil(entry)
    if (change.state === change.stateBefore) return
    // A price has come or gone that may be the other side of a leg.
    const { event, marketType } = change.block
    const middles = byEvent.get(event.id)?.byKind.middle
    if (!middles) return
    for (const entry of middles) {
      if (entry.marketType === marketType && entry.books.includes(change.book)) soil(entry)
    }
  }

  /** Takes in what has changed on the board. */
  function followBoard() {
    const { watermark, journal } = board
    if (watermark === followedTo) return
    if (hasValues) {
      if (followedTo < journal.reach) soilAll()
      else journal.forEach(followedTo, follow)
    }
    followedTo = watermark
  }

  // ---- values

  function unvalue(entry: Entry) {
    unlist(entry)
    const { row, taken, slots } = entry
    if (taken) users.remove(taken, slots)
    else {
      forget(row.legs, entry)
      forget(row.reference, entry)
    }
    entry.taken = null
    entry.books = none
    entry.exact = null
    entry.veiled = null
  }

  function forget(ids: readonly number[], entry: Entry) {
    for (const id of ids) {
      const some = waiting.get(id)
      if (some?.delete(entry) && some.size === 0) waiting.delete(id)
    }
  }

  function wait(ids: readonly number[], entry: Entry) {
    for (const id of ids) {
      const some = waiting.get(id)
      if (some) some.add(entry)
      else waiting.set(id, new Set([entry]))
    }
  }

  function value(entry: Entry) {
    hasValues = true
    entry.isDirty = false
    unvalue(entry)
    const { row } = entry
    const taken = takenRows(board, row)
    if (!taken) {
      wait(row.legs, entry)
      wait(row.reference, entry)
      return
    }
    entry.taken = taken
    users.add(taken, entry, entry.slots)
    const { rows } = board
    const prices = pricesTaken(board, taken, fees)
    if (taken.others.length > 0) {
      entry.marketType = prices.marketType
      entry.books = taken.legs.map((at) => rows.sighted(at).book)
    }
    const exact = valued(board, entry, taken, prices)
    if (!exact) return
    entry.exact = exact
    entry.seenFrom = seenFrom(taken)
    const isVeiled = (row.scopes & ((1 << entry.seenFrom) - 1)) !== 0
    if (isVeiled) entry.veiled = veiled(exact, prices)
    judge(entry)
  }

  /** The lowest level that sees what prices are measured against. */
  function seenFrom({ reference }: TakenRows): ScopeLevel {
    if (reference.length === 0) return 0
    const { sportsbook } = board.rows.sighted(reference[0]!)
    return ownersOnly.has(sportsbook) ? ownerLevel : scopeLevel(sportsbook)
  }

  const valueFor = (entry: Entry, level: number) =>
    level >= entry.seenFrom ? entry.exact : entry.veiled

  function settle() {
    followBoard()
    while (dirty.length > 0) {
      const entry = dirty.pop()!
      if (entry.isDirty) value(entry)
    }
  }

  // ---- lists

  function list(entry: Entry) {
    if (entry.isListed) return
    entry.isListed = true
    tell(entry, 1)
  }

  function unlist(entry: Entry) {
    if (!entry.isListed) return
    entry.isListed = false
    tell(entry, -1)
  }

  function tell(entry: Entry, by: 1 | -1) {
    const { kind, scopes } = entry.row
    for (const level of levels) {
      const value = (scopes & (1 << level)) === 0 ? null : valueFor(entry, level)
      if (value) lists[kind][level]!.take(value, by)
    }
  }

  /** Lists what stands as of `clockAt`. */
  function judge(entry: Entry) {
    const { ofEvent, taken } = entry
    const until = standsUntil(board, taken!)
    if (clockAt <= until) {
      list(entry)
      if (until < ofEvent.standUntil) ofEvent.standUntil = until
      if (until < standUntil) standUntil = until
      return
    }
    unlist(entry)
    fall(ofEvent)
  }

  function fall(ofEvent: EventEntries) {
    ofEvent.fallenAt = board.find(ofEvent.eventId)?.changed.stamp ?? 0
    fallen.add(ofEvent)
  }

  function judgeEvent(ofEvent: EventEntries) {
    ofEvent.standUntil = Number.POSITIVE_INFINITY
    ofEvent.fallenAt = Number.NaN
    fallen.delete(ofEvent)
    for (const kind of opportunityKinds) {
      for (const entry of ofEvent.byKind[kind]) if (entry.exact) judge(entry)
    }
  }

  /** Lets the lists be as of an instant. */
  function moveTo(now: number) {
    if (now === clockAt && now <= standUntil && fallen.size === 0) return
    const hasGoneBack = now < clockAt
    clockAt = now
    if (hasGoneBack) {
      for (const ofEvent of byEvent.values()) judgeEvent(ofEvent)
    }
    for (const ofEvent of fallen) {
      // Set anew while it is gone through, it comes once more and has not changed.
      const stamp = board.find(ofEvent.eventId)?.changed.stamp ?? 0
      if (stamp !== ofEvent.fallenAt) judgeEvent(ofEvent)
    }
    if (now <= standUntil) return
    standUntil = Number.POSITIVE_INFINITY
    for (const ofEvent of byEvent.values()) {
      if (now > ofEvent.standUntil) judgeEvent(ofEvent)
      if (ofEvent.standUntil < standUntil) standUntil = ofEvent.standUntil
    }
  }

  // ---- records

  function takeStatus({ sportsbook, audience, since }: SportsbookStatus) {
    // Each partition has a row of its own, and one that is behind says what was before.
    if (since < (statusSince.get(sportsbook) ?? since)) return
    statusSince.set(sportsbook, since)
    const isOwners = audience === 'owner'
    if (ownersOnly.has(sportsbook) === isOwners) return
    if (isOwners) ownersOnly.add(sportsbook)
    else ownersOnly.delete(sportsbook)
    // Who sees what it is measured against follows from it.
    soilAll()
  }

  /** Of a recording that begins again, what was seen is older than what was seen before. */
  function noteSighting({ eventId, lastSeenAt }: Sighting) {
    const until = lastSeenAt + usableMs(true)
    const ofEvent = byEvent.get(eventId)
    if (!ofEvent || until >= ofEvent.standUntil) return
    ofEvent.standUntil = until
    if (until < standUntil) standUntil = until
  }

  return {
    board,
    fees,
    tables: [
      topics.sportsbookStatus,
      topics.events,
      topics.sightings,
      topics.odds,
      topics.opportunities,
    ],
    reset() {
      for (const kind of opportunityKinds) {
        kinds[kind].length = 0
        for (const some of lists[kind]) some.clear()
      }
      byId.clear()
      byEvent.clear()
      waiting.clear()
      users = createUsers()
      dirty = []
      hasValues = false
      followedTo = board.watermark
      clockAt = Number.NEGATIVE_INFINITY
      standUntil = Number.POSITIVE_INFINITY
      fallen.clear()
      ownersOnly.clear()
      statusSince.clear()
      version++
      changed = []
      forgotten = version
    },
    apply(records) {
      for (const { topic, key, value } of records) {
        if (topic.name === topics.sportsbookStatus.name) {
          // Which opportunities stand depends on whose sources are down.
          version++
          if (value) takeStatus(value as SportsbookStatus)
        } else if (topic.name === topics.sightings.name) {
          if (value) noteSighting(value as Sighting)
        } else if (topic.name === topics.events.name) {
          const ofEvent = byEvent.get(key)
          if (ofEvent) soilEvent(ofEvent)
        } else if (topic.name === topics.opportunities.name) {
          version++
          noteChange(key)
          remove(key)
          if (value) add(value as OpportunityRow)
        }
      }
    },
    doPutOff() {
      // An opportunity whose prices moved several times since is valued once.
      followBoard()
      for (let count = 0; count < valuedAtOnce && dirty.length > 0; count++) {
        const entry = dirty.pop()!
        if (entry.isDirty) value(entry)
      }
      return dirty.length > 0
    },
    find: (id) => byId.get(id),
    all: (kind) => kinds[kind],
    ofEvent: (eventId, kind) => byEvent.get(eventId)?.byKind[kind] ?? none,
    value(entry, level) {
      settle()
      // Entries are made here alone.
      return valueFor(entry as Entry, level)
    },
    valueRow(row, level) {
      const taken = (row.scopes & (1 << level)) === 0 ? null : takenRows(board, row)
      if (!taken) return null
      const prices = pricesTaken(board, taken, fees)
      const exact = valued(board, { row }, taken, prices)
      return exact && level < seenFrom(taken) ? veiled(exact, prices) : exact
    },
    stands: ({ taken }, now) => now <= standsUntil(board, taken),
    item<Figures extends object>(of: Valued<Figures>) {
      const { entry, taken, figures } = of
      of.item ??= { figures, ...pricedOn(board, entry.row, taken, fees) }
      return of.item
    },
    list(kind, level, now) {
      settle()
      moveTo(now)
      return lists[kind][level] ?? nobodys
    },
    listOf(kind, level, now, isOfEvent) {
      settle()
      moveTo(now)
      const some: Valued[] = []
      for (const { eventId, byKind } of byEvent.values()) {
        const event = board.find(eventId)
        if (!event || !isOfEvent(event)) continue
        for (const entry of byKind[kind]) {
          const isOfLevel = entry.isListed && (entry.row.scopes & (1 << level)) !== 0
          const value = isOfLevel ? valueFor(entry, level) : null
          if (value) some.push(value)
        }
      }
      return some.sort(compareValued)
    },
    get version() {
      return version
    },
    changedAfter(since) {
      if (since < forgotten) return null
      let first = changed.length
      while (first > 0 && changed[first - 1]!.version > since) first--
      return changed.slice(first).map(({ id }) => id)
    },
  }
}

const none: readonly never[] = []

interface KeptList extends OpportunityList {
  take(one: Valued, by: 1 | -1): void
  clear(): void
}

function createList(): KeptList {
  const sorted = createSortedList(compareValued)
  const tallies: Tally[] = []
  return {
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
    take(one, by) {
      if (by > 0) sorted.add(one)
      else sorted.remove(one)
      for (const tally of tallies) tally.add(one, by)
    },
    clear() {
      for (const tally of tallies) {
        for (const piece of sorted.pieces) for (const one of piece) tally.add(one, -1)
      }
      sorted.clear()
    },
  }
}

/** Who takes which row of the board. */
function createUsers<User>() {
  let heads = new Int32Array(0)
  const slots = createLinkedSlots(1_024, () => {})
  const users: (User | undefined)[] = []

  function addTo(row: number, user: User, places: number[]) {
    if (row >= heads.length) {
      const { length } = heads
      heads = grown(heads, Math.max(1_024, 2 * length, row + 1))
      heads.fill(noSlot, length)
    }
    const slot = slots.take(heads[row]!)
    heads[row] = slot
    users[slot] = user
    places.push(slot)
  }

  function removeFrom(row: number, slot: number) {
    heads[row] = slots.free(slot, heads[row]!)
    users[slot] = undefined
  }

  return {
    /** @param places gets where it stands */
    add({ legs, reference, others }: TakenRows, user: User, places: number[]) {
      for (const row of legs) addTo(row, user, places)
      for (const row of reference) addTo(row, user, places)
      for (const row of others) if (row >= 0) addTo(row, user, places)
    },
    /** @param places as `add` gave them; they are emptied */
    remove({ legs, reference, others }: TakenRows, places: number[]) {
      let place = 0
      for (const row of legs) removeFrom(row, places[place++]!)
      for (const row of reference) removeFrom(row, places[place++]!)
      for (const row of others) if (row >= 0) removeFrom(row, places[place++]!)
      places.length = 0
    },
    forEach(row: number, visit: (user: User) => void) {
      let slot = row < heads.length ? heads[row]! : noSlot
      for (; slot !== noSlot; slot = slots.next(slot)) visit(users[slot]!)
    },
  }
}
