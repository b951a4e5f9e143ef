/** GET /api/v1/odds/comparison: one event, every market, selections side by side (interface 4.6). */

import { type ContentHash, createContentHash } from '../../pipeline/memory/content-hash.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds/odds.ts'
import {
  homeLine,
  type OutcomeSet,
  outcomesOf,
  rungKey,
  teamOf,
} from '../../pipeline/rules/odds/questions.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { writeTime } from '../../pipeline/text/iso-time.ts'
import {
  appendFew,
  appendText,
  createPageBuffer,
  type PageBuffer,
  reserve,
} from '../../pipeline/text/page-buffer.ts'
import type { Selection } from '../../pipeline/views/board/block.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { EventBlock, ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { compile } from '../../pipeline/views/query/compiled-filter.ts'
import { asksOnly, followsOffers } from '../../pipeline/views/query/odds-filter.ts'
import { type QuoteWalk, walkQuotes } from '../../pipeline/views/query/quotes.ts'
import type { EventRow } from '../../schemas/event.ts'
import { comparisonObject } from '../../schemas/http/comparison.ts'
import { oddsQuery, oneEvent } from '../../schemas/http/odds-query.ts'
import { required } from '../../schemas/http/query.ts'
import { memoise } from '../../schemas/memoise.ts'
import { eventName, gameMembers, lastUpdate, offersOf, visibleEvent } from '../answer/events.ts'
import { members, objectHead, objectTail } from '../answer/json.ts'
import type { TimesNoted } from '../answer/kept-texts.ts'
import { pastMetaOf } from '../answer/past-meta.ts'
import { appendTimes, priceText, quoted, utf8, withheldText } from '../answer/price-text.ts'
import { shownSelection } from '../answer/selections.ts'
import { watchedEventIds } from '../ask/event-filters.ts'
import { requestedOdds } from '../ask/odds-filter.ts'
import { ApiError } from '../errors.ts'
import { readRoute } from '../route.ts'

export const compareOdds = readRoute({
  path: '/api/v1/odds/comparison',
  access: 'key',
  tag: 'odds',
  summary: 'The prices of one event, sportsbooks side by side',
  description:
    'Needs `event`, the id of one event. The filters of `/odds` pick among its prices, `min_odds` and `max_odds` too; what `hold` says is of those picked. `limit`, `offset`, `cursor`, `sort`, `fields`, `group_by` and `state` change nothing here. Prices that no bets are taken on are left out; those that are `withheld` are shown, and are none of the best.',
  query: { ...oddsQuery, event: required(oneEvent) },
  answers: {
    200: {
      description: 'The event with its questions.',
      schema: comparisonObject,
    },
  },
  tool: {
    name: 'compare_odds',
    description: 'The prices of one game side by side, sportsbook by sportsbook.',
    inputs: ['event', 'market', 'sportsbook'],
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
        const asked = compile(board, filter)
        const walk = walkQuotes(asked)
        const isOfOffers = asksOnly(filter, followsOffers)
        const markets: MarketText[] = []
        // The event itself may be none that is asked for.
        if (asked.events()()) walk.enter(event)
        while (walk.nextMarket()) {
          const market = textOfMarket(board, walk, choice, isOfOffers)
          if (market.bytes.length > 0) markets.push(market)
        }
        const head = {
          event_id: event.id,
          event_name: eventName(event),
          ...gameMembers(event),
          books_available: offersOf(event, scope).map(({ sportsbook }) => sportsbook),
          ...markets[0]?.headline,
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
        return { tag: content.digest() }
      },
    }
  },
})

// ---- texts of markets, kept

/**
 * What answers say of a market, item by item: a price that moves is written into its own item, and the others are copied.
 * The times at which prices were last seen are written into it.
 */
interface MarketText {
  readonly block: EventBlock
  readonly event: EventRow
  /** The board's watermark as it was written. */
  readonly writtenAt: number
  /** While this is so, the same prices are asked for, whatever they are. */
  readonly offerChanges: number
  readonly items: readonly ItemText[]
  /** A hash of what decides the bytes. */
  readonly key: number
  /** Empty for a market without prices that are asked for. */
  readonly bytes: Uint8Array
  /** Where it says when prices were last seen, and the row of each. */
  readonly places: Int32Array
  readonly rows: Int32Array
  /** The best price of its first selection, for clients that want one row. */
  readonly headline: object
}

/** Where an item of a market ends. */
interface ItemText {
  readonly question: Question
  readonly key: number
  readonly bytesEnd: number
  readonly placesEnd: number
}

/** Bytes of texts that are kept of one board; then it is begun anew. */
const mostBytes = 16 * 1024 * 1024
/** Of a text, and of an item, beside its bytes. */
const overheadBytes = 512
const itemBytes = 256

interface KeptMarkets {
  /** By choice of prices and number of the block. */
  readonly texts: Map<string, MarketText>
  bytes: number
}

const ofBoards = new WeakMap<Rows, KeptMarkets>()
const scratch = createPageBuffer()
const noted: TimesNoted = { places: [], rows: [] }

/**
 * Of the market the walk has come to.
 * @param choice tells apart which of its prices are asked for
 * @param isOfOffers whether which these are follows from which rows there are, not from what they say
 */
function textOfMarket(
  board: BoardView,
  walk: QuoteWalk,
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
  if (known && block.pricedAt <= known.writtenAt) return known
  const text =
    known && isOfOffers && known.offerChanges === block.offerChanges
      ? writeMarket(board, block, known.items.map(questionOfItem), known)
      : writeMarket(board, block, questionsOf(board, walk))
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

/** @param known a text of the same questions, of which is copied what has not moved */
function writeMarket(
  board: BoardView,
  block: EventBlock,
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
    const isCopied = known && !hasMoved(board, question, known.writtenAt)
    if (i > 0) appendFew(scratch, comma)
    if (isCopied) copyItem(known, i)
    else appendItem(board, event, marketType, sets, question, scratch)
    const key = isCopied ? known.items[i]!.key : keyOf(rows, question)
    content.addNumber(key)
    const [bytesEnd, placesEnd] = [scratch.length, noted.places.length]
    items.push({ question, key, bytesEnd, placesEnd })
  }
  const text: MarketText = {
    block,
    event: event.row,
    writtenAt: board.watermark,
    offerChanges: block.offerChanges,
    items,
    key: content.number(),
    bytes: Uint8Array.prototype.slice.call(scratch.bytes, 0, scratch.length),
    places: Int32Array.from(noted.places),
    rows: Int32Array.from(noted.rows),
    headline: headline(board, event, marketType, questions[0]?.[0]),
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

/** Appends an item as it is in a text, with the places of its times. */
function copyItem({ items, bytes, places, rows }: MarketText, i: number) {
  const { bytesEnd, placesEnd } = items[i]!
  // Behind the one before stands a comma.
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

/** A hash of what decides the bytes of an item. */
function keyOf(rows: Rows, question: Question): number {
  itemHash.begin()
  for (const { offers } of question) {
    itemHash.add(offers.length)
    for (const row of offers) rows.addStanding(row, itemHash)
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

// ---- how they are written

type Rows = BoardView['rows']

/** One selection and the rows that offer it, by slug; one of them at least is no reference. */
interface Quoted {
  readonly selection: Selection
  readonly offers: readonly number[]
}

/** The answers on one rung of a question. */
type Question = readonly Quoted[]

/** Those of the market the walk has come to. */
function questionsOf({ rows }: BoardView, walk: QuoteWalk): readonly Question[] {
  const { marketType } = walk
  const questions = new Map<string, Quoted[]>()
  const bySlug = (a: number, b: number) =>
    compareTexts(rows.sighted(a).sportsbook, rows.sighted(b).sportsbook)
  while (walk.nextSelection()) {
    const offers: number[] = []
    if (walk.pickActive(undefined, Number.POSITIVE_INFINITY, offers) === 0) continue
    if (offers.every((row) => isReference(rows, row))) continue
    // Another label of the same answer has its sportsbooks behind.
    if (rows.selection(offers[0]!) !== rows.selection(offers.at(-1)!)) offers.sort(bySlug)
    const { selection } = walk
    const key = rungKey(marketType, selection)
    const others = questions.get(key)
    if (others) others.push({ selection, offers })
    else questions.set(key, [{ selection, offers }])
  }
  return [...questions.values()]
}

function appendItem(
  board: BoardView,
  event: ViewEvent,
  marketType: string,
  sets: readonly OutcomeSet[],
  entries: Question,
  page: PageBuffer,
) {
  const question = members(questionOf(event, marketType, entries[0]!.selection))
  const isWhole = sets.some((set) => isAnsweredBy(set, entries))
  const hold = isWhole ? holdText(board, entries) : noHold
  appendText(page, `{${question}"hold":${hold},"selections":[`)
  for (let i = 0; i < entries.length; i++) {
    const { selection, offers } = entries[i]!
    if (i > 0) appendFew(page, comma)
    appendSelection(board, event, marketType, selection, offers, page)
  }
  appendFew(page, itemEnd)
}

const comma = utf8(',')
const itemEnd = utf8(']}')

/** What tells the questions of an event apart: no two of them have all of it in common. */
function questionOf(event: ViewEvent, marketType: string, selection: Selection): object {
  const { playerName } = selection
  const { selection_type, line } = shownSelection(event, marketType, selection)
  const team = teamOf(selection_type)
  return {
    market_type: marketType,
    line: homeLine(marketType, selection_type, line),
    ...(team !== null && { team }),
    ...(playerName !== null && { player_name: playerName }),
  }
}

/** By sportsbook number: the sum of implied probabilities of the answers at hand, and how many there are. */
const sums: number[] = []
const answered: number[] = []

/**
 * The sum of implied probabilities less one, in percent: of the best prices, and of each sportsbook
 * that has a price for every answer.
 */
function holdText({ rows, sportsbooks }: BoardView, entries: readonly Quoted[]): string {
  const books: number[] = []
  let best = -1
  let isWithheld = false
  for (const { offers } of entries) {
    const bestRow = bestOf(rows, offers)
    // Where all of an answer are withheld, so is the best of them, and all count.
    const isAllWithheld = rows.withheld(bestRow) !== null
    for (const row of offers) {
      if (isAllWithheld ? isReference(rows, row) : rows.withheld(row) !== null) continue
      const { book } = rows.sighted(row)
      const implied = 1 / rows.price(row)
      if (answered[book]) {
        sums[book]! += implied
        answered[book]!++
      } else {
        sums[book] = implied
        answered[book] = 1
        books.push(book)
      }
    }
    isWithheld ||= isAllWithheld
    best += 1 / rows.price(bestRow)
  }
  let byBook = ''
  for (const book of books) {
    if (answered[book] === entries.length) {
      byBook += `${byBook === '' ? '' : ','}${quoted(sportsbooks[book]!)}:${percentText(sums[book]! - 1)}`
    }
    answered[book] = 0
  }
  return `{"best_available":${isWithheld ? null : percent(best)},"by_book":{${byBook}}}`
}

/** Where the answers are no complete set. */
const noHold = '{"best_available":null,"by_book":{}}'

/** Whether the selections are the answers of the set, each once. */
const isAnsweredBy = (set: OutcomeSet, entries: readonly Quoted[]) =>
  set.length === entries.length &&
  set.every((answer) => entries.some(({ selection }) => selection.selectionType === answer))

function appendSelection(
  board: BoardView,
  event: ViewEvent,
  marketType: string,
  selection: Selection,
  offers: readonly number[],
  page: PageBuffer,
) {
  const { rows } = board
  const best = bestOf(rows, offers)
  const worst = worstOf(rows, offers)
  const bestPrice = rows.price(best)
  const worstPrice = rows.price(worst)
  const { playerName } = selection
  const shown = shownSelection(event, marketType, selection)
  const player = playerName === null ? '' : `"player_name":${quoted(playerName)},`
  const spread = percent(1 / worstPrice - 1 / bestPrice)
  appendText(
    page,
    `{"selection":${quoted(shown.selection)},"selection_type":${quoted(shown.selection_type)},"line":${shown.line},${player}"books":{`,
  )
  for (let i = 0; i < offers.length; i++) {
    const row = offers[i]!
    appendFew(page, (i === 0 ? firstOffer : furtherOffer)(rows.sighted(row).sportsbook))
    appendFew(page, priceText(rows.price(row)).oddsBytes)
    appendTimes(page, rows, row, noted)
  }
  appendText(
    page,
    `},"best_book":${quoted(rows.sighted(best).sportsbook)},"best_odds":${priceText(bestPrice).american},"worst_book":${quoted(rows.sighted(worst).sportsbook)},"worst_odds":${priceText(worstPrice).american},"spread":${spread}${withheldText(rows.withheld(best))}}`,
  )
}

const firstOffer = memoise((sportsbook) => utf8(`${quoted(sportsbook)}:{`))
const furtherOffer = memoise((sportsbook) => utf8(`,${quoted(sportsbook)}:{`))
const bestOf = (rows: Rows, offers: readonly number[]) => extreme(rows, offers, 1)
const worstOf = (rows: Rows, offers: readonly number[]) => extreme(rows, offers, -1)

/** The first row at the highest price (1), or the lowest (-1): of those that stand, or where none does, of all but references. */
function extreme(rows: Rows, offers: readonly number[], sign: 1 | -1): number {
  let found = -1
  for (const row of offers) {
    if (rows.withheld(row) !== null) continue
    if (found < 0 || sign * (rows.price(row) - rows.price(found)) > 0) found = row
  }
  if (found >= 0) return found
  for (const row of offers) {
    if (isReference(rows, row)) continue
    if (found < 0 || sign * (rows.price(row) - rows.price(found)) > 0) found = row
  }
  return found
}

/** Whether nobody can bet at the price. */
const isReference = (rows: Rows, row: number) => rows.withheld(row) === 'reference'

/** A fraction in percent with two decimals. */
const percent = (fraction: number) => Math.round(fraction * 1e4) / 100
/** Few different ones occur, and a number that is no whole one takes long to write. */
const textOfHundredths = memoise((hundredths: number) => String(hundredths / 100))
const percentText = (fraction: number) => textOfHundredths(Math.round(fraction * 1e4))

function headline(
  { rows }: BoardView,
  event: ViewEvent,
  marketType: string,
  first: Quoted | undefined,
): object {
  if (!first) return {}
  const { selection, offers } = first
  const best = bestOf(rows, offers)
  const price = rows.price(best)
  const withheld = rows.withheld(best)
  const probability = shownProbability(price)
  return {
    id: String(rows.id(best)),
    sportsbook: rows.sighted(best).sportsbook,
    market_type: marketType,
    ...shownSelection(event, marketType, selection),
    odds_american: decimalToAmerican(price),
    odds_decimal: shownPrice(price),
    odds_probability: probability,
    probability,
    ...(withheld !== null && { withheld }),
  }
}
