/**
 * GET /api/v1/odds/best: the best price of every selection, and what the others offer (interface 4.5).
 *
 * A page does not count all selections. Those of an event are counted when the event has changed or a
 * price of it has become too old, and a total is the sum over events.
 */

import { bisect } from '../../pipeline/memory/bisect.ts'
import { createContentHash } from '../../pipeline/memory/content-hash.ts'
import { usableMs } from '../../pipeline/rules/freshness.ts'
import { decimalToAmerican } from '../../pipeline/rules/odds.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import type { EventBlock, ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { type CompiledFilter, compile } from '../../pipeline/views/query/compiled-filter.ts'
import { asksOnly, type OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import {
  findQuote,
  liveBit,
  type OfferedPrice,
  preMatchBit,
  type Quote,
  walkQuotes,
} from '../../pipeline/views/query/quotes.ts'
import type { EventRow } from '../../schemas/event.ts'
import { bestList } from '../../schemas/http/best.ts'
import { exampleBest } from '../../schemas/http/examples/best.ts'
import { oddsQuery } from '../../schemas/http/odds-query.ts'
import { offsetUpTo } from '../../schemas/http/query.ts'
import type { Scope } from '../access/scope.ts'
import { eventName } from '../answer/events.ts'
import { listHead, listTail } from '../answer/json.ts'
import { pastMetaOf } from '../answer/past-meta.ts'
import { priceText, quoted, withheldText } from '../answer/price-text.ts'
import { shownSelection } from '../answer/selections.ts'
import {
  appendTimedText,
  createRecentTexts,
  createTimedText,
  newestSighting,
  type TimedText,
  timeRoom,
} from '../answer/timed-text.ts'
import { requestedOdds } from '../ask/odds-filter.ts'
import { type ReadRoute, readRoute } from './route.ts'

const maxOffset = 5_000

/** A price whose sportsbook was last seen longer ago than this is no offer (interface 4.5). */
const freshMs = { preMatch: usableMs(false), live: usableMs(true) } as const
/** On a board of the past every price that stood is one: when it was last seen then is not kept. */
const standingMs = { preMatch: Number.POSITIVE_INFINITY, live: Number.POSITIVE_INFINITY } as const

/** Filters that find events, and bounds of the best price: the counts of an event are the same with them. */
const leavesCounts = new Set([
  'sport',
  'league',
  'event',
  'team',
  'date',
  'q',
  'min_odds',
  'max_odds',
])

/** Filters whose items follow from which rows there are, not from what the rows say. */
const followsOffers: ReadonlySet<keyof OddsFilter> = new Set([
  'sportsbooks',
  'sports',
  'leagues',
  'marketTypes',
  'isMarketNamed',
  'eventIds',
  'isEventNamed',
  'live',
])

/** Choices of prices whose counts are remembered, over all scopes. */
const maxChoices = 12

export function createBestRoute(clock: () => number): ReadRoute {
  const countsByChoice = new Map<string, EventCounts>()

  function countsOf(key: string, { then }: Scope): EventCounts {
    // Each is asked for once or twice: remembered, they would take the place of the others.
    if (then) return new WeakMap()
    const counts = countsByChoice.get(key) ?? new WeakMap()
    // The last in line was asked for last.
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
      'Prices that no bets are taken on are left out, and so are those last seen more than 5 minutes ago, or 1 minute in play. A price that is `withheld` is named behind the others and is none of the best; where all of a selection are, the item itself says so. `min_odds` and `max_odds` bound the best price. Items stand in the order of `/odds`; `cursor`, `sort`, `fields`, `group_by` and `state` change nothing here.',
    query: { ...oddsQuery, offset: offsetUpTo(maxOffset) },
    answers: {
      200: { description: 'A page of selections.', schema: bestList, example: exampleBest },
    },
    errors: ['invalid_filter', 'tier_restricted'],

    prepare({ query, scope }) {
      const { board, name } = scope
      const { min_odds, max_odds, limit, offset } = query
      const requested = requestedOdds(query, scope)
      const { version } = requested
      const bounds = boundsOf(min_odds, max_odds)
      const keyOf = (filter: OddsFilter) => {
        const choice = Object.entries(requested.echo()).filter(([name]) => !leavesCounts.has(name))
        return { filter, text: JSON.stringify([name, ...choice]) }
      }
      let countsKey = keyOf(requested.filter())
      // A delayed board is as old as its delay, and its prices are judged by the clock of then.
      const delayMs = 1_000 * scope.delaySeconds
      let whole = { stamp: -1, total: 0, expiresAt: 0 }

      return {
        version,
        write(page) {
          const now = scope.then?.asOf ?? clock() - delayMs
          const stamp = version()
          const isCounted = whole.stamp === stamp && now < whole.expiresAt
          // The bounds are those of the best price, not of each.
          const asked = requested.filter()
          if (asked !== countsKey.filter) countsKey = keyOf(asked)
          const filter = { ...asked, minAmerican: undefined, maxAmerican: undefined }
          const compiled = compile(board, filter)
          const offers = createOffers(
            compiled,
            now,
            scope.then === undefined ? freshMs : standingMs,
          )
          const counts = countsOf(countsKey.text, scope)
          const next = compiled.events()
          let before = 0
          let expiresAt = Number.POSITIVE_INFINITY
          let count = 0
          let updatedAt = 0
          const content = createContentHash()
          appendText(page, listHead)
          for (let event = next(); event; event = next()) {
            const counted = countOf(counts, event, offers, now)
            const total = before + countWithin(counted, bounds, offers, event)
            if (count < limit && total > offset) {
              let skip = Math.max(0, offset - before)
              const blocks = offers.items(event, counted)
              // A board of the past goes with its plan, and so do its texts.
              if (!scope.then) recent.take(counted.items)
              for (let i = 0; i < blocks.length && count < limit; i++) {
                const { items } = blocks[i]!
                for (let j = 0; j < items.length && count < limit; j++) {
                  const { best, text } = items[j]!
                  if ((bounds && !isWithin(best, bounds)) || skip-- > 0) continue
                  if (count++ > 0) appendText(page, ',')
                  appendTimedText(page, text, content)
                  updatedAt = Math.max(updatedAt, newestSighting(text.seen))
                }
              }
            }
            before = total
            expiresAt = Math.min(expiresAt, counted.expiresAt)
            if (isCounted && count === limit) break
          }
          if (!isCounted) whole = { stamp, total: before, expiresAt }
          const { total } = whole
          const hasMore = offset + count < total
          const pagination = {
            limit,
            offset,
            count,
            total,
            has_more: hasMore,
            next_offset: hasMore && offset + count <= maxOffset ? offset + count : null,
          }
          const tail = listTail({
            pagination,
            updatedAt,
            meta: { filters: requested.echo(), ...pastMetaOf(scope) },
          })
          content.addText(tail)
          appendText(page, tail)
          return { tag: content.digest(), expiresAt: whole.expiresAt + delayMs }
        },
      }
    },
  })
}

// ---- totals

interface Bounds {
  readonly least: number
  readonly most: number
}

/** Of American prices, both inclusive; null for none. */
function boundsOf(least: number | undefined, most: number | undefined): Bounds | null {
  if (least === undefined && most === undefined) return null
  return { least: least ?? Number.NEGATIVE_INFINITY, most: most ?? Number.POSITIVE_INFINITY }
}

/** @param price decimal */
const isWithin = (price: number, { least, most }: Bounds) => {
  const american = decimalToAmerican(price)
  return american >= least && american <= most
}

/** What each event has of one choice of prices. */
type EventCounts = WeakMap<ViewEvent, Counted>

interface Counted {
  /** The stamp of the event when it was counted. */
  readonly stamp: number
  readonly count: number
  /** The first instant at which a price that counts now does not any more (epoch ms). */
  readonly expiresAt: number
  /** The count stands while this does, except for main lines, which follow from prices. */
  readonly offerChanges: number
  readonly fresh: Uint8Array
  /** The best American prices, ascending, once somebody has asked for bounds. */
  bests?: Float64Array
  /** By market, as long as they are among those that were asked for last. */
  readonly items: Map<EventBlock, BlockItems>
}

/** What is said of a market, and what that follows from. */
interface BlockItems {
  readonly pricedAt: number
  readonly row: EventRow
  readonly fresh: Uint8Array
  /** In page order. */
  readonly items: readonly Item[]
}

interface Item {
  /** The best price (decimal). */
  readonly best: number
  readonly text: TimedText
}

/** Those of a large event take some 200 KB. */
const mostEvents = 64
const recent = createRecentTexts<Counted['items']>(mostEvents)

function countOf(counts: EventCounts, event: ViewEvent, offers: Offers, now: number): Counted {
  const known = counts.get(event)
  const { offerChanges, changed } = event
  const { stamp } = changed
  if (known?.stamp === stamp && now < known.expiresAt) return known
  const { expiresAt, fresh } = offers.enter(event)
  const items = known?.items ?? new Map<EventBlock, BlockItems>()
  const isSame =
    known?.offerChanges === offerChanges &&
    !offers.followPrices &&
    Buffer.compare(known.fresh, fresh) === 0
  const counted = isSame
    ? { stamp, count: known.count, expiresAt, offerChanges, fresh: known.fresh, items }
    : { stamp, count: offers.count(event), expiresAt, offerChanges, fresh: fresh.slice(), items }
  counts.set(event, counted)
  return counted
}

function countWithin(
  counted: Counted,
  bounds: Bounds | null,
  offers: Offers,
  event: ViewEvent,
): number {
  if (!bounds || counted.count === 0) return counted.count
  counted.bests ??= offers.bests(event)
  return countUpTo(counted.bests, bounds.most) - countBelow(counted.bests, bounds.least)
}

const countUpTo = (sorted: Float64Array, most: number) =>
  bisect(0, sorted.length, (at) => sorted[at]! <= most)
const countBelow = (sorted: Float64Array, least: number) =>
  bisect(0, sorted.length, (at) => sorted[at]! < least)

// ---- prices that can be had

interface Offers {
  /** Which items there are follows from prices, not only from which rows there are. */
  readonly followPrices: boolean
  /**
   * Goes to an event; what follows is asked of that event.
   * @returns when the first of its prices becomes too old, and `fresh`, valid until the next call
   */
  enter(event: ViewEvent): { readonly expiresAt: number; readonly fresh: Uint8Array }
  count(event: ViewEvent): number
  /** The best American price of each item, ascending. */
  bests(event: ViewEvent): Float64Array
  /** Of each market of the event, in page order. */
  items(event: ViewEvent, counted: Counted): readonly BlockItems[]
}

function createOffers(
  asked: CompiledFilter,
  now: number,
  freshMs: { readonly preMatch: number; readonly live: number },
): Offers {
  const { sportsbooks } = asked.filter
  const walk = walkQuotes(asked)
  /** By sportsbook, for the event entered last. */
  const fresh = new Uint8Array(asked.view.sportsbooks.length)

  /** @returns when the first of the event's prices becomes too old */
  function enter(event: ViewEvent): number {
    let expiresAt = Number.POSITIVE_INFINITY
    fresh.fill(0)
    for (const { sportsbook, book, lastSeenAt, rowCount } of event.offers.values()) {
      if (rowCount === 0 || (sportsbooks && !sportsbooks.includes(sportsbook))) continue
      if (event.liveRowCount < event.rowCount && now - lastSeenAt <= freshMs.preMatch) {
        fresh[book]! |= preMatchBit
        expiresAt = Math.min(expiresAt, lastSeenAt + freshMs.preMatch + 1)
      }
      if (event.liveRowCount > 0 && now - lastSeenAt <= freshMs.live) {
        fresh[book]! |= liveBit
        expiresAt = Math.min(expiresAt, lastSeenAt + freshMs.live + 1)
      }
    }
    return expiresAt
  }

  /** Goes to the next price of the selection that can be had. */
  const nextOffer = () => walk.nextCountedQuote(fresh)

  /** Calls for each selection of the event, in page order, until `visit` returns false. */
  function forEachSelection(event: ViewEvent, visit: () => boolean) {
    walk.enter(event)
    while (walk.nextMarket()) {
      while (walk.nextSelection()) if (!visit()) return
    }
  }

  /** Of those that stand, or where none does, of all; 0 for a selection that nobody offers. */
  function bestPrice(): number {
    let best = 0
    let withheld = 0
    while (nextOffer()) {
      if (walk.withheld === null) best = Math.max(best, walk.price)
      else withheld = Math.max(withheld, walk.price)
    }
    return best || withheld
  }

  return {
    followPrices: !asksOnly(asked.filter, followsOffers),
    enter: (event) => ({ expiresAt: enter(event), fresh }),

    count(event) {
      let count = 0
      forEachSelection(event, () => {
        if (nextOffer()) count++
        return true
      })
      return count
    },

    bests(event) {
      enter(event)
      const found: number[] = []
      forEachSelection(event, () => {
        const best = bestPrice()
        if (best > 0) found.push(decimalToAmerican(best))
        return true
      })
      return Float64Array.from(found).sort()
    },

    items(event, { fresh: usable, items: kept }) {
      const { row } = event
      const found: BlockItems[] = []
      if (kept.size > 2 * event.blocks.length) kept.clear()
      // A sportsbook may have come to the board since.
      fresh.fill(0)
      fresh.set(usable)
      walk.enter(event)
      while (walk.nextMarket()) {
        const { block } = walk
        const { pricedAt } = block
        let known = kept.get(block)
        const stands =
          known?.pricedAt === pricedAt &&
          known.row === row &&
          Buffer.compare(known.fresh, usable) === 0
        if (!stands) {
          known = { pricedAt, row, fresh: usable, items: itemsNow() }
          kept.set(block, known)
        }
        found.push(known!)
      }
      return found
    },
  }

  /** Of the market the walk has come to. */
  function itemsNow(): Item[] {
    const found: Item[] = []
    while (walk.nextSelection()) {
      const offers: OfferedPrice[] = []
      while (nextOffer()) offers.push(walk.offered())
      if (offers.length === 0) continue
      offers.sort(byPrice)
      const seen = offers.map(({ offer }) => offer)
      const text = itemText(findQuote(asked.view, offers[0]!.id)!, offers)
      found.push({ best: offers[0]!.price, text: createTimedText(text, seen) })
    }
    return found
  }
}

/** Best price first, then by slug; those that are withheld come behind. */
const byPrice = (a: OfferedPrice, b: OfferedPrice) =>
  Number(a.withheld !== null) - Number(b.withheld !== null) ||
  b.price - a.price ||
  compareTexts(a.offer.sportsbook, b.offer.sportsbook)

/** @param offers of one selection, from the best */
function itemText(best: Quote, offers: readonly OfferedPrice[]): string {
  const { event, marketType, statCategory } = best
  const { playerName } = best.selection
  const {
    selection: label,
    selection_type: type,
    line,
  } = shownSelection(event, marketType, best.selection)
  const bestBook = quoted(best.sportsbook)
  const { odds, nested, probability } = priceText(best.price)
  const worst = 1 / (offers.findLast(({ withheld }) => withheld === null) ?? offers.at(-1)!).price
  let all = ''
  for (const { offer, price, withheld, changedAt } of offers) {
    const slug = quoted(offer.sportsbook)
    const edge = withheld === null ? Math.round(1e4 * (worst - 1 / price)) / 100 : 0
    const changed = changedAt === null ? 'null' : `"${isoTime(changedAt)}"`
    all += `${all === '' ? '' : ','}{"book":${slug},"sportsbook":${slug},"odds":{${priceText(price).nested}},"edge":${edge},"line":${line},"last_seen_at":"${timeRoom}","odds_changed_at":${changed}${withheldText(withheld)}}`
  }
  let text = `{"id":"${best.id}",${event.texts.names}"event_name":${JSON.stringify(eventName(event))},"market_type":${quoted(marketType)},"selection":${JSON.stringify(label)},"selection_type":${quoted(type)},"line":${line},"best_odds":{${nested},${probability}},"best_book":${bestBook},"all_books":[${all}],"last_seen_at":"${timeRoom}",`
  if (playerName !== null) text += `"player_name":${JSON.stringify(playerName)},`
  if (statCategory !== null) text += `"stat_category":${quoted(statCategory)},`
  return `${text}${event.texts.start}"sportsbook":${bestBook},${odds},${probability},"is_live":${best.isLive}${withheldText(best.withheld)}}`
}
