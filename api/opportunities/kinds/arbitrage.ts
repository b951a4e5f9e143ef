/** Arbitrage: the best prices of all answers sum to less than one (interface 2.7, supplement 5.7). */

import {
  arbitrageProfit,
  arbitrageWarnings,
  impliedTotal,
  isArbitrage,
  shownShares,
  stakeShares,
} from '../../../pipeline/rules/arbitrage.ts'
import { isPossiblyStale } from '../../../pipeline/rules/confidence.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../../pipeline/rules/odds.ts'
import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { Scope } from '../../access/scope.ts'
import { eventName } from '../../routes/events.ts'
import type { Priced } from '../listing.ts'
import { deepLinkOf, oldestAgeMs, percent, selectionOf, shownAge, sourceOf } from '../quotes.ts'
import { isPlayerProp, withMismatch } from './ev.ts'

export interface ArbitrageFigures {
  /** Sum of the implied probabilities, a fraction. */
  readonly total: number
  readonly profit: number
}

export type PricedArbitrage = Priced & { readonly figures: ArbitrageFigures }

export function arbitrageFigures({ legs }: Priced): ArbitrageFigures | null {
  const total = impliedTotal(legs.map(({ price }) => price))
  return isArbitrage(total) ? { total, profit: arbitrageProfit(total) } : null
}

export interface ArbitrageContext {
  readonly scope: Scope
  readonly now: number
  /** The best expected value among its legs; null for none. */
  readonly ev: number | null
  readonly isAlternateLine: boolean
}

export function shownArbitrage(item: PricedArbitrage, context: ArbitrageContext) {
  const { row, event, legs, figures } = item
  const { scope, now, ev, isAlternateLine } = context
  const { profit, total } = figures
  const first = legs[0]!
  const { marketType } = first
  const { isLive, selection } = first
  const oldestAge = oldestAgeMs(legs, now)
  const warnings = arbitrageWarnings({ isLive, profit, total, oldestAgeMs: oldestAge })
  const stakes = shownShares(stakeShares(legs.map(({ price }) => price)))
  return {
    id: row.id,
    event_id: event.id,
    event_name: eventName(event),
    sport: event.row.sport,
    league: event.row.league,
    market_type: marketType,
    home_team: event.row.homeTeam,
    away_team: event.row.awayTeam,
    line: selectionOf(first).line,
    profit_percent: percent(profit),
    implied_total: percent(total),
    is_live: isLive,
    start_time: isoTime(event.row.startsAt),
    is_alternate_line: isAlternateLine,
    possibly_stale: isPossiblyStale(oldestAge, isLive),
    oldest_odds_age_seconds: shownAge(oldestAge),
    warnings: withMismatch(warnings, row.isSuspected),
    ev_available: ev !== null,
    ev_percentage: ev === null ? null : percent(ev),
    is_player_prop: isPlayerProp(marketType, selection.playerName),
    player_name: selection.playerName,
    stat_category: first.statCategory,
    legs: legs.map((leg, i) => {
      const { externalMarketId, externalSelectionId } = sourceOf(scope.board, leg)
      const { label, line } = selectionOf(leg)
      return {
        sportsbook: leg.sportsbook,
        selection: label,
        line,
        odds_american: decimalToAmerican(leg.price),
        odds_decimal: shownPrice(leg.price),
        implied_probability: shownProbability(leg.price),
        stake_percent: stakes[i]!,
        timestamp: isoTime(leg.offer.lastSeenAt),
        external_event_id: leg.offer.externalId,
        selection_id: externalSelectionId,
        market_id: externalMarketId,
        odds_id: String(leg.id),
        deep_link: deepLinkOf(leg),
      }
    }),
    detected_at: isoTime(row.detectedAt),
  }
}

export type ShownArbitrage = ReturnType<typeof shownArbitrage>

// ---- CSV

const columns = [
  ...['event', 'sport', 'market', 'line', 'profit%', 'implied_total'],
  ...['book1', 'selection1', 'odds1', 'stake1%', 'book2', 'selection2', 'odds2', 'stake2%'],
  ...['is_live', 'is_alternate_line', 'possibly_stale', 'warnings', 'detected_at'],
  // A third leg stands behind what every reader knows.
  ...['book3', 'selection3', 'odds3', 'stake3%'],
]

/** RFC 4180, with a header. */
export function arbitrageCsv(items: readonly ShownArbitrage[]): string {
  const lines = items.map((item) => {
    const leg = (i: number) => {
      const of = item.legs[i]
      return of
        ? [of.sportsbook, of.selection, of.odds_american, of.stake_percent]
        : ['', '', '', '']
    }
    return [
      ...[item.event_name, item.sport, item.market_type, item.line ?? ''],
      ...[item.profit_percent, item.implied_total, ...leg(0), ...leg(1)],
      ...[item.is_live, item.is_alternate_line, item.possibly_stale],
      ...[item.warnings.join(' '), item.detected_at, ...leg(2)],
    ]
  })
  return `${[columns, ...lines].map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`
}

/** A text that a spreadsheet would take for a formula is told to be text; numbers stay numbers. */
function csvCell(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
