/** GET /api/v1/odds/comparison: one event, every market, selections side by side (interface 4.6). */

import { createContentHash } from '../../pipeline/memory/content-hash.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds.ts'
import {
  homeLine,
  type OutcomeSet,
  outcomesOf,
  rungKey,
  teamOf,
} from '../../pipeline/rules/questions.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import type { Selection } from '../../pipeline/views/board/block.ts'
import type { EventBlock, ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { compile } from '../../pipeline/views/query/compiled-filter.ts'
import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import {
  type Offer,
  type OfferedPrice,
  type QuoteWalk,
  walkQuotes,
} from '../../pipeline/views/query/quotes.ts'
import type { EventRow } from '../../schemas/event.ts'
import { comparisonObject } from '../../schemas/http/comparison.ts'
import { exampleComparison } from '../../schemas/http/examples/comparison.ts'
import { oddsQuery, oneEvent } from '../../schemas/http/odds-query.ts'
import { required } from '../../schemas/http/query.ts'
import { eventName, lastUpdate, offersOf, visibleEvent } from '../answer/events.ts'
import { members, objectHead, objectTail } from '../answer/json.ts'
import { pastMetaOf } from '../answer/past-meta.ts'
import { priceText, quoted, withheldText } from '../answer/price-text.ts'
import { shownSelection } from '../answer/selections.ts'
import {
  appendTimedText,
  createRecentTexts,
  createTimedText,
  type TimedText,
  timeRoom,
} from '../answer/timed-text.ts'
import { watchedEventIds } from '../ask/event-filters.ts'
import { requestedOdds } from '../ask/odds-filter.ts'
import { ApiError } from '../errors.ts'
import { readRoute } from './route.ts'

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
      example: exampleComparison,
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
    const kept: KeptMarkets = new Map()
    let keptFor: OddsFilter | undefined

    return {
      version: board.watch({ eventIds: watched }),
      write(page) {
        const event = visibleEvent(scope, eventId)
        const filter = requested.filter()
        const asked = compile(board, filter)
        const walk = walkQuotes(asked)
        const markets: Market[] = []
        if (filter !== keptFor || kept.size > 2 * event.blocks.length) kept.clear()
        keptFor = filter
        // A board of the past goes with its plan, and so do its texts.
        if (!scope.then) recent.take(kept)
        // The event itself may be none that is asked for.
        if (asked.events()()) walk.enter(event)
        while (walk.nextMarket()) {
          const market = marketOf(walk, event, kept)
          if (market.first) markets.push(market)
        }
        const { row } = event
        const head = {
          event_id: event.id,
          event_name: eventName(event),
          sport: row.sport,
          league: row.league,
          home_team: row.homeTeam,
          away_team: row.awayTeam,
          start_time: isoTime(row.startsAt),
          status: row.status,
          is_live: row.isLive,
          books_available: offersOf(event, scope).map(({ sportsbook }) => sportsbook),
          ...headline(event, markets),
        }
        const meta = { market_filter: filter.marketTypes ?? null, ...pastMetaOf(scope) }
        const content = createContentHash()
        const headText = `${objectHead}{${members(head)}"markets":[`
        const tailText = `]}${objectTail(lastUpdate(event, scope), meta)}`
        content.addText(headText)
        appendText(page, headText)
        for (let i = 0; i < markets.length; i++) {
          if (i > 0) appendText(page, ',')
          appendTimedText(page, markets[i]!.text, content)
        }
        content.addText(tailText)
        appendText(page, tailText)
        return { tag: content.digest() }
      },
    }
  },
})

/** One selection and who offers it, by slug; never empty. */
type Quoted = readonly [selection: Selection, quotes: readonly OfferedPrice[]]

/** What is said of a market, and what that follows from. */
interface Market {
  readonly pricedAt: number
  readonly row: EventRow
  /** One item for each rung of each question. */
  readonly text: TimedText
  /** The best price of the first selection; null where no price can be had. */
  readonly first: First | null
}

interface First {
  readonly marketType: string
  readonly selection: Selection
  readonly best: OfferedPrice
}

type KeptMarkets = Map<EventBlock, Market>

/** One that is large takes some 200 KB. */
const mostKept = 64
const recent = createRecentTexts<KeptMarkets>(mostKept)

/** Of the market the walk has come to. */
function marketOf(walk: QuoteWalk, event: ViewEvent, kept: KeptMarkets): Market {
  const { block, marketType } = walk
  const { row } = event
  const { pricedAt } = block
  const known = kept.get(block)
  if (known?.pricedAt === pricedAt && known.row === row) return known
  const quotes: Quoted[] = []
  while (walk.nextSelection()) {
    const found: OfferedPrice[] = []
    while (walk.nextActiveQuote()) found.push(walk.offered())
    found.sort((a, b) => compareTexts(a.offer.sportsbook, b.offer.sportsbook))
    if (found.length > 0) quotes.push([walk.selection, found])
  }
  const seen: Offer[] = []
  const text = createTimedText(marketText(event, marketType, quotes, seen), seen)
  const [selection, prices] = quotes[0] ?? []
  const first = selection && prices ? { marketType, selection, best: bestOf(prices) } : null
  const market = { pricedAt, row, text, first }
  kept.set(block, market)
  return market
}

/** @param seen takes whose times the text has room for */
function marketText(
  event: ViewEvent,
  marketType: string,
  quotes: readonly Quoted[],
  seen: Offer[],
): string {
  const questions = new Map<string, Quoted[]>()
  for (const entry of quotes) {
    const key = rungKey(marketType, entry[0])
    const others = questions.get(key)
    if (others) others.push(entry)
    else questions.set(key, [entry])
  }
  const sets = outcomesOf(marketType, event.row.sport) ?? []
  const items = [...questions.values()].map((entries) => {
    const hold = JSON.stringify(holdOf(entries, sets))
    const selections = entries.map((entry) => selectionText(event, marketType, entry, seen))
    const question = members(questionOf(event, marketType, entries[0]![0]))
    return `{${question}"hold":${hold},"selections":[${selections.join(',')}]}`
  })
  return items.join(',')
}

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

/**
 * The sum of implied probabilities less one, in percent: of the best prices, and of each sportsbook
 * that has a price for every answer. Null and none where the answers are no complete set.
 */
function holdOf(entries: readonly Quoted[], sets: readonly OutcomeSet[]): object {
  const answers = new Map(entries.map(([{ selectionType }, prices]) => [selectionType, prices]))
  const isComplete = sets.some(
    (set) => set.length === entries.length && set.every((answer) => answers.has(answer)),
  )
  if (!isComplete) return { best_available: null, by_book: {} }
  const byBook: Record<string, number> = {}
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { offer, price } of [...answers.values()].flatMap(standing)) {
    const { sportsbook } = offer
    const { sum, count } = sums.get(sportsbook) ?? { sum: 0, count: 0 }
    sums.set(sportsbook, { sum: sum + 1 / price, count: count + 1 })
  }
  for (const [sportsbook, { sum, count }] of sums) {
    if (count === answers.size) byBook[sportsbook] = percent(sum - 1)
  }
  let best = -1
  for (const prices of answers.values()) {
    const { price, withheld } = bestOf(prices)
    if (withheld !== null) return { best_available: null, by_book: byBook }
    best += 1 / price
  }
  return { best_available: percent(best), by_book: byBook }
}

function selectionText(
  event: ViewEvent,
  marketType: string,
  [selection, quotes]: Quoted,
  seen: Offer[],
): string {
  const best = bestOf(quotes)
  const worst = standing(quotes).reduce((least, quote) =>
    quote.price < least.price ? quote : least,
  )
  const { playerName } = selection
  const shown = {
    ...shownSelection(event, marketType, selection),
    ...(playerName !== null && { player_name: playerName }),
  }
  const spread = percent(1 / worst.price - 1 / best.price)
  let books = ''
  for (const { offer } of quotes) seen.push(offer)
  for (const quote of quotes) books += `${books === '' ? '' : ','}${quoteText(quote)}`
  return `{${members(shown)}"books":{${books}},"best_book":${quoted(best.offer.sportsbook)},"best_odds":${priceText(best.price).american},"worst_book":${quoted(worst.offer.sportsbook)},"worst_odds":${priceText(worst.price).american},"spread":${spread}${withheldText(best.withheld)}}`
}

function quoteText({ offer, price, withheld, changedAt }: OfferedPrice): string {
  const changed = changedAt === null ? 'null' : `"${isoTime(changedAt)}"`
  return `${quoted(offer.sportsbook)}:{${priceText(price).odds},"last_seen_at":"${timeRoom}","odds_changed_at":${changed}${withheldText(withheld)}}`
}

/** Those that the guard does not withhold; where it withholds all, all. */
function standing(quotes: readonly OfferedPrice[]): readonly OfferedPrice[] {
  if (quotes.every(({ withheld }) => withheld === null)) return quotes
  const left = quotes.filter(({ withheld }) => withheld === null)
  return left.length > 0 ? left : quotes
}

const bestOf = (quotes: readonly OfferedPrice[]) =>
  standing(quotes).reduce((most, quote) => (quote.price > most.price ? quote : most))

/** A fraction in percent with two decimals. */
const percent = (fraction: number) => Math.round(fraction * 1e4) / 100

/** The best price of the first selection, at the top level for clients that want one row. */
function headline(event: ViewEvent, [market]: readonly Market[]): object {
  if (!market?.first) return {}
  const { marketType, selection, best } = market.first
  const probability = shownProbability(best.price)
  return {
    id: String(best.id),
    sportsbook: best.offer.sportsbook,
    market_type: marketType,
    ...shownSelection(event, marketType, selection),
    odds_american: decimalToAmerican(best.price),
    odds_decimal: shownPrice(best.price),
    odds_probability: probability,
    probability,
    ...(best.withheld !== null && { withheld: best.withheld }),
  }
}
