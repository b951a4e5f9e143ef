/** GET /api/v1/odds/comparison: one event, every market, selections side by side (interface 4.6). */

import { type ContentHash, createContentHash } from '../../pipeline/memory/content-hash.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds/odds.ts'
import { type OutcomeSet, teamOf } from '../../pipeline/rules/odds/outcome-sets.ts'
import {
  homeLine,
  isOfUnknownPlayer,
  outcomesOf,
  rungKey,
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
import { followsOffers, usesOnly } from '../../pipeline/views/query/odds-filter.ts'
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
    'Needs `event`, the id of one event. The filters of `/odds` select among its prices, `min_odds` and `max_odds` too; `hold` is that of the selected ones. `limit`, `offset`, `cursor`, `sort`, `fields`, `group_by` and `state` have no effect here. Leaves out prices that take no bets; `withheld` ones are shown, but are never the best.',
  query: { ...oddsQuery, event: required(oneEvent) },
  answers: {
    200: {
      description: 'The event with its markets.',
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
        const compiled = compile(board, filter)
        const walk = walkQuotes(compiled)
        const isOfOffers = usesOnly(filter, followsOffers)
        const markets: MarketText[] = []
        // The event itself may be excluded by the filters.
        if (compiled.events()()) walk.enter(event)
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

// ---- cached texts of markets

/**
 * The text of a market, item by item. Items with moved prices are written again, the others are copied. Times of
 * sightings are filled in anew.
 */
interface MarketText {
  readonly block: EventBlock
  readonly event: EventRow
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
  /** The best price of its first selection, for clients that want a single row. */
  readonly headline: object
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
 * @param choice key of the price filters
 * @param isOfOffers whether matching depends only on which rows exist, not on their prices
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

/** @param known text of the same questions, whose unmoved items are copied */
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

// ---- writing

type Rows = BoardView['rows']

/** A selection and the rows that offer it, by slug. At least one row is not of a reference. */
interface Quoted {
  readonly selection: Selection
  readonly offers: readonly number[]
}

/** The outcomes on one rung of a question. */
type Question = readonly Quoted[]

/** Returns the questions of the current market. */
function questionsOf({ rows }: BoardView, walk: QuoteWalk): readonly Question[] {
  const { marketType } = walk
  const questions = new Map<string, Quoted[]>()
  const bySlug = (a: number, b: number) =>
    compareTexts(rows.sighted(a).sportsbook, rows.sighted(b).sportsbook)
  while (walk.nextSelection()) {
    const offers: number[] = []
    if (walk.pickActive(undefined, Number.POSITIVE_INFINITY, offers) === 0) continue
    if (offers.every((row) => isReference(rows, row))) continue
    // Rows with another label of the same outcome come after the rest, so all are sorted again.
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
  const isWhole =
    !isOfUnknownPlayer(marketType, entries[0]!.selection.playerName) &&
    sets.some((set) => isAnsweredBy(set, entries))
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

/** Returns the fields that distinguish the questions of an event. No two questions share all of them. */
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

/** By sportsbook number: sum of the implied probabilities and number of its outcomes. */
const sums: number[] = []
const answered: number[] = []

/**
 * Returns the hold in percent, the sum of implied probabilities less one: that of the best prices, and that of each
 * sportsbook with a price for every outcome.
 */
function holdText({ rows, sportsbooks }: BoardView, entries: readonly Quoted[]): string {
  const books: number[] = []
  let best = -1
  let isWithheld = false
  for (const { offers } of entries) {
    const bestRow = bestOf(rows, offers)
    // If all prices of an outcome are withheld, so is its best price, and all of them count.
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

/** For outcomes that do not form a complete set. */
const noHold = '{"best_available":null,"by_book":{}}'

/** Returns whether the selections are exactly the outcomes of the set. */
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

/**
 * Returns the first row with the highest price (1) or the lowest (-1), excluding withheld prices. If all are
 * withheld, only references are excluded.
 */
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

/** Returns whether the price is a reference, which cannot be bet on. */
const isReference = (rows: Rows, row: number) => rows.withheld(row) === 'reference'

/** Converts a fraction to percent with two decimals. */
const percent = (fraction: number) => Math.round(fraction * 1e4) / 100
/** Cached, because distinct values are few and formatting a fraction is slow. */
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
