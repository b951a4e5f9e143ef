/** Low hold: what the best prices of all answers leave to the sportsbooks (interface 2.9, supplement 5.9). */

import { impliedTotal } from '../../pipeline/rules/arbitrage.ts'
import { isPossiblyStale, lowHoldConfidence } from '../../pipeline/rules/confidence.ts'
import { usableMs } from '../../pipeline/rules/freshness.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds.ts'
import type { ViewOffer } from '../../pipeline/views/board-view.ts'
import { isoTime } from '../../pipeline/views/row-text.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { eventName } from '../routes/events.ts'
import { isPlayerProp, withMismatch } from './ev.ts'
import type { Priced } from './listing.ts'
import {
  booksOn,
  deepLinkOf,
  oldestAgeMs,
  percent,
  type Quote,
  quoteOf,
  rounded,
  selectionOf,
  shownAge,
} from './quotes.ts'

export interface LowHoldFigures {
  /** Sum of the implied probabilities less one, a fraction. */
  readonly hold: number
}

export type PricedLowHold = Priced & { readonly figures: LowHoldFigures }

export const lowHoldFigures = ({ legs }: Priced): LowHoldFigures => ({
  hold: impliedTotal(legs.map(({ price }) => price)) - 1,
})

export interface LowHoldContext {
  readonly scope: Scope
  readonly now: number
  readonly isAlternateLine: boolean
}

export function shownLowHold(item: PricedLowHold, { scope, now, isAlternateLine }: LowHoldContext) {
  const { row, event, legs, figures } = item
  const { hold } = figures
  const first = legs[0]!
  const { marketType } = first.block
  const { isLive, selection } = first
  const ageMs = oldestAgeMs(legs, now)
  const sides = legs.map((leg) => shownSide(leg, hold, scope, now))
  const allBooks = [...new Set(sides.flatMap(({ books }) => books))].sort()
  const bookCount = new Set(
    legs.flatMap((leg) => booksOn(scope.board, leg)).filter((book) => seesSportsbook(scope, book)),
  ).size
  return {
    id: row.id,
    event_id: event.id,
    event_name: eventName(event),
    sport: event.row.sport,
    league: event.row.league,
    market_type: marketType,
    home_team: event.row.homeTeam,
    away_team: event.row.awayTeam,
    start_time: isoTime(event.row.startsAt),
    line: selectionOf(first).line,
    hold_percentage: percent(hold),
    side1: sides[0]!,
    side2: sides[1]!,
    side3: sides[2] ?? null,
    is_live: isLive,
    is_alternate_line: isAlternateLine,
    is_player_prop: isPlayerProp(marketType, selection.playerName),
    player_name: selection.playerName,
    stat_category: scope.board.rows.statCategory(first.row),
    all_books: allBooks,
    confidence: lowHoldConfidence({ bookCount, ageMs, isLive, hold }),
    odds_age_seconds: shownAge(ageMs),
    possibly_stale: isPossiblyStale(ageMs, isLive),
    warnings: withMismatch([], row.isSuspected),
    detected_at: isoTime(row.detectedAt),
  }
}

function shownSide(leg: Quote, hold: number, scope: Scope, now: number) {
  const tied = tiedQuotes(leg, scope, now)
  const probability = shownProbability(leg.price)
  const { label, line } = selectionOf(leg)
  const links = tied.flatMap((quote) => {
    const link = deepLinkOf(quote)
    return link === null ? [] : [[quote.sportsbook, link] as const]
  })
  return {
    selection: label,
    books: tied.map(({ sportsbook }) => sportsbook),
    line,
    odds: {
      american: decimalToAmerican(leg.price),
      decimal: shownPrice(leg.price),
      implied_probability: probability,
      probability,
      fair_probability: rounded(1 / leg.price / (1 + hold), 4),
    },
    deep_links: Object.fromEntries(links),
  }
}

/** The sportsbooks of the scope that offer the same answer at the same price, by name. */
export const tiedBooks = (leg: Quote, scope: Scope, now: number) =>
  tiedQuotes(leg, scope, now).map(({ sportsbook }) => sportsbook)

/** The same with their prices, by name. */
export function tiedQuotes(leg: Quote, scope: Scope, now: number): Quote[] {
  const { rows } = scope.board
  const down = scope.opportunities.sourcesDown()
  const { block, row } = leg
  const tied = [leg]
  const place = rows.rank(row)
  const take = (at: number) => {
    const other = block.rows[at]!
    const { selectionType, line, playerName } = rows.selection(other)
    const { selection } = leg
    if (selectionType !== selection.selectionType || line !== selection.line) return false
    if (playerName !== selection.playerName) return false
    const { sportsbook, lastSeenAt } = rows.sighted(other) as ViewOffer
    if (other === row || rows.price(other) !== leg.price) return true
    if (rows.isLive(other) !== leg.isLive || !seesSportsbook(scope, sportsbook)) return true
    if (down.has(sportsbook) || now - lastSeenAt > usableMs(leg.isLive)) return true
    const quote = quoteOf(scope.board, rows.id(other))
    if (quote) tied.push(quote)
    return true
  }
  for (let at = place + 1; at < block.count && take(at); at++);
  for (let at = place - 1; at >= 0 && take(at); at--);
  return tied.sort((a, b) => (a.sportsbook < b.sportsbook ? -1 : 1))
}
