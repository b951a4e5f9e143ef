/**
 * The values of opportunities at the prices on the board. It follows the board's journal, which has
 * every change of a price, even those that are not on the log. Changes value as many
 * opportunities of a kind that is read as lists as there are changes; a pause or a request values
 * the others, each once however often its prices moved.
 */

import {
  byKind,
  type OpportunityKind,
  opportunityKinds,
  ownerVisibility,
  type Visibility,
  visibilityOf,
} from '../../../schemas/opportunity.ts'
import { isOutdated, type SportsbookStatus } from '../../../schemas/sportsbook-status.ts'
import type { Fees } from '../../rules/odds/fees.ts'
import { ruleOf } from '../../rules/odds/opportunity-figures.ts'
import type { BoardView } from '../board/board-view.ts'
import { changeKind, type RowChange } from '../board/journal.ts'
import { type Entries, type Entry, type EventEntries, stale } from './entries.ts'
import type { OpportunityLists } from './lists.ts'
import { pricesTaken, type TakenRows, takenRows, type Valued, valued, veiled } from './priced.ts'
import { createRowUsers } from './row-users.ts'

const none: readonly never[] = []

/** So many entries of a kind may always wait, even if it has fewer. */
const queuedAnyway = 64

const withOtherSides = opportunityKinds.filter((kind) => ruleOf(kind).needsOtherSides)

/** @param valuedAnew called for each entry that was valued, even if it has no value any more */
export function createValues(
  board: BoardView,
  fees: Fees,
  entries: Entries,
  lists: OpportunityLists,
  valuedAnew: (entry: Entry) => void,
) {
  const users = createRowUsers<Entry>()
  /** Opportunities waiting for a price to come or to become active again, by odds id. */
  const waiting = new Map<number, Set<Entry>>()
  /** The stale entries, each once. Those that are gone or valued already are skipped. */
  const staleOnes = byKind((): Entry[] => [])
  /** False until the first entry is valued: before, the board need not be followed. */
  let isFollowing = false
  /** The stamp up to which the board has been followed. */
  let followedTo = 0
  /** Sportsbooks that only the owner sees, and the newest known status of each sportsbook. */
  const ownersOnly = new Set<string>()
  const statuses = new Map<string, SportsbookStatus>()

  // ---- what has to be valued anew

  function note(entry: Entry, what: number) {
    if (entry.stale < what) entry.stale = what
    if (entry.isQueued) return
    entry.isQueued = true
    const { kind } = entry.row
    staleOnes[kind].push(entry)
    // If a kind is read one by one, nobody empties its queue.
    if (staleOnes[kind].length > 2 * entries.ofKinds[kind].length + queuedAnyway) tidy(kind)
  }

  /** Drops the entries that are gone or valued already. */
  function tidy(kind: OpportunityKind) {
    const some = staleOnes[kind]
    let left = 0
    for (const entry of some) {
      if (entry.stale !== stale.nothing) some[left++] = entry
      else entry.isQueued = false
    }
    some.length = left
  }

  function noteEvent({ byKind }: EventEntries) {
    for (const kind of opportunityKinds) for (const entry of byKind[kind]) note(entry, stale.rows)
  }

  function noteAll() {
    for (const kind of opportunityKinds) {
      for (const entry of entries.ofKinds[kind]) note(entry, stale.rows)
    }
  }

  function follow({ kind, row, id, state, stateBefore, block, book }: RowChange) {
    if (kind === changeKind.standing) return
    const isPriceAlone = kind === changeKind.moved && state === stateBefore
    users.forEach(row, note, isPriceAlone ? stale.prices : stale.rows)
    if (isPriceAlone) return
    for (const entry of waiting.get(id) ?? none) note(entry, stale.rows)
    // This price may be the other side of a leg.
    const { event, marketType } = block
    const ofEvent = entries.byEvent.get(event.id)
    if (!ofEvent) return
    for (const kind of withOtherSides) {
      for (const entry of ofEvent.byKind[kind]) {
        if (entry.marketType === marketType && entry.books.includes(book)) note(entry, stale.rows)
      }
    }
  }

  /** Notes the changes on the board since the last call. */
  function followBoard() {
    const { watermark, journal } = board
    if (watermark === followedTo) return
    if (isFollowing) {
      if (followedTo < journal.reach) noteAll()
      else journal.forEach(followedTo, follow)
    }
    followedTo = watermark
  }

  // ---- values

  function wait(ids: readonly number[], entry: Entry) {
    for (const id of ids) {
      const some = waiting.get(id)
      if (some) some.add(entry)
      else waiting.set(id, new Set([entry]))
    }
  }

  function stopWaiting(ids: readonly number[], entry: Entry) {
    for (const id of ids) {
      const some = waiting.get(id)
      if (some?.delete(entry) && some.size === 0) waiting.delete(id)
    }
  }

  function leaveRows(entry: Entry) {
    const { row, taken, slots } = entry
    if (taken) users.remove(taken, slots)
    else {
      stopWaiting(row.legs, entry)
      stopWaiting(row.reference, entry)
    }
    entry.taken = null
  }

  function takeRows(entry: Entry) {
    const { row } = entry
    leaveRows(entry)
    const taken = takenRows(board, row)
    entry.taken = taken
    entry.books = none
    if (!taken) {
      wait(row.legs, entry)
      wait(row.reference, entry)
      return
    }
    entry.slots = users.add(taken, entry)
    entry.seenFrom = seenFrom(taken)
    if (taken.others.length === 0) return
    const { rows } = board
    entry.marketType = rows.block(taken.legs[0]!).marketType
    entry.books = taken.legs.map((at) => rows.sighted(at).book)
  }

  function value(entry: Entry) {
    isFollowing = true
    const { exact, veiled: veiledBefore, seenFrom } = entry
    if (entry.stale === stale.rows) takeRows(entry)
    entry.stale = stale.nothing
    const { taken, row } = entry
    const prices = taken && pricesTaken(board, row, taken, fees)
    entry.exact = prices && valued(board, entry, taken, prices)
    const isVeiled = entry.exact && (row.scopes & ((1 << entry.seenFrom) - 1)) !== 0
    entry.veiled = isVeiled ? veiled(entry.exact!, prices!) : null
    lists.relist(entry, exact, veiledBefore, seenFrom)
    valuedAnew(entry)
  }

  /** Returns the lowest visibility that sees all the prices it is measured against. */
  function seenFrom({ reference }: TakenRows): Visibility {
    let visibility: Visibility = 0
    for (const row of reference) {
      const { sportsbook } = board.rows.sighted(row)
      const own = ownersOnly.has(sportsbook) ? ownerVisibility : visibilityOf(sportsbook)
      if (own > visibility) visibility = own
    }
    return visibility
  }

  /** @returns whether there are more */
  function valueSome(kind: OpportunityKind, most: number): boolean {
    const some = staleOnes[kind]
    for (let count = 0; count < most && some.length > 0; count++) {
      const entry = some.pop()!
      entry.isQueued = false
      if (entry.stale !== stale.nothing) value(entry)
    }
    return some.length > 0
  }

  return {
    seenFrom,
    followBoard,
    noteEvent,
    add(entry: Entry) {
      note(entry, stale.rows)
    },
    remove(entry: Entry) {
      lists.unlist(entry)
      leaveRows(entry)
      entry.stale = stale.nothing
    },
    /** Returns its value for a visibility. The board must have been followed. */
    of(entry: Entry, visibility: number): Valued | null {
      if (entry.stale !== stale.nothing) value(entry)
      return visibility >= entry.seenFrom ? entry.exact : entry.veiled
    },
    valueSome,
    /** Returns how many of a kind have to be valued, at most. */
    countStale: (kind: OpportunityKind) => staleOnes[kind].length,
    takeStatus(status: SportsbookStatus) {
      const { sportsbook, audience, since } = status
      if (isOutdated(since, statuses.get(sportsbook))) return
      statuses.set(sportsbook, status)
      const isOwners = audience === 'owner'
      if (ownersOnly.has(sportsbook) === isOwners) return
      if (isOwners) ownersOnly.add(sportsbook)
      else ownersOnly.delete(sportsbook)
      // The audience decides who sees the prices that an opportunity is measured against.
      noteAll()
    },
    clear() {
      users.clear()
      waiting.clear()
      for (const kind of opportunityKinds) staleOnes[kind].length = 0
      isFollowing = false
      followedTo = board.watermark
      ownersOnly.clear()
      statuses.clear()
    },
  }
}
