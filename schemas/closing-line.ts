/**
 * The close of one price of one sportsbook: the last price before the event's start, or the reason why there is none.
 * A row of the table `closing-lines`, and of the archive. A row that was taken back has neither: in the table its
 * removal follows at once, and the archive's readers leave it out.
 */

import type { PricedSelection } from './price-change.ts'
import type { GuardReason } from './withheld-price.ts'

/**
 * Why a price that a sportsbook listed has no close:
 * - `withdrawn`: it was off the board at the start.
 * - `suspended`: it was inactive at the start.
 * - `never_priced`: it was only ever listed suspended.
 * - `late_listing`: it first had a price after the start, though for a game that had not begun.
 * - `postponed`: the game was postponed or cancelled; it did not start.
 * - `start_corrected`: the start was moved to before its last change, and its price at the new start is unknown.
 * - `misplaced`: its statements turned out to be of another game, or of the other side.
 */
export const missingCloseReasons = [
  'withdrawn',
  'suspended',
  'never_priced',
  'late_listing',
  'postponed',
  'start_corrected',
  'misplaced',
] as const
export type MissingCloseReason = (typeof missingCloseReasons)[number]

export interface ClosingLine extends PricedSelection {
  /** 15 digits, see `ids.ts`. */
  readonly oddsId: number
  readonly eventId: string
  readonly sport: string
  readonly league: string
  /** The start it is the close for (epoch ms). */
  readonly startsAt: number
  /**
   * When it was captured (epoch ms): when the price went into play, or the start came, or the reason was known. A
   * later row of the same price is never earlier.
   */
  readonly capturedAt: number
  /** When the sportsbook last changed it (epoch ms), never after the start; null without a close. */
  readonly pricedAt: number | null
  /** Decimal odds; null without a close. */
  readonly price: number | null
  /**
   * The probability without the margin, 0 to 1, by the power method over the same sportsbook's
   * outcomes of the same question; null if one of them has no close, or the guard withholds the
   * price.
   */
  readonly noVig: number | null
  /** Why the guard withholds the price at the capture; null if it does not, and without a close. */
  readonly withheld: GuardReason | null
  /** Null for a close, and for a row that was taken back. */
  readonly missing: MissingCloseReason | null
  /**
   * Since when there is no close (epoch ms): when it was withdrawn, suspended, put off, or first listed
   * without a price or too late. Null for a close.
   */
  readonly missingSince: number | null
}
