/**
 * The board in memory: the tables `events`, `sightings`, `odds`, `withheld-prices`, `main-lines` and
 * `sportsbook-status` with the indexes and ready-to-send rows that the API reads. Written by the
 * changelogs and, only in `markStale`, by the clock. Reads are synchronous and true as of
 * `position`.
 *
 * A view may keep only some sportsbooks (`books`): such a view does not have the others at all, nor
 * events that only they offer.
 */

import type { EventRow } from '../../../schemas/event.ts'
import type { MainLineRow } from '../../../schemas/main-line.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../../schemas/sportsbook-status.ts'
import { topics } from '../../../schemas/topics.ts'
import {
  shownReason,
  type WithheldPrice,
  type WithheldReason,
} from '../../../schemas/withheld-price.ts'
import { invariant } from '../../invariant.ts'
import type { LogRecord, Position } from '../../log/log.ts'
import { teamOf } from '../../rules/odds/outcome-sets.ts'
import { noReferences } from '../../rules/odds/sharp-books.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import type { View } from '../view.ts'
import {
  compareSelections,
  createBlock,
  type Selection,
  type SelectionOrder,
  selectionPlace,
} from './block.ts'
import type { HeadsOf } from './block-texts.ts'
import { countLevel, createBoardIndex, eventListKey, type SportLeague } from './board-index.ts'
import type { Counted } from './book-counts.ts'
import { createEarlyRecords } from './early-records.ts'
import { createInactiveOffers } from './inactive-offers.ts'
import { absentBit, type ChangeKind, changeKind, createJournal, type Journal } from './journal.ts'
import { createMainLineTable } from './main-line-bits.ts'
import { createOddsRows, type OddsRows } from './odds-rows.ts'
import { createRecent, type Recent } from './recent.ts'
import { type PriceLinks, shownLine, writeHeads } from './row-heads.ts'
import { activeBit, liveBit, mainShift } from './row-table.ts'
import { eventTexts } from './row-text.ts'
import { createSportsbooks } from './sportsbooks.ts'
import { type BoardPart, createStamps } from './stamps.ts'
import type { EventBlock, ViewEvent, ViewOffer } from './view-event.ts'

/** A change of an event's status. */
export interface StatusChange {
  /** In the journal's count (epoch µs). */
  readonly stamp: number
  readonly event: ViewEvent
}

export interface BoardView extends View {
  /** @param at when the records came (epoch ms); changes are stamped with it, see `journal.ts` */
  apply(records: readonly LogRecord[], upTo: Position, at: number): void
  /** Moves the watermark: there were no more changes until `at` (epoch ms). */
  advance(at: number): void
  /**
   * Shows as inactive the prices that the pipeline must have withdrawn by now (epoch ms, the clock of the
   * observations), because the pipeline itself may be down. Prices that are seen again are shown as stated.
   */
  markStale(now: number): void
  /**
   * The log's position when prices last went stale or were seen again, for which there is no
   * record; null if never since the last reset.
   */
  readonly staleAt: Position | null
  readonly position: Position | null
  /** Reference sportsbooks, used to measure others: all their prices are withheld. */
  readonly references: ReadonlySet<string>
  /** The board has every change up to this stamp (epoch µs); later changes get higher stamps. */
  readonly watermark: number
  /**
   * The stamp when an event, a sportsbook, its prices on an event, or a market type last came or went. Plans for
   * reading depend on it.
   */
  readonly shapeStamp: number
  /** How often an event has moved within the lists. */
  readonly moves: number
  /** The stamp of the last change to an event's own row. */
  readonly eventStamp: number
  /**
   * Returns a cheap function that gives the stamp of the newest change (including sightings) to
   * anything that a filter on this part may show. It may also count changes of a larger part.
   */
  watch(part: BoardPart): () => number
  /** Returns the current result of `watch`. */
  changeStamp(part: BoardPart): number
  /** The changes of rows, except sightings alone. */
  readonly journal: Journal
  /** The recent changes of events' statuses. */
  readonly statuses: Recent<StatusChange>
  /** The time of the last change (epoch ms, the clock of the observations); 0 when empty. */
  readonly updatedAt: number
  readonly rows: OddsRows<EventBlock, ViewOffer>
  /** Returns the line of a row, with sides as the event is shown. */
  line(row: number): number | null
  /** Returns our address that leads to a price. */
  linkOf(oddsId: number): string
  readonly eventCount: number
  find(eventId: string): ViewEvent | undefined
  /** Returns all events, also those without rows, in no order. */
  allEvents(): Iterable<ViewEvent>
  /** Returns the events with rows, by `eventListKey`, in page order. */
  events(key: string): readonly ViewEvent[]
  /** Returns the leagues with rows, with their sport: an unlisted name may be a league of several sports. */
  leagues(): readonly SportLeague[]
  /** Returns the market types with rows. */
  marketTypes(): readonly string[]
  /** Returns the number of a sportsbook in this view; undefined when it has never been seen. */
  book(sportsbook: string): number | undefined
  /** The sportsbooks by number; some may have no rows now. */
  readonly sportsbooks: readonly string[]
  sportsbooksWithRows(): readonly string[]
  /** See `BookCounts`; levels are `countLevel`s. */
  total(
    level: string,
    books: readonly number[] | undefined,
    live: boolean | undefined,
    main?: number,
  ): number
  /** See `BookCounts.changedAt`. */
  countsChangedAt(levels: readonly string[], isByState: boolean): number
}

/** Rows that are written before other work gets its turn: some milliseconds. */
const rowsAtOnce = 256

export interface BoardViewOptions {
  /** The only sportsbooks to keep; absent for all. */
  readonly books?: ReadonlySet<string>
  /** See `BoardView.linkOf`; default: unsigned addresses. */
  readonly links?: PriceLinks
  /** Reference sportsbooks, used to measure others: all their prices are withheld. */
  readonly references?: ReadonlySet<string>
}

const unsigned = (oddsId: number) => `/api/v1/deeplink/${oddsId}`
const unsignedLinks: PriceLinks = { pathOf: unsigned, pathsOf: (ids) => ids.map(unsigned) }

export function createBoardView(options: BoardViewOptions = {}): BoardView {
  const { books: kept, links = unsignedLinks, references = noReferences } = options
  let events = new Map<string, ViewEvent>()
  const early = createEarlyRecords()
  const stamps = createStamps((id) => events.get(id))
  let index = createBoardIndex(stamps.reshape)
  let position: Position | null = null
  let updatedAt = 0
  let moves = 0
  let eventStamp = 0
  let journal = createJournal()
  const statuses = createRecent<StatusChange>()
  const sportsbooks = createSportsbooks()
  const headsOf: HeadsOf = (some) => writeHeads(rows, some, sportsbooks, links)
  let rows = createOddsRows<EventBlock, ViewOffer>(sportsbooks.compare, headsOf)
  const mainLines = createMainLineTable()
  /** Reasons by odds id; some ids may have no row yet. */
  const withheldPrices = new Map<number, WithheldReason>()
  const inactive = createInactiveOffers({
    rows: () => rows,
    events: () => index.events(eventListKey.all),
    eventsOf: (sportsbook) => index.events(eventListKey.book(sportsbook)),
    changed(row, stateBefore) {
      noteOffer(rows.block(row))
      changedRow(row, changeKind.moved, rows.price(row), stateBefore)
    },
  })

  // ---- stamps

  function changedBlock(block: EventBlock): number {
    const stamp = stamps.stamp(block.event)
    block.changed.stamp = stamp
    block.pricedAt = stamp
    block.event.pricedAt = stamp
    return stamp
  }

  function noteOffer(block: EventBlock) {
    block.offerChanges++
    block.event.offerChanges++
  }

  /** Reports a change of a row, with its price, state and event before the change. */
  function changedRow(
    row: number,
    kind: ChangeKind,
    priceBefore: number,
    stateBefore: number,
    eventBefore?: EventRow,
  ) {
    const block = rows.block(row)
    const { row: event } = block.event
    journal.add({
      stamp: changedBlock(block),
      row,
      id: rows.id(row),
      book: rows.book(row),
      block,
      kind,
      event,
      price: rows.price(row),
      state: rows.state(row),
      eventBefore: eventBefore ?? event,
      priceBefore,
      stateBefore,
    })
  }

  const counted = (row: number, state = rows.state(row)): Counted => ({
    book: rows.book(row),
    isLive: (state & liveBit) !== 0,
    mains: state >> mainShift,
  })

  // ---- events

  function applyEvent(id: string, row: EventRow | null) {
    const event = events.get(id)
    if (!row) {
      early.take(id)
      if (!event) return
      // Its rows are removed by their own tombstones. These may come later on a log of several
      // partitions. If the event is created again with the same id, they may not concern the new
      // rows.
      event.isForgotten = true
      forgetEmpty(event)
      return
    }
    if (event) event.isForgotten = false
    if (!event) {
      const created: ViewEvent = {
        id,
        row,
        startsAt: row.startsAt,
        offers: new Map(),
        blocks: [],
        rowCount: 0,
        liveRowCount: 0,
        offerChanges: 0,
        marketChanges: 0,
        listingChanges: 0,
        pricedAt: 0,
        isForgotten: false,
        texts: eventTexts(row),
        ...stamps.ofEvent(row.league, row.sport),
      }
      events.set(id, created)
      stamps.reshape()
      stamps.stampSeen(created)
      for (const record of early.take(id)) applyRecord(record)
      return
    }
    const before = event.row
    if (row.startsAt !== before.startsAt) {
      if (event.rowCount > 0) moves++
      index.restart(event, row.startsAt)
    }
    event.row = row
    event.texts = eventTexts(row)
    const renamed =
      row.startsAt !== before.startsAt ||
      row.flipped !== before.flipped ||
      row.homeTeam !== before.homeTeam ||
      row.awayTeam !== before.awayTeam
    stamps.stampSeen(event)
    eventStamp = event.changed.stamp
    if (row.status !== before.status) statuses.add({ stamp: event.changed.stamp, event })
    if (!renamed) return
    renameRows(event, before)
  }

  function forgetEmpty(event: ViewEvent) {
    if (!event.isForgotten || event.rowCount > 0) return
    events.delete(event.id)
    stamps.reshape()
  }

  function renameRows(event: ViewEvent, before: EventRow) {
    rows.settle()
    for (const block of event.blocks) {
      for (let i = 0; i < block.count; i++) {
        const row = block.rows[i]!
        rows.rename(row)
        changedRow(row, changeKind.whole, rows.price(row), rows.state(row), before)
      }
    }
  }

  // ---- offers

  function offerOf(event: ViewEvent, sportsbook: string, lastSeenAt: number): ViewOffer {
    let offer = event.offers.get(sportsbook)
    if (!offer) {
      stamps.reshape()
      const book = sportsbooks.numberOf(sportsbook)
      offer = {
        sportsbook,
        book,
        externalId: null,
        isStale: false,
        lastSeenAt,
        head: -1,
        rowCount: 0,
        number: 0,
        event,
      }
      event.offers.set(sportsbook, offer)
    }
    return offer
  }

  function applySighting(event: ViewEvent, sighting: Sighting) {
    const isNew = !event.offers.has(sighting.sportsbook)
    const offer = offerOf(event, sighting.sportsbook, sighting.lastSeenAt)
    const isSame =
      offer.externalId === sighting.externalId && offer.lastSeenAt === sighting.lastSeenAt
    if (isSame && !isNew) return
    if (offer.externalId !== sighting.externalId) event.listingChanges++
    offer.externalId = sighting.externalId
    if (offer.lastSeenAt !== sighting.lastSeenAt) {
      rows.sight(offer, sighting.lastSeenAt)
      inactive.seen(offer)
    }
    stamps.stampSeen(event)
  }

  // ---- rows

  function applyOdds(event: ViewEvent, odds: OddsRow) {
    const known = rows.find(odds.id)
    const price = known >= 0 ? rows.price(known) : 0
    const state = known >= 0 ? rows.state(known) : absentBit
    if (known >= 0 && rows.update(known, odds)) {
      const flipsLive = ((state & liveBit) !== 0) !== odds.isLive
      if (flipsLive || ((state & activeBit) !== 0) !== odds.isActive) noteOffer(rows.block(known))
      if (flipsLive) rows.setMains(known, mainLines.bits(odds))
      if (inactive.isAny() && inactive.has(rows.sighted(known))) rows.setInactive(known, true)
      if (mayWithhold()) rows.judge(known, withheldReason(odds.id, odds.sportsbook))
      changedRow(known, changeKind.moved, price, state)
      if (flipsLive) index.move(rows.block(known), counted(known, state), counted(known))
      return
    }
    if (known >= 0) takeOut(known)
    const offer = offerOf(event, odds.sportsbook, odds.observedAt)
    const block = blockOf(event, odds.marketType)
    const selection = selectionOf(block, odds)
    const row = rows.insert(odds.id, block, selection, offer, odds)
    rows.setMains(row, mainLines.bits(odds))
    invariant(known < 0 || row === known, 'a row that is put in anew keeps its number')
    if (inactive.isAny() && inactive.has(offer)) rows.setInactive(row, true)
    const reason = mayWithhold() ? withheldReason(odds.id, odds.sportsbook) : null
    if (reason !== null) rows.judge(row, reason)
    index.add(block, offer, counted(row))
    noteOffer(block)
    changedRow(row, changeKind.whole, price, state)
  }

  const mayWithhold = () => withheldPrices.size > 0 || references.size > 0

  const withheldReason = (id: number, sportsbook: string): WithheldReason | null =>
    references.has(sportsbook) ? 'reference' : (withheldPrices.get(id) ?? null)

  function applyWithheld(id: number, withheld: WithheldPrice | null) {
    if (withheld && kept && !kept.has(withheld.sportsbook)) return
    if (withheld) withheldPrices.set(id, shownReason(withheld.reason))
    else withheldPrices.delete(id)
    const row = rows.find(id)
    if (row < 0) return
    if (rows.judge(row, withheldReason(id, rows.sighted(row).sportsbook))) {
      noteOffer(rows.block(row))
      changedRow(row, changeKind.moved, rows.price(row), rows.state(row))
    }
  }

  function applyMainLines(key: string, value: MainLineRow | null) {
    const question = mainLines.take(key, value)
    const event = question && events.get(question.eventId)
    const block = event?.blocks.find(({ marketType }) => marketType === question!.marketType)
    if (!block) return
    rows.settle()
    for (let i = 0; i < block.count; i++) {
      const row = block.rows[i]!
      const { playerName, selectionType, line } = rows.selection(row)
      const isLive = rows.isLive(row)
      const isOther = playerName !== question!.playerName || isLive !== question!.isLive
      if (isOther || line === null || teamOf(selectionType) !== question!.team) continue
      const { marketType } = block
      const { sportsbook } = rows.sighted(row)
      const of = {
        eventId: event!.id,
        marketType,
        selectionType,
        playerName,
        line,
        isLive,
        sportsbook,
      }
      const state = rows.state(row)
      const before = counted(row)
      if (!rows.setMains(row, mainLines.bits(of))) continue
      index.move(block, before, counted(row))
      changedRow(row, changeKind.standing, rows.price(row), state)
    }
  }

  function blockOf(event: ViewEvent, marketType: string): EventBlock {
    const { blocks } = event
    for (const block of blocks) if (block.marketType === marketType) return block
    const { league } = event.row
    const levels = index.levelsOf(event.row, marketType)
    const changed = stamps.ofMarket(league, marketType)
    // The spread comes last: if a new field came after it, each object would have its own shape in
    // the engine, and all reads would be slow.
    const block: EventBlock = {
      event,
      levels,
      changed,
      offerChanges: 0,
      pricedAt: 0,
      ...createBlock(marketType),
    }
    let at = blocks.length
    while (at > 0 && compareMarkets(blocks[at - 1]!.marketType, marketType) > 0) at--
    blocks.splice(at, 0, block)
    event.marketChanges++
    return block
  }

  function selectionOf(block: EventBlock, odds: OddsRow): Selection {
    const { selectionType, line, playerName, selection: label } = odds
    const order: SelectionOrder = { label, selectionType, line, playerName }
    const place = selectionPlace(block, order)
    const known = block.selections[place]
    if (known && compareSelections(known, order) === 0) return known
    const selection = { label, selectionType, line, playerName, rowCount: 0, number: 0 }
    block.selections.splice(place, 0, selection)
    return selection
  }

  function removeRow(row: number) {
    const block = rows.block(row)
    const id = rows.id(row)
    const book = rows.book(row)
    const price = rows.price(row)
    const stateBefore = rows.state(row)
    const { row: event } = block.event
    takeOut(row)
    journal.add({
      stamp: changedBlock(block),
      row,
      id,
      book,
      block,
      kind: changeKind.whole,
      event,
      price,
      state: absentBit,
      eventBefore: event,
      priceBefore: price,
      stateBefore,
    })
    forgetEmpty(block.event)
  }

  /** Removes a row from the board. The caller reports whether clients lose it. */
  function takeOut(row: number) {
    const block = rows.block(row)
    const offer = rows.sighted(row)
    const { event } = block
    const of = counted(row)
    rows.remove(row)
    noteOffer(block)
    index.remove(block, offer, of)
    if (block.count === 0) {
      event.blocks.splice(event.blocks.indexOf(block), 1)
      event.marketChanges++
    }
  }

  // ---- records

  function moveTo(at: number) {
    stamps.moveTo(at)
    statuses.expire(stamps.watermark)
  }

  function applyRecord(record: LogRecord) {
    const { topic, key, value } = record
    if (topic.name === topics.odds.name) {
      if (value === null) {
        const row = rows.find(Number(key))
        if (row >= 0) removeRow(row)
        else early.withdraw(record)
        return
      }
      const odds = value as OddsRow
      if (kept && !kept.has(odds.sportsbook)) return
      updatedAt = Math.max(updatedAt, odds.observedAt)
      const event = events.get(odds.eventId)
      if (event) applyOdds(event, odds)
      else early.wait(odds.eventId, record)
    } else if (topic.name === topics.sightings.name) {
      if (value === null) {
        early.withdraw(record)
        return
      }
      const sighting = value as Sighting
      if (kept && !kept.has(sighting.sportsbook)) return
      updatedAt = Math.max(updatedAt, sighting.lastSeenAt)
      const event = events.get(sighting.eventId)
      if (event) applySighting(event, sighting)
      else early.wait(sighting.eventId, record)
    } else if (topic.name === topics.events.name) {
      applyEvent(key, value as EventRow | null)
    } else if (topic.name === topics.withheldPrices.name) {
      applyWithheld(Number(key), value as WithheldPrice | null)
    } else if (topic.name === topics.mainLines.name) {
      applyMainLines(key, value as MainLineRow | null)
    } else if (topic.name === topics.sportsbookStatus.name && value) {
      inactive.applyStatus(key, value as SportsbookStatus)
    }
  }

  return {
    references,
    tables: [
      topics.sportsbookStatus,
      topics.events,
      topics.sightings,
      topics.odds,
      topics.withheldPrices,
      topics.mainLines,
    ],
    reset(at) {
      moveTo(at)
      rows = createOddsRows(sportsbooks.compare, headsOf)
      events = new Map()
      index = createBoardIndex(stamps.reshape)
      early.clear()
      inactive.clear()
      withheldPrices.clear()
      mainLines.clear()
      stamps.clear()
      stamps.reshape()
      journal = createJournal()
      journal.clear(stamps.watermark)
      statuses.clear(stamps.watermark)
      position = null
      updatedAt = 0
    },
    apply(records, upTo, at) {
      moveTo(at)
      for (const record of records) applyRecord(record)
      rows.settle()
      inactive.settle(upTo)
      position = upTo
    },
    advance: moveTo,
    doDeferred: () => rows.writeSome(rowsAtOnce),
    markStale: (now) => inactive.markStale(now, position),
    get staleAt() {
      return inactive.staleAt
    },
    get watermark() {
      return stamps.watermark
    },
    watch: stamps.watch,
    changeStamp: (part) => stamps.watch(part)(),
    get shapeStamp() {
      return stamps.shapeStamp
    },
    get moves() {
      return moves
    },
    get eventStamp() {
      return eventStamp
    },
    get journal() {
      return journal
    },
    statuses,
    linkOf: links.pathOf,
    get position() {
      return position
    },
    get updatedAt() {
      return updatedAt
    },
    get rows() {
      return rows
    },
    line(row) {
      const { event, marketType } = rows.block(row)
      return shownLine(event, marketType, rows.selection(row))
    },
    get eventCount() {
      return index.events(eventListKey.all).length
    },
    find: (eventId) => events.get(eventId),
    allEvents: () => events.values(),
    events: (key) => index.events(key),
    leagues: () => index.leagues(),
    marketTypes: () => index.marketTypes(),
    book: sportsbooks.find,
    sportsbooks: sportsbooks.names,
    sportsbooksWithRows: () =>
      sportsbooks.names.filter(
        (_, book) => index.counts.total(countLevel.all, [book], undefined) > 0,
      ),
    total: (level, books, live, main) => index.counts.total(level, books, live, main),
    countsChangedAt: (levels, isByState) => index.counts.changedAt(levels, isByState),
  }
}

const unlistedMarket = 1e6

/** Compares markets in page order: as in the registry (main markets first), then by name. */
export function compareMarkets(a: string, b: string): number {
  return marketRank(a) - marketRank(b) || compareTexts(a, b)
}

const marketRank = (marketType: string) => findMarket(marketType)?.numericalId ?? unlistedMarket
