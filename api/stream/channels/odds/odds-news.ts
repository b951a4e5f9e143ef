/**
 * What a tick means to those who ask for the same prices: rows that are new to them, rows that moved,
 * ids to take out. `news-frames.ts` puts it into bytes.
 *
 * Where a filter asks only for what a row belongs to, the changed rows are all there is to tell. Where
 * it asks for what may change, such as the price or the main line, this file remembers which rows are
 * asked for, and which began or ceased to be, so that a client which reads slowly can be told later.
 */

import { createIdSet, type IdSet } from '../../../../pipeline/memory/id-set.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import { createRecent } from '../../../../pipeline/views/board/recent.ts'
import type { Removal } from '../../../../pipeline/views/board/removals.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import { type CompiledFilter, compile } from '../../../../pipeline/views/query/compiled-filter.ts'
import { rowsMovedBy } from '../../../../pipeline/views/query/main-line-moves.ts'
import type { RequestedOdds } from '../../../ask/odds-filter.ts'
import type { OddsTick } from './odds-tick.ts'

/** Of one sportsbook. */
export interface BookNews {
  readonly rows: number[]
  /** Which of them are told whole even to who takes only what moves. */
  readonly isWhole: boolean[]
  readonly removed: number[]
}

/** By the sportsbook's number in the view. */
export type OddsNews = ReadonlyMap<number, BookNews>

export interface OddsQuestion {
  /**
   * Whether a row that stays may come to be asked for, or no longer be. Then we cannot know which rows a
   * client holds that was sent some between two ticks, or by another process, and assume none.
   */
  readonly isStateful: boolean
  /**
   * Goes on with what has to be known before anybody can be told: which rows are asked for now.
   * @returns whether that is known
   */
  fill(): boolean
  /** How many rows are asked for, where that is known. */
  readonly count: number | undefined
  /** The news of the tick for clients that were up to date before it. */
  take(tick: OddsTick): OddsNews
  /**
   * Whether `catchUp` reaches back to this stamp for a client that was told of the board up to `known`.
   * If not, the client is told by `changedSince` and `tell`, and then knows the board as it is now.
   */
  reaches(since: number, known: number): boolean
  /**
   * The same as `take` for one who was told of the board up to `known` and is told of it since in
   * pieces: rows that came or were renamed after it are told whole.
   * @param known a stamp; -1 to tell every row whole
   */
  catchUp(tick: OddsTick, known: number): OddsNews
  /** Whether `tellAgain` can tell what came after a stamp: not where a row moves by changes to others. */
  tellsAgain(since: number): boolean
  /** Tells a tick again, its rows as they are now, to a client that may or may not have had it. */
  tellAgain(tick: OddsTick): OddsNews
  /** Ids of rows that changed, or may have come to be asked for, after a stamp, and of all that have gone. */
  changedSince(since: number): number[]
  /**
   * The same by the ids of what changed in the tables `odds` and `events`.
   * @param seesAll whether the client may hear of every sportsbook
   * @returns null where it cannot be told what has gone: whose it was, or what line it stood on; or what
   *   became inactive by the clock alone
   */
  changedAmong(
    oddsIds: Iterable<number>,
    eventIds: Iterable<string>,
    seesAll: boolean,
  ): number[] | null
  /** Those of the events that are asked for, and that a sportsbook asked for has offered. */
  asked(events: ReadonlySet<ViewEvent>): readonly ViewEvent[]
  /** These rows as they are now, by id, for a client that may or may not have them. */
  tell(ids: Iterable<number>): OddsNews
  /** Forgets which rows were asked for: the board has been replaced. */
  reset(): void
}

/** A row came to be asked for, or no longer is. */
interface Move {
  readonly stamp: number
  readonly id: number
  readonly book: number
}

export function createOddsQuestion(view: BoardView, requested: RequestedOdds): OddsQuestion {
  /** Ids of the rows asked for at the last tick; null before the first. */
  let named: IdSet | null = null
  /** Events whose rows are still to be looked at, the next one last; null once all have been. */
  let unfilled: ViewEvent[] | null = null
  /**
   * Whether those are just the rows that were asked for at the last tick: while they are still looked for,
   * rows may cease to be asked for before they were found, and are found as they are later.
   */
  let isExact = true
  const moves = createRecent<Move>()
  const askedNow = () => compile(view, requested.changesFilter())

  function rowsOf(tick: OddsTick, { filter }: CompiledFilter): readonly number[] {
    if (filter.eventIds) return filter.eventIds.flatMap((id) => [...tick.rowsOfEvent(id)])
    const { leagues } = filter
    if (!leagues) return tick.rows
    const [only] = leagues
    if (leagues.length === 1) return tick.rowsOfLeague(only!)
    return leagues.flatMap((league) => [...tick.rowsOfLeague(league)])
  }

  function add(news: Map<number, BookNews>, row: number, isWhole: boolean) {
    const of = newsOf(news, view.rows.sighted(row).book)
    of.rows.push(row)
    of.isWhole.push(isWhole)
  }

  function addGone(news: Map<number, BookNews>, gone: Iterable<Removal>, asked: CompiledFilter) {
    for (const removal of gone) {
      if (asked.mayHaveNamed(removal)) newsOf(news, removal.book).removed.push(removal.id)
    }
  }

  /** Rows that may have come to be asked for, or no longer are, by changes to these; those among them. */
  function movedBy(changed: readonly number[], gone: readonly Removal[], asked: CompiledFilter) {
    const belonging = changed.filter(asked.belongs)
    if (asked.filter.mainLine === undefined) return belonging
    return rowsMovedBy(asked, belonging, gone.filter(asked.mayHaveNamed)).map(({ row }) => row)
  }

  function begin(stamp: number, asked: CompiledFilter) {
    named = createIdSet()
    moves.clear(stamp)
    isExact = false
    unfilled = []
    const next = asked.events()
    for (let event = next(); event; event = next()) unfilled.push(event)
  }

  /** What has changed since the beginning is among them already, as of its tick. */
  function fillFrom(event: ViewEvent, asked: CompiledFilter, into: IdSet) {
    for (const block of event.blocks) {
      if (!asked.enter(block)) continue
      for (let i = 0; i < block.count; i++) {
        const row = block.rows[i]!
        if (asked.names(row)) into.add(view.rows.id(row))
      }
    }
  }

  function takeMoves(tick: OddsTick, asked: CompiledFilter, before: IdSet): OddsNews {
    const { rows, changes } = view
    const { stamps, wholeStamps } = changes
    const news = new Map<number, BookNews>()
    const { since, upTo: stamp } = tick
    moves.expire(stamp)
    for (const row of movedBy(rowsOf(tick, asked), tick.removed, asked)) {
      const id = rows.id(row)
      const { book } = rows.sighted(row)
      if (asked.holds(row)) {
        const isNew = before.add(id)
        if (isNew || !isExact) moves.add({ stamp, id, book })
        if (isNew || stamps[row]! > since) add(news, row, isNew || wholeStamps[row]! > since)
      } else takeOut(id, book)
    }
    for (const removal of tick.removed) {
      const { id, book } = removal
      if (before.has(id) || asked.mayHaveNamed(removal)) takeOut(id, book)
    }
    isExact = unfilled === null
    return news

    function takeOut(id: number, book: number) {
      const wasAsked = before.delete(id)
      if (wasAsked || !isExact) moves.add({ stamp, id, book })
      if (wasAsked) newsOf(news, book).removed.push(id)
    }
  }

  /** A client that was told of everything up to this piece has the rows that were asked for then. */
  function catchUpMoves(
    tick: OddsTick,
    known: number,
    asked: CompiledFilter,
    now: IdSet,
  ): OddsNews {
    const { rows, changes } = view
    const news = new Map<number, BookNews>()
    const told = new Set<number>()
    const moved = new Set(Array.from(moves.after(known), ({ id }) => id))
    for (const row of rowsOf(tick, asked)) {
      const id = rows.id(row)
      if (!now.has(id)) continue
      told.add(id)
      add(news, row, moved.has(id) || changes.wholeStamps[row]! > known)
    }
    for (const { stamp, id, book } of moves.after(tick.since)) {
      if (stamp > tick.upTo) break
      if (told.has(id)) continue
      told.add(id)
      if (now.has(id)) add(news, rows.find(id), true)
      else newsOf(news, book).removed.push(id)
    }
    return news
  }

  return {
    get isStateful() {
      return askedNow().isStateful
    },

    fill() {
      if (!unfilled || !named) return true
      const asked = askedNow()
      let left = filledAtOnce
      for (let event = unfilled.pop(); event; event = unfilled.pop()) {
        fillFrom(event, asked, named)
        left -= event.rowCount
        if (left <= 0 && unfilled.length > 0) return false
      }
      unfilled = null
      return true
    },

    get count() {
      return unfilled ? undefined : named?.size
    },

    take(tick) {
      const asked = askedNow()
      if (asked.isStateful) {
        if (named) return takeMoves(tick, asked, named)
        // The first tick: who asks from here on is given a snapshot of it.
        begin(tick.upTo, asked)
        return new Map()
      }
      const news = new Map<number, BookNews>()
      const { wholeStamps } = view.changes
      for (const row of rowsOf(tick, asked)) {
        if (asked.belongs(row)) add(news, row, wholeStamps[row]! > tick.since)
      }
      addGone(news, tick.removed, asked)
      return news
    },

    reaches(since, known) {
      if (view.changes.countSince(since) === Number.POSITIVE_INFINITY) return false
      if (!askedNow().isStateful) return true
      return named !== null && !unfilled && moves.forgotten <= Math.min(known, since)
    },

    catchUp(tick, known) {
      const asked = askedNow()
      if (asked.isStateful && named && !unfilled) return catchUpMoves(tick, known, asked, named)
      const news = new Map<number, BookNews>()
      const { wholeStamps } = view.changes
      for (const row of rowsOf(tick, asked)) {
        if (asked.belongs(row)) add(news, row, wholeStamps[row]! > known)
      }
      addGone(news, tick.removed, asked)
      return news
    },

    tellsAgain: (since) =>
      view.changes.countSince(since) < Number.POSITIVE_INFINITY &&
      askedNow().filter.mainLine === undefined,

    tellAgain(tick) {
      const asked = askedNow()
      const news = new Map<number, BookNews>()
      for (const row of rowsOf(tick, asked)) {
        if (!asked.belongs(row)) continue
        if (asked.holds(row)) add(news, row, true)
        else newsOf(news, view.rows.sighted(row).book).removed.push(view.rows.id(row))
      }
      addGone(news, tick.removed, asked)
      return news
    },

    changedSince(since) {
      const { rows, changes, removals } = view
      const asked = askedNow()
      const gone = [...removals.after(since)].filter(
        (removal) => rows.find(removal.id) < 0 && asked.mayHaveNamed(removal),
      )
      const moved = movedBy([...changes.allAfter(since)], [...removals.after(since)], asked)
      return [...moved.map(rows.id), ...gone.map(({ id }) => id)]
    },

    changedAmong(oddsIds, eventIds, seesAll) {
      const { rows, removals } = view
      if (view.staleAt) return null
      const asked = askedNow()
      const needsPlace = !seesAll || asked.filter.mainLine !== undefined
      const known = new Map([...removals.after(0)].map((removal) => [removal.id, removal]))
      const changed: number[] = []
      const gone: Removal[] = []
      const unknown: number[] = []
      for (const id of oddsIds) {
        const row = rows.find(id)
        const removal = known.get(id)
        if (row >= 0) changed.push(row)
        else if (removal) gone.push(removal)
        else if (needsPlace) return null
        else unknown.push(id)
      }
      for (const id of eventIds) {
        for (const block of view.find(id)?.blocks ?? []) {
          changed.push(...block.rows.subarray(0, block.count))
        }
      }
      const goneIds = gone.filter(asked.mayHaveNamed).map(({ id }) => id)
      return [...movedBy(changed, gone, asked).map(rows.id), ...goneIds, ...unknown]
    },

    asked(events) {
      if (events.size === 0) return noEvents
      const { isAsked, books } = askedNow()
      const isOffered = ({ offers }: ViewEvent) =>
        !books || [...offers.values()].some(({ book }) => books[book] === 1)
      return [...events].filter((event) => isAsked(event) && isOffered(event))
    },

    tell(ids) {
      const asked = askedNow()
      const news = new Map<number, BookNews>()
      for (const id of new Set(ids)) {
        const row = view.rows.find(id)
        // The row is gone, and so is the name of its sportsbook.
        if (row < 0) newsOf(news, unknownBook).removed.push(id)
        else if (asked.asks(row)) add(news, row, true)
        else if (asked.belongs(row)) newsOf(news, view.rows.sighted(row).book).removed.push(id)
      }
      return news
    },

    reset() {
      named = null
      unfilled = null
    },
  }
}

const unknownBook = -1

/** Rows looked at in one go to find those that are asked for. */
const filledAtOnce = 5_000
const noEvents: readonly ViewEvent[] = []

function newsOf(news: Map<number, BookNews>, book: number): BookNews {
  let of = news.get(book)
  if (!of) {
    of = { rows: [], isWhole: [], removed: [] }
    news.set(book, of)
  }
  return of
}
