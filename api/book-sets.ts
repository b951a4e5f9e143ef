/**
 * Opportunities among sportsbooks that accounts chose, a view for each set. The prices are followed on the board, once
 * for all sets and only while one of them is awake: a set wakes when it is read, is kept up to date in pauses, and
 * sleeps again when nobody has read it for a while. The finding is `pipeline/processors/opportunities/book-sets.ts`.
 */

import type { LogRecord } from '../pipeline/log/log.ts'
import {
  type BookSet,
  type BookSets,
  createBookSets,
  type SetFinder,
} from '../pipeline/processors/opportunities/book-sets.ts'
import type { Fees } from '../pipeline/rules/odds/fees.ts'
import { type BoardView, eventListKey } from '../pipeline/views/board/board-view.ts'
import { changeKind, type RowChange } from '../pipeline/views/board/journal.ts'
import type { ViewEvent } from '../pipeline/views/board/view-event.ts'
import {
  createOpportunityView,
  type OpportunityView,
} from '../pipeline/views/opportunities/opportunity-view.ts'
import type { SourcesView } from '../pipeline/views/sources/sources-view.ts'
import type { View } from '../pipeline/views/view.ts'
import type { EventRow } from '../schemas/event.ts'
import type { OpportunityKind, OpportunityRow } from '../schemas/opportunity.ts'
import type { Sighting } from '../schemas/sighting.ts'
import { topics } from '../schemas/topics.ts'
import { ApiError, retryAfter } from './errors.ts'

export interface BookSetViews extends View {
  /** The opportunities of a set, the same for equal sets. They may be held: they wake whenever they are read. */
  of(set: BookSet): SetView
  /** Sets that are awake. */
  readonly awakeCount: number
}

/** What reads it throws ApiError too_many_book_sets while as many sets as there may be are in use. */
export interface SetView extends OpportunityView {
  /** Wakes the set. @throws ApiError too_many_book_sets */
  require(): void
  /** Wakes the set, and keeps it awake until what is returned is called. @throws ApiError too_many_book_sets */
  hold(): () => void
  /** Does most of what a first read has to do, a piece a step. Until then `version` and `changedAfter` tell of nothing. */
  ahead(): Iterator<void>
}

export interface BookSetViewsOptions {
  readonly board: BoardView
  readonly sources: SourcesView
  /** The opportunities of the tiers. */
  readonly table: OpportunityView
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
  /** Sets awake at once. */
  readonly most: number
  /** The time from which prices' ages count (epoch ms). */
  readonly now: () => number
}

/** A set that nobody has read for so long sleeps. */
const idleMs = 60_000
/** One that has not been read for so long gives its place to another that is read. */
const yieldMs = 10_000
/** How often time moves on, as in the pipeline. */
const advanceEveryMs = 1_000
/** Rows that are taken in, and lines that a set looks at, before others have their turn: some milliseconds. */
const rowsAtOnce = 2_000
const linesAtOnce = 500

/** Sets that are remembered; whoever reads one of the others holds it. */
const mostKnown = 500

const everything = Number.POSITIVE_INFINITY

export function createBookSetViews(options: BookSetViewsOptions): BookSetViews {
  const { board, table, most } = options
  const awake = new Set<OpenSet>()
  /** By what they are of, the last that was asked for last. */
  const known = new Map<string, SetView>()
  let prices: FollowedPrices | null = null
  /** The time of the follower (epoch ms). */
  let clock = 0

  function pricesNow(): FollowedPrices {
    prices ??= followPrices(options, table.fees)
    return prices
  }

  function sleep(one: OpenSet) {
    one.close()
    awake.delete(one)
    if (awake.size === 0) prices = null
  }

  /** Looks at lines that have moved, at most so many. @returns whether there are more */
  function look(one: OpenSet, most: number): boolean {
    const isMore = one.look(most)
    if (!isMore && !pricesNow().isFilling) one.isBuilt = true
    return isMore
  }

  /** Forgets all prices; sets that are awake keep their places. */
  function beginAnew() {
    const open = [...awake]
    for (const one of open) one.close()
    prices = null
    for (const one of open) one.open(pricesNow())
  }

  function makeRoom(): boolean {
    if (awake.size < most) return true
    let idlest: OpenSet | null = null
    for (const one of awake) {
      if (one.holders === 0 && (!idlest || one.readAt < idlest.readAt)) idlest = one
    }
    if (!idlest || clock - idlest.readAt < yieldMs) return false
    sleep(idlest)
    return true
  }

  /** @returns false where no place is free */
  function wake(one: OpenSet): boolean {
    one.readAt = clock
    if (!awake.has(one) && !makeRoom()) return false
    awake.add(one)
    if (!one.isOpen) one.open(pricesNow())
    return true
  }

  /** Takes in what has changed on the board since. */
  function follow() {
    if (pricesNow().follow() === 'lost') {
      beginAnew()
      pricesNow().follow()
    }
  }

  function create(set: BookSet): SetView {
    const one = openSet(set, options)
    const { inner } = one
    const isBuilding = () => one.isOpen && !one.isBuilt

    function require() {
      if (wake(one)) return
      throw new ApiError(
        'too_many_book_sets',
        `The opportunities of ${most} sets of sportsbooks are being read; try again later.`,
        retryAfter(yieldMs / 1_000),
      )
    }

    /** The set, up to date. */
    function current(): OpportunityView {
      require()
      follow()
      look(one, everything)
      return inner
    }

    function* ahead(): Generator<void> {
      require()
      while (pricesNow().fillSome() || look(one, linesAtOnce)) {
        yield
        // It may have given its place away meanwhile.
        require()
      }
    }

    function* listedAhead(kind: OpportunityKind, level: number): Generator<void> {
      yield* ahead()
      const steps = current().listAhead(kind, level)
      while (steps && !steps.next().done) yield
    }

    return {
      ...{ board, fees: inner.fees, tables: [] },
      require,
      ahead,
      hold() {
        require()
        one.holders++
        return () => {
          one.holders--
        }
      },
      reset() {},
      apply() {},
      find: (id) => current().find(id),
      all: (kind) => current().all(kind),
      ofEvent: (eventId, kind) => (isBuilding() ? [] : current().ofEvent(eventId, kind)),
      value: inner.value,
      valueRow: inner.valueRow,
      current: inner.current,
      stands: inner.stands,
      item: inner.item,
      moveTo: (now) => current().moveTo(now),
      list: (kind, level, now) => current().list(kind, level, now),
      listAhead(kind, level) {
        require()
        return isBuilding() ? listedAhead(kind, level) : current().listAhead(kind, level)
      },
      listOf: (kind, level, now, isOfEvent) => current().listOf(kind, level, now, isOfEvent),
      valueAll: (kind) => current().valueAll(kind),
      watchValues: inner.watchValues,
      get version() {
        return isBuilding() ? one.openedAt : inner.version
      },
      changedAfter: (version) => (isBuilding() ? [] : current().changedAfter(version)),
    }
  }

  return {
    tables: [topics.sportsbookStatus, topics.events, topics.sightings],
    get awakeCount() {
      return awake.size
    },
    of(set) {
      const { sportsbooks, fees, isOwners } = set
      const ofBooks = [...sportsbooks].sort().map((book) => [book, fees.get(book) ?? null])
      const key = JSON.stringify([isOwners, ofBooks])
      const view = known.get(key) ?? create(set)
      known.delete(key)
      known.set(key, view)
      if (known.size > mostKnown) known.delete(known.keys().next().value!)
      return view
    },
    reset() {
      for (const one of awake) {
        one.close()
        if (one.holders === 0) awake.delete(one)
      }
      prices = null
    },
    apply(records) {
      if (!prices) return
      const some = records.filter(({ topic }) => followed.has(topic.name))
      if (some.length === 0) return
      prices.take(some)
      for (const { inner, isOpen } of awake) if (isOpen) inner.apply(some)
    },
    advance(at) {
      clock = at
      for (const one of [...awake]) {
        if (one.holders === 0 && at - one.readAt > idleMs) sleep(one)
      }
      if (prices && !prices.isFilling) follow()
    },
    doPutOff() {
      if (!prices) return false
      if (prices.fillSome()) return true
      let isMore = false
      for (const one of awake) {
        if (look(one, linesAtOnce)) isMore = true
        else if (one.inner.doPutOff?.()) isMore = true
      }
      return isMore
    },
  }
}

const followed: ReadonlySet<string> = new Set([
  topics.sportsbookStatus.name,
  topics.events.name,
  topics.sightings.name,
])

// ---- a set

interface OpenSet {
  readonly inner: OpportunityView
  /** When it was last read (epoch ms). */
  readAt: number
  /** Who keep it awake. */
  holders: number
  readonly isOpen: boolean
  /** Whether it has looked at all that there was when it was opened. */
  isBuilt: boolean
  /** The version of its view when it was opened. */
  readonly openedAt: number
  open(prices: FollowedPrices): void
  /** Looks at lines that have moved, at most so many. @returns whether there are more */
  look(most: number): boolean
  close(): void
}

function openSet(set: BookSet, { board, table, sources }: BookSetViewsOptions): OpenSet {
  const inner = createOpportunityView(board, set.fees)
  let finder: SetFinder | null = null
  let changes: LogRecord[] = []
  let openedAt = 0

  const changed = (key: string, value: OpportunityRow | null) =>
    changes.push({ topic: topics.opportunities, partition: 0, offset: 0, key, value } as LogRecord)

  return {
    inner,
    readAt: 0,
    holders: 0,
    isBuilt: false,
    get isOpen() {
      return finder !== null
    },
    get openedAt() {
      return openedAt
    },
    open({ sets }) {
      inner.reset()
      inner.apply([...sources.ownersOnly].map(statusOfOwners))
      openedAt = inner.version
      finder = sets.open(set, (id) => table.find(id)?.row, changed)
    },
    look(most) {
      const isMore = finder?.look(most) ?? false
      if (changes.length === 0) return isMore
      const some = changes
      changes = []
      inner.apply(some)
      return isMore
    },
    close() {
      finder?.close()
      finder = null
      changes = []
      this.isBuilt = false
      inner.reset()
    },
  }
}

/** That only the owner sees a sportsbook, as the view reads it. */
const statusOfOwners = (sportsbook: string) => {
  const value = { sportsbook, audience: 'owner', status: 'up', since: 0 }
  const record = { topic: topics.sportsbookStatus, partition: 0, offset: 0, key: sportsbook, value }
  return record as unknown as LogRecord
}

// ---- prices

/** The prices of the board by line, for all sets. */
interface FollowedPrices {
  readonly sets: BookSets
  /** Not all of the board has been taken in. */
  readonly isFilling: boolean
  /** Takes in a piece of what there was at first. @returns whether there is more */
  fillSome(): boolean
  /** Takes in all that has changed. @returns `lost` where what has changed is not known any more */
  follow(): 'lost' | undefined
  /** Records of sightings, events and statuses. */
  take(records: readonly LogRecord[]): void
}

function followPrices(
  { board, sources, chain, most, now }: BookSetViewsOptions,
  fees: Fees,
): FollowedPrices {
  const { rows, journal } = board
  const sets = createBookSets(chain, fees, most, board.references)
  const { prices } = sets
  /** By id, as they were taken in. */
  const events = new Map<string, EventRow>()
  /** Events of which something else is said since. */
  const toldOf = new Set<string>()
  const down = new Set<string>()
  const ownersOnly = new Set<string>()
  let statusVersion = -1
  let advancedTo = Number.NEGATIVE_INFINITY
  let followedTo = board.watermark
  let filling: Iterator<void> | null = fill()

  function takeRow(row: number) {
    const { event, marketType } = rows.block(row)
    if (events.get(event.id) !== event.row) takeEvent(event.id)
    const { selectionType, line, playerName } = rows.selection(row)
    const { sportsbook, lastSeenAt } = rows.sighted(row)
    const isLive = rows.isLive(row)
    prices.applyOdds({
      id: rows.id(row),
      eventId: event.id,
      sportsbook,
      marketType,
      selectionType,
      line,
      playerName,
      price: rows.price(row),
      isLive,
      isActive: rows.isActive(row),
      observedAt: rows.changedAt(row) ?? lastSeenAt,
    })
  }

  /** Takes an event as the board has it now. */
  function takeEvent(id: string) {
    const event = board.find(id)
    if (!event || event.isForgotten) {
      if (events.delete(id)) prices.applyEvent(id, null)
      return
    }
    const isNew = !events.has(id)
    events.set(id, event.row)
    prices.applyEvent(id, event.row)
    // Prices that stayed while it was away are of the event as it was.
    if (isNew && !filling) takeRowsOf(event)
  }

  function takeRowsOf(event: ViewEvent) {
    const live = new Set<string>()
    for (const block of event.blocks) {
      for (let at = 0; at < block.count; at++) {
        const row = block.rows[at]!
        prices.removeOdds(rows.id(row))
        takeRow(row)
        if (rows.isLive(row)) live.add(rows.sighted(row).sportsbook)
      }
    }
    for (const { sportsbook, lastSeenAt } of event.offers.values()) {
      const isLive = live.has(sportsbook)
      prices.applySighting({
        ...{ eventId: event.id, sportsbook, lastSeenAt, isLive },
        hasGivenPrices: true,
      })
    }
  }

  function* fill(): Generator<void> {
    takeStatuses()
    advance()
    let count = 0
    for (const event of [...board.events(eventListKey.all)]) {
      if (board.find(event.id) !== event) continue
      takeEvent(event.id)
      takeRowsOf(event)
      count += event.rowCount
      if (count < rowsAtOnce) continue
      count = 0
      sets.settle()
      yield
    }
    sets.settle()
  }

  function fillSome(): boolean {
    if (filling?.next().done) filling = null
    return filling !== null
  }

  function takeStatuses() {
    if (sources.version === statusVersion) return
    statusVersion = sources.version
    const at = now()
    for (const sportsbook of new Set([...down, ...sources.down])) {
      const isDown = sources.down.has(sportsbook)
      if (isDown) down.add(sportsbook)
      else down.delete(sportsbook)
      prices.applySource(sportsbook, !isDown, at)
    }
    for (const sportsbook of new Set([...ownersOnly, ...sources.ownersOnly])) {
      const isOwners = sources.ownersOnly.has(sportsbook)
      if (isOwners) ownersOnly.add(sportsbook)
      else ownersOnly.delete(sportsbook)
      prices.applyAudience(sportsbook, isOwners)
    }
  }

  function advance() {
    const at = now()
    if (at - advancedTo < advanceEveryMs) return
    advancedTo = at
    prices.advance(at)
  }

  function followRow({ kind, id }: RowChange) {
    if (kind === changeKind.standing) return
    const row = rows.find(id)
    if (row < 0) return prices.removeOdds(id)
    takeRow(row)
    if (kind !== changeKind.whole) return
    // What is new may have been seen before it was on the board.
    const { sportsbook, lastSeenAt } = rows.sighted(row)
    const { event } = rows.block(row)
    const isLive = rows.isLive(row)
    const sighting = { eventId: event.id, sportsbook, lastSeenAt, isLive, hasGivenPrices: true }
    prices.applySighting(sighting)
  }

  return {
    sets,
    fillSome,
    get isFilling() {
      return filling !== null
    },
    follow() {
      while (fillSome()) {}
      // The time of a recording that begins again goes back.
      if (followedTo < journal.reach || now() < advancedTo - advanceEveryMs) return 'lost'
      takeStatuses()
      for (const id of toldOf) takeEvent(id)
      toldOf.clear()
      const { watermark } = board
      if (watermark !== followedTo) journal.forEach(followedTo, followRow)
      followedTo = watermark
      advance()
      sets.settle()
      return undefined
    },
    take(records) {
      for (const { topic, key, value } of records) {
        if (topic.name === topics.events.name) toldOf.add(key)
        else if (topic.name === topics.sightings.name && value) {
          const sighting = value as Sighting
          if (events.has(sighting.eventId)) prices.applySighting(sighting)
        }
      }
    },
  }
}
