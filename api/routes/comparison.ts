/** GET /api/v1/odds/comparison: one event, every market, selections side by side (interface 4.6). */

import { type ContentHash, createContentHash } from '../../pipeline/memory/content-hash.ts'
import { outcomesOf } from '../../pipeline/rules/odds/questions.ts'
import { writeTime } from '../../pipeline/text/iso-time.ts'
import {
  appendFew,
  appendText,
  createPageBuffer,
  type PageBuffer,
  reserve,
} from '../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { EventBlock, ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { compile } from '../../pipeline/views/query/compiled-filter.ts'
import { followsOffers, usesOnly } from '../../pipeline/views/query/odds-filter.ts'
import {
  liveBit,
  preMatchBit,
  type QuoteWalk,
  walkQuotes,
} from '../../pipeline/views/query/quotes.ts'
import type { EventRow } from '../../schemas/event.ts'
import { comparisonObject } from '../../schemas/http/comparison.ts'
import { oneEvent, uncursoredQuery } from '../../schemas/http/odds-query.ts'
import { required } from '../../schemas/http/query.ts'
import {
  appendItem,
  comma,
  headline,
  type Question,
  questionsOf,
  type Rows,
  usableBit,
} from '../answer/compared-questions.ts'
import {
  eventName,
  gameMembers,
  lastUpdate,
  offersOf,
  staleBooks,
  visibleEvent,
} from '../answer/events.ts'
import { members, objectHead, objectTail } from '../answer/json.ts'
import type { TimesNoted } from '../answer/kept-texts.ts'
import { pastMetaOf } from '../answer/past-meta.ts'
import { type Judged, judgedIn, markUsable } from '../answer/usable-books.ts'
import { watchedEventIds } from '../ask/event-filters.ts'
import { requestedOdds } from '../ask/odds-filter.ts'
import { ApiError } from '../errors.ts'
import { type ReadRoute, readRoute } from '../route.ts'

/** @param clock epoch ms */
export const createComparisonRoute = (clock: () => number): ReadRoute =>
  readRoute({
    path: '/api/v1/odds/comparison',
    access: 'key',
    tag: 'odds',
    summary: 'The prices of one event, sportsbooks side by side',
    description:
      'The filters of `/odds` select among its prices; `hold` is that of the selected ones. `limit`, `offset`, `cursor`, `sort`, `fields`, `group_by` and `state` have no effect here. Leaves out prices that take no bets; `withheld` and old ones (`stale_books`), those from before a game that is in play, those of a postponed one, and two-way handicaps of soccer in play, which sportsbooks settle differently, are shown, but are never the best.',
    query: { ...uncursoredQuery, event: required(oneEvent) },
    answer: { description: 'The event with its markets.', schema: comparisonObject },
    tool: {
      name: 'compare_odds',
      description: 'The prices of one game side by side, sportsbook by sportsbook.',
      inputs: ['event', 'market', 'sportsbook', 'books'],
      shape: {
        items: ['data', 'markets'],
        without: ['last_seen_at', 'odds_changed_at', 'by_book', 'books_available'],
      },
    },
    errors: ['invalid_filter', 'tier_restricted', 'not_found'],

    prepare({ query, scope }) {
      const { board } = scope
      const [eventId] = query.event ?? []
      if (eventId === undefined) {
        throw new ApiError('validation_error', 'event is required: the id of one event.')
      }
      const requested = requestedOdds(query, scope)
      const watched = watchedEventIds([eventId])
      const choice = JSON.stringify([scope.name, requested.echo()])

      return {
        version: board.watch({ eventIds: watched }),
        write(page) {
          const event = visibleEvent(scope, eventId)
          const filter = requested.filter()
          const compiled = compile(board, filter)
          const walk = walkQuotes(compiled)
          const isOfOffers = usesOnly(filter, followsOffers)
          const now = clock()
          const judged = judgedIn(scope, now)
          const { usable, expiresAt } = usableOn(board, event, judged)
          const markets: MarketText[] = []
          // The event itself may be excluded by the filters.
          if (compiled.events()()) walk.enter(event)
          while (walk.nextMarket()) {
            const market = textOfMarket(board, walk, usable, choice, isOfOffers)
            if (market.bytes.length > 0) markets.push(market)
          }
          const head = {
            event_id: event.id,
            event_name: eventName(event),
            ...gameMembers(event),
            books_available: offersOf(event, scope).map(({ sportsbook }) => sportsbook),
            stale_books: scope.then ? undefined : staleBooks(event, scope, now),
            ...markets.find((market) => market.headline)?.headline,
          }
          const meta = { market_filter: filter.marketTypes ?? null, ...pastMetaOf(scope) }
          const headText = `${objectHead}{${members(head)}"markets":[`
          const tailText = `]}${objectTail(lastUpdate(event, scope), meta)}`
          const content = createContentHash()
          content.addText(headText)
          appendText(page, headText)
          for (let i = 0; i < markets.length; i++) {
            if (i > 0) appendFew(page, comma)
            appendMarketText(page, markets[i]!, board.rows, content)
          }
          content.addText(tailText)
          appendText(page, tailText)
          return { tag: content.digest(), expiresAt: expiresAt + now - judged.at }
        },
      }
    },
  })

const usableOfEvents = new WeakMap<ViewEvent, Uint8Array>()

/**
 * Returns the marks of `markUsable`, as the same array while they are unchanged, and when the first
 * of them becomes too old (epoch ms, by the clock of `judged.at`).
 */
function usableOn({ sportsbooks }: BoardView, event: ViewEvent, judged: Judged) {
  const hasPreMatch = event.liveRowCount < event.rowCount
  const kinds = (hasPreMatch ? preMatchBit : 0) | (event.liveRowCount > 0 ? liveBit : 0)
  const marks = new Uint8Array(sportsbooks.length)
  const expiresAt = markUsable(event, kinds, judged, undefined, marks)
  const known = usableOfEvents.get(event)
  if (known && Buffer.compare(known, marks) === 0) return { usable: known, expiresAt }
  usableOfEvents.set(event, marks)
  return { usable: marks, expiresAt }
}

// ---- cached texts of markets

/**
 * The text of a market, item by item. Items with moved prices are written again, the others are copied. Times of
 * sightings are filled in anew.
 */
interface MarketText {
  readonly block: EventBlock
  readonly event: EventRow
  /** Whose prices counted, as marked by `markUsable`. */
  readonly usable: Uint8Array
  /** The board's watermark at the time of writing. */
  readonly writtenAt: number
  /** While this is unchanged, the same rows match, whatever their prices. */
  readonly offerChanges: number
  readonly items: readonly ItemText[]
  /** Hash of the values that decide the bytes. */
  readonly key: number
  /** Empty for a market without matching prices. */
  readonly bytes: Uint8Array
  /** Positions of the sighting times in the text, and the row of each. */
  readonly places: Int32Array
  readonly rows: Int32Array
  /** See `headline`. */
  readonly headline: object | null
}

/** The end of an item in a market's text. */
interface ItemText {
  readonly question: Question
  readonly key: number
  readonly bytesEnd: number
  readonly placesEnd: number
}

/** Most bytes of cached texts for one board. Beyond that the cache is cleared. */
const mostBytes = 16 * 1024 * 1024
/** Memory of a text, and of each item, besides the bytes. */
const overheadBytes = 512
const itemBytes = 256

interface KeptMarkets {
  /** By block number and price filters. */
  readonly texts: Map<string, MarketText>
  bytes: number
}

const ofBoards = new WeakMap<Rows, KeptMarkets>()
const scratch = createPageBuffer()
const noted: TimesNoted = { places: [], rows: [] }

/**
 * Returns the text of the current market.
 * @param usable of its event
 * @param choice key of the price filters
 * @param isOfOffers whether matching depends only on which rows exist, not on their prices
 */
function textOfMarket(
  board: BoardView,
  walk: QuoteWalk,
  usable: Uint8Array,
  choice: string,
  isOfOffers: boolean,
): MarketText {
  const { rows } = board
  let kept = ofBoards.get(rows)
  if (!kept) {
    kept = { texts: new Map(), bytes: 0 }
    ofBoards.set(rows, kept)
  }
  const { block } = walk
  const key = `${block.number} ${choice}`
  const before = kept.texts.get(key)
  const isOfBlock = before && before.block === block && before.event === block.event.row
  const known = isOfBlock ? before : undefined
  if (known && known.usable === usable && block.pricedAt <= known.writtenAt) return known
  const text =
    known && isOfOffers && known.offerChanges === block.offerChanges
      ? writeMarket(board, block, usable, known.items.map(questionOfItem), known)
      : writeMarket(board, block, usable, questionsOf(board, walk))
  kept.bytes += sizeOf(text) - (before ? sizeOf(before) : 0)
  if (kept.bytes > mostBytes) {
    kept.texts.clear()
    kept.bytes = sizeOf(text)
  }
  kept.texts.set(key, text)
  return text
}

const questionOfItem = ({ question }: ItemText) => question

const sizeOf = ({ bytes, places, items }: MarketText) =>
  overheadBytes + itemBytes * items.length + bytes.length + 16 * places.length

/** @param known text of the same questions, whose unmoved items are copied */
function writeMarket(
  board: BoardView,
  block: EventBlock,
  usable: Uint8Array,
  questions: readonly Question[],
  known?: MarketText,
): MarketText {
  const { rows } = board
  const { event, marketType } = block
  const sets = outcomesOf(marketType, event.row.sport) ?? []
  const content = createContentHash()
  const items: ItemText[] = []
  scratch.length = 0
  rows.ask(block)
  for (let i = 0; i < questions.length; i++) {
    const question = questions[i]!
    const isCopied =
      known &&
      !hasMoved(board, question, known.writtenAt) &&
      (known.usable === usable || !hasAged(rows, question, known.usable, usable))
    if (i > 0) appendFew(scratch, comma)
    if (isCopied) copyItem(known, i)
    else appendItem(board, event, usable, marketType, sets, question, scratch, noted)
    const key = isCopied ? known.items[i]!.key : keyOf(rows, question, usable)
    content.addNumber(key)
    const [bytesEnd, placesEnd] = [scratch.length, noted.places.length]
    items.push({ question, key, bytesEnd, placesEnd })
  }
  const text: MarketText = {
    block,
    event: event.row,
    usable,
    writtenAt: board.watermark,
    offerChanges: block.offerChanges,
    items,
    key: content.number(),
    bytes: Uint8Array.prototype.slice.call(scratch.bytes, 0, scratch.length),
    places: Int32Array.from(noted.places),
    rows: Int32Array.from(noted.rows),
    headline: headline(board, event, usable, marketType, questions),
  }
  noted.places.length = 0
  noted.rows.length = 0
  return text
}

function hasMoved({ journal }: BoardView, question: Question, since: number): boolean {
  const { stamps } = journal
  for (let i = 0; i < question.length; i++) {
    const { offers } = question[i]!
    for (let at = 0; at < offers.length; at++) if (stamps[offers[at]!]! > since) return true
  }
  return false
}

/** Returns whether a price of the question has become too old to count since, or counts again. */
function hasAged(rows: Rows, question: Question, before: Uint8Array, now: Uint8Array): boolean {
  return question.some(({ offers }) =>
    offers.some((row) => usableBit(rows, row, before) !== usableBit(rows, row, now)),
  )
}

/** Appends an item of a text with the positions of its times. */
function copyItem({ items, bytes, places, rows }: MarketText, i: number) {
  const { bytesEnd, placesEnd } = items[i]!
  // A comma follows the item before.
  const from = i === 0 ? 0 : items[i - 1]!.bytesEnd + comma.length
  const shift = scratch.length - from
  reserve(scratch, bytesEnd - from)
  scratch.bytes.set(bytes.subarray(from, bytesEnd), scratch.length)
  scratch.length += bytesEnd - from
  for (let at = i === 0 ? 0 : items[i - 1]!.placesEnd; at < placesEnd; at++) {
    noted.places.push(places[at]! + shift)
    noted.rows.push(rows[at]!)
  }
}

const itemHash = createContentHash()

/** Returns a hash of the values that decide an item's bytes. */
function keyOf(rows: Rows, question: Question, usable: Uint8Array): number {
  itemHash.begin()
  for (const { offers } of question) {
    itemHash.add(offers.length)
    for (const row of offers) {
      rows.addStanding(row, itemHash)
      itemHash.add(usableBit(rows, row, usable))
    }
  }
  return itemHash.number()
}

function appendMarketText(page: PageBuffer, text: MarketText, rows: Rows, content: ContentHash) {
  const { bytes, places } = text
  content.addNumber(text.key)
  reserve(page, bytes.length)
  const start = page.length
  page.bytes.set(bytes, start)
  for (let i = 0; i < places.length; i++) {
    const { lastSeenAt } = rows.sighted(text.rows[i]!)
    content.add(lastSeenAt)
    writeTime(lastSeenAt, page.bytes, start + places[i]!)
  }
  page.length += bytes.length
}
