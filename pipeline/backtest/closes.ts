/**
 * The closes of a recording as the service's processor captures them: by line, without margin,
 * compared with the sharp book's close of the same line.
 */

import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'
import { addTo } from '../../schemas/grouping.ts'
import { topics } from '../../schemas/topics.ts'
import type { GuardReason } from '../../schemas/withheld-price.ts'
import { booksOf, type Chains, chainOf } from '../rules/odds/chains.ts'
import { shapeOfPrice, sharedLine } from '../rules/odds/market-shape.ts'
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
  take(moment: Moment): void
  all(): readonly Close[]
}

/** A close with a price. */
type PricedClose = ClosingLine & { readonly price: number }

/** @param chain the sportsbooks that closes are measured against */
export function createCloses(chain: Chains): Closes {
  const events = new Map<string, EventRow>()
  /** By key of the table. */
  const closes = new Map<string, PricedClose>()

  return {
    take({ changes }) {
      for (const { topic, key, value } of changes) {
        // Events and closes are dropped two days after the start, which is ignored here.
        if (value === null) continue
        if (topic.name === topics.events.name) events.set(key, value as EventRow)
        if (topic.name !== topics.closingLines.name) continue
        const close = value as ClosingLine
        if (close.price === null) closes.delete(key)
        else closes.set(key, close as PricedClose)
      }
    },
    all() {
      const byEvent = new Map<string, PricedClose[]>()
      for (const close of closes.values()) addTo(byEvent, close.eventId, close)
      return [...byEvent].flatMap(([id, ofEvent]) => {
        const event = events.get(id)!
        return closesOf(event, ofEvent, booksOf(chainOf(chain, event)))
      })
    },
  }
}

/** The closes of one line at one sportsbook, by outcome. */
interface Line {
  readonly row: PricedClose
  readonly line: number | null
  readonly types: readonly string[]
  readonly closes: Map<string, PricedClose>
  withheld: GuardReason | null
}

function closesOf(
  event: EventRow,
  rows: readonly PricedClose[],
  sharpBooks: readonly string[],
): Close[] {
  const questions = new Map<string, Map<string, Line>>()
  for (const row of rows) {
    const { sportsbook, marketType, playerName, selectionType } = row
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
      ofBook = { row, line, types, closes: new Map(), withheld: null }
      books.set(sportsbook, ofBook)
    }
    ofBook.closes.set(selectionType, row)
    ofBook.withheld ??= row.withheld
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
  return [...books].map(([sportsbook, { row, line, types, closes, withheld }]): Close => {
    const fair = fairBooks.get(sportsbook) ?? null
    const isMeasured =
      sharp && fair && sportsbook !== sharpBook && sharp.byOutcome.size === fair.byOutcome.size
    return {
      eventId: event.id,
      league: event.league,
      homeTeam: event.homeTeam,
      awayTeam: event.awayTeam,
      startsAt: row.startsAt,
      sportsbook,
      marketType: row.marketType,
      playerName: row.playerName,
      line,
      withheld,
      overround: fair?.overround ?? null,
      sharpBook,
      answers: types.flatMap((selectionType) => {
        const close = closes.get(selectionType)
        if (!close) return []
        const own = fair?.byOutcome.get(selectionType) ?? null
        const measure = isMeasured ? sharp.byOutcome.get(selectionType) : undefined
        const value = own !== null && measure !== undefined ? measure / own - 1 : null
        return { selectionType, price: close.price, fair: own, value }
      }),
    }
  })
}

/** Returns a line's no-vig probabilities by outcome, and its margin; null if a close is missing. */
function fairOf({ types, closes }: Line) {
  const byOutcome = new Map<string, number>()
  let overround = -1
  for (const type of types) {
    const close = closes.get(type)
    if (close?.noVig == null) return null
    byOutcome.set(type, close.noVig)
    overround += 1 / close.price
  }
  return { byOutcome, overround }
}
