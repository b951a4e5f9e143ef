/**
 * The closes of a recording: each sportsbook's prices at the start of an event, by line, without margin, compared with
 * the sharp book's close of the same line. Withdrawn and expired prices are no closes. Which ones the guard withholds is
 * what the processor's own closes say (`opportunities/withheld-closes.ts`).
 */

import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { topics } from '../../schemas/topics.ts'
import type { GuardReason } from '../../schemas/withheld-price.ts'
import { hasBegun } from '../rules/games/event-play.ts'
import { booksOf, type Chains, chainOf } from '../rules/odds/chains.ts'
import { devig } from '../rules/odds/devig.ts'
import { shapeOfPrice, sharedLine } from '../rules/odds/market-shape.ts'
import type { PricedBoard } from './priced-board.ts'
import type { Moment } from './recording-run.ts'

export interface ClosingOutcome {
  readonly selectionType: string
  readonly price: number
  /** No-vig probability; null when the sportsbook's line is not complete, or was withheld. */
  readonly fair: number | null
  /**
   * Closing-line value: the sharp book's no-vig close / this one - 1. Null when either is missing, and for the sharp
   * book itself.
   */
  readonly value: number | null
}

/** One line of one market at one sportsbook. */
export interface Close {
  readonly eventId: string
  readonly league: string
  readonly homeTeam: string
  readonly awayTeam: string
  readonly startsAt: number
  readonly sportsbook: string
  readonly marketType: string
  readonly playerName: string | null
  /** The home side's line, for handicaps. */
  readonly line: number | null
  /** Why the guard withheld its prices at the start; null when it did not. */
  readonly withheld: GuardReason | null
  /** The margin of the line, a fraction; null when the line is not complete, or was withheld. */
  readonly overround: number | null
  /** The sharp book that values are measured against; null when none has a close. */
  readonly sharpBook: string | null
  readonly answers: readonly ClosingOutcome[]
}

export interface Closes {
  /** To be called before the board applies the moment. */
  take(moment: Moment): void
  all(): readonly Close[]
}

/** @param chain whose sportsbooks closes are measured against */
export function createCloses(board: PricedBoard, chain: Chains): Closes {
  /** Starts of events that have not started. */
  const toStart = new Map<string, number>()
  /** The rows of events at their starts, and the prices of each then. */
  const closed = new Map<string, { readonly event: EventRow; readonly rows: readonly OddsRow[] }>()
  /** By odds id. A close may be captured, or corrected, after the start. */
  const withheld = new Map<number, GuardReason>()

  function close(event: EventRow) {
    toStart.delete(event.id)
    closed.set(event.id, {
      event,
      rows: [...board.pricesOf(event.id)].filter(({ isLive, isActive }) => isActive && !isLive),
    })
  }

  function applyClose({ oddsId, withheld: reason }: ClosingLine) {
    if (reason === null) withheld.delete(oddsId)
    else withheld.set(oddsId, reason)
  }

  function applyEvent(id: string, row: EventRow | null, at: number) {
    const before = board.event(id)
    if (!row) {
      toStart.delete(id)
      return
    }
    const hasStarted = row.isLive || row.startsAt <= at
    if (row.status === 'postponed' || row.status === 'cancelled') {
      // It does not start then. Another start makes it open again.
      toStart.delete(id)
    } else if (!hasStarted) {
      // A postponed game gets a new close, and one that goes on at a later start keeps its own.
      if (closed.has(id) && hasBegun(row)) return
      closed.delete(id)
      toStart.set(id, row.startsAt)
    } else if (before && toStart.has(id)) close(before)
  }

  return {
    take({ at, changes }) {
      for (const [id, startsAt] of toStart) if (startsAt <= at) close(board.event(id)!)
      for (const { topic, key, value } of changes) {
        if (topic.name === topics.events.name) applyEvent(key, value as EventRow | null, at)
        // Rows go two days after the start; what was withheld at the start stays so.
        if (topic.name === topics.closingLines.name && value) applyClose(value as ClosingLine)
      }
    },
    all: () =>
      [...closed.values()].flatMap(({ event, rows }) =>
        closesOf(event, rows, booksOf(chainOf(chain, event)), withheld),
      ),
  }
}

/** Prices of one line at one sportsbook, by outcome. */
interface Line {
  readonly row: OddsRow
  readonly line: number | null
  readonly types: readonly string[]
  readonly prices: Map<string, number>
  withheld: GuardReason | null
}

function closesOf(
  event: EventRow,
  rows: readonly OddsRow[],
  sharpBooks: readonly string[],
  withheld: ReadonlyMap<number, GuardReason>,
): Close[] {
  const questions = new Map<string, Map<string, Line>>()
  for (const row of rows) {
    const { sportsbook, marketType, playerName, selectionType, price } = row
    const shape = shapeOfPrice(row, event.sport)
    const place = shape?.columnOf.get(selectionType)
    if (!shape || !place) continue
    const line = sharedLine(shape, selectionType, row.line)
    const question = `${marketType}|${playerName}|${place.group}|${line}`
    let books = questions.get(question)
    if (!books) {
      books = new Map()
      questions.set(question, books)
    }
    let ofBook = books.get(sportsbook)
    if (!ofBook) {
      const types = shape.types[place.group]!
      ofBook = { row, line, types, prices: new Map(), withheld: null }
      books.set(sportsbook, ofBook)
    }
    ofBook.prices.set(selectionType, price)
    ofBook.withheld ??= withheld.get(row.id) ?? null
  }
  return [...questions.values()].flatMap((books) => closesOn(event, books, sharpBooks))
}

/** Returns the closes of one line at all sportsbooks. */
function closesOn(
  event: EventRow,
  books: ReadonlyMap<string, Line>,
  sharpBooks: readonly string[],
): Close[] {
  const fairBooks = new Map([...books].map(([book, line]) => [book, fairOf(line)]))
  const sharpBook = sharpBooks.find((book) => fairBooks.get(book)) ?? null
  const sharp = sharpBook === null ? null : fairBooks.get(sharpBook)!
  return [...books].map(([sportsbook, { row, line, types, prices, withheld }]): Close => {
    const fair = fairBooks.get(sportsbook) ?? null
    const isMeasured =
      sharp && fair && sportsbook !== sharpBook && sharp.byOutcome.size === fair.byOutcome.size
    return {
      eventId: event.id,
      league: event.league,
      homeTeam: event.homeTeam,
      awayTeam: event.awayTeam,
      startsAt: event.startsAt,
      sportsbook,
      marketType: row.marketType,
      playerName: row.playerName,
      line,
      withheld,
      overround: fair?.overround ?? null,
      sharpBook,
      answers: types
        .filter((type) => prices.has(type))
        .map((type) => {
          const own = fair?.byOutcome.get(type) ?? null
          const measure = isMeasured ? sharp.byOutcome.get(type) : undefined
          const value = own !== null && measure !== undefined ? measure / own - 1 : null
          return { selectionType: type, price: prices.get(type)!, fair: own, value }
        }),
    }
  })
}

/** Returns no-vig probabilities of a line by outcome; null when an outcome is missing, or it was withheld. */
function fairOf({ types, prices, withheld }: Line) {
  if (withheld !== null) return null
  const offered = types.filter((type) => prices.has(type))
  const isComplete = offered.length === types.length
  const devigged = isComplete ? devig(offered.map((type) => prices.get(type)!)) : null
  if (!devigged) return null
  const byOutcome = new Map(offered.map((type, i) => [type, devigged.probabilities[i]!]))
  return { byOutcome, overround: devigged.overround }
}
