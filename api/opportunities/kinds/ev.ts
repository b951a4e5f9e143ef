/** +EV: a price that pays more than the sharp book's no-vig probability asks for (interface 2.6, supplement 5.6). */

import {
  confidenceScore,
  evWarnings,
  isPossiblyStale,
  referenceWeight,
} from '../../../pipeline/rules/odds/confidence.ts'
import { decimalToAmerican, shownPrice } from '../../../pipeline/rules/odds/odds.ts'
import type { EvFigures } from '../../../pipeline/rules/odds/opportunity-figures.ts'
import { fairPrice, suspiciousValue } from '../../../pipeline/rules/odds/value.ts'
import type { Item, Priced, Valued } from '../../../pipeline/views/opportunities/priced.ts'
import { evContract } from '../../../schemas/http/opportunities/ev.ts'
import type { Query } from '../../../schemas/http/query.ts'
import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import { scopedSportsbooks, seesSportsbook } from '../../access/scope.ts'
import { instant } from '../../answer/json.ts'
import { ApiError } from '../../errors.ts'
import { aboutOf, isPlayerProp, warningsOf } from '../about.ts'
import { worthOnLine } from '../beside.ts'
import type { Kind, Moment, Order } from '../kind.ts'
import { isAlternate } from '../main-line.ts'
import {
  addSportsbooksOn,
  countSeen,
  deepLinkOf,
  oldestAgeMs,
  percent,
  type Quote,
  rounded,
  seenQuotes,
  selectionOf,
  shownAge,
  sourceOf,
} from '../quotes.ts'
import { rowsMeasuredBy } from '../recompute.ts'

type Ev = Item<EvFigures>
type EvQuery = Query<typeof evContract.query>

export const ev: Kind<EvFigures> = {
  name: 'ev',
  contract: evContract,
  list: {
    summary: 'Prices better than the sharp book’s without its margin',
    description:
      'Each sportsbook with such a price on a selection is an item. `sportsbook` names whose prices; `min_odds` and `max_odds` bound them.',
    answer: 'A page of +EV.',
    otherwise: 'feature_required',
  },
  tool: {
    name: 'find_ev_opportunities',
    description:
      'Prices better than the sharp sportsbook’s without its margin: positive expected value.',
    inputs: ['sport', 'league', 'sportsbook', 'market', 'min_ev', 'live', 'limit'],
  },

  isWithin: ({ ev, width }, { min_ev, max_hold }: { min_ev: number; max_hold: number }) =>
    percent(ev) >= min_ev && percent(width) <= max_hold,
  understand({ devig_book, ...others }: EvQuery) {
    return { ...others, devig_book: devig_book && sharpBookOf(devig_book) }
  },

  at(moment) {
    const { scope, now } = moment
    const trusts = new Map<Ev, EvTrust>()
    const trustIn = (item: Ev) => {
      let trust = trusts.get(item)
      if (!trust) {
        trust = evTrust(item, moment)
        trusts.set(item, trust)
      }
      return trust
    }
    const { board, opportunities } = scope
    const trustOf = (one: Valued<EvFigures>) => trustIn(opportunities.item(one))
    const keys: Readonly<Record<SortKey, Order<EvFigures>>> = {
      ev: { keyOf: ({ rank }) => rank, byRank: 'same' },
      kelly: { keyOf: ({ figures }) => figures.kelly },
      confidence: { keyOf: (one) => trustOf(one).confidence },
      book_count: { keyOf: (one) => trustOf(one).bookCount },
      time: { keyOf: ({ taken }) => board.rows.block(taken.legs[0]!).event.startsAt },
      odds: { keyOf: ({ taken }) => board.rows.price(taken.legs[0]!) },
    }
    return {
      show: (item) => shownEv(item, trustIn(item), moment),
      order: (key) => keys[key as SortKey],
      isAsked: (one, query: EvQuery) =>
        isAsked(one, query, moment) &&
        ((query.min_confidence === undefined && query.max_confidence === undefined) ||
          isBetween(trustOf(one).confidence, query.min_confidence, query.max_confidence)),
      otherRows({ devig_book }: EvQuery, isOfEvent) {
        if (!devig_book) return undefined
        // A sharp book may measure in every tier, veiled where it is hidden; of any other one a tier that
        // does not see it learns nothing.
        if (!moment.chain.includes(devig_book)) scopedSportsbooks(scope, [devig_book])
        return rowsMeasuredBy(devig_book, ev.name, scope, isOfEvent, now)
      },
    }
  },
  summary: {
    figure: { of: ({ ev }) => percent(ev), average: 'avg_ev', extreme: 'max_ev', isLeast: false },
    counts: { by_sportsbook: 'sportsbook', by_sport: 'sport', by_market: 'marketType' },
  },
  meta: ({ updatedAt, filters, summary }) => ({
    last_update: instant(updatedAt),
    filters,
    summary,
  }),

  explain: {
    result: ({ figures }) => ({ ...figures }),
    markets({ legs, nets, reference, figures }) {
      const [candidate] = legs as readonly [Quote]
      return [
        {
          sportsbook: reference[0]?.sportsbook ?? null,
          quotes: reference,
          answer: answerOf(candidate, reference),
          price: nets[0]!,
          veiled: { fair: figures.fair, overround: figures.width },
        },
      ]
    },
    leastNet: ({ figures }) => fairPrice(figures.fair),
    fair: ({ figures }) => figures.fair,
    replacedBy: 'price_is_withdrawn',
  },
}

type SortKey = (typeof evContract.sorts)[keyof typeof evContract.sorts]

/** The place of the answer that is bet on among those of the sharp book. */
const answerOf = ({ selection }: Quote, reference: readonly Quote[]) =>
  reference.findIndex((quote) => quote.selection.selectionType === selection.selectionType)

/** @throws ApiError invalid_filter */
function sharpBookOf(text: string): string {
  const known = findSportsbook(text)
  if (known) return known.id
  throw new ApiError('invalid_filter', `devig_book: ${text} is no sportsbook we know.`, {
    details: {
      fields: { devig_book: [text] },
      reference: { devig_book: '/api/v1/sportsbooks' },
      did_you_mean: [],
    },
  })
}

// ---- filters

function isAsked(one: Valued<EvFigures>, query: EvQuery, moment: Moment): boolean {
  const { max_ev, min_market_width, max_market_width, min_kelly, max_kelly } = query
  const { figures } = one
  return (
    isBetween(percent(figures.ev), undefined, max_ev) &&
    isBetween(percent(figures.width), min_market_width, max_market_width) &&
    isBetween(percent(figures.kelly), min_kelly, max_kelly) &&
    isItemAsked(moment.scope.opportunities.item(one), query, moment)
  )
}

function isItemAsked(item: Ev, query: EvQuery, moment: Moment): boolean {
  const { is_player_prop, is_alternate_line, arb_available } = query
  const { statCategory, selection } = item.legs[0]!
  return (
    (is_player_prop === undefined || isPlayerProp(item) === is_player_prop) &&
    isSameText(selection.playerName, query.player_name) &&
    isSameText(statCategory, query.stat_category) &&
    isNamed(item, query.selection) &&
    (arb_available === undefined ||
      (worthOnLine('arbitrage', item, moment) !== null) === arb_available) &&
    (is_alternate_line === undefined || isAlternate(item, moment.scope) === is_alternate_line)
  )
}

const isBetween = (value: number, from: number | undefined, to: number | undefined) =>
  (from === undefined || value >= from) && (to === undefined || value <= to)

const isSameText = (value: string | null, wanted: string | undefined) =>
  wanted === undefined || value?.toLowerCase() === wanted.toLowerCase()

function isNamed({ legs }: Priced, wanted: string | undefined): boolean {
  if (wanted === undefined) return true
  const { selection } = legs[0]!
  return isSameText(selection.label, wanted) || isSameText(selectionOf(legs[0]!).label, wanted)
}

// ---- how it is shown

type EvTrust = ReturnType<typeof evTrust>

/** What runs with the clock, and what depends on who asks. */
function evTrust({ legs, reference, figures }: Ev, { scope, chain, now }: Moment) {
  const [candidate] = legs as readonly [Quote]
  const sharp = reference[0]!.sportsbook
  const ageMs = oldestAgeMs(seenQuotes({ legs, reference }, scope), now)
  // That an old price measures is said in every tier: a bet may rest on it.
  const staleMs = oldestAgeMs([...legs, ...reference], now)
  const on = new Set<string>()
  addSportsbooksOn(scope.board, candidate, on)
  const books = [...on]
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
  const warnings = evWarnings({ ageMs: staleMs, isLive, sharpBookCount })
  return { ageMs, bookCount, confidence, warnings, isStale: isPossiblyStale(staleMs, isLive) }
}

function shownEv(item: Ev, trust: EvTrust, moment: Moment) {
  const { legs, reference, figures } = item
  const [candidate] = legs as readonly [Quote]
  const { offer } = candidate
  const { scope } = moment
  const sharp = reference[answerOf(candidate, reference)] ?? reference[0]!
  const isSharpSeen = seesSportsbook(scope, sharp.sportsbook)
  const arbProfit = worthOnLine('arbitrage', item, moment)
  const about = aboutOf(item, scope)
  const { id, event_id, event_name, sport, league, market_type, home_team, away_team } = about
  const { start_time, line, is_live } = about
  const ev = percent(figures.ev)
  return {
    id,
    game_id: event_id,
    event_id,
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
    sharp_odds_american: isSharpSeen ? decimalToAmerican(sharp.price) : undefined,
    sharp_odds_decimal: isSharpSeen ? shownPrice(sharp.price) : undefined,
    selection: selectionOf(candidate).label,
    market: market_type,
    market_type,
    line,
    sportsbook: candidate.sportsbook,
    game: event_name,
    event_name,
    sport,
    league,
    home_team,
    away_team,
    start_time,
    is_live,
    confidence_score: trust.confidence,
    confidence: trust.confidence,
    kelly_percent: percent(figures.kelly),
    book_count: trust.bookCount,
    arb_available: arbProfit !== null,
    arb_profit: arbProfit === null ? null : percent(arbProfit),
    is_player_prop: about.is_player_prop,
    player_name: about.player_name,
    stat_category: about.stat_category,
    is_alternate_line: isAlternate(item, scope),
    possibly_stale: trust.isStale,
    oldest_odds_age_seconds: shownAge(trust.ageMs),
    warnings: warningsOf(item, scope.board, [
      ...(figures.ev > suspiciousValue ? ['HIGH_EV_SUSPICIOUS'] : []),
      ...(is_live ? ['LIVE_GAME'] : []),
      ...trust.warnings,
    ]),
    deep_link: deepLinkOf(scope, candidate),
    detected_at: about.detected_at,
  }
}
