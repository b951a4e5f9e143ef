/**
 * What has changed on the board since an instant, for clients that poll: rows oldest change first, and
 * ids to take out. Sightings alone are no change. A client that asks again from `completeTo` has lost
 * nothing, even when this answer was cut short.
 */

import { createFirstN } from '../../memory/first-n.ts'
import { type PageBuffer, reserve } from '../../text/page-buffer.ts'
import type { BoardView } from '../board/board-view.ts'
import { createLadders, type Ladders } from '../board/ladders.ts'
import type { Removal } from '../board/removals.ts'
import type { EventBlock } from '../board/view-event.ts'
import { type CompiledFilter, compile } from './compiled-filter.ts'
import { pastsOf, type RowPast } from './filter-past.ts'
import { rowsMovedBy } from './main-line-moves.ts'
import type { OddsFilter } from './odds-filter.ts'
import { createRowScan, type RowScan, scanRows } from './row-scan.ts'
import { touchedBlocks } from './touched-blocks.ts'

/** Matches are counted up to here; beyond it a client should take a fresh snapshot. */
export const mostCounted = 10_000

/** Most ids to take out in one answer; those of one stamp with the last come with it. */
export const mostRemoved = 1_000

export interface ChangedRow {
  readonly id: number
  /**
   * When it changed (epoch µs). Rows that may have moved to the main line, or from it, have that of the
   * oldest change they may have moved by: such rows come together, and are taken together.
   */
  readonly stamp: number
}

export interface OddsDelta {
  /** Named rows that changed, oldest change first; at most `mostCounted` + 1, and those of one stamp with it. */
  readonly changed: readonly ChangedRow[]
  /**
   * Ids of rows that the filter has named since, and that have gone or that it no longer names; oldest
   * first. Where the board does not remember what they said, of all that it may have named.
   */
  readonly removed: readonly number[]
  /** Numbers of the sportsbooks that these were at. */
  readonly removedBooks: ReadonlySet<number>
  /** There were more than `mostRemoved`. */
  readonly removedTruncated: boolean
  /**
   * Among them are rows that may only have moved past the filter: under a steady stream of such the
   * answers would fall behind, and a fresh snapshot is the shorter way.
   */
  readonly isBeyond: boolean
  /** Removals before this are not remembered (epoch µs). */
  readonly reach: number
  /** Up to this stamp nothing is missing from `removed` and, when all of it is taken, `changed`. */
  readonly completeTo: number
}

/** @param since a stamp, exclusive (epoch µs) */
export const oddsDelta = (view: BoardView, filter: OddsFilter, since: number): OddsDelta =>
  walkDelta(view, filter, since).finish()

/** The work of an answer in pieces, between which the board may change. */
export interface DeltaWalk {
  /** Null where all of it costs little. */
  steps(): Generator<void, void> | null
  /** What has changed up to now, whatever the steps have left over. */
  finish(): OddsDelta
}

/**
 * Rows are looked at by what they say themselves in passes over all of them. Where what they say may
 * have moved them past the filter, each market that has changed is looked at by itself.
 */
export function walkDelta(view: BoardView, filter: OddsFilter, since: number): DeltaWalk {
  if (compile(view, filter).isStateful) return walkMarkets(view, filter, since)
  return {
    steps: () => null,
    finish() {
      const asked = compile(view, filter)
      const changed = changedRows(asked, since)
      return answerOf(view, since, { changed, passed: [], away: rowsGone(asked, since) })
    },
  }
}

/** A walk that leaves so few markets over has done what it can ahead. */
const fewMarkets = 16
/** Markets that change while others are looked at are looked at again, for so many rounds. */
const mostRounds = 6
/** More rows than an answer takes are kept for so many answers, before those of the last are left out. */
const keptAnswers = 4

function walkMarkets(view: BoardView, filter: OddsFilter, since: number): DeltaWalk {
  const touched = touchedBlocks(view, since)
  const gathering = touched.gather()
  const ladders = createLadders()
  const found = new Map<EventBlock, Changes>()
  /** Rows with a later stamp than these are left out. */
  const cut = { changed: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY }
  let changedCount = 0
  let leftCount = 0

  function look(block: EventBlock) {
    touched.waiting.delete(block)
    const before = found.get(block)
    if (before) count(before, -1)
    const asked = compile(view, filter)
    const gone = touched.gone(block)
    const isAsked = asked.lasting.isAsked(block.event) && (asked.enter(block) || gone.length > 0)
    const changes = isAsked ? changesOf(asked, block, gone, since, ladders) : nothing
    const kept = {
      changed: upTo(changes.changed, cut.changed),
      passed: upTo(changes.passed, cut.left),
      away: upTo(changes.away, cut.left),
    }
    found.set(block, kept)
    count(kept, 1)
    leaveOut()
  }

  function count({ changed, passed, away }: Changes, sign: 1 | -1) {
    changedCount += sign * changed.length
    leftCount += sign * (passed.length + away.length)
  }

  /** Of far more rows than an answer takes, leaves out the newest. */
  function leaveOut() {
    const isChanged = changedCount > keptAnswers * mostCounted
    const isLeft = leftCount > keptAnswers * mostRemoved
    if (!isChanged && !isLeft) return
    const { changed, passed, away } = gathered()
    if (isChanged) cut.changed = stampOf(changed, mostCounted + 1)
    if (isLeft) cut.left = stampOf(passed.concat(away), mostRemoved + 1)
    for (const [block, changes] of found) {
      found.set(block, {
        changed: upTo(changes.changed, cut.changed),
        passed: upTo(changes.passed, cut.left),
        away: upTo(changes.away, cut.left),
      })
    }
    changedCount = 0
    leftCount = 0
    for (const changes of found.values()) count(changes, 1)
  }

  function gathered(): Changes {
    const all = [...found.values()]
    return {
      changed: all.flatMap(({ changed }) => changed),
      passed: all.flatMap(({ passed }) => passed),
      away: all.flatMap(({ away }) => away),
    }
  }

  function lookAtAll() {
    for (const block of touched.waiting) look(block)
  }

  function* walk() {
    yield* gathering
    for (let round = 0; round < mostRounds; round++) {
      for (const block of touched.waiting) {
        look(block)
        yield
      }
      touched.catchUp()
      if (touched.waiting.size <= fewMarkets) return
    }
  }

  return {
    steps: walk,
    finish() {
      while (!gathering.next().done);
      touched.catchUp()
      lookAtAll()
      const { changed, passed, away } = gathered()
      const asked = compile(view, filter)
      // A market that was forgotten and came again is another one, with the same ids.
      const left = new Set(passed.map(({ id }) => id))
      const isBack = (id: number) => {
        const row = view.rows.find(id)
        return row >= 0 && asked.asks(row)
      }
      const oldestFirst = changed.toSorted((a, b) => a.stamp - b.stamp)
      return answerOf(
        view,
        since,
        {
          changed: firstWhole(oldestFirst, mostCounted + 1),
          passed,
          away: away.filter(({ id }) => !left.has(id) && !isBack(id)),
        },
        cut,
      )
    },
  }
}

/** @param cut rows with later stamps were left out */
function answerOf(
  view: BoardView,
  since: number,
  { changed, passed, away }: Changes,
  cut = { changed: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY },
): OddsDelta {
  const { removals, watermark } = view
  const left = passed.concat(away)
  const gone = oldest(left)
  let isCut = gone.length < left.length || cut.left < Number.POSITIVE_INFINITY
  gone.sort((a, b) => a.stamp - b.stamp)
  const removed = new Set<number>()
  let toldTo = since
  for (const { id, stamp } of gone) {
    if (removed.size >= mostRemoved && stamp > toldTo) {
      isCut = true
      break
    }
    removed.add(id)
    toldTo = stamp
  }
  const countedTo = changed.length > mostCounted ? changed.at(-1)!.stamp : watermark
  const completeTo = Math.min(countedTo, cut.changed)
  return {
    changed,
    removed: [...removed],
    removedBooks: booksOf(view, removed, since),
    removedTruncated: isCut,
    isBeyond: isCut && passed.length > 0,
    reach: removals.reach,
    completeTo: isCut ? Math.min(completeTo, toldTo, cut.left) : completeTo,
  }
}

const upTo = (rows: readonly ChangedRow[], last: number): readonly ChangedRow[] =>
  last === Number.POSITIVE_INFINITY ? rows : rows.filter(({ stamp }) => stamp <= last)

/** The stamp of the `count`th of rows in any order, of which there are as many. */
function stampOf(rows: readonly ChangedRow[], count: number): number {
  return Float64Array.from(rows, ({ stamp }) => stamp).sort()[count - 1]!
}

/** Of ids that are there, or have gone since. */
function booksOf(
  { rows, removals }: BoardView,
  ids: ReadonlySet<number>,
  since: number,
): ReadonlySet<number> {
  const books = new Set<number>()
  let goneCount = 0
  for (const id of ids) {
    const row = rows.find(id)
    if (row >= 0) books.add(rows.sighted(row).book)
    else goneCount++
  }
  if (goneCount > 0) {
    for (const { id, book } of removals.after(since)) if (ids.has(id)) books.add(book)
  }
  return books
}

/** The oldest of rows in any order: `mostRemoved` and one, and those that have the stamp of the last. */
function oldest(rows: readonly ChangedRow[]): ChangedRow[] {
  const stamps = createFirstN<number>(mostRemoved + 1, (a, b) => a - b)
  for (const { stamp } of rows) stamps.add(stamp)
  const last = stamps.last ?? Number.POSITIVE_INFINITY
  return rows.filter(({ stamp }) => stamp <= last)
}

/** The first `count` of rows in the order of their stamps, and those that have the stamp of the last. */
export function firstWhole(rows: readonly ChangedRow[], count: number): readonly ChangedRow[] {
  let end = Math.min(count, rows.length)
  while (end > 0 && end < rows.length && rows[end]!.stamp === rows[end - 1]!.stamp) end++
  return rows.slice(0, end)
}

interface Changes {
  /** Rows that are asked for and have changed since, or come to be asked for. */
  readonly changed: readonly ChangedRow[]
  /** Rows that are there, are not asked for now and may have been since. */
  readonly passed: readonly ChangedRow[]
  /** The same of rows that have gone, some of which may be back. */
  readonly away: readonly ChangedRow[]
}

const nothing: Changes = { changed: [], passed: [], away: [] }

/** Of one market: by what its rows said before they changed, as far as the board remembers it. */
function changesOf(
  asked: CompiledFilter,
  block: EventBlock,
  gone: readonly Removal[],
  since: number,
  ladders: Ladders,
): Changes {
  const { changes, removals } = asked.view
  const isKnown = since >= removals.reach && changes.countSince(since) < Number.POSITIVE_INFINITY
  if (isKnown) return recalled(asked, pastsOf(asked, block, gone, since, ladders), since)
  return supposed(asked, block, gone, since)
}

/**
 * A client's row is as of an instant that is not before `since`, or it is told of here: an answer that
 * is cut tells of rows as they are then, later than its cut. So what came and left again counts.
 */
function recalled(asked: CompiledFilter, pasts: readonly RowPast[], since: number): Changes {
  const { changes } = asked.view
  const changed: ChangedRow[] = []
  const passed: ChangedRow[] = []
  /** When each ceased to be asked for, by id: the first time where it went more than once. */
  const away = new Map<number, number>()
  for (const { id, row, isNow, wasAsked, wasNotAsked, movedAt } of pasts) {
    if (isNow) {
      const changedAt = changes.stamp(row)
      const isChanged = changedAt > since
      if (isChanged || wasNotAsked) {
        changed.push({ id, stamp: isChanged ? Math.max(changedAt, movedAt) : movedAt })
      }
    } else if (wasAsked) {
      if (row >= 0) passed.push({ id, stamp: movedAt })
      else away.set(id, Math.min(movedAt, away.get(id) ?? movedAt))
    }
  }
  return { changed, passed, away: Array.from(away, ([id, stamp]) => ({ id, stamp })) }
}

/** Where it is not known what rows said: all that may have moved. */
function supposed(
  asked: CompiledFilter,
  block: EventBlock,
  gone: readonly Removal[],
  since: number,
): Changes {
  const { view, filter } = asked
  const { rows, changes } = view
  const named = gone.filter(asked.mayHaveNamed)
  const touched: number[] = []
  for (let i = 0; i < block.count; i++) {
    const row = block.rows[i]!
    if (changes.stamp(row) > since && asked.belongs(row)) touched.push(row)
  }
  const moved =
    filter.mainLine === undefined
      ? touched.map((row) => ({ row, stamp: changes.stamp(row) }))
      : rowsMovedBy(asked, touched, named)
  const changed: ChangedRow[] = []
  const passed: ChangedRow[] = []
  for (const { row, stamp } of moved) {
    if (asked.holds(row)) changed.push({ id: rows.id(row), stamp })
    else {
      const leftAt = asked.mayHaveHeldTo(row, stamp)
      if (leftAt > since) passed.push({ id: rows.id(row), stamp: leftAt })
    }
  }
  return { changed, passed, away: named }
}

/** Rows that have gone and may have been asked for, oldest first, as far as one answer tells of them. */
function rowsGone(asked: CompiledFilter, since: number): ChangedRow[] {
  const { rows, removals } = asked.view
  const gone: ChangedRow[] = []
  const ids = new Set<number>()
  for (const removal of removals.after(since)) {
    const { id, stamp } = removal
    if (!asked.mayHaveNamed(removal) || rows.find(id) >= 0) continue
    gone.push({ id, stamp })
    if (ids.add(id).size > mostRemoved) break
  }
  return gone
}

/** Where each row that belongs is asked for: the first that have changed, oldest change first. */
function changedRows(asked: CompiledFilter, since: number): ChangedRow[] {
  const { rows, changes } = asked.view
  const count = mostCounted + 1
  const scan = scanChanged(asked, since, count)
  // Stamps are whole.
  const later = { from: Math.floor(since) + 1, to: Number.POSITIVE_INFINITY }
  const { stamps } = changes
  const isAll = changes.countSince(since) <= count
  const last = isAll ? undefined : scan.nth(stamps, later, count, 'rising')
  const found = scan.gather(stamps, last === undefined ? later : { ...later, to: last + 1 })
  return found
    .sort((a, b) => stamps[a]! - stamps[b]!)
    .map((row) => ({ id: rows.id(row), stamp: stamps[row]! }))
}

/** Appends the rows of these ids that are still there, without the comma before the first. */
export function writeRows(view: BoardView, ids: Iterable<number>, into: PageBuffer): OnPage {
  const { rows } = view
  const start = into.length
  const books = new Set<number>()
  let count = 0
  let updatedAt = 0
  for (const id of ids) {
    const row = rows.find(id)
    if (row < 0) continue
    const block = rows.block(row)
    const index = rows.rank(row)
    reserve(into, rows.textBytes(block, index, index + 1))
    into.length = rows.copyText(block, index, index + 1, into.bytes, into.length)
    const { book, lastSeenAt } = rows.sighted(row)
    books.add(book)
    updatedAt = Math.max(updatedAt, lastSeenAt)
    count++
  }
  if (count > 0) into.bytes[start] = blank
  return { count, books, updatedAt }
}

export interface OnPage {
  readonly count: number
  /** Numbers of the sportsbooks. */
  readonly books: ReadonlySet<number>
  /** The newest sighting (epoch ms); 0 for none. */
  readonly updatedAt: number
}

const blank = 0x20

/** How many rows are gone through, and again, in the time in which one change is looked up. */
const lookUpCost = 64

/**
 * Rows that belong, among them those that changed since.
 * @param enough how many of the first of these are needed
 */
function scanChanged(
  { view, filter, lasting }: CompiledFilter,
  since: number,
  enough: number,
): RowScan {
  const { changes, rows } = view
  const most = rows.columns.end / lookUpCost
  const count = changes.countSince(since)
  if (filter.eventIds || count === Number.POSITIVE_INFINITY || Math.min(count, enough) > most) {
    return createRowScan(view, lasting.filter)
  }
  const found: number[] = []
  let looked = 0
  for (const row of changes.after(since)) {
    // Few of many are of this filter.
    if (looked++ > most) return createRowScan(view, lasting.filter)
    if (lasting.belongs(row)) found.push(row)
    if (found.length === enough) break
  }
  return scanRows(view, found)
}
