/**
 * Finds the news of a query in changes of the board: new rows, moved rows, removed ids. `news-frames.ts` writes
 * them.
 */

import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import { absentBit, changeKind } from '../../../../pipeline/views/board/journal.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import { type CompiledFilter, compile } from '../../../../pipeline/views/query/compiled-filter.ts'
import { outcomesSince } from '../../../../pipeline/views/query/outcomes.ts'
import { everyPrice } from '../../../../pipeline/views/query/price-range.ts'
import type { EventRow } from '../../../../schemas/event.ts'
import { questionOfKey } from '../../../../schemas/main-line.ts'
import type { RequestedOdds } from '../../../ask/odds-filter.ts'
import type { OddsTick, TickChange } from '../../timeline/odds-tick.ts'
import type { Replayed } from '../../timeline/positions.ts'
import type { Ranges } from './query-index.ts'

/** The news of one sportsbook. */
export interface BookNews {
  readonly rows: number[]
  /** For each row: whether to send it whole even if moved fields would do. */
  readonly isWhole: boolean[]
  readonly removed: number[]
  /** For each row of a tick: its change, which locates its text. Otherwise empty. */
  readonly changes: TickChange[]
}

/** By sportsbook's number in the view. */
export type OddsNews = ReadonlyMap<number, BookNews>

/** A row that a client may lack, or may have an old version of. */
export interface MissedRow {
  readonly id: number
  /** The sportsbook's number in the view; `unknownBook` if it is no longer known. */
  readonly book: number
  /** Whether a client that has the row may lack more than its moved fields. */
  readonly isWhole: boolean
  /** The stamp of the missed change; 0 if unknown. */
  readonly stamp: number
}

export interface OddsNewsFinder {
  /**
   * Returns the news of a tick for clients that were up to date before it.
   * @param ranges the changes that may be news
   */
  take(tick: OddsTick, ranges: Ranges): OddsNews
  /**
   * Returns the rows that changed after stamp `since`, up to `until`, oldest first.
   * @returns null if the board's journal does not reach back so far
   */
  missedSince(since: number, until: number): readonly MissedRow[] | null
  /**
   * Returns the same from changes read in the log.
   * @param seesAll whether the client sees every sportsbook
   * @returns null if a removed row's sportsbook is unknown to a client that does not see all, or if rows became
   *   inactive by time alone
   */
  missedAmong(changed: LogChanges, seesAll: boolean): readonly MissedRow[] | null
  /** Returns the events that match the query and are offered by one of its sportsbooks. */
  eventsIn(events: ReadonlySet<ViewEvent>): readonly ViewEvent[]
  /** Returns the rows as they are now. */
  newsOf(missed: Iterable<MissedRow>): OddsNews
}

export type LogChanges = Omit<Extract<Replayed, { ok: true }>, 'ok'>

export function createOddsNewsFinder(view: BoardView, requested: RequestedOdds): OddsNewsFinder {
  let filter: CompiledFilter | undefined
  let shapeStamp = -1

  /** Returns the filter, compiled anew if an event, a sportsbook or a market type came or went. */
  function filterNow(): CompiledFilter {
    if (!filter || shapeStamp !== view.shapeStamp) {
      shapeStamp = view.shapeStamp
      filter = compile(view, requested.changesFilter())
    }
    return filter
  }

  /** Adds the changes that match. */
  function fold(
    news: Map<number, BookNews>,
    { matches, prices }: CompiledFilter,
    changes: readonly TickChange[],
    from: number,
    to: number,
  ) {
    const isOfAnyPrice = prices === everyPrice
    for (let place = from; place < to; place++) {
      const change = changes[place]!
      const { book, kind, event, eventBefore, state, stateBefore } = change
      const { marketType } = change.block
      const isMatch = matches(event, marketType, book, change.price, state)
      // Most changes are of the price only. Then the filter is not asked twice.
      const isAsBefore = isOfAnyPrice && state === stateBefore && event === eventBefore
      const wasMatch = isAsBefore
        ? isMatch
        : matches(eventBefore, marketType, book, change.priceBefore, stateBefore)
      if (isMatch) {
        if (wasMatch && kind === changeKind.standing) continue
        const bookNews = bookNewsOf(news, book)
        bookNews.changes.push(change)
        add(bookNews, change.row, !wasMatch || kind === changeKind.whole)
      } else if (wasMatch) bookNewsOf(news, book).removed.push(change.id)
    }
  }

  return {
    take({ changes }, ranges) {
      const news = new Map<number, BookNews>()
      const filter = filterNow()
      for (let i = 0; i < ranges.length; i += 2) {
        fold(news, filter, changes, ranges[i]!, ranges[i + 1]!)
      }
      return news
    },

    missedSince: (since, until) =>
      since < view.journal.reach ? null : outcomesSince(filterNow(), since, until),

    missedAmong({ oddsIds, withheldIds, eventIds, mainLineKeys }, seesAll) {
      const { rows } = view
      if (view.staleAt) return null
      const { belongs } = filterNow()
      const missed = new Map<number, MissedRow>()
      const unknown = new Set<number>()
      const miss = (id: number, book: number, event: EventRow, marketType: string) => {
        if (belongs(event, marketType, book)) missed.set(id, { id, book, isWhole: true, stamp: 0 })
      }
      const missRow = (row: number) => {
        const { event, marketType } = rows.block(row)
        miss(rows.id(row), rows.book(row), event.row, marketType)
      }
      for (const id of oddsIds) {
        const row = rows.find(id)
        if (row >= 0) missRow(row)
        else unknown.add(id)
      }
      // A row that is not found needs nothing here: its removal is in `oddsIds`.
      for (const id of withheldIds) {
        const row = rows.find(id)
        if (row >= 0) missRow(row)
      }
      if (unknown.size > 0) {
        view.journal.forEach(view.journal.reach, ({ id, book, event, block, state }) => {
          if ((state & absentBit) === 0 || !unknown.delete(id)) return
          miss(id, book, event, block.marketType)
        })
      }
      if (unknown.size > 0 && !seesAll) return null
      for (const id of unknown) missed.set(id, { id, book: unknownBook, isWhole: true, stamp: 0 })
      for (const id of eventIds) {
        for (const block of view.find(id)?.blocks ?? []) {
          for (let i = 0; i < block.count; i++) missRow(block.rows[i]!)
        }
      }
      for (const key of mainLineKeys) {
        const { eventId, marketType } = questionOfKey(key)
        const block = view
          .find(eventId)
          ?.blocks.find((candidate) => candidate.marketType === marketType)
        for (let i = 0; i < (block?.count ?? 0); i++) missRow(block!.rows[i]!)
      }
      return [...missed.values()]
    },

    eventsIn(events) {
      if (events.size === 0) return none
      const { matchesEvent, books } = filterNow()
      const isOffered = ({ offers }: ViewEvent) =>
        !books || [...offers.values()].some(({ book }) => books[book] === 1)
      return [...events].filter((event) => matchesEvent(event) && isOffered(event))
    },

    newsOf(missed) {
      const { matchesRow } = filterNow()
      const news = new Map<number, BookNews>()
      for (const { id, book, isWhole } of missed) {
        const row = view.rows.find(id)
        if (row >= 0 && matchesRow(row)) add(bookNewsOf(news, view.rows.book(row)), row, isWhole)
        else bookNewsOf(news, book).removed.push(id)
      }
      return news
    },
  }
}

const unknownBook = -1

const none: readonly never[] = []

function add(bookNews: BookNews, row: number, isWhole: boolean) {
  bookNews.rows.push(row)
  bookNews.isWhole.push(isWhole)
}

function bookNewsOf(news: Map<number, BookNews>, book: number): BookNews {
  let bookNews = news.get(book)
  if (!bookNews) {
    bookNews = { rows: [], isWhole: [], removed: [], changes: [] }
    news.set(book, bookNews)
  }
  return bookNews
}
