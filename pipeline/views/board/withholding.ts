/**
 * Whose prices are shown as inactive, whatever they say: a sportsbook's on an event that have not been seen for so long
 * that the pipeline has to have withdrawn them, and all of one whose sources are down.
 */

import type { SportsbookStatus } from '../../../schemas/sportsbook-status.ts'
import type { Position } from '../../log/log.ts'
import { expiryMs, liveExpiryMs } from '../../rules/odds/freshness.ts'
import type { OddsRows } from './odds-rows.ts'
import type { EventBlock, ViewEvent, ViewOffer } from './view-event.ts'

/** How long a pipeline may take to withdraw what has expired: a clock that differs, a rebalance. */
const withdrawalMs = 15_000

export interface Withholding {
  /** See `BoardView.staleAt`. */
  readonly staleAt: Position | null
  /** Whether there is any offer of which `holds` could be true. */
  isAny(): boolean
  /** Whether its rows are shown as inactive, whatever they say. */
  holds(offer: ViewOffer): boolean
  /** The offer was seen: it is not stale any more. */
  seen(offer: ViewOffer): void
  applyStatus(sportsbook: string, status: SportsbookStatus): void
  /** The records up to there are applied. */
  settle(upTo: Position): void
  /** See `BoardView.withholdStale`. @param position of the board */
  withholdStale(now: number, position: Position | null): void
  clear(): void
}

export interface WithholdingParts {
  rows(): OddsRows<EventBlock, ViewOffer>
  /** Events with rows. */
  events(): readonly ViewEvent[]
  /** Those that have rows of the sportsbook. */
  eventsOf(sportsbook: string): readonly ViewEvent[]
  /** A row is shown otherwise. @param stateBefore see `OddsRows.state` */
  changed(row: number, stateBefore: number): void
}

export function createWithholding(parts: WithholdingParts): Withholding {
  const { rows, events, eventsOf, changed } = parts
  /** Sportsbooks whose sources are down. */
  const down = new Set<string>()
  /** Since when what was said last of a sportsbook's sources is so. */
  const statusSince = new Map<string, number>()
  let staleAt: Position | null = null
  /** Whether the records that are being applied have shown that a stale one is there. */
  let isSeenAgain = false
  /** No price is stale before (epoch ms). */
  let staleFrom = 0

  const holds = ({ isStale, sportsbook }: ViewOffer) => isStale || down.has(sportsbook)

  /** Shows the rows of an offer, all of them settled, as `holds` says now. */
  function show(offer: ViewOffer) {
    const of = rows()
    const isWithheld = holds(offer)
    for (let row = offer.head; row !== -1; row = of.next(row)) {
      const state = of.state(row)
      if (of.withhold(row, isWithheld)) changed(row, state)
    }
  }

  return {
    get staleAt() {
      return staleAt
    },
    isAny: () => staleAt !== null || down.size > 0,
    holds,
    seen(offer) {
      if (!offer.isStale) return
      rows().settle()
      offer.isStale = false
      isSeenAgain = true
      show(offer)
    },
    applyStatus(sportsbook, { status, since }) {
      const isDown = status === 'down'
      // Each partition has a row of its own, and one that is behind says what was before.
      if (since < (statusSince.get(sportsbook) ?? since)) return
      statusSince.set(sportsbook, since)
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
    withholdStale(now, position) {
      if (now < staleFrom) return
      rows().settle()
      // A game that turns live meanwhile is soon stale.
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
      statusSince.clear()
      staleAt = null
      staleFrom = 0
    },
  }
}
