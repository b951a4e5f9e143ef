/**
 * The board in memory: the tables `events`, `sightings` and `odds` with the indexes and
 * ready-to-send rows that the API reads. Written by the changelog alone; reads are synchronous and
 * true as of `position`.
 *
 * A view may keep only some sportsbooks (`books`): such a view knows nothing of the others, not even
 * that an event exists which only they offer.
 */

import { type EventRow, flipLine, flipSelectionType } from '../../../schemas/event.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import { topics } from '../../../schemas/topics.ts'
import type { LogRecord, Position } from '../../log/log.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { createBookCounts, type Level } from './book-counts.ts'
import { type ChangeTimes, createChangeTimes } from './change-times.ts'
import {
  type Block,
  compareSelections,
  createBlock,
  createOddsRows,
  type OddsRows,
  type Selection,
  type SelectionOrder,
  type Sighted,
  selectionPlace,
} from './odds-rows.ts'
import { createRemovals, type Removals } from './removals.ts'
import { type EventTexts, eventTexts, rowHead, sportsbookText } from './row-text.ts'
import { createSortedEvents, type Ordered } from './sorted-events.ts'

/** One sportsbook on one event, with the list of its rows. */
export interface ViewOffer extends Sighted {
  readonly event: ViewEvent
  readonly sportsbook: string
  externalId: string | null
}

/** The rows of one market of an event. */
export interface EventBlock extends Block {
  readonly event: ViewEvent
  /** The levels its rows count at. */
  readonly levels: readonly Level[]
  /** The newest change to a row of its market in its league. */
  readonly changed: Changed
}

export interface ViewEvent extends Ordered {
  row: EventRow
  startsAt: number
  readonly offers: Map<string, ViewOffer>
  /** In page order: main markets first. */
  readonly blocks: EventBlock[]
  rowCount: number
  liveRowCount: number
  /** How often rows came, went, or changed in whether bets are taken or they are live. */
  offerChanges: number
  /** The stamp of the newest time a row of it came, went or changed; sightings do not count. */
  pricedAt: number
  /** The stamp of the newest time a row of it came, or changed in whether it is live. */
  flippedAt: number
  /** Its own row is gone; it stays while it has prices. */
  isForgotten: boolean
  /** What its rows say of it. */
  texts: EventTexts
  /** The newest change to anything of it, and to its league and sport. */
  readonly changed: Changed
  readonly leagueChanged: Changed
  readonly sportChanged: Changed
  /** The newest change in its league that is of no one market: sightings, names, starts. */
  readonly leagueSeen: Changed
}

/** The stamp of the newest change to something, sightings included; 0 for none yet. */
export interface Changed {
  stamp: number
}

/** Part of the board; no member names all of it. */
export interface BoardPart {
  readonly eventIds?: readonly string[] | undefined
  readonly leagues?: readonly string[] | undefined
  readonly sports?: readonly string[] | undefined
  readonly marketTypes?: readonly string[] | undefined
}

export interface BoardView {
  /** Empties the view: a fresh replay begins. @param at now (epoch ms) */
  reset(at: number): void
  /** @param at when the records came (epoch ms); changes are stamped with it, see `change-times.ts` */
  apply(records: readonly LogRecord[], upTo: Position, at: number): void
  /** Says that nothing more came until `at` (epoch ms): the watermark moves on. */
  advance(at: number): void
  readonly position: Position | null
  /** Everything that changed up to this stamp (epoch µs) is here, and what comes later is above it. */
  readonly watermark: number
  /** When an event, a sportsbook or a market type last came or went: what a plan for reading rests on. */
  readonly shapeStamp: number
  /** How often an event has taken another place in the lists. */
  readonly moves: number
  /**
   * The stamp of the newest change, sightings included, to anything a filter on this part may show;
   * some parts are told apart less finely than they are named. Cheap to call again and again.
   */
  watch(part: BoardPart): () => number
  /** What `watch` would say now. */
  changeStamp(part: BoardPart): number
  /** When rows changed; sightings alone do not count. */
  readonly changes: ChangeTimes
  /** Rows that have gone. */
  readonly removals: Removals
  /** When anything here last changed (epoch ms, the clock of the observations); 0 when empty. */
  readonly updatedAt: number
  readonly rows: OddsRows
  /** The line a row says, sides as the event is shown. */
  line(row: number): number | null
  readonly eventCount: number
  find(eventId: string): ViewEvent | undefined
  /** Events with rows, by `eventListKey`, in page order. */
  events(key: string): readonly ViewEvent[]
  /** Leagues with rows, with their sport: an unlisted name may be a league of several. */
  leagues(): readonly SportLeague[]
  /** Market types with rows. */
  marketTypes(): readonly string[]
  /** The number of a sportsbook in this view; undefined when it has never been seen. */
  book(sportsbook: string): number | undefined
  /** By number; some may have no rows now. */
  readonly sportsbooks: readonly string[]
  sportsbooksWithRows(): readonly string[]
  /** See `BookCounts.total`; levels are `countLevel`s. */
  total(level: string, books: readonly number[] | undefined, live: boolean | undefined): number
}

/** Keys of the event lists. */
export const eventListKey = {
  all: '*',
  /** Events with a live row. */
  live: 'live',
  sport: (sport: string) => `sport:${sport}`,
  league: (league: string) => `league:${league}`,
  book: (sportsbook: string) => `book:${sportsbook}`,
}

/** Keys of the parts of the board whose changes are told apart. */
const partKey = {
  sport: (sport: string) => `sport:${sport}`,
  league: (league: string) => `league:${league}`,
  leagueSeen: (league: string) => `seen:${league}`,
  leagueMarket: (league: string, marketType: string) => `${league}|${marketType}`,
}

/** The place of `countLevel.market` among the levels of a block. */
const marketLevel = 2

/** A league within its sport. */
export interface SportLeague {
  readonly sport: string
  readonly league: string
}

/** Levels of the row counts. */
export const countLevel = {
  all: '*',
  sport: (sport: string) => `sport:${sport}`,
  market: (marketType: string) => `market:${marketType}`,
  league: ({ sport, league }: SportLeague) => `league:${sport}|${league}`,
  leagueMarket: ({ sport, league }: SportLeague, marketType: string) =>
    `league:${sport}|${league}|${marketType}`,
}

export function createBoardView(options: { books?: ReadonlySet<string> } = {}): BoardView {
  const kept = options.books
  let rows = createOddsRows(compareBooks)
  let events = new Map<string, ViewEvent>()
  let lists = createSortedEvents<ViewEvent>()
  let counts = createBookCounts()
  /** Records whose event has not come yet, by event. */
  let waiting = new Map<string, LogRecord[]>()
  /** The event that an odds row among them waits for, by odds key. */
  let waitingOdds = new Map<string, string>()
  let position: Position | null = null
  let updatedAt = 0
  let watermark = 0
  let moves = 0
  /** Events, sportsbooks or market types came or went. */
  const shape: Changed = { stamp: 0 }
  const boardChanged: Changed = { stamp: 0 }
  let changedParts = new Map<string, Changed>()
  let changes = createChangeTimes()
  const removals = createRemovals()
  let leagues = new Map<string, SportLeague>()
  let marketTypes = new Set<string>()
  const sportsbooks: string[] = []
  const bookNumbers = new Map<string, number>()
  /** What rows say of each sportsbook, by number. */
  const bookTexts: string[] = []
  const isLinked: boolean[] = []
  const rowsOfBook: number[] = []

  function bookNumber(sportsbook: string): number {
    let number = bookNumbers.get(sportsbook)
    if (number === undefined) {
      number = sportsbooks.push(sportsbook) - 1
      bookNumbers.set(sportsbook, number)
      rowsOfBook.push(0)
      const known = findSportsbook(sportsbook)
      bookTexts.push(sportsbookText({ sportsbook, name: known?.displayName ?? sportsbook }))
      isLinked.push((known?.deepLinks ?? null) !== null)
    }
    return number
  }

  function compareBooks(a: number, b: number) {
    return compareTexts(sportsbooks[a]!, sportsbooks[b]!)
  }

  // ---- stamps

  function nextStamp(): number {
    watermark++
    return watermark
  }

  function stampAll(event: ViewEvent): number {
    const stamp = nextStamp()
    event.changed.stamp = stamp
    event.leagueChanged.stamp = stamp
    event.sportChanged.stamp = stamp
    boardChanged.stamp = stamp
    return stamp
  }

  /** Something that is of no one market. */
  function changed(event: ViewEvent) {
    event.leagueSeen.stamp = stampAll(event)
  }

  function changedBlock(block: EventBlock): number {
    const stamp = stampAll(block.event)
    block.changed.stamp = stamp
    block.event.pricedAt = stamp
    return stamp
  }

  function changedRow(row: number, isWhole: boolean) {
    changes.touch(row, changedBlock(rows.block(row) as EventBlock), isWhole)
  }

  function part(key: string): Changed {
    let stamp = changedParts.get(key)
    if (!stamp) {
      stamp = { stamp: 0 }
      changedParts.set(key, stamp)
      // Whoever watches the place it was to appear in looks again.
      reshaped()
    }
    return stamp
  }

  /** What has to be looked at for a part of the board of this shape. */
  function changesOf({ eventIds, leagues, sports, marketTypes }: BoardPart): readonly Changed[] {
    const known = (keys: readonly string[]) => keys.flatMap((key) => changedParts.get(key) ?? [])
    if (eventIds) return eventIds.flatMap((id) => events.get(id)?.changed ?? [])
    if (leagues && marketTypes) {
      return known(
        leagues.flatMap((league) => [
          partKey.leagueSeen(league),
          ...marketTypes.map((marketType) => partKey.leagueMarket(league, marketType)),
        ]),
      )
    }
    if (leagues) return known(leagues.map(partKey.league))
    return sports ? known(sports.map(partKey.sport)) : [boardChanged]
  }

  function watch(of: BoardPart): () => number {
    let shapeStamp = -1
    let watched: readonly Changed[] = []
    return () => {
      if (shapeStamp !== shape.stamp) {
        shapeStamp = shape.stamp
        watched = changesOf(of)
      }
      let newest = shapeStamp
      for (const { stamp } of watched) if (stamp > newest) newest = stamp
      return newest
    }
  }

  function reshaped() {
    shape.stamp = nextStamp()
    boardChanged.stamp = shape.stamp
  }

  // ---- lists and counts: an event is listed while it has rows

  function listKeys({ row }: ViewEvent) {
    return [eventListKey.all, eventListKey.sport(row.sport), eventListKey.league(row.league)]
  }

  function list(event: ViewEvent) {
    for (const key of listKeys(event)) lists.add(key, event)
    for (const offer of event.offers.values()) {
      if (offer.rowCount > 0) lists.add(eventListKey.book(offer.sportsbook), event)
    }
    if (event.liveRowCount > 0) lists.add(eventListKey.live, event)
  }

  function unlist(event: ViewEvent) {
    for (const key of listKeys(event)) lists.remove(key, event)
    for (const offer of event.offers.values()) {
      if (offer.rowCount > 0) lists.remove(eventListKey.book(offer.sportsbook), event)
    }
    if (event.liveRowCount > 0) lists.remove(eventListKey.live, event)
  }

  function countRow(row: number, by: 1 | -1) {
    const { levels, event } = rows.block(row) as EventBlock
    const isLive = rows.isLive(row)
    const { book } = rows.sighted(row)
    counts.add(levels, book, isLive, by)
    event.rowCount += by
    event.offerChanges++
    rowsOfBook[book]! += by
    // Whether a scope has anything of this market type follows from its sportsbooks' rows of it.
    const market = levels[marketLevel]!.counts
    const ofMarket = market[2 * book]! + market[2 * book + 1]!
    const isFirst = by > 0 && (rowsOfBook[book] === 1 || ofMarket === 1)
    if (isFirst || rowsOfBook[book] === 0 || ofMarket === 0) reshaped()
    if (isLive) countLive(event, by)
  }

  function countLive(event: ViewEvent, by: 1 | -1) {
    if (event.liveRowCount === 0) lists.add(eventListKey.live, event)
    event.liveRowCount += by
    if (event.liveRowCount === 0) lists.remove(eventListKey.live, event)
  }

  // ---- events

  function applyEvent(id: string, row: EventRow | null) {
    const event = events.get(id)
    if (!row) {
      arrived(id)
      if (!event) return
      // Its rows end by tombstones of their own. On a log of several partitions, or when the event is
      // made anew under the same id, these may come later, or not be meant for the new rows.
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
        pricedAt: 0,
        flippedAt: 0,
        isForgotten: false,
        texts: eventTexts(row),
        changed: { stamp: 0 },
        leagueChanged: part(partKey.league(row.league)),
        sportChanged: part(partKey.sport(row.sport)),
        leagueSeen: part(partKey.leagueSeen(row.league)),
      }
      events.set(id, created)
      reshaped()
      changed(created)
      for (const record of arrived(id)) applyRecord(record)
      return
    }
    const before = event.row
    if (row.startsAt !== before.startsAt && event.rowCount > 0) {
      unlist(event)
      event.startsAt = row.startsAt
      list(event)
      moves++
    }
    event.startsAt = row.startsAt
    event.row = row
    event.texts = eventTexts(row)
    const renamed =
      row.startsAt !== before.startsAt ||
      row.flipped !== before.flipped ||
      row.homeTeam !== before.homeTeam ||
      row.awayTeam !== before.awayTeam
    changed(event)
    if (renamed) renameRows(event)
  }

  function forgetEmpty(event: ViewEvent) {
    if (!event.isForgotten || event.rowCount > 0) return
    events.delete(event.id)
    reshaped()
  }

  function renameRows(event: ViewEvent) {
    rows.settle()
    for (const block of event.blocks) {
      for (let i = 0; i < block.count; i++) {
        const row = block.rows[i]!
        const { book } = rows.sighted(row)
        const category = rows.statCategory(row)
        rows.rename(row, head(rows.id(row), block, rows.selection(row), book, category))
        changedRow(row, true)
      }
    }
  }

  function head(
    id: number,
    { event, marketType }: EventBlock,
    selection: Selection,
    book: number,
    statCategory: string | null,
  ): string {
    const { flipped } = event.row
    const { label, selectionType, playerName } = selection
    return rowHead({
      id,
      sportsbook: bookTexts[book]!,
      event: event.texts,
      marketType,
      selection: label,
      selectionType: flipped ? flipSelectionType(selectionType, marketType) : selectionType,
      line: shownLine(event, marketType, selection),
      playerName,
      statCategory,
      isLinked: isLinked[book]!,
    })
  }

  function shownLine(
    { row }: ViewEvent,
    marketType: string,
    { selectionType, line }: Selection,
  ): number | null {
    return row.flipped ? flipLine(selectionType, line, marketType) : line
  }

  // ---- offers

  function offerOf(event: ViewEvent, sportsbook: string, lastSeenAt: number): ViewOffer {
    let offer = event.offers.get(sportsbook)
    if (!offer) {
      reshaped()
      const book = bookNumber(sportsbook)
      offer = {
        sportsbook,
        book,
        externalId: null,
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
    offer.externalId = sighting.externalId
    if (offer.lastSeenAt !== sighting.lastSeenAt) rows.sight(offer, sighting.lastSeenAt)
    changed(event)
  }

  // ---- rows

  function applyOdds(event: ViewEvent, odds: OddsRow) {
    const known = rows.find(odds.id)
    if (known >= 0 && saysTheSame(known, odds)) {
      const flipsLive = rows.isLive(known) !== odds.isLive
      if (flipsLive || rows.isActive(known) !== odds.isActive) event.offerChanges++
      rows.update(known, odds)
      changedRow(known, false)
      if (flipsLive) {
        event.flippedAt = watermark
        const { levels } = rows.block(known) as EventBlock
        counts.flip(levels, rows.sighted(known).book, odds.isLive)
        countLive(event, odds.isLive ? 1 : -1)
      }
      return
    }
    if (known >= 0) takeOut(known)
    const offer = offerOf(event, odds.sportsbook, odds.observedAt)
    const block = blockOf(event, odds.marketType)
    const selection = selectionOf(block, odds)
    if (event.rowCount === 0) {
      for (const key of listKeys(event)) lists.add(key, event)
      reshaped()
    }
    if (offer.rowCount === 0) {
      lists.add(eventListKey.book(odds.sportsbook), event)
      // Scopes of its tier may see the event from now on.
      reshaped()
    }
    const { id, statCategory } = odds
    const text = head(id, block, selection, offer.book, statCategory)
    const row = rows.insert(id, block, selection, offer, statCategory, text, odds)
    countRow(row, 1)
    changedRow(row, true)
    event.flippedAt = watermark
  }

  /** Whether a row may keep its head: what it says of the bet is what it said before. */
  function saysTheSame(row: number, odds: OddsRow): boolean {
    return (
      rows.selection(row).label === odds.selection && rows.statCategory(row) === odds.statCategory
    )
  }

  function blockOf(event: ViewEvent, marketType: string): EventBlock {
    const { blocks } = event
    for (const block of blocks) if (block.marketType === marketType) return block
    const { sport, league } = event.row
    const levels = [
      countLevel.all,
      countLevel.sport(sport),
      countLevel.market(marketType),
      countLevel.league({ sport, league }),
      countLevel.leagueMarket({ sport, league }, marketType),
    ].map(counts.level)
    leagues.set(countLevel.league({ sport, league }), { sport, league })
    if (!marketTypes.has(marketType)) {
      marketTypes.add(marketType)
      reshaped()
    }
    const changed = part(partKey.leagueMarket(league, marketType))
    // The spread comes last: behind one, members that it does not have give each object a shape of its
    // own, and all that reads such objects is slow.
    const block: EventBlock = { event, levels, changed, ...createBlock(marketType) }
    let at = blocks.length
    while (at > 0 && compareMarkets(blocks[at - 1]!.marketType, marketType) > 0) at--
    blocks.splice(at, 0, block)
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
    const block = rows.block(row) as EventBlock
    const id = rows.id(row)
    const { book } = rows.sighted(row)
    takeOut(row)
    removals.add({ stamp: changedBlock(block), id, book, block })
    forgetEmpty(block.event)
  }

  /** Takes a row off the board; whether it is gone for clients is the caller's to say. */
  function takeOut(row: number) {
    const block = rows.block(row) as EventBlock
    const offer = rows.sighted(row) as ViewOffer
    const { event } = block
    countRow(row, -1)
    changes.drop(row)
    rows.remove(row)
    if (block.count === 0) event.blocks.splice(event.blocks.indexOf(block), 1)
    if (offer.rowCount === 0) lists.remove(eventListKey.book(offer.sportsbook), event)
    if (event.rowCount === 0) {
      for (const key of listKeys(event)) lists.remove(key, event)
      reshaped()
    }
    const { marketType } = block
    const { sport, league } = event.row
    const leagueLevel = countLevel.league({ sport, league })
    if (counts.total(leagueLevel, undefined, undefined) === 0) leagues.delete(leagueLevel)
    if (counts.total(countLevel.market(marketType), undefined, undefined) === 0) {
      marketTypes.delete(marketType)
      reshaped()
    }
  }

  // ---- records

  function moveTo(at: number) {
    watermark = Math.max(watermark, 1_000 * at)
    removals.expire(watermark)
  }

  function wait(eventId: string, record: LogRecord) {
    const { topic, key } = record
    if (topic.name === topics.odds.name) waitingOdds.set(key, eventId)
    const early = waiting.get(eventId)
    if (early) early.push(record)
    else waiting.set(eventId, [record])
  }

  /** Takes out what waits for an event. */
  function arrived(eventId: string): readonly LogRecord[] {
    const early = waiting.get(eventId) ?? []
    waiting.delete(eventId)
    for (const { topic, key } of early) {
      if (topic.name === topics.odds.name) waitingOdds.delete(key)
    }
    return early
  }

  /** A price withdrawn before its event came. */
  function forgetWaiting({ topic, key }: LogRecord) {
    const eventId = waitingOdds.get(key)
    if (eventId === undefined) return
    waitingOdds.delete(key)
    const early = waiting.get(eventId) ?? []
    const left = early.filter((other) => other.topic.name !== topic.name || other.key !== key)
    if (left.length > 0) waiting.set(eventId, left)
    else waiting.delete(eventId)
  }

  function applyRecord(record: LogRecord) {
    const { topic, key, value } = record
    if (topic.name === topics.odds.name) {
      if (value === null) {
        const row = rows.find(Number(key))
        if (row >= 0) removeRow(row)
        else forgetWaiting(record)
        return
      }
      const odds = value as OddsRow
      if (kept && !kept.has(odds.sportsbook)) return
      updatedAt = Math.max(updatedAt, odds.observedAt)
      const event = events.get(odds.eventId)
      if (event) applyOdds(event, odds)
      else wait(odds.eventId, record)
    } else if (topic.name === topics.sightings.name) {
      if (value === null) return
      const sighting = value as Sighting
      if (kept && !kept.has(sighting.sportsbook)) return
      updatedAt = Math.max(updatedAt, sighting.lastSeenAt)
      const event = events.get(sighting.eventId)
      if (event) applySighting(event, sighting)
      else wait(sighting.eventId, record)
    } else if (topic.name === topics.events.name) {
      applyEvent(key, value as EventRow | null)
    }
  }

  return {
    reset(at) {
      moveTo(at)
      rows = createOddsRows(compareBooks)
      events = new Map()
      lists = createSortedEvents()
      counts = createBookCounts()
      waiting = new Map()
      waitingOdds = new Map()
      leagues = new Map()
      marketTypes = new Set()
      rowsOfBook.fill(0)
      changes = createChangeTimes()
      changedParts = new Map()
      reshaped()
      removals.clear(watermark)
      position = null
      updatedAt = 0
    },
    apply(records, upTo, at) {
      moveTo(at)
      for (const record of records) applyRecord(record)
      rows.settle()
      position = upTo
    },
    advance: moveTo,
    get watermark() {
      return watermark
    },
    watch,
    changeStamp: (part) => watch(part)(),
    get shapeStamp() {
      return shape.stamp
    },
    get moves() {
      return moves
    },
    get changes() {
      return changes
    },
    removals,
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
      const { event, marketType } = rows.block(row) as EventBlock
      return shownLine(event, marketType, rows.selection(row))
    },
    get eventCount() {
      return lists.list(eventListKey.all).length
    },
    find: (eventId) => events.get(eventId),
    events: (key) => lists.list(key),
    leagues: () => [...leagues.values()],
    marketTypes: () => [...marketTypes],
    book: (sportsbook) => bookNumbers.get(sportsbook),
    sportsbooks,
    sportsbooksWithRows: () =>
      sportsbooks.filter((_, book) => counts.total(countLevel.all, [book], undefined) > 0),
    total: (level, books, live) => counts.total(level, books, live),
  }
}

const unlistedMarket = 1e6

/** Page order of markets: as in the registry (main markets first), then by name. */
export function compareMarkets(a: string, b: string): number {
  return marketRank(a) - marketRank(b) || compareTexts(a, b)
}

const marketRank = (marketType: string) => findMarket(marketType)?.numericalId ?? unlistedMarket
