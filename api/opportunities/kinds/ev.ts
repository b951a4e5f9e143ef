/** +EV: a price above the fair price of the sharp book's no-vig probability (interface 2.6, supplement 5.6). */

import {
  allBooksOf,
  booksOf,
  chainOf,
  chainsAmong,
  placeOfBlend,
} from '../../../pipeline/rules/odds/chains.ts'
import {
  confidenceScore,
  evWarnings,
  isPossiblyStale,
  referenceWeight,
} from '../../../pipeline/rules/odds/confidence.ts'
import { leastConsensusValue } from '../../../pipeline/rules/odds/fair-market.ts'
import { decimalToAmerican, shownPrice } from '../../../pipeline/rules/odds/odds.ts'
import type { EvFigures } from '../../../pipeline/rules/odds/opportunity-figures.ts'
import { consensus } from '../../../pipeline/rules/odds/sharp-books.ts'
import { fairPrice, suspiciousValue } from '../../../pipeline/rules/odds/value.ts'
import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { Item, Priced, Valued } from '../../../pipeline/views/opportunities/priced.ts'
import { methodOf, weightsOf } from '../../../schemas/fair-measure.ts'
import { evContract } from '../../../schemas/http/opportunities/ev.ts'
import type { Query } from '../../../schemas/http/query.ts'
import type { OpportunityRow } from '../../../schemas/opportunity.ts'
import { findSportsbook, idOfSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import { type Scope, scopedSportsbooks, seesSportsbook } from '../../access/scope.ts'
import { instant } from '../../answer/json.ts'
import { suggest } from '../../ask/suggestions.ts'
import { ApiError, invalid } from '../../errors.ts'
import { aboutOf, detectedAt, doubtsOf, isPlayerProp } from '../about.ts'
import { worthOnLine } from '../beside.ts'
import type { Kind, Moment, Order, Seen } from '../kind.ts'
import { isAlternate } from '../main-line.ts'
import {
  countSeen,
  deepLinkOf,
  lineOf,
  maxBetOf,
  oldestAgeMs,
  percent,
  type Quote,
  quotingOn,
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
      'One item per sportsbook and selection. `sportsbook`, `min_odds` and `max_odds` apply to the price.',
    answer: 'A page of +EV.',
    otherwise: 'feature_required',
  },
  tool: {
    name: 'find_ev_opportunities',
    description:
      'Prices better than the sharp sportsbook’s without its margin: positive expected value.',
    inputs: ['sport', 'league', 'sportsbook', 'books', 'market', 'min_ev', 'live', 'limit'],
  },

  isWithin: ({ ev, width }, { min_ev, max_hold }: { min_ev: number; max_hold: number }) =>
    percent(ev) >= min_ev && percent(width) <= max_hold,
  understand({ devig_book, devig_books, ...others }: EvQuery) {
    if (devig_book !== undefined && devig_books) {
      throw invalid(
        ['devig_book', 'devig_books'],
        'devig_book is devig_books with one name: give one.',
      )
    }
    return {
      ...others,
      devig_book: devig_book && idOfSportsbook(devig_book),
      devig_books: devig_books && [...new Set(devig_books.map(idOfSportsbook))],
    }
  },

  at(moment) {
    const { scope, now } = moment
    const { board, opportunities } = scope
    const trusts = new Map<Valued<EvFigures>, EvTrust>()
    const trustOf = (one: Valued<EvFigures>) => {
      let trust = trusts.get(one)
      if (!trust) {
        const item = opportunities.item(one)
        trust = trustIn(item, booksOn(item, moment), moment)
        trusts.set(one, trust)
      }
      return trust
    }
    const keys: Readonly<Record<SortKey, Order<EvFigures>>> = {
      ev: { keyOf: ({ rank }) => rank, byRank: 'same' },
      kelly: { keyOf: ({ figures }) => figures.kelly },
      confidence: { keyOf: (one) => trustOf(one).confidence },
      book_count: { keyOf: (one) => trustOf(one).bookCount },
      time: { keyOf: ({ taken }) => board.rows.block(taken.legs[0]!).event.startsAt },
      odds: { keyOf: ({ taken }) => board.rows.price(taken.legs[0]!) },
    }
    const seen: Seen<EvFigures, Around, EvClocked> = {
      linedUp: measuredLegs,
      around: (item) => ({ ...booksOn(item, moment), doubts: doubtsOf(item, scope) }),
      againAround(item, around) {
        const books = booksOn(item, moment)
        const isSame =
          books.bookCount === around.bookCount && books.sharpBookCount === around.sharpBookCount
        return isSame ? around : { ...around, ...books }
      },
      clocked: (item, around) => clockedOf(item, around, moment),
      show: (item, _, clocked) => shownEv(item, clocked, moment),
      order: (key) => keys[key as SortKey],
      matches: (one, query: EvQuery) =>
        matchesQuery(one, query, moment) &&
        ((query.min_confidence === undefined && query.max_confidence === undefined) ||
          isBetween(trustOf(one).confidence, query.min_confidence, query.max_confidence)),
      otherRows({ devig_book, devig_books, devig_method = 'power' }: EvQuery, part) {
        const isPower = devig_method === 'power'
        const named = devig_books ?? (devig_book ? [devig_book] : null)
        if (!named && isPower) return undefined
        const sharpBooks = allBooksOf(moment.chain)
        // The sharp books of the chains may measure in every tier, veiled if they are hidden. Other books measure only
        // in tiers that see them. The results of further methods would narrow down hidden prices.
        const isShared = (book: string) => book === consensus || sharpBooks.includes(book)
        const needed = (named ?? sharpBooks).filter(
          (book) => book !== consensus && (!isPower || !isShared(book)),
        )
        for (const book of named ?? []) {
          if (!isShared(book)) requireSportsbook(scope, book, devig_books)
        }
        const seen = needed.length > 0 ? scopedSportsbooks(scope, needed) : needed
        const chain = named ?? moment.chain
        const measuring = isPower
          ? chain
          : chainsAmong(chain, (book) => seen?.includes(book) ?? true)
        return rowsMeasuredBy(measuring, devig_method, scope, part, now)
      },
    }
    return seen
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
      const outcome = outcomeOf(candidate, reference)
      return [...new Set(reference.map(({ sportsbook }) => sportsbook))].map((sportsbook) => ({
        sportsbook,
        quotes: reference.filter((quote) => quote.sportsbook === sportsbook),
        outcome,
        price: nets[0]!,
        veiled: { fair: figures.fair, overround: figures.width },
      }))
    },
    leastNet: ({ figures, reference, row }) =>
      fairPrice(figures.fair) * (isOfConsensus(reference, row) ? 1 + leastConsensusValue : 1),
    stakes: {
      rule: 'kelly',
      fair: ({ figures }) => figures.fair,
      warnings: ({ reference, row }) => (isOfConsensus(reference, row) ? ['CONSENSUS_REF'] : []),
    },
    replacedBy: 'price_is_withdrawn',
  },
}

/** Returns the sportsbooks that are the reference. */
const measuringBooks = (reference: readonly Quote[]) => [
  ...new Set(reference.map(({ sportsbook }) => sportsbook)),
]

/** Returns whether several sportsbooks are the reference, and no blend. */
const isOfConsensus = (reference: readonly Quote[], { measure }: Pick<OpportunityRow, 'measure'>) =>
  weightsOf(measure).length === 0 && measuringBooks(reference).length > 1

type SortKey = (typeof evContract.sorts)[keyof typeof evContract.sorts]

/** Returns the index of the bet's outcome among those of the sharp book. */
const outcomeOf = ({ selection }: Quote, reference: readonly Quote[]) =>
  reference.findIndex((quote) => quote.selection.selectionType === selection.selectionType)

/**
 * Checks a sportsbook's name. A custom name is valid while the scope sees its prices. @throws ApiError invalid_filter
 */
function requireSportsbook(scope: Scope, id: string, isOfList: unknown) {
  if (findSportsbook(id)) return
  if (scope.board.book(id) !== undefined && seesSportsbook(scope, id)) return
  const parameter = isOfList ? 'devig_books' : 'devig_book'
  const meant = suggest('sportsbook', id)?.try.sportsbook
  throw new ApiError('invalid_filter', `${parameter}: ${id} is no sportsbook we know.`, {
    details: {
      fields: { [parameter]: [id] },
      reference: { [parameter]: '/api/v1/sportsbooks' },
      did_you_mean: meant ? [{ field: parameter, value: id, try: { [parameter]: meant } }] : [],
    },
  })
}

// ---- filters

function matchesQuery(one: Valued<EvFigures>, query: EvQuery, moment: Moment): boolean {
  const { max_ev, min_market_width, max_market_width, min_kelly, max_kelly } = query
  const { figures } = one
  return (
    isBetween(percent(figures.ev), undefined, max_ev) &&
    isBetween(percent(figures.width), min_market_width, max_market_width) &&
    isBetween(percent(figures.kelly), min_kelly, max_kelly) &&
    itemMatches(moment.scope.opportunities.item(one), query, moment)
  )
}

function itemMatches(item: Ev, query: EvQuery, moment: Moment): boolean {
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

interface Around extends Books {
  readonly doubts: readonly string[]
}

interface Books {
  /** How many sportsbooks quote the bet now. */
  readonly bookCount: number
  /** How many sharp books besides its own quote all outcomes. */
  readonly sharpBookCount: number
}

/** Returns a price for each outcome of the line that the bet is on, in the order of the reference. */
const measuredLegs = ({ reference }: Priced) =>
  reference.filter(({ sportsbook }) => sportsbook === reference[0]!.sportsbook)

function booksOn(item: Priced, { scope, chain, now }: Moment): Books {
  const { legs, reference } = item
  const [candidate] = legs as readonly [Quote]
  const line = lineOf(measuredLegs(item), scope.board)
  const quoting = line ? quotingOn(line, scope, now) : []
  const books = quoting[outcomeOf(candidate, reference)] ?? []
  const sharpBooks = booksOf(chainOf(chain, candidate.event.row))
  return {
    bookCount: countSeen(scope, books, [reference[0]!.sportsbook]),
    sharpBookCount: books.filter(
      (book) =>
        book !== candidate.sportsbook &&
        sharpBooks.includes(book) &&
        quoting.every((others) => others.includes(book)),
    ).length,
  }
}

type EvTrust = ReturnType<typeof trustIn>

function trustIn(item: Ev, { bookCount }: Books, moment: Moment) {
  const { legs, reference, figures, row } = item
  const { scope, chain, now } = moment
  const ageMs = oldestAgeMs(seenQuotes({ legs, reference }, scope), now)
  const ofGame = chainOf(chain, legs[0]!.event.row)
  const books = measuringBooks(reference)
  const place =
    weightsOf(row.measure).length > 0 ? placeOfBlend(ofGame, books) : ofGame.indexOf(books[0]!)
  const confidence = confidenceScore({
    bookCount,
    ageMs,
    isLive: legs[0]!.isLive,
    width: figures.width,
    referenceWeight: referenceWeight(place),
  })
  return { ageMs, bookCount, confidence }
}

type EvClocked = ReturnType<typeof clockedOf>

function clockedOf(item: Ev, around: Around, moment: Moment) {
  const { legs, reference, figures } = item
  const { isLive } = legs[0]!
  const { ageMs, bookCount, confidence } = trustIn(item, around, moment)
  const { sharpBookCount } = around
  // The reference's age counts in every tier, because a bet may rest on it.
  const staleMs = oldestAgeMs([...legs, ...reference], moment.now)
  const arbProfit = worthOnLine('arbitrage', item, moment)
  return {
    confidence,
    book_count: bookCount,
    arb_available: arbProfit !== null,
    arb_profit: arbProfit === null ? null : percent(arbProfit),
    possibly_stale: isPossiblyStale(staleMs, isLive),
    oldest_odds_age_seconds: shownAge(ageMs),
    is_alternate_line: isAlternate(item, moment.scope),
    warnings: [
      ...(figures.ev > suspiciousValue ? ['HIGH_EV_SUSPICIOUS'] : []),
      ...(isLive ? ['LIVE_GAME'] : []),
      ...evWarnings({
        ageMs: staleMs,
        isLive,
        sharpBookCount,
        isOfConsensus: isOfConsensus(reference, item.row),
      }),
      ...around.doubts,
    ],
    detected_at: isoTime(detectedAt(item, moment.scope)),
  }
}

function shownEv(item: Ev, clocked: EvClocked, { scope }: Moment) {
  const { legs, reference, figures } = item
  const [candidate] = legs as readonly [Quote]
  const { offer } = candidate
  const sharp = reference[outcomeOf(candidate, reference)] ?? reference[0]!
  const measuredBy = isOfConsensus(reference, item.row)
    ? consensus
    : measuringBooks(reference).join('+')
  const isSharpSeen = measuredBy === sharp.sportsbook && seesSportsbook(scope, sharp.sportsbook)
  const about = aboutOf(item)
  const { id, event_id, event_name, sport, league, market_type, home_team, away_team } = about
  const { start_time, line, is_live } = about
  const { label, type } = selectionOf(candidate)
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
    devig_method: methodOf(item.row.measure),
    sharp_book: measuredBy,
    devig_book: measuredBy,
    // The sharp book measures in every tier, but its prices are shown only to tiers that see it.
    sharp_odds_american: isSharpSeen ? decimalToAmerican(sharp.price) : undefined,
    sharp_odds_decimal: isSharpSeen ? shownPrice(sharp.price) : undefined,
    selection: label,
    selection_type: type,
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
    confidence_score: clocked.confidence,
    confidence: clocked.confidence,
    kelly_percent: percent(figures.kelly),
    max_bet: maxBetOf(scope.board, candidate),
    book_count: clocked.book_count,
    arb_available: clocked.arb_available,
    arb_profit: clocked.arb_profit,
    is_player_prop: about.is_player_prop,
    player_name: about.player_name,
    stat_category: about.stat_category,
    is_alternate_line: clocked.is_alternate_line,
    possibly_stale: clocked.possibly_stale,
    oldest_odds_age_seconds: clocked.oldest_odds_age_seconds,
    warnings: clocked.warnings,
    deep_link: deepLinkOf(scope, candidate),
    detected_at: clocked.detected_at,
  }
}
