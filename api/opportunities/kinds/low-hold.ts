/** Low hold: the margin left to sportsbooks by the best prices of all outcomes (interface 2.9, supplement 5.9). */

import { highestHold } from '../../../pipeline/rules/odds/arbitrage.ts'
import { isPossiblyStale, lowHoldConfidence } from '../../../pipeline/rules/odds/confidence.ts'
import { netOf } from '../../../pipeline/rules/odds/fees.ts'
import {
  decimalToAmerican,
  shownPrice,
  shownProbability,
} from '../../../pipeline/rules/odds/odds.ts'
import type { LowHoldFigures } from '../../../pipeline/rules/odds/opportunity-figures.ts'
import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import {
  type Item,
  isOfferedBy,
  type Valued,
} from '../../../pipeline/views/opportunities/priced.ts'
import { quoteAt } from '../../../pipeline/views/query/quotes.ts'
import { lowHoldContract } from '../../../schemas/http/opportunities/low-hold.ts'
import { betsAt, type Scope } from '../../access/scope.ts'
import { linkToPrice } from '../../answer/book-addresses.ts'
import { aboutOf, doubtsOf } from '../about.ts'
import { combinedMarket, leastNetWithin, resultOfPrices } from '../combined.ts'
import type { Kind, Moment, Order, Seen } from '../kind.ts'
import { isAlternate } from '../main-line.ts'
import {
  countQuotingOn,
  type Line,
  lineOf,
  maxBetOf,
  oldestAgeMs,
  percent,
  type Quote,
  rounded,
  selectionOf,
  shownAge,
  usableOn,
} from '../quotes.ts'

type LowHold = Item<LowHoldFigures>

export const lowHold: Kind<LowHoldFigures> = {
  name: 'low_hold',
  contract: lowHoldContract,
  list: {
    summary: 'Best prices with little margin left',
    description:
      'Negative holds, which are arbitrage, are listed too. `sportsbook` selects by those with the best price of a side; `min_odds` and `max_odds` apply to every side.',
    answer: 'A page of low holds.',
    otherwise: 'feature_required',
    // The path that the refusal of the removed `/low_hold` names; it serves the same list.
    alias: 'low-hold',
  },
  tool: {
    name: 'find_low_hold',
    description: 'Markets whose best prices together leave the sportsbooks little margin.',
    inputs: ['sport', 'league', 'books', 'market', 'max_hold', 'limit'],
  },

  isWithin: ({ hold }, { max_hold }: { max_hold: number }) => percent(hold) <= max_hold,

  at(moment) {
    const { rows } = moment.scope.board
    const keys: Readonly<Record<SortKey, Order<LowHoldFigures>>> = {
      hold: { keyOf: ({ figures }) => figures.hold, byRank: 'opposite' },
      time: { keyOf: ({ taken }) => rows.block(taken.legs[0]!).event.startsAt },
      market: { keyOf: ({ marketType }) => marketType },
      sport: { keyOf: ({ sport }) => sport },
    }
    const seen: Seen<LowHoldFigures, Around, LowHoldClocked> = {
      linedUp: ({ legs }) => legs,
      around: (item) => aroundOf(item, moment),
      againAround: (item, around) => againAround(item, around, moment),
      clocked: (item, around) => clockedOf(item, around, moment),
      show: (item, around, clocked) => shownLowHold(item, around, clocked, moment),
      order: (key) => keys[key as SortKey],
    }
    return seen
  },
  summary: {
    figure: {
      of: ({ hold }) => percent(hold),
      average: 'avg_hold',
      extreme: 'min_hold',
      isLeast: true,
    },
    counts: { by_market: 'marketType', by_sport: 'sport' },
  },

  explain: {
    result: resultOfPrices,
    markets: combinedMarket,
    leastNet: (item, leg) => leastNetWithin(item, leg, 1 + highestHold),
    stakes: { rule: 'equal_return' },
    replacedBy: 'better_price_elsewhere',
  },
  ties: {
    isAt,
    quotes: (legs, scope, now) => tiedQuotes(legs, scope, now).flat(),
  },
}

type SortKey = (typeof lowHoldContract.sorts)[keyof typeof lowHoldContract.sorts]

// ---- sportsbooks that offer it

/** Returns whether one of the sportsbooks has the best price of a side, alone or tied. */
function isAt(
  one: Valued<LowHoldFigures>,
  books: ReadonlySet<string>,
  scope: Scope,
  now: number,
): boolean {
  const { board, opportunities } = scope
  const { legs } = one.taken
  if (!legs.some((row) => isOfferedBy(board, row, books, opportunities.fees))) return false
  // Having the best price is not enough: it may be old or withheld.
  return tiedQuotes(opportunities.item(one).legs, scope, now).some((quotes) =>
    quotes.some(({ sportsbook }) => books.has(sportsbook)),
  )
}

/** Returns, for each side, the rows of the scope's sportsbooks with the best price, sorted by sportsbook. */
function tiedRows(line: Line | null, legs: readonly Quote[], scope: Scope, now: number) {
  const { board, opportunities } = scope
  const { rows } = board
  const { fees } = opportunities
  if (!line) return legs.map(({ id }) => [rows.find(id)])
  const nameOf = (row: number) => rows.sighted(row).sportsbook
  return usableOn(line, scope, now).map((usable, side) => {
    const leg = legs[side]!
    const net = netOf(leg, fees)
    return usable
      .filter((row) => {
        const price = rows.price(row)
        // Without fees the price alone rules out most rows.
        if (fees.size === 0 && price !== net) return false
        if (rows.id(row) === leg.id) return true
        const sportsbook = nameOf(row)
        return netOf({ sportsbook, price }, fees) === net && betsAt(scope, sportsbook)
      })
      .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  })
}

const tiedQuotes = (legs: readonly Quote[], scope: Scope, now: number): Quote[][] =>
  tiedRows(lineOf(legs, scope.board), legs, scope, now).map((rows) =>
    rows.map((row) => quoteAt(scope.board, row)),
  )

// ---- how it is shown

type Around = ReturnType<typeof aroundOf>

function aroundOf(item: LowHold, { scope, now }: Moment) {
  const { legs } = item
  const { board } = scope
  const line = lineOf(legs, board)
  return {
    line,
    ...tiesAt(tiedRows(line, legs, scope, now), board),
    bookCount: line ? countQuotingOn(line, scope, now) : 0,
    doubts: doubtsOf(item, scope),
  }
}

/** Adds the stamp of the newest change to these rows. */
function tiesAt(tied: readonly (readonly number[])[], { journal }: BoardView) {
  let changedAt = 0
  for (const rows of tied) {
    for (const row of rows) changedAt = Math.max(changedAt, journal.stamp(row))
  }
  return { tied, changedAt }
}

/** Updates `around` after prices of the line have moved, or their ages. */
function againAround({ legs }: LowHold, around: Around, { scope, now }: Moment): Around {
  const { line } = around
  const ties = tiesAt(tiedRows(line, legs, scope, now), scope.board)
  const bookCount = line ? countQuotingOn(line, scope, now) : 0
  const isSame =
    bookCount === around.bookCount &&
    ties.changedAt === around.changedAt &&
    ties.tied.every((rows, side) => isSameList(rows, around.tied[side]!))
  return isSame ? around : { ...around, ...ties, bookCount }
}

const isSameList = (some: readonly number[], others: readonly number[]) =>
  some.length === others.length && some.every((one, at) => one === others[at])

type LowHoldClocked = ReturnType<typeof clockedOf>

function clockedOf(item: LowHold, around: Around, { scope, now }: Moment) {
  const {
    legs,
    figures: { hold },
  } = item
  const { isLive } = legs[0]!
  const age = oldestAgeMs(legs, now)
  const isStale = isPossiblyStale(age, isLive)
  return {
    confidence: lowHoldConfidence({ bookCount: around.bookCount, ageMs: age, isLive, hold }),
    odds_age_seconds: shownAge(age),
    possibly_stale: isStale,
    is_alternate_line: isAlternate(item, scope),
    warnings: [...(isStale ? ['POTENTIALLY_STALE_ODDS'] : []), ...around.doubts],
  }
}

function shownLowHold(item: LowHold, { tied }: Around, clocked: LowHoldClocked, moment: Moment) {
  const { legs, figures } = item
  const { hold } = figures
  const { board } = moment.scope
  const about = aboutOf(item)
  const { start_time, line, is_live } = about
  const sides = legs.map((leg, side) =>
    shownSide(
      leg,
      item.nets[side]!,
      tied[side]!.map((row) => quoteAt(board, row)),
      hold,
      moment,
    ),
  )
  const allBooks = [...new Set(sides.flatMap(({ books }) => books))].sort()
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
    line,
    hold_percentage: percent(hold),
    side1: sides[0]!,
    side2: sides[1]!,
    side3: sides[2] ?? null,
    is_live,
    is_alternate_line: clocked.is_alternate_line,
    is_player_prop: about.is_player_prop,
    player_name: about.player_name,
    stat_category: about.stat_category,
    all_books: allBooks,
    confidence: clocked.confidence,
    odds_age_seconds: clocked.odds_age_seconds,
    possibly_stale: clocked.possibly_stale,
    warnings: clocked.warnings,
    detected_at: isoTime(item.row.detectedAt),
  }
}

function shownSide(
  leg: Quote,
  net: number,
  tied: readonly Quote[],
  hold: number,
  { scope, state }: Moment,
) {
  const probability = shownProbability(leg.price)
  const { label, type, line } = selectionOf(leg)
  const links = tied.flatMap((quote) => {
    const link = linkToPrice(scope.board, quote, state)
    return link === null ? [] : [[quote.sportsbook, link.url] as const]
  })
  const limits = tied.flatMap((quote) => {
    const limit = maxBetOf(scope.board, quote)
    return limit === null ? [] : [[quote.sportsbook, limit] as const]
  })
  return {
    selection: label,
    selection_type: type,
    books: tied.map(({ sportsbook }) => sportsbook),
    line,
    odds: {
      american: decimalToAmerican(leg.price),
      decimal: shownPrice(leg.price),
      implied_probability: probability,
      probability,
      fair_probability: rounded(1 / net / (1 + hold), 4),
    },
    max_bet_by_book: Object.fromEntries(limits),
    deep_links: Object.fromEntries(links),
  }
}
