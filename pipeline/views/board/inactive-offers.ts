/**
 * The offers whose prices are shown as inactive, although the sportsbook states them as active:
 *
 * - **stale** ones: nobody has seen the sportsbook on the event for so long that a pipeline, if one ran, would have
 *   withdrawn its prices;
 * - all offers of a sportsbook whose sources are down.
 */

import { isOutdated, type SportsbookStatus } from '../../../schemas/sportsbook-status.ts'
import type { Position } from '../../log/log.ts'
import { expiryMs, liveExpiryMs } from '../../rules/odds/freshness.ts'
import type { OddsRows } from './odds-rows.ts'
import type { EventBlock, ViewEvent, ViewOffer } from './view-event.ts'

/** The time a pipeline may take to withdraw expired prices: clocks differ, and rebalances take time. */
const withdrawalMs = 15_000

export interface InactiveOffers {
  /** See `BoardView.staleAt`. */
  readonly staleAt: Position | null
  /** Returns whether `has` may be true for any offer. */
  isAny(): boolean
  /** Returns whether the offer's rows are shown as inactive, whatever they state. */
  has(offer: ViewOffer): boolean
  /** Notes that the offer was seen: it is not stale any more. */
  seen(offer: ViewOffer): void
  applyStatus(sportsbook: string, status: SportsbookStatus): void
  /** Notes that the records up to this position are applied. */
  settle(upTo: Position): void
  /** See `BoardView.markStale`. @param position of the board */
  markStale(now: number, position: Position | null): void
  clear(): void
}

export interface InactiveOffersParts {
  rows(): OddsRows<EventBlock, ViewOffer>
  /** Returns the events with rows. */
  events(): readonly ViewEvent[]
  /** Returns the events that have rows of the sportsbook. */
  eventsOf(sportsbook: string): readonly ViewEvent[]
  /** Called when the shown state of a row has changed. @param stateBefore see `OddsRows.state` */
  changed(row: number, stateBefore: number): void
}

export function createInactiveOffers(parts: InactiveOffersParts): InactiveOffers {
  const { rows, events, eventsOf, changed } = parts
  /** Sportsbooks whose sources are down. */
  const down = new Set<string>()
  /** The newest known status of each sportsbook. */
  const statuses = new Map<string, SportsbookStatus>()
  let staleAt: Position | null = null
  /** Whether the records being applied have shown a stale offer again. */
  let isSeenAgain = false
  /** No price goes stale before this time (epoch ms). */
  let staleFrom = 0

  const has = ({ isStale, sportsbook }: ViewOffer) => isStale || down.has(sportsbook)

  /** Updates what the rows of an offer show. The rows must be settled. */
  function show(offer: ViewOffer) {
    const of = rows()
    const isInactive = has(offer)
    for (let row = offer.head; row !== -1; row = of.next(row)) {
      const state = of.state(row)
      if (of.setInactive(row, isInactive)) changed(row, state)
    }
  }

  return {
    get staleAt() {
      return staleAt
    },
    isAny: () => staleAt !== null || down.size > 0,
    has,
    seen(offer) {
      if (!offer.isStale) return
      rows().settle()
      offer.isStale = false
      isSeenAgain = true
      show(offer)
    },
    applyStatus(sportsbook, status) {
      if (isOutdated(status.since, statuses.get(sportsbook))) return
      statuses.set(sportsbook, status)
      const isDown = status.status === 'down'
      if (down.has(sportsbook) === isDown) return
      if (isDown) down.add(sportsbook)
      else down.delete(sportsbook)
      rows().settle()
      for (const event of eventsOf(sportsbook)) show(event.offers.get(sportsbook)!)
    },
    settle(upTo) {
      if (isSeenAgain) staleAt = upTo
      isSeenAgain = false
    },
    markStale(now, position) {
      if (now < staleFrom) return
      rows().settle()
      // A game may go live meanwhile, and then goes stale sooner.
      staleFrom = now + liveExpiryMs
      for (const event of events()) {
        for (const offer of event.offers.values()) {
          if (offer.isStale || offer.head === -1) continue
          const isLive = rows().isLive(offer.head)
          const isStaleFrom = offer.lastSeenAt + expiryMs(isLive) + withdrawalMs
          if (now > isStaleFrom) {
            offer.isStale = true
            staleAt = position
            show(offer)
          } else {
            staleFrom = Math.min(staleFrom, isStaleFrom)
          }
        }
      }
    },
    clear() {
      down.clear()
      statuses.clear()
      staleAt = null
      staleFrom = 0
    },
  }
}
