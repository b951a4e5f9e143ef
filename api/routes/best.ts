/**
 * GET /api/v1/odds/best: the best price of every selection, and those of other sportsbooks (interface 4.5).
 *
 * A page does not count all selections. The selections of an event are counted again if the event
 * has changed or one of its prices has become too old. The total is the sum over events.
 */

import { type ContentHash, createContentHash } from '../../pipeline/memory/content-hash.ts'
import { isOutOfPlay } from '../../pipeline/rules/odds/behind-play.ts'
import { countsFromBet } from '../../pipeline/rules/odds/in-play-handicaps.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { appendFew, appendText, type PageBuffer } from '../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { EventBlock, ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { type CompiledFilter, compile } from '../../pipeline/views/query/compiled-filter.ts'
import { followsOffers, type OddsFilter, usesOnly } from '../../pipeline/views/query/odds-filter.ts'
import { type PriceRange, pricesOfAmerican } from '../../pipeline/views/query/price-range.ts'
import { liveBit, preMatchBit, walkQuotes } from '../../pipeline/views/query/quotes.ts'
import { bestList } from '../../schemas/http/best.ts'
import { uncursoredQuery } from '../../schemas/http/odds-query.ts'
import { offsetUpTo } from '../../schemas/http/query.ts'
import { memoise } from '../../schemas/memoise.ts'
import { questionOf } from '../../schemas/reference/markets.ts'
import type { Scope } from '../access/scope.ts'
import { eventName } from '../answer/events.ts'
import { listHead, listTail } from '../answer/json.ts'
import {
  appendSeen,
  createKeptTexts,
  newest,
  newestOf,
  type TimesNoted,
} from '../answer/kept-texts.ts'
import { paginationOf } from '../answer/list-page.ts'
import { pastMetaOf } from '../answer/past-meta.ts'
import { appendTimes, priceText, quoted, utf8, withheldText } from '../answer/price-text.ts'
import { shownSelection } from '../answer/selections.ts'
import { type Judged, judgedIn, markUsable } from '../answer/usable-books.ts'
import { requestedOdds } from '../ask/odds-filter.ts'
import { type ReadRoute, readRoute } from '../route.ts'

const maxOffset = 5_000

/** Filters that only select events: the counts of an event do not depend on them. */
const leavesCounts = new Set(['sport', 'league', 'event', 'team', 'date', 'q'])

/** Most combinations of price filters whose counts are cached, over all scopes. */
const maxChoices = 12

export function createBestRoute(clock: () => number): ReadRoute {
  const countsByChoice = new Map<string, EventCounts>()

  function countsOf(key: string, { then }: Scope): EventCounts {
    // Counts of the past are used once or twice, and would displace the others in the cache.
    if (then) return new WeakMap()
    const counts = countsByChoice.get(key) ?? new WeakMap()
    // The map is ordered by last use.
    countsByChoice.delete(key)
    countsByChoice.set(key, counts)
    if (countsByChoice.size > maxChoices) countsByChoice.delete(countsByChoice.keys().next().value!)
    return counts
  }

  return readRoute({
    path: '/api/v1/odds/best',
    access: 'key',
    tag: 'odds',
    summary: 'The best price of each selection, with all sportsbooks that offer it',
    description:
      'Leaves out prices that take no bets, those last seen more than 5 minutes ago (1 minute in play), those from before a game that is in play, those of a postponed game, and two-way handicaps of soccer in play, which sportsbooks settle differently. `withheld` prices come last and are never the best; if all prices of a selection are withheld, the item has `withheld` too. `min_odds` and `max_odds` limit the best price. Items are in the order of `/odds`; `cursor`, `sort`, `fields`, `group_by` and `state` have no effect here.',
    query: { ...uncursoredQuery, offset: offsetUpTo(maxOffset) },
    answer: { description: 'A page of selections.', schema: bestList },
    tool: {
      name: 'get_best_odds',
      description: 'The best price of each selection and the sportsbook that offers it.',
      inputs: ['sport', 'league', 'event', 'market', 'books', 'live', 'limit', 'offset'],
      shape: { items: ['data'], without: ['last_seen_at', 'odds_changed_at'], mostInside: 3 },
    },
    errors: ['invalid_filter', 'tier_restricted'],

    prepare({ query, scope }) {
      const { board, name } = scope
      const { min_odds, max_odds, limit, offset } = query
      const requested = requestedOdds(query, scope)
      const { version } = requested
      const isBound = min_odds !== undefined || max_odds !== undefined
      const range = isBound ? pricesOfAmerican(min_odds, max_odds) : undefined
      const chosenBy = (filter: OddsFilter) => {
        const choice = Object.entries(requested.echo()).filter(([name]) => !leavesCounts.has(name))
        // The bounds apply to the best price, not to each price.
        const unbounded = { ...filter, minAmerican: undefined, maxAmerican: undefined }
        return { filter, unbounded, countsKey: JSON.stringify([name, ...choice]) }
      }
      let chosen = chosenBy(requested.filter())
      let whole = { stamp: -1, total: 0, expiresAt: 0 }

      return {
        version,
        write(page) {
          const now = clock()
          const judged = judgedIn(scope, now)
          const stamp = version()
          const isCounted = whole.stamp === stamp && judged.at < whole.expiresAt
          const filter = requested.filter()
          if (filter !== chosen.filter) chosen = chosenBy(filter)
          const compiled = compile(board, chosen.unbounded)
          const offers = createOffers(compiled, judged, range)
          const counts = countsOf(chosen.countsKey, scope)
          const next = compiled.events()
          let before = 0
          let expiresAt = Number.POSITIVE_INFINITY
          const shown: Shown = { page, content: createContentHash(), count: 0, updatedAt: 0 }
          appendText(page, listHead)
          for (let event = next(); event; event = next()) {
            const counted = countOf(counts, event, offers, judged.at)
            const total = before + counted.count
            if (shown.count < limit && total > offset) {
              offers.show(event, counted, Math.max(0, offset - before), limit, shown)
            }
            before = total
            expiresAt = Math.min(expiresAt, counted.expiresAt)
            if (isCounted && shown.count === limit) break
          }
          const { count, updatedAt, content } = shown
          if (!isCounted) whole = { stamp, total: before, expiresAt }
          const tail = listTail({
            pagination: paginationOf(query, count, whole.total, maxOffset),
            updatedAt,
            meta: { filters: requested.echo(), ...pastMetaOf(scope) },
          })
          content.addText(tail)
          appendText(page, tail)
          return { tag: content.digest(), expiresAt: whole.expiresAt + now - judged.at }
        },
      }
    },
  })
}

// ---- totals

/** Counts of events for one combination of price filters. */
type EventCounts = WeakMap<ViewEvent, Counted>

interface Counted {
  /** Stamp of the event when it was counted. */
  readonly stamp: number
  readonly count: number
  /** When the first of the counted prices becomes too old (epoch ms). */
  readonly expiresAt: number
  /** The sportsbooks whose prices are counted, as returned by `Offers.enter`. */
  readonly fresh: Uint8Array
  /** `Offers.standsAt` of the event. Each market has its own. */
  readonly standsAt: number
  readonly markets: CountedMarkets
}

type CountedMarkets = WeakMap<EventBlock, { readonly count: number; readonly standsAt: number }>

function countOf(counts: EventCounts, event: ViewEvent, offers: Offers, now: number): Counted {
  const known = counts.get(event)
  const { stamp } = event.changed
  if (known?.stamp === stamp && now < known.expiresAt) return known
  const { expiresAt, fresh } = offers.enter(event)
  const same = known && Buffer.compare(known.fresh, fresh) === 0 ? known : undefined
  const standsAt = offers.standsAt(event)
  const markets: CountedMarkets = same?.markets ?? new WeakMap()
  const counted = {
    stamp,
    count: same?.standsAt === standsAt ? same.count : offers.count(event, markets),
    expiresAt,
    fresh: same?.fresh ?? fresh.slice(),
    standsAt,
    markets,
  }
  counts.set(event, counted)
  return counted
}

// ---- prices that can be had

/** The page being written. */
interface Shown {
  readonly page: PageBuffer
  /** Hash of the values that decide the bytes. */
  readonly content: ContentHash
  count: number
  /** Newest sighting (epoch ms). */
  updatedAt: number
}

interface Offers {
  /**
   * Selects the event for the following calls.
   * @returns when the first of its prices becomes too old, and `fresh`, valid until the next call
   */
  enter(event: ViewEvent): { readonly expiresAt: number; readonly fresh: Uint8Array }
  /** Returns a version of an event or market. While it and the fresh sportsbooks are unchanged, so are the counts. */
  standsAt(block: Pick<EventBlock, 'pricedAt' | 'offerChanges'>): number
  /** @param markets earlier counts of the markets; updated with the new ones */
  count(event: ViewEvent, markets: CountedMarkets): number
  /** Appends the event's items after the first `skip`, until the page has `limit` items. */
  show(event: ViewEvent, counted: Counted, skip: number, limit: number, on: Shown): void
}

const textsOf = createKeptTexts()

/** @param range of the best price; undefined for any */
function createOffers(
  compiled: CompiledFilter,
  judged: Judged,
  range: PriceRange | undefined,
): Offers {
  const { sportsbooks } = compiled.filter
  const { rows, references } = compiled.view
  const walk = walkQuotes(compiled)
  const texts = textsOf(compiled.view)
  /** Freshness bits by sportsbook number, for the event entered last. */
  const fresh = new Uint8Array(compiled.view.sportsbooks.length)
  /** Available rows of the current selection. */
  const offered: number[] = []
  /** Whether prices in play of the current market are compared across sportsbooks. */
  let isLiveCompared = true

  /** @returns when the first of the event's prices becomes too old */
  function enter(event: ViewEvent): number {
    fresh.fill(0)
    const hasPreMatch = event.liveRowCount < event.rowCount && !isOutOfPlay(false, event.row)
    const hasLive = event.liveRowCount > 0 && !isOutOfPlay(true, event.row)
    const kinds = (hasPreMatch ? preMatchBit : 0) | (hasLive ? liveBit : 0)
    return markUsable(event, kinds, judged, sportsbooks, fresh)
  }

  /**
   * Moves to the next market of the event.
   * @returns false at its end
   */
  function nextMarket({ row: { sport } }: ViewEvent): boolean {
    if (!walk.nextMarket()) return false
    isLiveCompared = !countsFromBet(questionOf(walk.marketType).answers, sport)
    return true
  }

  /**
   * Moves to the next selection of the market with an available price within the range.
   * @param most rows to collect; without a range, one is enough for counting
   * @returns the number of rows; 0 at the end of the market
   */
  function nextOffered(most: number): number {
    while (walk.nextSelection()) {
      const isOneEnough = !range && references.size === 0 && isLiveCompared
      const count = withoutUncompared(
        walk.pickActive(fresh, isOneEnough ? most : Number.POSITIVE_INFINITY, offered),
      )
      if (count > 0 && (!range || isWithin(bestPrice(count), range))) return count
    }
    return 0
  }

  /** Removes prices that are never among the best. @returns the number of rows left */
  function withoutUncompared(count: number): number {
    if (references.size === 0 && isLiveCompared) return count
    let left = 0
    for (let i = 0; i < count; i++) {
      const row = offered[i]!
      if (references.has(rows.sighted(row).sportsbook)) continue
      if (isLiveCompared || !rows.isLive(row)) offered[left++] = row
    }
    return left
  }

  /** Returns the best price that is not withheld; if all are withheld, the best of them. */
  function bestPrice(count: number): number {
    let best = 0
    let withheld = 0
    for (let i = 0; i < count; i++) {
      const row = offered[i]!
      const price = rows.price(row)
      if (rows.withheld(row) !== null) withheld = Math.max(withheld, price)
      else best = Math.max(best, price)
    }
    return best || withheld
  }

  /** Best price first, then by slug. Withheld prices come last. */
  const fromBest = (a: number, b: number) =>
    Number(rows.withheld(a) !== null) - Number(rows.withheld(b) !== null) ||
    rows.price(b) - rows.price(a) ||
    compareTexts(rows.sighted(a).sportsbook, rows.sighted(b).sportsbook)

  /** Whether the items depend on prices and not only on which rows exist. */
  const followPrices = range !== undefined || !usesOnly(compiled.filter, followsOffers)
  const standsAt: Offers['standsAt'] = ({ pricedAt, offerChanges }) =>
    followPrices ? pricedAt : offerChanges

  return {
    standsAt,
    enter: (event) => ({ expiresAt: enter(event), fresh }),

    count(event, markets) {
      let total = 0
      walk.enter(event)
      while (nextMarket(event)) {
        const { block } = walk
        const known = markets.get(block)
        const isKnown = known?.standsAt === standsAt(block)
        let count = isKnown ? known.count : 0
        if (!isKnown) {
          while (nextOffered(1) > 0) count++
          markets.set(block, { count, standsAt: standsAt(block) })
        }
        total += count
      }
      return total
    },

    show(event, { fresh: usable }, skip, limit, on) {
      let left = skip
      // The board may have more sportsbooks since.
      fresh.fill(0)
      fresh.set(usable)
      walk.enter(event)
      while (nextMarket(event)) {
        for (;;) {
          const count = nextOffered(left > 0 ? 1 : Number.POSITIVE_INFINITY)
          if (count === 0) break
          if (left-- > 0) continue
          offered.length = count
          const { page } = on
          if (on.count++ > 0) appendFew(page, comma)
          rows.ask(walk.block)
          const key = texts.keyOf(offered, on.content)
          if (!texts.append(page, key, event, offered)) {
            const start = page.length
            appendItem(compiled.view, event, offered.toSorted(fromBest), page, texts.noted)
            texts.keep(page, start, key, event, offered)
          }
          on.updatedAt = Math.max(on.updatedAt, newestOf(rows, offered))
          if (on.count === limit) return
        }
      }
    },
  }
}

const isWithin = (price: number, { from, to }: PriceRange) => price >= from && price < to

/** @param offers rows of one selection, best first */
function appendItem(
  { rows }: BoardView,
  event: ViewEvent,
  offers: readonly number[],
  page: PageBuffer,
  noted: TimesNoted,
) {
  const best = offers[0]!
  const { marketType } = rows.block(best)
  const selection = rows.selection(best)
  const { playerName } = selection
  const {
    selection: label,
    selection_type: type,
    line,
  } = shownSelection(event, marketType, selection)
  const bestBook = quoted(rows.sighted(best).sportsbook)
  const bestPrice = rows.price(best)
  const { odds, nested, probability } = priceText(bestPrice)
  const statCategory = rows.statCategory(best)
  // Withheld prices come last.
  let standing = offers.length
  while (standing > 0 && rows.withheld(offers[standing - 1]!) !== null) standing--
  const worst = 1 / rows.price(offers[(standing || offers.length) - 1]!)
  appendText(
    page,
    `{"id":"${rows.id(best)}",${event.texts.names}"event_name":${JSON.stringify(eventName(event))},"market_type":${quoted(marketType)},"selection":${JSON.stringify(label)},"selection_type":${quoted(type)},"line":${line},"best_odds":{${nested},${probability}},"best_book":${bestBook},"all_books":[`,
  )
  const lineBytes = utf8(`,"line":${line}`)
  for (let i = 0; i < offers.length; i++) {
    const row = offers[i]!
    const { sportsbook } = rows.sighted(row)
    const price = rows.price(row)
    appendFew(page, i === 0 ? firstOffer(sportsbook) : furtherOffer(sportsbook))
    appendFew(page, priceText(price).nestedBytes)
    appendFew(page, edgeBytes(i < standing ? Math.round(1e4 * (worst - 1 / price)) / 100 : 0))
    appendFew(page, lineBytes)
    appendTimes(page, rows, row, noted)
  }
  appendFew(page, newestBytes)
  appendSeen(page, newestOf(rows, offers), newest, noted)
  let text = '",'
  if (playerName !== null) text += `"player_name":${JSON.stringify(playerName)},`
  if (statCategory !== null) text += `"stat_category":${quoted(statCategory)},`
  appendText(
    page,
    `${text}${event.texts.start}"sportsbook":${bestBook},${odds},${probability},"is_live":${rows.isLive(best)}${withheldText(rows.withheld(best))}}`,
  )
}

const comma = utf8(',')
const newestBytes = utf8('],"last_seen_at":"')
const offerHead = (sportsbook: string) =>
  `{"book":${quoted(sportsbook)},"sportsbook":${quoted(sportsbook)},"odds":{`
const firstOffer = memoise((sportsbook) => utf8(offerHead(sportsbook)))
const furtherOffer = memoise((sportsbook) => utf8(`,${offerHead(sportsbook)}`))
const edgeBytes = memoise((edge: number) => utf8(`},"edge":${edge}`))
