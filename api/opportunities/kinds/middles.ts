/** Middles: two bets that both win when the result falls between their lines (interface 2.8, supplement 5.8). */

import { shownShares } from '../../../pipeline/rules/arbitrage.ts'
import { devig } from '../../../pipeline/rules/devig.ts'
import {
  believedProbability,
  exceedsPrices,
  isGuaranteed,
  type MiddleFigures,
  middleFigures,
  middleWarnings,
  qualityScore,
} from '../../../pipeline/rules/middles.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../../pipeline/rules/odds.ts'
import { type MiddleOutlook, middleKind, middleOutlook } from '../../../pipeline/rules/results.ts'
import { isoTime } from '../../../pipeline/text/iso-time.ts'
import { eventName } from '../../routes/events.ts'
import type { Priced } from '../listing.ts'
import {
  ageMs,
  deepLinkOf,
  oldestAgeMs,
  percent,
  type Quote,
  rounded,
  selectionOf,
  shownAge,
} from '../quotes.ts'
import { isPlayerProp, withMismatch } from './ev.ts'

export interface PricedMiddleFigures extends MiddleFigures {
  readonly outlook: MiddleOutlook
  /** That both bets win, as `believedProbability` has it. */
  readonly probability: number
  /** No-vig probability of each side at its own sportsbook. */
  readonly fair: readonly [number, number]
  /** Its quality score, were its prices seen just now. */
  readonly highestQuality: number
  /** Points from line to line. */
  readonly size: number
}

export type PricedMiddle = Priced & { readonly figures: PricedMiddleFigures }

export function middleFiguresOf({ event, legs, others }: Priced): PricedMiddleFigures | null {
  const [first, second] = legs
  if (!first || !second) return null
  const { marketType } = first
  const kind = middleKind(marketType)
  const [line1, line2] = [first.selection.line, second.selection.line]
  if (!kind || line1 === null || line2 === null) return null
  // Totals: over the first, under the second. Margins: home wins above -line1, away below line2.
  const [low, high] = kind === 'total' ? [line1, line2] : [0 - line1, line2]
  const outlook = middleOutlook({ marketType, sport: event.row.sport, low, high })
  if (!outlook) return null
  const fairOf = (quote: Quote) => {
    const isOther = (other: Quote | undefined) => other?.sportsbook === quote.sportsbook
    return fairAtItsBook(quote, others.find(isOther))
  }
  const fair = [fairOf(first), fairOf(second)] as const
  const probability = believedProbability(outlook.probability, ...fair)
  const figures = middleFigures(first.price, second.price, probability)
  const size = high - low
  const { expectedValue } = figures
  const highestQuality = qualityScore({ probability, expectedValue, size, oldestAgeMs: 0 })
  return { ...figures, outlook, probability, fair, size, highestQuality }
}

/** Without the vig of its own market at its line; as it is where the other side is not offered. */
function fairAtItsBook(quote: Quote, other: Quote | undefined): number {
  const raw = 1 / quote.price
  return other ? (devig([quote.price, other.price])?.probabilities[0] ?? raw) : raw
}

/** No quality of it is above this, however fresh its prices. */
export const highestQuality = ({ figures }: PricedMiddle) => figures.highestQuality

export const middleQuality = ({ legs, figures }: PricedMiddle, now: number) =>
  qualityScore({
    probability: figures.probability,
    expectedValue: figures.expectedValue,
    size: figures.size,
    oldestAgeMs: oldestAgeMs(legs, now),
  })

export function shownMiddle(item: PricedMiddle, now: number) {
  const { row, event, legs, figures } = item
  const { outlook, probability, fair, size, worst, best } = figures
  const { expectedValue, breakEven, impliedTotal, shares } = figures
  const [first] = legs as readonly [Quote, Quote]
  const { marketType } = first
  const { isLive, selection } = first
  const oldestAge = oldestAgeMs(legs, now)
  const stakes = shownShares([...shares])
  const warnings = middleWarnings({
    probability,
    size,
    oldestAgeMs: oldestAge,
    isLive,
    worst,
  })
  const side = (i: 0 | 1) => shownSide(legs[i]!, stakes[i]!, fair[i], now)
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
    side1: side(0),
    side2: side(1),
    middle_size: size,
    middle_numbers: [...outlook.numbers],
    middle_probability: rounded(probability, 4),
    expected_value: percent(expectedValue),
    roi_percentage: percent(expectedValue),
    worst_case_loss: percent(worst),
    best_case_profit: percent(best),
    break_even_percent: percent(breakEven),
    odds_age_seconds: shownAge(oldestAge),
    is_guaranteed_profit: isGuaranteed(worst),
    guaranteed_roi: isGuaranteed(worst) ? percent(worst) : null,
    key_numbers: [...outlook.keyNumbers],
    key_number_probability: rounded(outlook.keyNumberProbability, 4),
    quality_score: rounded(middleQuality(item, now), 1),
    market_overround: percent(impliedTotal),
    is_live: isLive,
    is_player_prop: isPlayerProp(marketType, selection.playerName),
    player_name: selection.playerName,
    stat_category: first.statCategory,
    warnings: withMismatch(
      exceedsPrices(probability, ...fair) ? [...warnings, 'MODEL_EXCEEDS_PRICES'] : warnings,
      row.isSuspected,
    ),
    detected_at: isoTime(row.detectedAt),
  }
}

function shownSide(quote: Quote, stake: number, fair: number, now: number) {
  const { label, line } = selectionOf(quote)
  const american = decimalToAmerican(quote.price)
  const decimal = shownPrice(quote.price)
  const probability = shownProbability(quote.price)
  return {
    book: quote.sportsbook,
    selection: label,
    line,
    odds: {
      american,
      decimal,
      probability,
      fair_probability: rounded(fair, 4),
    },
    odds_american: american,
    odds_decimal: decimal,
    odds_probability: probability,
    stake_percent: stake,
    odds_age_seconds: shownAge(ageMs(quote, now)),
    odds_id: String(quote.id),
    deep_link: deepLinkOf(quote),
  }
}
