/**
 * Explains an opportunity: its prices with their ages and stamps, the result of each devig method, and the changes
 * that would end it.
 */

import { invariant } from '../../pipeline/invariant.ts'
import { impliedTotal } from '../../pipeline/rules/odds/arbitrage.ts'
import { devig } from '../../pipeline/rules/odds/devig.ts'
import { netOf, priceBeforeFee } from '../../pipeline/rules/odds/fees.ts'
import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import { decimalToAmerican } from '../../pipeline/rules/odds/odds.ts'
import { expectedValue, fairPrice, kellyFraction } from '../../pipeline/rules/odds/value.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { Item } from '../../pipeline/views/opportunities/priced.ts'
import { type DevigMethod, devigMethods, methodOf } from '../../schemas/fair-measure.ts'
import { type Scope, seesAll, seesSportsbook } from '../access/scope.ts'
import { eventName } from '../answer/events.ts'
import { instant, instantOfMicros } from '../answer/json.ts'
import { detectedAt, isSuspected } from './about.ts'
import { warningsOf } from './item-texts.ts'
import type { Kind, MarketToDevig, Moment } from './kind.ts'
import {
  ageMs,
  deepLinkOf,
  isVeiled,
  maxBetOf,
  type Quote,
  rounded,
  selectionOf,
  shownAge,
  sourceOf,
} from './quotes.ts'
import { stakesOf, type WantedStakes } from './stakes.ts'

export function explained(item: Item, kind: Kind, moment: Moment, wanted: WantedStakes) {
  const { scope, now } = moment
  const { row, event, legs, reference, others } = item
  const { board } = scope
  const first = legs[0]!
  const quotes = [
    ...legs.map((quote) => ({
      ...shownQuote('leg', quote, scope, now),
      ...feeCounted(quote, scope),
      max_bet: maxBetOf(board, quote),
      deep_link: deepLinkOf(scope, quote),
    })),
    ...reference.map((quote) => shownQuote('reference', quote, scope, now)),
    ...others.flatMap((quote) => (quote ? [shownQuote('other_side', quote, scope, now)] : [])),
  ]
  return {
    id: row.id,
    kind: row.kind,
    event_id: event.id,
    event_name: eventName(event),
    league: event.row.league,
    start_time: isoTime(event.startsAt),
    market_type: first.marketType,
    player_name: first.selection.playerName,
    line: selectionOf(first).line,
    is_live: first.isLive,
    detected_at: isoTime(detectedAt(item, scope)),
    as_of: {
      time: isoTime(now),
      server_time: instantOfMicros(shownStamp(board.watermark, scope)),
      // The position's offsets count every change, including those of hidden sportsbooks.
      position: seesAll(scope) ? board.position : null,
    },
    quotes,
    result: kind.explain.result(item) as Readonly<Record<string, unknown>>,
    stakes: stakesOf(item, kind, scope, wanted),
    devig: kind.explain.markets(item).map((market) => devigged(market, item, scope)),
    ends: endsOf(item, kind, scope),
    is_mismatch_suspected: isSuspected(item, board),
    warnings: [...warningsOf(item, kind.at(moment))],
  }
}

/** Returns a visible sportsbook with its price. A hidden sharp reference is only named. */
function shownQuote(
  role: 'leg' | 'reference' | 'other_side',
  quote: Quote,
  scope: Scope,
  now: number,
) {
  const { board } = scope
  const { label, type, line } = selectionOf(quote)
  const about = {
    ...{ role, sportsbook: quote.sportsbook, selection: label },
    ...{ selection_type: type, line },
  }
  if (!seesSportsbook(scope, quote.sportsbook)) return { ...about, is_hidden: true }
  const { externalMarketId, externalSelectionId } = sourceOf(board, quote)
  return {
    ...about,
    is_hidden: false,
    odds_id: String(quote.id),
    odds_decimal: quote.price,
    odds_american: decimalToAmerican(quote.price),
    implied_probability: 1 / quote.price,
    last_seen_at: isoTime(quote.offer.lastSeenAt),
    age_seconds: shownAge(ageMs(quote, now)),
    odds_changed_at: instant(quote.changedAt ?? 0),
    // Time of the change in the order of all changes, as `/odds/delta` takes it for `since`.
    changed_in_board_at: instantOfMicros(shownStamp(quote.stamp, scope)),
    external_event_id: quote.offer.externalId,
    selection_id: externalSelectionId,
    market_id: externalMarketId,
  }
}

/** Returns the fee that was taken off a leg's price before its figures, if any. */
function feeCounted(quote: Quote, { opportunities: { fees } }: Scope) {
  const fee = fees.get(quote.sportsbook)
  return fee && { fee: { on: fee.on, rate: fee.rate, odds_after_fee: netOf(quote, fees) } }
}

/**
 * Each change has its own stamp, so exact stamps would reveal how often hidden sportsbooks change.
 */
const shownStamp = (stamp: number, scope: Scope) =>
  seesAll(scope) ? stamp : Math.floor(stamp / 1_000_000) * 1_000_000

// ---- figures, unrounded

function devigged(market: MarketToDevig, { row, reference }: Item, scope: Scope) {
  const { sportsbook, quotes, outcome, price, veiled } = market
  const answers = quotes.map((quote) => selectionOf(quote).label)
  if (isVeiled({ reference: quotes }, scope)) {
    invariant(veiled, 'a market of hidden prices says what may be shown of it')
    // The results of more methods would narrow down the hidden prices.
    const unsaid = Object.fromEntries(devigMethods.map((method) => [method, null]))
    const power = { parameter: null, fair_probabilities: [], ...worthOf(veiled.fair, price) }
    const methods = { ...unsaid, power }
    return { sportsbook, answers, overround: veiled.overround, devig_method: 'power', methods }
  }
  const prices = quotes.map((quote) => quote.price)
  return {
    sportsbook,
    answers,
    overround: impliedTotal(prices) - 1,
    devig_method: reference.length === 0 ? null : methodOf(row.measure),
    methods: Object.fromEntries(
      devigMethods.map((method) => [method, byMethod(prices, method, outcome, price)]),
    ),
  }
}

function byMethod(
  prices: readonly number[],
  method: DevigMethod,
  outcome: number,
  price: number | null,
) {
  const found = devig(prices, method)
  if (!found) return null
  const { parameter, probabilities } = found
  const fair = probabilities[outcome]
  return {
    parameter,
    fair_probabilities: [...probabilities],
    ...(fair !== undefined && worthOf(fair, price)),
  }
}

/** Returns the value of a price at a fair probability. */
const worthOf = (fair: number, price: number | null) => ({
  fair_odds_decimal: fairPrice(fair),
  ...(price !== null && {
    ev_percentage: rounded(100 * expectedValue(fair, price), 4),
    kelly_percent: rounded(100 * kellyFraction(fair, price), 4),
  }),
})

// ---- ends

/** Returns the events that would end it, most of them decided by sportsbooks. `at` is set if the clock ends it. */
function endsOf(item: Item, kind: Kind, scope: Scope) {
  const { event, legs, reference } = item
  const thresholds = legs.flatMap((leg, i) => {
    const least = kind.explain.leastNet(item, i)
    const fee = scope.opportunities.fees.get(leg.sportsbook)
    return least === null
      ? []
      : [
          {
            cause: 'price_falls',
            sportsbook: leg.sportsbook,
            odds_id: String(leg.id),
            to_odds_decimal: rounded(
              fee ? priceBeforeFee(least, fee) : least,
              isVeiled({ reference }, scope) ? 2 : 6,
            ),
            at: null,
          },
        ]
  })
  const replaced = legs.map((leg) => ({
    cause: kind.explain.replacedBy,
    sportsbook: leg.sportsbook,
    odds_id: String(leg.id),
    to_odds_decimal: null,
    at: null,
  }))
  const unseen = [
    ...legs,
    ...reference.filter(({ sportsbook }) => seesSportsbook(scope, sportsbook)),
  ].map((quote) => ({
    cause: 'not_seen_again',
    sportsbook: quote.sportsbook,
    odds_id: String(quote.id),
    to_odds_decimal: null,
    at: isoTime(quote.offer.lastSeenAt + usableMs(quote.isLive)),
  }))
  const start = legs[0]!.isLive
    ? []
    : [
        {
          cause: 'event_starts',
          sportsbook: null,
          odds_id: null,
          to_odds_decimal: null,
          at: isoTime(event.startsAt),
        },
      ]
  return [...thresholds, ...replaced, ...unseen, ...start]
}
