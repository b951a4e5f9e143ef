/**
 * One row of the latest-odds table: the price of one selection at one sportsbook, as it stands on
 * the changelog topic `odds`. Names of teams, start and freshness are not repeated here: they are
 * the event's (`event.ts`) and the sighting's (`sighting.ts`). What a sportsbook states beside a
 * price is in `attributes.ts`.
 */

import type { AttributeValues } from './attributes.ts'

export interface OddsRow extends AttributeValues {
  /** 15 digits, see `ids.ts`; the same for as long as the selection exists, whatever its price. */
  readonly id: number
  readonly eventId: string
  readonly league: string
  readonly sportsbook: string
  readonly marketType: string
  /** Team, Over/Under, or player name with Over/Under. */
  readonly selection: string
  /**
   * `home`, `away`, `over`, … in the event's own frame: the sides as the first sportsbook gave
   * them. When `EventRow.flipped` is true, readers show them through `flipSelectionType`.
   */
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
  readonly statCategory: string | null
  /** Decimal odds, finite and > 1. */
  readonly price: number
  readonly isLive: boolean
  /** False while the sportsbook shows the selection but takes no bets on it. */
  readonly isActive: boolean
  /** When this content was observed (epoch ms); unchanged re-observations move the sighting only. */
  readonly observedAt: number
  /** When price, line or isLive last changed (epoch ms); null: new, and the sportsbook gives no time. */
  readonly changedAt: number | null
  /**
   * Stated under the name of the question without a draw; a draw beside it made it this one. What follows
   * under that name is of this question too.
   */
  readonly isFiledByDraw?: boolean | null
}
