/** Low hold: what the best prices of all answers leave to the sportsbooks (interface 2.9, supplement 5.9). */

import { impliedTotal } from '../../../pipeline/rules/arbitrage.ts'
import { isPossiblyStale, lowHoldConfidence } from '../../../pipeline/rules/confidence.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../../pipeline/rules/odds.ts'
import { isoTime } from '../../../pipeline/text/iso-time.ts'
import { type Scope, seesSportsbook } from '../../access/scope.ts'
import { eventName } from '../../routes/events.ts'
import type { Priced } from '../listing.ts'
import {
  booksOn,
  deepLinkOf,
  isMatchedBy,
  oldestAgeMs,
  percent,
  type Quote,
  rounded,
  selectionOf,
  shownAge,
  usableOnLine,
} from '../quotes.ts'
import { isPlayerProp, withMismatch } from './ev.ts'

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
  const { marketType } = first
  const { isLive, selection } = first
  const ageMs = oldestAgeMs(legs, now)
  const tied = tiedQuotes(legs, scope, now)
  const sides = legs.map((leg, side) => shownSide(leg, tied[side]!, hold))
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
    stat_category: first.statCategory,
    all_books: allBooks,
    confidence: lowHoldConfidence({ bookCount, ageMs, isLive, hold }),
    odds_age_seconds: shownAge(ageMs),
    possibly_stale: isPossiblyStale(ageMs, isLive),
    warnings: withMismatch(
      isPossiblyStale(ageMs, isLive) ? ['POTENTIALLY_STALE_ODDS'] : [],
      row.isSuspected,
    ),
    detected_at: isoTime(row.detectedAt),
  }
}

function shownSide(leg: Quote, tied: readonly Quote[], hold: number) {
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

/** Whether one of the sportsbooks has the best price of a side, alone or tied. */
export function isAtBooks(
  { legs }: PricedLowHold,
  books: ReadonlySet<string>,
  scope: Scope,
  now: number,
): boolean {
  if (legs.some(({ sportsbook }) => books.has(sportsbook))) return true
  const isMatched = [...books].some((book) =>
    legs.some((leg) => isMatchedBy(scope.board, leg, book)),
  )
  if (!isMatched) return false
  // The price alone is not all: it may be old, or withheld.
  return tiedQuotes(legs, scope, now).some((quotes) =>
    quotes.some(({ sportsbook }) => books.has(sportsbook)),
  )
}

/** The sportsbooks of the scope with the best price, side by side, by name. */
export function tiedQuotes(legs: readonly Quote[], scope: Scope, now: number): Quote[][] {
  return usableOnLine(legs, scope, now).map((quotes, side) => {
    const { price, id } = legs[side]!
    return quotes
      .filter(
        (quote) =>
          quote.id === id || (quote.price === price && seesSportsbook(scope, quote.sportsbook)),
      )
      .sort((a, b) => (a.sportsbook < b.sportsbook ? -1 : 1))
  })
}
