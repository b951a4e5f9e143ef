/** GET /api/v1/odds/comparison: one event, every market, selections side by side (interface 4.6). */

import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds.ts'
import type { EventBlock, ViewEvent } from '../../pipeline/views/board-view.ts'
import type { Selection } from '../../pipeline/views/odds-rows.ts'
import { isoTime } from '../../pipeline/views/row-text.ts'
import { flipLine, flipSelectionType } from '../../schemas/event.ts'
import { marketSides, type Sides } from '../../schemas/reference/markets.ts'
import { type Scope, scopedSportsbooks } from '../access/scope.ts'
import { ApiError } from '../errors.ts'
import { instant, objectBody } from '../json.ts'
import { readFilters } from '../params.ts'
import type { KeyRoute } from '../route.ts'
import { eventName, lastUpdate, offersOf, visibleEvent } from './events.ts'

export const compareOdds: KeyRoute = {
  method: 'get',
  path: '/api/v1/odds/comparison',
  access: 'key',
  handle({ params, scope }) {
    const eventId = params.text('event', 'event_id', 'eventId')
    if (eventId === undefined) {
      throw new ApiError('validation_error', 'event is required: the id of one event.')
    }
    const { sportsbooks: named, marketTypes } = readFilters(params, scope.board)
    const event = visibleEvent(scope, eventId)
    const sportsbooks = scopedSportsbooks(scope, named)
    const markets = event.blocks
      .filter(({ marketType }) => !marketTypes || marketTypes.includes(marketType))
      .map((block) => quotesOf(block, scope, sportsbooks))
      .filter(({ quotes }) => quotes.size > 0)
    const first = headline(markets)
    const data = {
      event_id: event.id,
      event_name: eventName(event),
      sport: event.row.sport,
      league: event.row.league,
      home_team: event.row.homeTeam,
      away_team: event.row.awayTeam,
      start_time: isoTime(event.row.startsAt),
      is_live: event.row.isLive,
      books_available: offersOf(event, scope).map(({ sportsbook }) => sportsbook),
      markets: markets.flatMap((market) => marketItems(event, market)),
      ...first,
    }
    return {
      body: objectBody(data, lastUpdate(event, scope), { market_filter: marketTypes ?? null }),
    }
  },
}

interface Quote {
  readonly id: number
  readonly sportsbook: string
  readonly price: number
  readonly lastSeenAt: number
  readonly changedAt: number | null
}

interface Quotes {
  readonly marketType: string
  /** In page order; only prices that can be had. */
  readonly quotes: ReadonlyMap<Selection, readonly Quote[]>
}

function quotesOf(
  block: EventBlock,
  { board }: Scope,
  sportsbooks: readonly string[] | undefined,
): Quotes {
  const { rows } = board
  const quotes = new Map<Selection, Quote[]>()
  for (let i = 0; i < block.count; i++) {
    const row = block.rows[i]!
    const { book, lastSeenAt } = rows.sighted(row)
    const sportsbook = board.sportsbooks[book]!
    if (!rows.isActive(row) || (sportsbooks && !sportsbooks.includes(sportsbook))) continue
    const selection = rows.selection(row)
    const quote = {
      id: rows.id(row),
      sportsbook,
      price: rows.price(row),
      lastSeenAt,
      changedAt: rows.changedAt(row),
    }
    const others = quotes.get(selection)
    if (others) others.push(quote)
    else quotes.set(selection, [quote])
  }
  return { marketType: block.marketType, quotes }
}

/** One item per question: the market's line, player and, for team totals, side. */
function marketItems(event: ViewEvent, { marketType, quotes }: Quotes): object[] {
  const questions = new Map<string, [Selection, readonly Quote[]][]>()
  for (const entry of quotes) {
    const key = questionKey(entry[0])
    const others = questions.get(key)
    if (others) others.push(entry)
    else questions.set(key, [entry])
  }
  const sides = marketSides(marketType, event.row.sport)
  return [...questions.values()].map((entries) => ({
    market_type: marketType,
    hold: holdOf(entries, sides),
    selections: entries.map(([selection, prices]) =>
      selectionItem(event, marketType, selection, prices),
    ),
  }))
}

/** Home -1.5 and away +1.5 are one question, named by the home side's line. */
function questionKey({ playerName, line, selectionType }: Selection): string {
  const rung = line !== null && selectionType === 'away' ? 0 - line : line
  return `${playerName ?? ''}|${rung ?? ''}|${sideOf(selectionType)}`
}

/** The team a team total is about: `home` of `home_over`; empty for a question about the game. */
const sideOf = (selectionType: string) =>
  /^(home|away)_(?=over$|under$|yes$|no$)/.exec(selectionType)?.[1] ?? ''

/** The answers of which exactly one comes true, by what the market asks. */
const answersOf: Readonly<Record<Sides, readonly string[] | null>> = {
  home_away: ['home', 'away'],
  home_away_draw: ['home', 'away', 'draw'],
  over_under: ['over', 'under'],
  yes_no: ['yes', 'no'],
  other: null,
}

/**
 * The sum of implied probabilities less one, in percent: of the best prices, and of each sportsbook
 * that has a price for every answer. Null and none where the answers do not exclude one another.
 */
function holdOf(entries: readonly [Selection, readonly Quote[]][], sides: Sides): object {
  const wanted = answersOf[sides]
  const answers = new Map(
    entries.map(([{ selectionType }, prices]) => {
      const side = sideOf(selectionType)
      return [side === '' ? selectionType : selectionType.slice(side.length + 1), prices]
    }),
  )
  const isComplete =
    wanted?.length === entries.length && wanted.every((answer) => answers.has(answer))
  if (!isComplete) return { best_available: null, by_book: {} }
  const byBook: Record<string, number> = {}
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { sportsbook, price } of [...answers.values()].flat()) {
    const { sum, count } = sums.get(sportsbook) ?? { sum: 0, count: 0 }
    sums.set(sportsbook, { sum: sum + 1 / price, count: count + 1 })
  }
  for (const [sportsbook, { sum, count }] of sums) {
    if (count === answers.size) byBook[sportsbook] = percent(sum - 1)
  }
  const best = [...answers.values()].reduce((sum, prices) => sum + 1 / bestOf(prices).price, 0)
  return { best_available: percent(best - 1), by_book: byBook }
}

function selectionItem(
  event: ViewEvent,
  marketType: string,
  selection: Selection,
  quotes: readonly Quote[],
): object {
  const best = bestOf(quotes)
  const worst = quotes.reduce((least, quote) => (quote.price < least.price ? quote : least))
  const { selectionType } = selection
  const { flipped } = event.row
  return {
    selection: selection.label,
    selection_type: flipped ? flipSelectionType(selectionType, marketType) : selectionType,
    line: flipped ? flipLine(selectionType, selection.line) : selection.line,
    ...(selection.playerName !== null && { player_name: selection.playerName }),
    books: Object.fromEntries(quotes.map((quote) => [quote.sportsbook, quoteItem(quote)])),
    best_book: best.sportsbook,
    best_odds: decimalToAmerican(best.price),
    worst_book: worst.sportsbook,
    worst_odds: decimalToAmerican(worst.price),
    spread: percent(1 / worst.price - 1 / best.price),
  }
}

function quoteItem({ price, lastSeenAt, changedAt }: Quote): object {
  return {
    odds_american: decimalToAmerican(price),
    odds_decimal: shownPrice(price),
    last_seen_at: isoTime(lastSeenAt),
    odds_changed_at: instant(changedAt ?? 0),
  }
}

const bestOf = (quotes: readonly Quote[]) =>
  quotes.reduce((most, quote) => (quote.price > most.price ? quote : most))

/** A fraction in percent with two decimals. */
const percent = (fraction: number) => Math.round(fraction * 1e4) / 100

/** The best price of the first selection, at the top level for clients that want one row. */
function headline(markets: readonly Quotes[]): object {
  for (const { marketType, quotes } of markets) {
    for (const [selection, prices] of quotes) {
      const best = bestOf(prices)
      const probability = shownProbability(best.price)
      return {
        id: String(best.id),
        sportsbook: best.sportsbook,
        market_type: marketType,
        selection: selection.label,
        odds_american: decimalToAmerican(best.price),
        odds_decimal: shownPrice(best.price),
        odds_probability: probability,
        probability,
      }
    }
  }
  return {}
}
