/**
 * Arbitrage: the implied probabilities of all outcomes' best prices sum to less than one (interface 2.7, supplement
 * 5.7).
 */

import { arbitrageWarnings, shownShares } from '../../../pipeline/rules/odds/arbitrage.ts'
import { isPossiblyStale } from '../../../pipeline/rules/odds/confidence.ts'
import {
  decimalToAmerican,
  shownPrice,
  shownProbability,
} from '../../../pipeline/rules/odds/odds.ts'
import type { ArbitrageFigures } from '../../../pipeline/rules/odds/opportunity-figures.ts'
import { possibleResults } from '../../../pipeline/rules/odds/possible-results.ts'
import { jointOutcomes } from '../../../pipeline/rules/odds/two-lines.ts'
import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { Item, Valued } from '../../../pipeline/views/opportunities/priced.ts'
import { arbitrageContract } from '../../../schemas/http/opportunities/arbitrage.ts'
import type { Query } from '../../../schemas/http/query.ts'
import { betsAt, type Scope } from '../../access/scope.ts'
import { csvText } from '../../answer/csv.ts'
import { aboutOf, doubtsOf } from '../about.ts'
import { worthOfLegs } from '../beside.ts'
import { combinedMarket, leastNetWithin, resultOfPrices } from '../combined.ts'
import type { Kind, Moment, Order, Seen } from '../kind.ts'
import { isAlternate } from '../main-line.ts'
import { shownOutcomes } from '../outcomes.ts'
import {
  deepLinkOf,
  maxBetOf,
  oldestAgeMs,
  percent,
  selectionOf,
  shownAge,
  sourceOf,
} from '../quotes.ts'

type Arbitrage = Item<ArbitrageFigures>
type ArbitrageQuery = Query<typeof arbitrageContract.query>

export const arbitrage: Kind<ArbitrageFigures> = {
  name: 'arbitrage',
  contract: arbitrageContract,
  list: {
    summary: 'Prices that pay whatever happens',
    description:
      'The best price of every outcome, at two sportsbooks or more; or bets on two neighbouring lines of which one always wins (`is_cross_line`, each leg with its own `line`). A profit above 10 % means a wrong price and is left out. `sportsbook` selects by any leg; `min_odds` and `max_odds` apply to every leg. `format=csv` returns a file.',
    answer: 'A page of arbitrage.',
    otherwise: 'feature_required',
  },
  tool: {
    name: 'find_arbitrage',
    description:
      'Bets on all outcomes at different sportsbooks that pay more than they cost, with stakes.',
    inputs: ['sport', 'league', 'sportsbook', 'books', 'min_profit', 'live', 'limit'],
  },

  isWithin: ({ profit }, { min_profit }: { min_profit: number }) => percent(profit) >= min_profit,
  choose: (some, { group }: ArbitrageQuery) => (group === 'best' ? bestOfMarkets(some) : some),

  at(moment) {
    const { rows } = moment.scope.board
    const keys: Readonly<Record<SortKey, Order<ArbitrageFigures>>> = {
      profit: { keyOf: ({ rank }) => rank, byRank: 'same' },
      time: { keyOf: ({ taken }) => rows.block(taken.legs[0]!).event.startsAt },
      sport: { keyOf: ({ sport }) => sport },
      market: { keyOf: ({ marketType }) => marketType },
    }
    const seen: Seen<ArbitrageFigures, Around, ArbitrageClocked> = {
      around: (item) => ({ doubts: doubtsOf(item, moment.scope) }),
      clocked: (item, around) => clockedOf(item, around, moment),
      show: (item, _, clocked) => shownArbitrage(item, clocked, moment),
      order: (key) => keys[key as SortKey],
    }
    return seen
  },
  summary: {
    figure: {
      of: ({ profit }) => percent(profit),
      average: 'avg_profit',
      extreme: 'max_profit',
      isLeast: false,
    },
    counts: { by_market: 'marketType', by_sport: 'sport' },
  },
  meta: ({ filters, scope, summary }) => ({
    filters,
    books_analyzed: booksAnalyzed(scope),
    summary,
  }),
  csv: { fileName: 'arbitrage', write: arbitrageCsv },

  explain: {
    result: (item) => {
      const { total, profit, shares, range } = item.figures
      if (!range) return resultOfPrices(item)
      const canBe = possibleResults(item.legs[0]!.marketType, item.event.row)
      const outcomes = jointOutcomes(range.low, range.high, canBe)
      return {
        ...{ total, profit, hold: total - 1, shares: [...shares] },
        outcomes: shownOutcomes(item, outcomes, shares[0]!),
      }
    },
    // Bets on two lines do not form one market.
    markets: (item) => (item.figures.range ? [] : combinedMarket(item)),
    // This holds for two lines too: the results at which a single bet wins decide, as all others
    // pay more.
    leastNet: (item, leg) => leastNetWithin(item, leg, 1),
    stakes: { rule: 'equal_return' },
    replacedBy: 'better_price_elsewhere',
  },
}

type SortKey = (typeof arbitrageContract.sorts)[keyof typeof arbitrageContract.sorts]

/** Keeps the best of each event and market. @param some sorted as in the list, by profit and then by id */
function bestOfMarkets(some: readonly Valued<ArbitrageFigures>[]) {
  const markets = new Set<string>()
  return some.filter(({ entry, marketType }) => {
    const { size } = markets
    return markets.add(`${entry.row.eventId}|${marketType}`).size > size
  })
}

function booksAnalyzed(scope: Scope): number {
  const { references, sportsbooksWithRows } = scope.board
  return sportsbooksWithRows().filter((book) => !references.has(book) && betsAt(scope, book)).length
}

// ---- how it is shown

interface Around {
  readonly doubts: readonly string[]
}

type ArbitrageClocked = ReturnType<typeof clockedOf>

function clockedOf(item: Arbitrage, around: Around, moment: Moment) {
  const { legs, figures } = item
  const { profit, total } = figures
  const { isLive } = legs[0]!
  const oldestAge = oldestAgeMs(legs, moment.now)
  const warnings = arbitrageWarnings({ isLive, profit, total, oldestAgeMs: oldestAge })
  const ev = worthOfLegs('ev', item, moment)
  return {
    possibly_stale: isPossiblyStale(oldestAge, isLive),
    oldest_odds_age_seconds: shownAge(oldestAge),
    is_alternate_line: isAlternate(item, moment.scope),
    warnings: [...warnings, ...around.doubts],
    ev_available: ev !== null,
    ev_percentage: ev === null ? null : percent(ev),
    legs: legs.map(({ offer }) => ({ timestamp: isoTime(offer.lastSeenAt) })),
  }
}

function shownArbitrage(item: Arbitrage, clocked: ArbitrageClocked, { scope }: Moment) {
  const { legs, figures } = item
  const { profit, total, shares, range } = figures
  const { board } = scope
  const about = aboutOf(item)
  const { start_time, line, is_live } = about
  const stakes = shownShares(shares)
  return {
    id: about.id,
    event_id: about.event_id,
    event_name: about.event_name,
    sport: about.sport,
    league: about.league,
    market_type: about.market_type,
    home_team: about.home_team,
    away_team: about.away_team,
    line,
    profit_percent: percent(profit),
    implied_total: percent(total),
    is_live,
    start_time,
    is_alternate_line: clocked.is_alternate_line,
    is_cross_line: range !== null,
    possibly_stale: clocked.possibly_stale,
    oldest_odds_age_seconds: clocked.oldest_odds_age_seconds,
    warnings: clocked.warnings,
    ev_available: clocked.ev_available,
    ev_percentage: clocked.ev_percentage,
    is_player_prop: about.is_player_prop,
    player_name: about.player_name,
    stat_category: about.stat_category,
    legs: legs.map((leg, i) => {
      const { externalMarketId, externalSelectionId } = sourceOf(board, leg)
      const { label, type, line } = selectionOf(leg)
      return {
        sportsbook: leg.sportsbook,
        selection: label,
        selection_type: type,
        line,
        odds_american: decimalToAmerican(leg.price),
        odds_decimal: shownPrice(leg.price),
        implied_probability: shownProbability(leg.price),
        stake_percent: stakes[i]!,
        max_bet: maxBetOf(board, leg),
        timestamp: clocked.legs[i]!.timestamp,
        external_event_id: leg.offer.externalId,
        selection_id: externalSelectionId,
        market_id: externalMarketId,
        odds_id: String(leg.id),
        deep_link: deepLinkOf(scope, leg),
      }
    }),
    detected_at: isoTime(item.row.detectedAt),
  }
}

export type ShownArbitrage = ReturnType<typeof shownArbitrage>

// ---- CSV

const columns = [
  ...['event', 'sport', 'market', 'line', 'profit%', 'implied_total'],
  ...['book1', 'selection1', 'odds1', 'stake1%', 'book2', 'selection2', 'odds2', 'stake2%'],
  ...['is_live', 'is_alternate_line', 'possibly_stale', 'warnings', 'detected_at'],
  // The third leg, the lines and the limits come after the columns that all readers know.
  ...['book3', 'selection3', 'odds3', 'stake3%'],
  ...['is_cross_line', 'line1', 'line2', 'line3', 'max_bet1', 'max_bet2', 'max_bet3'],
]

/** Writes RFC 4180 with a header. */
export function arbitrageCsv(items: readonly ShownArbitrage[]): string {
  const lines = items.map((item) => {
    const leg = (i: number) => {
      const leg = item.legs[i]
      return leg
        ? [leg.sportsbook, leg.selection, leg.odds_american, leg.stake_percent]
        : ['', '', '', '']
    }
    return [
      ...[item.event_name, item.sport, item.market_type, item.line ?? ''],
      ...[item.profit_percent, item.implied_total, ...leg(0), ...leg(1)],
      ...[item.is_live, item.is_alternate_line, item.possibly_stale],
      ...[item.warnings.join(' '), item.detected_at, ...leg(2), item.is_cross_line],
      ...[0, 1, 2].map((i) => item.legs[i]?.line ?? ''),
      ...[0, 1, 2].map((i) => item.legs[i]?.max_bet ?? ''),
    ]
  })
  return csvText([columns, ...lines])
}
