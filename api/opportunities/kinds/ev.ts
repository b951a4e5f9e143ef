/** +EV: a price that pays more than the sharp book's no-vig probability asks for (interface 2.6, supplement 5.6). */

import {
  confidenceScore,
  evWarnings,
  isPossiblyStale,
  referenceWeight,
} from '../../../pipeline/rules/confidence.ts'
import { devig } from '../../../pipeline/rules/devig.ts'
import { decimalToAmerican, shownPrice } from '../../../pipeline/rules/odds.ts'
import {
  expectedValue,
  fairPrice,
  isValue,
  kellyFraction,
  suspiciousValue,
} from '../../../pipeline/rules/value.ts'
import { isoTime } from '../../../pipeline/text/iso-time.ts'
import { type Scope, seesSportsbook } from '../../access/scope.ts'
import { eventName } from '../../routes/events.ts'
import type { Priced } from '../listing.ts'
import {
  booksOn,
  countSeen,
  deepLinkOf,
  oldestAgeMs,
  percent,
  type Quote,
  rounded,
  selectionOf,
  shownAge,
  sourceOf,
} from '../quotes.ts'

export interface EvFigures {
  readonly fair: number
  readonly ev: number
  readonly kelly: number
  /** Overround of the sharp market. */
  readonly width: number
}

export type PricedEv = Priced & { readonly figures: EvFigures }

export function evFigures({ legs, reference }: Priced): EvFigures | null {
  const [candidate] = legs
  const devigged = devig(reference.map(({ price }) => price))
  const answer = reference.findIndex(
    ({ selection }) => selection.selectionType === candidate?.selection.selectionType,
  )
  const fair = devigged?.probabilities[answer]
  if (!candidate || !devigged || fair === undefined) return null
  const ev = expectedValue(fair, candidate.price)
  if (!isValue(ev)) return null
  return { fair, ev, kelly: kellyFraction(fair, candidate.price), width: devigged.overround }
}

/** What runs with the clock, and what depends on who asks. */
export function evTrust(
  { legs, reference, figures }: PricedEv,
  scope: Scope,
  chain: readonly string[],
  now: number,
) {
  const [candidate] = legs as readonly [Quote]
  const sharp = reference[0]!.sportsbook
  const ageMs = oldestAgeMs([...legs, ...reference], now)
  const books = booksOn(scope.board, candidate)
  const bookCount = countSeen(scope, books, [sharp])
  const { isLive } = candidate
  const confidence = confidenceScore({
    bookCount,
    ageMs,
    isLive,
    width: figures.width,
    referenceWeight: referenceWeight(chain.indexOf(sharp)),
  })
  const sharpBookCount = books.filter((book) => chain.includes(book)).length
  const warnings = evWarnings({ ageMs, isLive, sharpBookCount })
  return { ageMs, bookCount, confidence, warnings, isStale: isPossiblyStale(ageMs, isLive) }
}

export interface EvContext {
  readonly scope: Scope
  readonly chain: readonly string[]
  readonly now: number
  /** The profit of the arbitrage on the same line; null for none. */
  readonly arbProfit: number | null
  readonly isAlternateLine: boolean
}

export function shownEv(
  item: PricedEv,
  { scope, chain, now, arbProfit, isAlternateLine }: EvContext,
) {
  const { row, event, legs, reference, figures } = item
  const [candidate] = legs as readonly [Quote]
  const { marketType, selection, offer } = candidate
  const [sharp] = reference as readonly [Quote]
  const sharpSide =
    reference.find((quote) => quote.selection.selectionType === selection.selectionType) ?? sharp
  const { ageMs, bookCount, confidence, warnings, isStale } = evTrust(item, scope, chain, now)
  const name = eventName(event)
  const { label, line } = selectionOf(candidate)
  const ev = percent(figures.ev)
  return {
    id: row.id,
    game_id: event.id,
    event_id: event.id,
    external_event_id: offer.externalId,
    selection_id: sourceOf(scope.board, candidate).externalSelectionId,
    odds_id: String(candidate.id),
    ev_percentage: ev,
    ev_percent: ev,
    odds_american: decimalToAmerican(candidate.price),
    odds_decimal: shownPrice(candidate.price),
    no_vig_odds: decimalToAmerican(fairPrice(figures.fair)),
    fair_probability: rounded(figures.fair, 4),
    market_width: percent(figures.width),
    devig_method: 'power',
    sharp_book: sharp.sportsbook,
    devig_book: sharp.sportsbook,
    // The sharp book is measured against in every tier, but its prices are those of its own.
    ...(seesSportsbook(scope, sharp.sportsbook) && {
      sharp_odds_american: decimalToAmerican(sharpSide.price),
      sharp_odds_decimal: shownPrice(sharpSide.price),
    }),
    selection: label,
    market: marketType,
    market_type: marketType,
    line,
    sportsbook: candidate.sportsbook,
    game: name,
    event_name: name,
    sport: event.row.sport,
    league: event.row.league,
    home_team: event.row.homeTeam,
    away_team: event.row.awayTeam,
    start_time: isoTime(event.row.startsAt),
    is_live: candidate.isLive,
    confidence_score: confidence,
    confidence,
    kelly_percent: percent(figures.kelly),
    book_count: bookCount,
    arb_available: arbProfit !== null,
    arb_profit: arbProfit === null ? null : percent(arbProfit),
    is_player_prop: isPlayerProp(marketType, selection.playerName),
    player_name: selection.playerName,
    stat_category: candidate.statCategory,
    is_alternate_line: isAlternateLine,
    possibly_stale: isStale,
    oldest_odds_age_seconds: shownAge(ageMs),
    warnings: withMismatch(
      [
        ...(figures.ev > suspiciousValue ? ['HIGH_EV_SUSPICIOUS'] : []),
        ...(candidate.isLive ? ['LIVE_GAME'] : []),
        ...warnings,
      ],
      row.isSuspected,
    ),
    deep_link: deepLinkOf(candidate),
    detected_at: isoTime(row.detectedAt),
  }
}

export const isPlayerProp = (marketType: string, playerName: string | null) =>
  playerName !== null || marketType.startsWith('player_')

/** The guard's own warning goes last. */
export const withMismatch = (
  warnings: readonly string[],
  isSuspected: boolean,
): readonly string[] => (isSuspected ? [...warnings, 'MARKET_MISMATCH_SUSPECTED'] : warnings)
