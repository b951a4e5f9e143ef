/**
 * Rules of the type `price`: a wanted price or line. A message is sent when an offer first meets
 * the rule on an outcome with its line, and again when the price improves. It is also sent again
 * when an offer meets the rule after two looks in a row found none. Rules in quiet hours or at
 * their limit are looked at too, so that an offer that returns meanwhile is sent afterwards.
 */

import { shownPrice } from '../../pipeline/rules/odds/odds.ts'
import { writePrice } from '../../pipeline/rules/odds/price-formats.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import { changeKind } from '../../pipeline/views/board/journal.ts'
import type { Quote } from '../../pipeline/views/query/quotes.ts'
import { addTo } from '../../schemas/grouping.ts'
import { boundsOfPrice, priceFilters } from '../../schemas/http/alert-filters.ts'
import type { MessageOf } from '../../schemas/http/alerts.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
import type { Scope } from '../access/scope.ts'
import { eventName } from '../answer/events.ts'
import { readQuery, requireOneOf } from '../ask/read-query.ts'
import { selectionOf } from '../opportunities/quotes.ts'
import { aboutEvent, aboutOffer, aboutRule, type MessageParts } from './alert-messages.ts'
import { isOfAnyLeague } from './hidden-leagues.ts'
import {
  addressOf,
  createOfferIndex,
  isCompared,
  type NamedOffers,
  namedOffers,
  outcomeKey,
  pageOfOffer,
  rowsByEvent,
  standingOffer,
} from './offers.ts'
import {
  type CompiledAlert,
  type Finder,
  type FinderParts,
  type Finding,
  type Look,
  lookEveryMs,
  type RuleDefinition,
  type RuleOf,
  type TypeOfRule,
} from './rule-type.ts'

interface CompiledPrice extends CompiledAlert {
  readonly type: 'price'
  readonly offers: NamedOffers
  /** Bounds of the line as it is shown; null for none. */
  readonly minLine: number | null
  readonly maxLine: number | null
}

type PriceRule = RuleOf<'price', CompiledPrice>

const read = createQueryReader(priceFilters, [])
/** Filters that `/odds/best` takes too. */
const ofBestOdds = Object.keys(priceFilters).filter(
  (name) => !['selection', 'player', 'min_line', 'max_line'].includes(name),
)

export const priceRule: TypeOfRule<'price', CompiledPrice> = {
  compile({ query: text }, { scopeAmong }) {
    const query = readQuery(read, priceFilters, text)
    requireOneOf(query, ['market'])
    requireOneOf(query, boundsOfPrice)
    const { books, min_line = null, max_line = null } = query
    const scope = scopeAmong(books)
    const offers = namedOffers(query, scope)
    return {
      ...{ type: 'price', scope, books, isOfAnyLeague: isOfAnyLeague(query), requires: null },
      ...{ offers, minLine: min_line, maxLine: max_line },
    }
  },
  openFinder,
  paths,
}

function paths({ query }: Pick<RuleDefinition<'price'>, 'query'>) {
  return {
    list: addressOf('/api/v1/odds/best', query, ofBestOdds),
    page: addressOf('/', query, ['league', 'q']),
  }
}

/** Returns the negative implied probability, so that a better price is worth more. */
const worthOf = ({ price }: Quote) => 0 - 1 / price

/** A full look keeps this many of the best offers and up to as many more: several times what an hour's messages take. */
const mostKept = 500

/** The best offer of an outcome, as far as a look has come. */
interface Best {
  readonly id: number
  readonly price: number
}

/** Compares offers, the better first. */
const bestFirst = (a: Best, b: Best) => b.price - a.price || a.id - b.id

function openFinder({ boards, board }: FinderParts): Finder<PriceRule> {
  /** Reported occasions that no offer met at the last look, with the time of the first such look (epoch ms). */
  let missing = new Map<PriceRule, ReadonlyMap<string, number>>()
  const index = createOfferIndex<PriceRule>(board, ({ compiled }) => compiled.offers)
  let rules: readonly PriceRule[] = []
  let followedTo = board.watermark
  /** Rows changed since the last call, by rule that matches them. */
  const changed = new Map<PriceRule, number[]>()
  /** Whether more has changed than the journal holds. */
  let isUnknown = false

  function offerOf({ compiled }: PriceRule, row: number, now: number): Quote | null {
    const { minLine, maxLine, offers } = compiled
    if (minLine !== null || maxLine !== null) {
      const line = board.line(row)
      if (line === null || line < (minLine ?? line) || line > (maxLine ?? line)) return null
    }
    const quote = standingOffer(board, row, now)
    return quote && isCompared(quote) && offers.isOutcome(quote) ? quote : null
  }

  /** Returns findings, the best price first. */
  function findingsOf(rule: PriceRule, quotes: readonly Quote[], now: number): Finding[] {
    const { alert, compiled } = rule
    return quotes
      .map((quote) => ({ quote, occasion: outcomeKey(quote), worth: worthOf(quote) }))
      .filter(({ occasion, worth }) => rule.isNews(occasion, worth))
      .sort((a, b) => bestFirst(a.quote, b.quote))
      .map(({ quote, occasion, worth }) => ({
        ...{ occasion, league: quote.event.row.league, worth },
        identity: [quote.id, quote.price, quote.changedAt ?? 0, rule.sent.get(occasion)?.at ?? 0],
        sportsbooks: () => [quote.sportsbook],
        message: (bestSent, parts) =>
          priceMessage(alert, compiled.scope, quote, bestSent, now, parts),
      }))
  }

  function offersOf(rule: PriceRule, rows: Iterable<number>, now: number): Quote[] {
    const quotes: Quote[] = []
    for (const row of rows) {
      const quote = offerOf(rule, row, now)
      if (quote) quotes.push(quote)
    }
    return quotes
  }

  /**
   * Ends the occasions that no offer has met at two looks.
   * @param met those that offers meet now
   */
  function endUnmet(rule: PriceRule, met: ReadonlySet<string>, at: number) {
    const before = missing.get(rule)
    const unmet = new Map<string, number>()
    for (const [occasion, { at: sentAt }] of rule.sent) {
      // A message sent during the look may have come after its event was looked at.
      if (met.has(occasion) || sentAt >= at) continue
      const since = before?.get(occasion) ?? at
      unmet.set(occasion, since)
      // Two looks may be close together, so the time between them counts.
      if (at - since >= lookEveryMs) rule.end(occasion)
    }
    missing.set(rule, unmet)
  }

  function look(rule: PriceRule, _: number, at: number): Look {
    const met = new Set<string>()
    let best = new Map<string, Best>()
    const events = rowsByEvent(board, rule.compiled.offers)

    function take(quote: Quote) {
      const occasion = outcomeKey(quote)
      if (rule.sent.has(occasion)) met.add(occasion)
      if (!rule.isNews(occasion, worthOf(quote)) || rule.isHidden(quote.event.row.league)) return
      const { id, price } = quote
      const other = best.get(occasion)
      if (!other || bestFirst(quote, other) < 0) best.set(occasion, { id, price })
      if (best.size < 2 * mostKept) return
      best = new Map([...best].sort((a, b) => bestFirst(a[1], b[1])).slice(0, mostKept))
    }

    return () => {
      const { value: rows } = events.next()
      const now = boards.now()
      if (rows) {
        for (const quote of offersOf(rule, rows, now)) take(quote)
        return null
      }
      endUnmet(rule, met, at)
      // Offers found in earlier pieces may have changed.
      const filter = rule.compiled.offers.compiled()
      const still = [...best.values()]
        .map(({ id }) => board.rows.find(id))
        .filter((row) => row >= 0 && filter.matchesRow(row))
      return findingsOf(rule, offersOf(rule, still, now), now)
    }
  }

  return {
    setRules(all) {
      missing = new Map(all.map((rule) => [rule, missing.get(rule) ?? new Map()]))
      rules = all
      index.set(all)
      return all
    },
    begin() {
      const { journal, watermark } = board
      const from = followedTo
      followedTo = watermark
      isUnknown = from < journal.reach
      if (isUnknown || rules.length === 0) return
      const rulesByOffer = index.now()
      journal.forEach(from, ({ kind, row, stamp, price, block, book }) => {
        // Skips older changes of a row that changed again later, and rows that are gone.
        if (kind === changeKind.standing || journal.stamps[row] !== stamp) return
        const { marketType, event } = block
        for (const rule of rulesByOffer.of(
          event.row.league,
          marketType,
          board.sportsbooks[book]!,
        )) {
          const { offers } = rule.compiled
          // Most rules want a price that is not there, so this is tested first.
          if (price < offers.prices.from || price >= offers.prices.to) continue
          if (offers.compiled().matchesRow(row)) addTo(changed, rule, row)
        }
      })
    },
    concerned: () => (isUnknown ? rules : changed.keys()),
    changed(rule, now) {
      if (isUnknown) return null
      const quotes = offersOf(rule, changed.get(rule)!, now)
      return quotes.length > 0 ? findingsOf(rule, quotes, now) : []
    },
    end: () => changed.clear(),
    endsOccasions: true,
    look,
    isGone: ({ sent }, { occasion }) => sent.get(occasion)?.worth === Number.NEGATIVE_INFINITY,
    close() {},
  }
}

/** @param bestSent the best worth sent before; null for the first message */
function priceMessage(
  alert: PriceRule['alert'],
  scope: Scope,
  quote: Quote,
  bestSent: number | null,
  now: number,
  parts: MessageParts,
): MessageOf<'alert.price'> {
  const { priceFormat, state } = parts.profileOf(alert.accountId)
  const shown = writePrice(quote.price, priceFormat ?? 'american')
  const { label } = selectionOf(quote)
  return {
    type: 'alert.price',
    timestamp: isoTime(parts.clock()),
    data: {
      ...aboutRule(alert, { ...paths(alert), page: pageOfOffer(quote) }, parts),
      title: `${label} at ${shown}: ${eventName(quote.event)}`,
      event: aboutEvent(quote),
      market_type: quote.marketType,
      offer: aboutOffer(scope, quote, now, parts.publicUrl(), state),
      told_before_decimal: bestSent === null ? null : shownPrice(-1 / bestSent),
    },
  }
}
