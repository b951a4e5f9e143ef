/**
 * Which sportsbooks were seen on an event recently enough for their prices to be best prices and
 * part of a hold. The ages are those of `freshness.ts`. A sportsbook's prices on an event are seen
 * together, so one check for each sportsbook is enough.
 */

import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { liveBit, preMatchBit } from '../../pipeline/views/query/quotes.ts'
import type { Scope } from '../access/scope.ts'

/** The time that prices are judged at (epoch ms), and the greatest age of a sighting by then (ms). */
export interface Judged {
  readonly at: number
  readonly preMatchMs: number
  readonly liveMs: number
}

const always = { preMatchMs: Number.POSITIVE_INFINITY, liveMs: Number.POSITIVE_INFINITY }
const recent = { preMatchMs: usableMs(false), liveMs: usableMs(true) }

/** @param now epoch ms */
export function judgedIn({ then, delaySeconds }: Scope, now: number): Judged {
  // On a board of the past every price counts, because sightings of that time are not stored.
  if (then) return { at: then.asOf, ...always }
  // A delayed board is as old as its delay, so its prices are judged by the time of the board.
  return { at: now - 1_000 * delaySeconds, ...recent }
}

/**
 * Marks whose prices on an event are usable.
 * @param kinds of prices to look at: `preMatchBit`, `liveBit` or both
 * @param sportsbooks to look at; undefined for all
 * @param into by sportsbook number, all 0 before; gets these bits
 * @returns when the first of those marked becomes too old (epoch ms, by the clock of `judged.at`); Infinity for none
 */
export function markUsable(
  { offers }: ViewEvent,
  kinds: number,
  { at, preMatchMs, liveMs }: Judged,
  sportsbooks: readonly string[] | undefined,
  into: Uint8Array,
): number {
  let expiresAt = Number.POSITIVE_INFINITY
  for (const { sportsbook, book, lastSeenAt, rowCount } of offers.values()) {
    if (rowCount === 0 || (sportsbooks && !sportsbooks.includes(sportsbook))) continue
    if ((kinds & preMatchBit) !== 0 && at - lastSeenAt <= preMatchMs) {
      into[book]! |= preMatchBit
      expiresAt = Math.min(expiresAt, lastSeenAt + preMatchMs + 1)
    }
    if ((kinds & liveBit) !== 0 && at - lastSeenAt <= liveMs) {
      into[book]! |= liveBit
      expiresAt = Math.min(expiresAt, lastSeenAt + liveMs + 1)
    }
  }
  return expiresAt
}
