/**
 * What a tick means to those who ask for the same prices: rows that are new to them, rows that moved,
 * ids to take out; and its frames, which all of them can be sent.
 */

import { reserve } from '../../../../pipeline/text/page-buffer.ts'
import type { BoardView, EventBlock } from '../../../../pipeline/views/board/board-view.ts'
import type { Removal } from '../../../../pipeline/views/board/removals.ts'
import { eventsOf, type OddsFilter } from '../../../../pipeline/views/query/odds-page.ts'
import { bookMask, createRowFilter } from '../../../../pipeline/views/query/row-filter.ts'
import type { RequestedOdds } from '../../../ask/odds-filter.ts'
import { appendBriefly, appendNumber, type Frames } from '../../transports/frames.ts'
import type { Framing, OddsFrame } from '../../transports/framing.ts'
import type { OddsTick } from './odds-tick.ts'

/** Of one sportsbook. */
interface BookNews {
  readonly rows: number[]
  /** Which of them are told whole even to who takes only what moves. */
  readonly isWhole: boolean[]
  readonly removed: number[]
}

/** By the sportsbook's number in the view. */
export type OddsNews = ReadonlyMap<number, BookNews>

export interface OddsQuestion {
  /** What happened in the tick to those who were up to date before it. */
  take(tick: OddsTick): OddsNews
  /**
   * The same for one who was told of the board up to `known` and is told of it since in pieces: rows
   * that came or were renamed after it are told whole.
   * @param known a stamp; -1 to tell every row whole
   */
  catchUp(tick: OddsTick, known: number): OddsNews
  /** Whether a row that has gone may have been one of those asked for. */
  mayHaveNamed(removal: Removal): boolean
  /** Ids of rows that changed after a stamp, and of all that have gone. */
  changedSince(since: number): number[]
  /** What these rows are now, by id, for one of whom it is not known which of them it has. */
  tell(ids: Iterable<number>): OddsNews
  /** Forgets which rows were named: the board has been replaced. */
  reset(): void
}

export function createOddsQuestion(view: BoardView, requested: RequestedOdds): OddsQuestion {
  let test = createTest(view, requested.filter())
  /** Every event it has meant, by what of it is asked now or was. */
  const eventIds = new Set<string>()
  /** Rows named at the tick before, by id, where that does not follow from what a row is for good. */
  let members: Set<number> | null = null

  function testNow(): Test {
    const filter = requested.filter()
    if (filter !== test.filter) test = createTest(view, filter)
    for (const id of filter.eventIds ?? []) eventIds.add(id)
    for (const id of requested.changesFilter().eventIds ?? []) eventIds.add(id)
    return test
  }

  const isStateful = ({ filter: { live, minAmerican, maxAmerican } }: Test) =>
    live !== undefined || minAmerican !== undefined || maxAmerican !== undefined

  function rowsOf(tick: OddsTick, { filter }: Test): readonly number[] {
    if (filter.eventIds) return filter.eventIds.flatMap((id) => [...tick.rowsOfEvent(id)])
    const { leagues } = filter
    if (!leagues) return tick.rows
    const [only] = leagues
    if (leagues.length === 1) return tick.rowsOfLeague(only!)
    return leagues.flatMap((league) => [...tick.rowsOfLeague(league)])
  }

  /** Whether a row that has gone may have been named. */
  function removalTest({ filter, books }: Test): (removal: Removal) => boolean {
    const { marketTypes, leagues, sports } = filter
    const isMarket = requested.changesFilter().isMarketNamed ?? among(marketTypes)
    const [isLeague, isSport] = [among(leagues), among(sports)]
    return ({ book, block }) => {
      const { league, sport, id } = block.event.row
      if (books && books[book] !== 1) return false
      if (filter.eventIds && !eventIds.has(id)) return false
      return isLeague(league) && isSport(sport) && isMarket(block.marketType)
    }
  }

  function removals(tick: OddsTick, news: Map<number, BookNews>, now: Test) {
    if (tick.removed.length === 0) return
    const isNamed = removalTest(now)
    for (const removal of tick.removed) {
      const { id, book } = removal
      const wasMember = members?.delete(id)
      if (wasMember !== false && isNamed(removal)) newsOf(news, book).removed.push(id)
    }
  }

  function add(news: Map<number, BookNews>, row: number, isWhole: boolean) {
    const of = newsOf(news, view.rows.sighted(row).book)
    of.rows.push(row)
    of.isWhole.push(isWhole)
  }

  function allMembers(now: Test): Set<number> {
    const found = new Set<number>()
    const next = eventsOf(view, now.filter, undefined)
    for (let event = next(); event; event = next()) {
      for (const { rows, count } of event.blocks) {
        for (let i = 0; i < count; i++) {
          const row = rows[i]!
          if (now.lasts(row) && now.holds(row)) found.add(view.rows.id(row))
        }
      }
    }
    return found
  }

  return {
    take(tick) {
      const now = testNow()
      const news = new Map<number, BookNews>()
      const { wholeStamps } = view.changes
      if (!isStateful(now)) {
        for (const row of rowsOf(tick, now)) {
          if (now.lasts(row)) add(news, row, wholeStamps[row]! > tick.since)
        }
      } else if (!members) {
        // The first tick: who asks from here on is given a snapshot of it.
        members = allMembers(now)
        return news
      } else {
        for (const row of rowsOf(tick, now)) {
          if (!now.lasts(row)) continue
          const id = view.rows.id(row)
          if (now.holds(row)) {
            const isNew = !members.has(id)
            if (isNew) members.add(id)
            add(news, row, isNew || wholeStamps[row]! > tick.since)
          } else if (members.delete(id)) {
            newsOf(news, view.rows.sighted(row).book).removed.push(id)
          }
        }
      }
      removals(tick, news, now)
      return news
    },

    catchUp(tick, known) {
      const now = testNow()
      const news = new Map<number, BookNews>()
      const { wholeStamps } = view.changes
      const depends = isStateful(now)
      const kept = members
      // What was named then is not known: a whole row says all, and an id too many does no harm.
      members = null
      for (const row of rowsOf(tick, now)) {
        if (!now.lasts(row)) continue
        if (!now.holds(row))
          newsOf(news, view.rows.sighted(row).book).removed.push(view.rows.id(row))
        else add(news, row, depends || wholeStamps[row]! > known)
      }
      removals(tick, news, now)
      members = kept
      return news
    },

    mayHaveNamed: (removal) => removalTest(testNow())(removal),

    changedSince(since) {
      const now = testNow()
      const { rows, changes } = view
      const { stamps } = changes
      const ids: number[] = []
      for (let row = 0; row < stamps.length; row++) {
        if (stamps[row]! > since && now.lasts(row)) ids.push(rows.id(row))
      }
      const isNamed = removalTest(now)
      for (const removal of view.removals.after(since)) {
        if (rows.find(removal.id) < 0 && isNamed(removal)) ids.push(removal.id)
      }
      return ids
    },

    tell(ids) {
      const now = testNow()
      const news = new Map<number, BookNews>()
      for (const id of new Set(ids)) {
        const row = view.rows.find(id)
        // Whose it was is not known any more.
        if (row < 0) newsOf(news, unknownBook).removed.push(id)
        else if (now.lasts(row) && now.holds(row)) add(news, row, true)
        else if (now.lasts(row)) newsOf(news, view.rows.sighted(row).book).removed.push(id)
      }
      return news
    },

    reset() {
      members = null
    },
  }
}

const unknownBook = -1

function newsOf(news: Map<number, BookNews>, book: number): BookNews {
  let of = news.get(book)
  if (!of) {
    of = { rows: [], isWhole: [], removed: [] }
    news.set(book, of)
  }
  return of
}

const among = (named: readonly string[] | undefined) => {
  const set = named && new Set(named)
  return (value: string) => !set || set.has(value)
}

/** Whether a row is asked for: by what it is for good, and by its state. */
interface Test {
  readonly filter: OddsFilter
  readonly books: Uint8Array | undefined
  lasts(row: number): boolean
  holds(row: number): boolean
}

function createTest(view: BoardView, filter: OddsFilter): Test {
  const { rows } = view
  const { sportsbooks, leagues, sports, marketTypes, live, minAmerican, maxAmerican } = filter
  const books = sportsbooks && bookMask(view, sportsbooks)
  const isMarket = marketTypes && among(marketTypes)
  const isLeague = leagues && among(leagues)
  const isSport = sports && among(sports)
  const isEvent = filter.eventIds && among(filter.eventIds)
  const state = createRowFilter(view, { live, minAmerican, maxAmerican })
  return {
    filter,
    books,
    lasts(row) {
      if (books && books[rows.sighted(row).book] !== 1) return false
      if (!isMarket && !isLeague && !isSport && !isEvent) return true
      const { marketType, event } = rows.block(row) as EventBlock
      if (isMarket && !isMarket(marketType)) return false
      if (isLeague && !isLeague(event.row.league)) return false
      if (isSport && !isSport(event.row.sport)) return false
      return !isEvent || isEvent(event.id)
    },
    holds: state.isOpen ? () => true : state.names,
  }
}

// ---- frames

export interface OddsFrameOptions {
  readonly framing: Framing
  readonly width: number
  /** RFC 3339. */
  readonly now: string
  readonly globalSeqOf: (book: number) => number
  readonly isReplay?: boolean
}

/** Appends the frames of some news: of each sportsbook what has gone, what came or moved, what is locked. */
export function appendNews(
  frames: Frames,
  view: BoardView,
  news: OddsNews,
  { framing, width, now, globalSeqOf, isReplay = false }: OddsFrameOptions,
) {
  for (const [book, { rows, isWhole, removed }] of news) {
    const sportsbook = view.sportsbooks[book] ?? ''
    const of = { sportsbook, globalSeq: globalSeqOf(book), isReplay }
    for (let from = 0; from < removed.length; from += framing.mostRows) {
      const ids = removed.slice(from, from + framing.mostRows)
      framing.removed(frames, { ids, ...of }, width, now)
    }
    if (rows.length === 0) continue
    const wholeToo = framing.isCompact ? isWhole : undefined
    appendRows({ name: 'odds:update', ...of }, rows, wholeToo)
    const locked = rows.flatMap((row, i) => (view.rows.isActive(row) ? [] : [i]))
    if (locked.length === 0) continue
    const lockedRows = locked.map((i) => rows[i]!)
    const lockedWhole = wholeToo && locked.map((i) => wholeToo[i]!)
    appendRows({ name: 'odds:locked', ...of }, lockedRows, lockedWhole)
  }

  function appendRows(
    of: OddsFrame,
    rows: readonly number[],
    isWhole: readonly boolean[] | undefined,
  ) {
    let count = 0
    let start = 0
    for (let i = 0; i < rows.length; i++) {
      const isFull = count === framing.mostRows || frames.page.length - start > framing.mostBytes
      if (count > 0 && isFull) {
        framing.endOdds(frames, of, count, true, now)
        count = 0
      }
      if (count === 0) {
        start = frames.page.length
        framing.beginOdds(frames, of, width)
      } else appendBriefly(frames, ',')
      if (!isWhole || isWhole[i]) appendWhole(frames, view, rows[i]!)
      else appendMoved(frames, view, rows[i]!)
      count++
    }
    framing.endOdds(frames, of, count, false, now)
  }
}

/** A row as `/odds` shows it. */
function appendWhole({ page }: Frames, { rows }: BoardView, row: number) {
  const block = rows.block(row)
  const index = rows.rank(row)
  const bytes = rows.textBytes(block, index, index + 1)
  reserve(page, bytes)
  const start = page.length
  page.length = rows.copyText(block, index, index + 1, page.bytes, start)
  // The comma it begins with is the caller's.
  page.bytes[start] = blank
}

const blank = 0x20

/** What moves of a row, and its id and line; an attribute that it no longer has as null. */
function appendMoved(frames: Frames, view: BoardView, row: number) {
  const { page } = frames
  appendBriefly(frames, '{"id":"')
  appendNumber(frames, view.rows.id(row))
  appendBriefly(frames, '","line":')
  appendBriefly(frames, String(view.line(row)))
  appendBriefly(frames, ',')
  appendBriefly(frames, view.rows.goneText(row))
  reserve(page, view.rows.tailBytes(row))
  page.length = view.rows.copyTail(row, page.bytes, page.length)
}
