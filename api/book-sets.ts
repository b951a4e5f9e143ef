/**
 * Opportunities among sportsbooks that accounts chose, with a view for each set. Prices are followed on the board
 * once for all sets, and only while a set is awake. A set wakes when it is read, is kept up to date in pauses, and
 * sleeps again when nobody has read it for a while. `pipeline/processors/opportunities/book-sets.ts` finds the
 * opportunities.
 */

import type { LogRecord } from '../pipeline/log/log.ts'
import type { BookSet, SetFinder } from '../pipeline/processors/opportunities/book-sets.ts'
import {
  createOpportunityView,
  type OpportunityView,
} from '../pipeline/views/opportunities/opportunity-view.ts'
import type { ListedOpportunity } from '../pipeline/views/opportunities/priced.ts'
import type { View } from '../pipeline/views/view.ts'
import type { OpportunityKind, OpportunityRow } from '../schemas/opportunity.ts'
import { topics } from '../schemas/topics.ts'
import { type Place, placeFor, yieldMs } from './book-set-places.ts'
import { type FollowedPrices, type FollowPricesOptions, followPrices } from './book-set-prices.ts'
import { ApiError, retryAfter } from './errors.ts'

export interface BookSetViews extends View {
  /** Returns the view of a set, the same for equal sets. It may be kept: it wakes whenever it is read. */
  of(set: BookSet): SetView
  /** Number of awake sets. */
  readonly awakeCount: number
}

/** The view of a set. Reads throw ApiError too_many_book_sets while `most` sets are in use. */
export interface SetView extends OpportunityView {
  /**
   * Notes the account that asks for the set next. If that wakes the set, its place counts to this
   * account.
   */
  askedBy(account: string): void
  /** Wakes the set. @throws ApiError too_many_book_sets */
  require(): void
  /**
   * Wakes the set for a stream that will hold it.
   * @throws ApiError too_many_book_sets, also if streams of the account hold `mostOfAccount` others
   */
  reserve(): void
  /** Wakes the set and keeps it awake until the returned function is called. @throws ApiError too_many_book_sets */
  hold(): () => void
  /**
   * Most sets that alerts of one account keep awake; streams have the same limit. Both leave room
   * for others.
   */
  readonly mostOfAccount: number
  /**
   * Returns an opportunity of the set, or undefined, without a read's claim to a place: the set
   * wakes only in a free place, and gives way to any other. `unknown` while no place is free or the
   * set is not complete yet.
   */
  peek(id: string): ListedOpportunity | undefined | 'unknown'
  /** Does most of a first read's work in steps. Until it is done, `version` and `changedAfter` report no change. */
  ahead(): Iterator<void>
}

export interface BookSetViewsOptions extends FollowPricesOptions {
  /** Opportunities of the tiers. */
  readonly table: OpportunityView
  /** Most sets awake at once. */
  readonly most: number
}

/** A set that has not been read for this long sleeps. */
const idleMs = 60_000
/** The share of all sets that one account may hold. */
const shareOfAccount = 1 / 4
/** Lines examined by a set before other work runs: some milliseconds. */
const linesAtOnce = 500

/** Most sets remembered. Further ones stay usable for those who hold them. */
const mostKnown = 500

const everything = Number.POSITIVE_INFINITY

export function createBookSetViews(options: BookSetViewsOptions): BookSetViews {
  const { board, table, most } = options
  const mostOfAccount = Math.max(1, Math.floor(most * shareOfAccount))
  const awake = new Set<OpenSet>()
  /** Views by set, ordered by last use. */
  const known = new Map<string, SetView>()
  let prices: FollowedPrices | null = null
  /** Current time of the follower (epoch ms). */
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

  /** Examines at most `most` moved lines. @returns whether there are more */
  function look(one: OpenSet, most: number): boolean {
    const isMore = one.look(most)
    if (!isMore && !pricesNow().isFilling) one.isBuilt = true
    return isMore
  }

  /** Discards all prices. Awake sets keep their places. */
  function beginAnew() {
    const open = [...awake]
    for (const one of open) one.close()
    prices = null
    for (const one of open) one.open(pricesNow())
  }

  function makeRoom(account: string): boolean {
    if (awake.size < most) return true
    const place = placeFor(account, awake, mostOfAccount, clock)
    if (place) sleep(place)
    return place !== null
  }

  /** @returns false if no place is free */
  function wake(one: OpenSet): boolean {
    const isAwake = awake.has(one)
    if (!isAwake && !makeRoom(one.asker)) return false
    if (!isAwake || one.isSpare) one.account = one.asker
    awake.add(one)
    one.readAt = clock
    if (!one.isOpen) one.open(pricesNow())
    return true
  }

  /** Reads the board's changes since the last call. */
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
      throw tooMany(
        `The opportunities of ${most} sets of sportsbooks are being read; try again later.`,
      )
    }

    /** Whether a stream of the asking account keeps a set awake, or is about to. */
    const isReserved = ({ reserved, heldBy }: OpenSet) =>
      heldBy.has(one.asker) ||
      clock - (reserved.get(one.asker) ?? Number.NEGATIVE_INFINITY) < yieldMs

    function reserve() {
      if (!one.heldBy.has(one.asker)) {
        const others = [...awake].filter((other) => other !== one && isReserved(other))
        if (others.length >= mostOfAccount) {
          throw tooMany(
            `Streams of the account follow ${mostOfAccount} other sets of sportsbooks, as many as those of one account may.`,
          )
        }
        one.reserved.set(one.asker, clock)
      }
      require()
    }

    /** Returns the view, up to date. */
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
        // The set may have lost its place meanwhile.
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
      askedBy(account) {
        one.asker = account
      },
      require,
      reserve,
      ahead,
      mostOfAccount,
      peek(id) {
        if (!awake.has(one) && awake.size >= most) return 'unknown'
        awake.add(one)
        one.peekedAt = clock
        if (!one.isOpen) one.open(pricesNow())
        if (!one.isBuilt) return 'unknown'
        follow()
        look(one, everything)
        return inner.find(id)
      },
      hold() {
        require()
        const { asker, heldBy, reserved } = one
        one.holders++
        // Alerts reserve nothing, and have a share of their own.
        const isOfStream = heldBy.has(asker) || reserved.delete(asker)
        if (isOfStream) heldBy.set(asker, (heldBy.get(asker) ?? 0) + 1)
        return () => {
          one.holders--
          if (!isOfStream) return
          const left = (heldBy.get(asker) ?? 0) - 1
          if (left > 0) heldBy.set(asker, left)
          else heldBy.delete(asker)
        }
      },
      reset() {},
      apply() {},
      find: (id) => current().find(id),
      all: (kind) => current().all(kind),
      ofEvent: (eventId, kind) => (isBuilding() ? [] : current().ofEvent(eventId, kind)),
      changesOn: (eventId, kind) => (isBuilding() ? 0 : current().changesOn(eventId, kind)),
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
      unknownCount: 0,
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
        if (one.holders === 0 && at - Math.max(one.readAt, one.peekedAt) > idleMs) sleep(one)
      }
      if (prices && !prices.isFilling) follow()
    },
    doDeferred() {
      if (!prices) return false
      if (prices.fillSome()) return true
      let isMore = false
      for (const one of awake) {
        if (look(one, linesAtOnce)) isMore = true
        else if (one.inner.doDeferred?.()) isMore = true
      }
      return isMore
    },
  }
}

const tooMany = (message: string) =>
  new ApiError('too_many_book_sets', message, retryAfter(yieldMs / 1_000))

const followed: ReadonlySet<string> = new Set([
  topics.sportsbookStatus.name,
  topics.events.name,
  topics.sightings.name,
])

// ---- a set

interface OpenSet extends Place {
  readonly inner: OpportunityView
  /** The account that asked for it last. */
  asker: string
  account: string
  /** The accounts whose streams are about to hold it, and since when (epoch ms). */
  readonly reserved: Map<string, number>
  /** The number of streams that hold it, by account. */
  readonly heldBy: Map<string, number>
  readAt: number
  /** Time of the last peek (epoch ms). */
  peekedAt: number
  holders: number
  readonly isOpen: boolean
  /** Whether it has examined everything that existed when it was opened. */
  isBuilt: boolean
  /** Version of its view when it was opened. */
  readonly openedAt: number
  open(prices: FollowedPrices): void
  /** Examines at most `most` moved lines. @returns whether there are more */
  look(most: number): boolean
  close(): void
}

function openSet(set: BookSet, { board, table, sources }: BookSetViewsOptions): OpenSet {
  // There may be many sets: each values in pauses what its prices move.
  const inner = createOpportunityView(board, set.fees, false)
  let finder: SetFinder | null = null
  let changes: LogRecord[] = []
  let openedAt = 0

  const changed = (key: string, value: OpportunityRow | null) =>
    changes.push({ topic: topics.opportunities, partition: 0, offset: 0, key, value } as LogRecord)

  return {
    inner,
    asker: '',
    account: '',
    reserved: new Map(),
    readAt: 0,
    peekedAt: 0,
    holders: 0,
    heldBy: new Map(),
    isBuilt: false,
    get isSpare() {
      return this.holders === 0 && this.peekedAt - this.readAt >= yieldMs
    },
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

/** Returns the record that marks a sportsbook as visible to owners only. */
const statusOfOwners = (sportsbook: string) => {
  const value = { sportsbook, audience: 'owner', status: 'up', since: 0 }
  const record = { topic: topics.sportsbookStatus, partition: 0, offset: 0, key: sportsbook, value }
  return record as unknown as LogRecord
}
