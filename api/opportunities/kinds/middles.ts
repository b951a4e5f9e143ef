/** Middles: two bets that both win when the result falls between their lines (interface 2.8, supplement 5.8). */

import { shownShares } from '../../../pipeline/rules/odds/arbitrage.ts'
import {
  allOutcomes,
  exceedsPrices,
  isGuaranteed,
  middleWarnings,
  qualityScore,
} from '../../../pipeline/rules/odds/middles.ts'
import {
  decimalToAmerican,
  shownPrice,
  shownProbability,
} from '../../../pipeline/rules/odds/odds.ts'
import type { MiddleWorth } from '../../../pipeline/rules/odds/opportunity-figures.ts'
import { isOfPlayer } from '../../../pipeline/rules/odds/questions.ts'
import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { Item, Valued } from '../../../pipeline/views/opportunities/priced.ts'
import {
  middlesContract,
  middlesSummary,
  oneMiddle,
} from '../../../schemas/http/opportunities/middles.ts'
import type { Scope } from '../../access/scope.ts'
import { aboutOf, doubtsOf } from '../about.ts'
import type { Kind, Order, Seen } from '../kind.ts'
import { shownOutcomes } from '../outcomes.ts'
import {
  ageMs,
  deepLinkOf,
  maxBetOf,
  oldestAgeMs,
  percent,
  type Quote,
  rounded,
  selectionOf,
  shownAge,
} from '../quotes.ts'
import { averageOf, countBy } from '../summaries.ts'

type Middle = Item<MiddleWorth>

export const middles: Kind<MiddleWorth> = {
  name: 'middle',
  contract: middlesContract,
  list: {
    summary: 'Two bets that may both win',
    description:
      'Two bets at two lines: between the lines both win, on a line one wins and the other is refunded. Those with a negative expected value are listed too. `sportsbook` selects by either bet; `min_odds` and `max_odds` apply to both.',
    answer: 'A page of middles.',
    otherwise: 'tier_restricted',
  },
  tool: {
    name: 'find_middles',
    description: 'Pairs of bets on two lines that can both win.',
    inputs: ['sport', 'league', 'books', 'market', 'min_size', 'sort', 'limit'],
  },

  isWithin: ({ size }, { min_size }: { min_size: number }) => size >= min_size,
  alwaysDescending: ['quality', 'ev', 'probability', 'middle_size'] satisfies SortKey[],

  at(moment) {
    const { rows } = moment.scope.board
    const keys: Readonly<Record<SortKey, Order<MiddleWorth>>> = {
      quality: {
        keyOf({ taken, figures }) {
          let oldest = moment.now
          for (const row of taken.legs) oldest = Math.min(oldest, rows.sighted(row).lastSeenAt)
          return quality(figures, moment.now - oldest)
        },
        byRank: 'at_most',
      },
      ev: { keyOf: ({ figures }) => figures.expectedValue },
      probability: { keyOf: ({ figures }) => figures.probability },
      middle_size: { keyOf: ({ figures }) => figures.size },
      time: { keyOf: ({ taken }) => rows.block(taken.legs[0]!).event.startsAt },
    }
    const seen: Seen<MiddleWorth, Around, MiddleClocked> = {
      around: (item) => aroundOf(item, moment.scope),
      clocked: (item, around) => clockedOf(item, around, moment.now),
      show: (item, _, clocked) => shownMiddle(item, clocked, moment.scope),
      order: (key) => keys[key as SortKey],
    }
    return seen
  },
  summary: { counts: {} },
  pages: {
    one: {
      summary: 'One middle',
      id: 'The id of the middle, 16 hex digits.',
      answer: 'The middle.',
      contract: oneMiddle,
      missing: 'There is no middle with this id now.',
    },
    overview: {
      summary: 'Totals of all middles',
      query: middlesSummary.query,
      answer: 'The figures.',
      contract: middlesSummary.schema,
    },
    overviewOf,
  },

  explain: {
    result(item) {
      const { figures } = item
      const { outlook, fair, shares, trust, ...others } = figures
      return {
        ...others,
        shares: [...shares],
        fair: [...fair],
        model_probability: outlook.probability,
        numbers: [...outlook.numbers],
        outcomes: shownOutcomes(item, allOutcomes(outlook, trust, fair), shares[0]),
      }
    },
    /** Returns the two-sided market of each leg at its own sportsbook. */
    markets: ({ legs, nets, others }) =>
      legs.flatMap((leg, i) => {
        const other = otherOf(leg, others)
        const market = { sportsbook: leg.sportsbook, outcome: 0, price: nets[i]! }
        return other ? [{ ...market, quotes: [leg, other] }] : []
      }),
    leastNet: () => null,
    stakes: { rule: 'equal_return' },
    replacedBy: 'better_price_elsewhere',
  },
}

type SortKey = (typeof middlesContract.sorts)[keyof typeof middlesContract.sorts]

/** Finds the other side of a leg at the same sportsbook. */
const otherOf = ({ sportsbook }: Quote, others: readonly (Quote | undefined)[]) =>
  others.find((other) => other?.sportsbook === sportsbook)

const quality = ({ probability, expectedValue, size }: MiddleWorth, age: number) =>
  qualityScore({ probability, expectedValue, size, oldestAgeMs: age })

function overviewOf(some: readonly Valued<MiddleWorth>[], { board: { rows } }: Scope) {
  const books: string[] = []
  let best: Valued<MiddleWorth> | undefined
  let playerProps = 0
  for (const one of some) {
    const { legs } = one.taken
    for (const book of new Set(legs.map((row) => rows.sighted(row).sportsbook))) books.push(book)
    if (isOfPlayer(one.marketType, rows.selection(legs[0]!).playerName)) playerProps++
    const { expectedValue } = one.figures
    if (!best || expectedValue > best.figures.expectedValue) best = one
  }
  const average = (figureOf: (figures: MiddleWorth) => number, places: number) =>
    rounded(averageOf(some.map(({ figures }) => figureOf(figures))), places)
  const count = (is: (figures: MiddleWorth) => boolean) =>
    some.filter(({ figures }) => is(figures)).length
  return {
    total: some.length,
    positive_ev_count: count(({ expectedValue }) => expectedValue > 0),
    guaranteed_profit_count: count(({ worst }) => isGuaranteed(worst)),
    player_prop_count: playerProps,
    has_key_numbers_count: count(({ outlook }) => outlook.keyNumbers.length > 0),
    by_sport: countBy(some, ({ sport }) => sport),
    by_market: countBy(some, ({ marketType }) => marketType),
    by_sportsbook: countBy(books, (book) => book),
    avg_middle_size: average(({ size }) => size, 2),
    avg_probability: average(({ probability }) => probability, 4),
    avg_ev: average(({ expectedValue }) => 100 * expectedValue, 2),
    best_ev: best
      ? { ev: percent(best.figures.expectedValue), sport: best.sport, market: best.marketType }
      : null,
  }
}

// ---- how it is shown

type Around = ReturnType<typeof aroundOf>

function aroundOf(item: Middle, scope: Scope) {
  const { outlook, trust, fair } = item.figures
  return {
    doubts: doubtsOf(item, scope),
    exceedsPrices: exceedsPrices(outlook.between, trust, ...fair),
  }
}

type MiddleClocked = ReturnType<typeof clockedOf>

function clockedOf({ legs, figures }: Middle, around: Around, now: number) {
  const { probability, size, worst } = figures
  const oldestAge = oldestAgeMs(legs, now)
  const warnings: string[] = middleWarnings({
    probability,
    size,
    oldestAgeMs: oldestAge,
    isLive: legs[0]!.isLive,
    worst,
  })
  return {
    odds_age_seconds: shownAge(oldestAge),
    quality_score: rounded(quality(figures, oldestAge), 1),
    warnings: [
      ...warnings,
      ...(around.exceedsPrices ? ['MODEL_EXCEEDS_PRICES'] : []),
      ...around.doubts,
    ],
    legs: legs.map((leg) => ({ odds_age_seconds: shownAge(ageMs(leg, now)) })),
  }
}

function shownMiddle(item: Middle, clocked: MiddleClocked, scope: Scope) {
  const { legs, figures } = item
  const { outlook, trust, probability, fair, size, worst, best } = figures
  const { expectedValue, breakEven, impliedTotal, shares } = figures
  const about = aboutOf(item)
  const { start_time, is_live } = about
  const stakes = shownShares([...shares])
  const side = (i: 0 | 1) =>
    shownSide(legs[i]!, stakes[i]!, fair[i], clocked.legs[i]!.odds_age_seconds, scope)
  return {
    id: about.id,
    event_id: about.event_id,
    event_name: about.event_name,
    sport: about.sport,
    league: about.league,
    market_type: about.market_type,
    home_team: about.home_team,
    away_team: about.away_team,
    start_time,
    side1: side(0),
    side2: side(1),
    middle_size: size,
    middle_numbers: [...outlook.numbers],
    middle_probability: rounded(probability, 4),
    push_numbers: [...outlook.pushNumbers],
    push_probability: rounded(trust * outlook.pushProbability, 4),
    expected_value: percent(expectedValue),
    roi_percentage: percent(expectedValue),
    worst_case_loss: percent(worst),
    best_case_profit: percent(best),
    break_even_percent: percent(breakEven),
    odds_age_seconds: clocked.odds_age_seconds,
    is_guaranteed_profit: isGuaranteed(worst),
    guaranteed_roi: isGuaranteed(worst) ? percent(worst) : null,
    key_numbers: [...outlook.keyNumbers],
    key_number_probability: rounded(trust * outlook.keyNumberProbability, 4),
    quality_score: clocked.quality_score,
    market_overround: percent(impliedTotal),
    is_live,
    is_player_prop: about.is_player_prop,
    player_name: about.player_name,
    stat_category: about.stat_category,
    warnings: clocked.warnings,
    detected_at: isoTime(item.row.detectedAt),
  }
}

function shownSide(quote: Quote, stake: number, fair: number, age: number, scope: Scope) {
  const { label, type, line } = selectionOf(quote)
  const american = decimalToAmerican(quote.price)
  const decimal = shownPrice(quote.price)
  const probability = shownProbability(quote.price)
  return {
    book: quote.sportsbook,
    selection: label,
    selection_type: type,
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
    max_bet: maxBetOf(scope.board, quote),
    odds_age_seconds: age,
    odds_id: String(quote.id),
    deep_link: deepLinkOf(scope, quote),
  }
}
