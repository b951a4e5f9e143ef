/**
 * GET /api/v1/odds/best: the best price of every selection, and what the others offer (interface 4.5).
 *
 * Nobody counts all selections for a page: what an event has is counted when the event has changed
 * or a price of it has grown too old, and a total is a sum over events.
 */

import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds.ts'
import type { BoardView, EventBlock, ViewEvent } from '../../pipeline/views/board-view.ts'
import { appendText, eventsOf, type OddsFilter } from '../../pipeline/views/odds-page.ts'
import { compareTexts } from '../../pipeline/views/odds-rows.ts'
import { createRowFilter } from '../../pipeline/views/row-filter.ts'
import { isoTime } from '../../pipeline/views/row-text.ts'
import { flipLine, flipSelectionType } from '../../schemas/event.ts'
import { bestList, exampleBest } from '../../schemas/http/best.ts'
import { oddsQuery, offsetUpTo } from '../../schemas/http/odds-query.ts'
import { listHead, listTail } from '../json.ts'
import { requestedOdds } from '../odds-filter.ts'
import { type ReadRoute, readRoute } from '../route.ts'
import { runEnd } from '../selection-runs.ts'
import { eventName, offsetTooLarge } from './events.ts'

const maxOffset = 5_000

/** A price whose sportsbook was last seen longer ago than this is no offer (interface 4.5). */
const freshMs = { preMatch: 5 * 60_000, live: 60_000 } as const

/** Filters whose counts are remembered, over all tiers. */
const maxTallies = 64

export function createBestRoute(clock: () => number): ReadRoute {
  const tallies = new Map<string, Tally>()

  function tallyOf(key: string): Tally {
    const tally = tallies.get(key) ?? newTally()
    // The last in line was asked for last.
    tallies.delete(key)
    tallies.set(key, tally)
    if (tallies.size > maxTallies) tallies.delete(tallies.keys().next().value!)
    return tally
  }

  return readRoute({
    path: '/api/v1/odds/best',
    access: 'key',
    tag: 'odds',
    summary: 'The best price of each selection, with all sportsbooks that offer it',
    description:
      'Prices that no bets are taken on are left out, and so are those last seen more than 5 minutes ago, or 1 minute in play. `min_odds` and `max_odds` bound the best price. Items stand in the order of `/odds`; `cursor`, `sort`, `fields`, `group_by` and `state` change nothing here.',
    query: { ...oddsQuery, offset: offsetUpTo(maxOffset) },
    answers: {
      200: { description: 'A page of selections.', schema: bestList, example: exampleBest },
    },
    errors: ['invalid_filter', 'tier_restricted'],

    prepare({ query, scope }) {
      const { board, tier } = scope
      const { min_odds, max_odds, limit, offset } = query
      if (offset > maxOffset) throw offsetTooLarge(maxOffset)
      const requested = requestedOdds(query, scope)
      const version = () => board.changeStamp(requested.part)
      const bounds = {
        least: min_odds ?? Number.NEGATIVE_INFINITY,
        most: max_odds ?? Number.POSITIVE_INFINITY,
      }
      const tallyKey = `${tier} ${JSON.stringify(requested.echo)}`
      // A delayed board is as old as its delay, and its prices are judged by the clock of then.
      const delayMs = 1_000 * scope.delaySeconds

      return {
        version,
        write(page) {
          const now = clock() - delayMs
          // The bounds are those of the best price, not of each.
          const filter = { ...requested.filter(), minAmerican: undefined, maxAmerican: undefined }
          const offers = createOffers(board, filter, bounds, now)
          const next = eventsOf(board, filter, undefined)
          const tally = tallyOf(tallyKey)
          const stamp = version()
          const isKnown = tally.stamp === stamp && now < tally.expiresAt
          let total = 0
          let expiresAt = Number.POSITIVE_INFINITY
          let count = 0
          let updatedAt = 0
          appendText(page, listHead)
          for (let event = next(); event; event = next()) {
            const counted = countOf(tally, event, offers, now)
            const before = total
            total += counted.count
            expiresAt = Math.min(expiresAt, counted.expiresAt)
            if (count < limit && total > offset) {
              const { text, lastSeenAt, items } = offers.write(
                event,
                Math.max(0, offset - before),
                limit - count,
              )
              appendText(page, count === 0 ? text.slice(1) : text)
              count += items
              updatedAt = Math.max(updatedAt, lastSeenAt)
            }
            if (isKnown && count === limit) break
          }
          if (isKnown) {
            total = tally.total
            expiresAt = tally.expiresAt
          } else Object.assign(tally, { stamp, total, expiresAt })
          const hasMore = offset + count < total
          const pagination = {
            limit,
            offset,
            count,
            total,
            has_more: hasMore,
            next_offset: hasMore && offset + count <= maxOffset ? offset + count : null,
          }
          appendText(page, listTail({ pagination, updatedAt, meta: { filters: requested.echo } }))
          return { expiresAt: expiresAt + delayMs }
        },
      }
    },
  })
}

// ---- totals

/** What one filter names: how many selections, as of a change and until a price is too old. */
interface Tally {
  stamp: number
  total: number
  expiresAt: number
  readonly events: WeakMap<ViewEvent, Counted>
}

interface Counted {
  readonly stamp: number
  readonly count: number
  /** The first instant at which a price that counts now does not any more (epoch ms). */
  readonly expiresAt: number
}

const newTally = (): Tally => ({ stamp: -1, total: 0, expiresAt: 0, events: new WeakMap() })

function countOf({ events }: Tally, event: ViewEvent, offers: Offers, now: number): Counted {
  const known = events.get(event)
  const { stamp } = event.changed
  if (known?.stamp === stamp && now < known.expiresAt) return known
  const counted = { stamp, ...offers.count(event) }
  events.set(event, counted)
  return counted
}

// ---- prices that can be had

interface Offers {
  count(event: ViewEvent): Pick<Counted, 'count' | 'expiresAt'>
  /** Items of the event behind the first `skip`, at most `limit`; each text begins with a comma. */
  write(event: ViewEvent, skip: number, limit: number): WrittenItems
}

interface WrittenItems {
  readonly text: string
  readonly items: number
  /** The newest sighting among them (epoch ms). */
  readonly lastSeenAt: number
}

/** Bits of `fresh`. */
const freshPreMatch = 1
const freshLive = 2

/** @param bounds of the best American price, both inclusive */
function createOffers(
  board: BoardView,
  filter: OddsFilter,
  bounds: { readonly least: number; readonly most: number },
  now: number,
): Offers {
  const { rows } = board
  const named = createRowFilter(board, filter)
  const { least, most } = bounds
  const isBounded = least > Number.NEGATIVE_INFINITY || most < Number.POSITIVE_INFINITY
  /** By sportsbook, for the event entered last. */
  const fresh = new Uint8Array(board.sportsbooks.length)

  /** @returns when the first of the event's prices becomes too old */
  function enter(event: ViewEvent): number {
    const { sportsbooks } = filter
    let expiresAt = Number.POSITIVE_INFINITY
    fresh.fill(0)
    for (const { sportsbook, book, lastSeenAt, rowCount } of event.offers.values()) {
      if (rowCount === 0 || (sportsbooks && !sportsbooks.includes(sportsbook))) continue
      if (event.liveRowCount < event.rowCount && now - lastSeenAt <= freshMs.preMatch) {
        fresh[book]! |= freshPreMatch
        expiresAt = Math.min(expiresAt, lastSeenAt + freshMs.preMatch + 1)
      }
      if (event.liveRowCount > 0 && now - lastSeenAt <= freshMs.live) {
        fresh[book]! |= freshLive
        expiresAt = Math.min(expiresAt, lastSeenAt + freshMs.live + 1)
      }
    }
    return expiresAt
  }

  function isOffer(row: number): boolean {
    const bit = rows.isLive(row) ? freshLive : freshPreMatch
    return (fresh[rows.sighted(row).book]! & bit) !== 0 && rows.isActive(row) && named.names(row)
  }

  const isWithin = (price: number) => {
    const american = decimalToAmerican(price)
    return american >= least && american <= most
  }

  /** Whether the rows from `from` to `to` make an item. */
  function isItem(block: EventBlock, from: number, to: number): boolean {
    let best = 0
    for (let i = from; i < to; i++) {
      const row = block.rows[i]!
      if (!isOffer(row)) continue
      if (!isBounded) return true
      best = Math.max(best, rows.price(row))
    }
    return best > 0 && isWithin(best)
  }

  return {
    count(event) {
      const expiresAt = enter(event)
      let count = 0
      for (const block of event.blocks) {
        if (!named.enter(block)) continue
        for (let from = 0; from < block.count; ) {
          const to = runEnd(rows, block, from)
          if (isItem(block, from, to)) count++
          from = to
        }
      }
      return { count, expiresAt }
    },

    write(event, skip, limit) {
      enter(event)
      const found: number[] = []
      let text = ''
      let items = 0
      let newest = 0
      let left = skip
      for (const block of event.blocks) {
        if (items === limit) break
        if (!named.enter(block)) continue
        for (let from = 0; from < block.count && items < limit; ) {
          const to = runEnd(rows, block, from)
          const start = from
          from = to
          if (left > 0) {
            if (isItem(block, start, to)) left--
            continue
          }
          found.length = 0
          for (let i = start; i < to; i++) if (isOffer(block.rows[i]!)) found.push(block.rows[i]!)
          if (found.length === 0) continue
          found.sort(byPrice)
          if (isBounded && !isWithin(rows.price(found[0]!))) continue
          let lastSeenAt = 0
          for (const row of found) lastSeenAt = Math.max(lastSeenAt, rows.sighted(row).lastSeenAt)
          text += itemText(board, block, found, lastSeenAt)
          newest = Math.max(newest, lastSeenAt)
          items++
        }
      }
      return { text, items, lastSeenAt: newest }
    },
  }

  /** Best price first, then by slug. */
  function byPrice(a: number, b: number): number {
    const { sportsbooks } = board
    return (
      rows.price(b) - rows.price(a) ||
      compareTexts(sportsbooks[rows.sighted(a).book]!, sportsbooks[rows.sighted(b).book]!)
    )
  }
}

/** @param offers rows of one selection, best price first */
function itemText(
  board: BoardView,
  { event, marketType }: EventBlock,
  offers: readonly number[],
  lastSeenAt: number,
): string {
  const { rows, sportsbooks } = board
  const { flipped } = event.row
  const best = offers[0]!
  const { label, selectionType, line: ownLine, playerName } = rows.selection(best)
  const type = flipped ? flipSelectionType(selectionType, marketType) : selectionType
  const line = flipped ? flipLine(selectionType, ownLine) : ownLine
  const statCategory = rows.statCategory(best)
  const bestBook = JSON.stringify(sportsbooks[rows.sighted(best).book])
  const { american, decimal, probability } = shownOdds(rows.price(best))
  const worst = 1 / rows.price(offers.at(-1)!)
  let all = ''
  for (const row of offers) {
    const { book, lastSeenAt: seenAt } = rows.sighted(row)
    const price = rows.price(row)
    const slug = JSON.stringify(sportsbooks[book])
    const odds = shownOdds(price)
    const changedAt = rows.changedAt(row)
    const changed = changedAt === null ? 'null' : `"${isoTime(changedAt)}"`
    all += `${all === '' ? '' : ','}{"book":${slug},"sportsbook":${slug},"odds":{"american":${odds.american},"decimal":${odds.decimal}},"edge":${Math.round(1e4 * (worst - 1 / price)) / 100},"line":${line},"last_seen_at":"${isoTime(seenAt)}","odds_changed_at":${changed}}`
  }
  let text = `,{"id":"${rows.id(best)}",${event.texts.names}"event_name":${JSON.stringify(eventName(event))},"market_type":${JSON.stringify(marketType)},"selection":${JSON.stringify(label)},"selection_type":${JSON.stringify(type)},"line":${line},"best_odds":{"american":${american},"decimal":${decimal},"odds_probability":${probability},"probability":${probability}},"best_book":${bestBook},"all_books":[${all}],"last_seen_at":"${isoTime(lastSeenAt)}",`
  if (playerName !== null) text += `"player_name":${JSON.stringify(playerName)},`
  if (statCategory !== null) text += `"stat_category":${JSON.stringify(statCategory)},`
  return `${text}${event.texts.start}"sportsbook":${bestBook},"odds_american":${american},"odds_decimal":${decimal},"odds_probability":${probability},"probability":${probability},"is_live":${rows.isLive(best)}}`
}

const shownOdds = (price: number) => ({
  american: decimalToAmerican(price),
  decimal: shownPrice(price),
  probability: shownProbability(price),
})
