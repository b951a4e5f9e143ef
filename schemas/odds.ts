/**
 * One row of the latest-odds table: the current price of one selection at one sportsbook, as on the changelog topic
 * `odds`. Names of teams, start and freshness are not repeated here: they are the event's (`event.ts`) and the
 * sighting's (`sighting.ts`). The attributes that a sportsbook states beside a price are in `attributes.ts`.
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
   * `home`, `away`, `over`, … in the event's own frame: the sides as the first sportsbook listed them. When
   * `EventRow.flipped` is true, readers show them through `flipSelectionType`.
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
  /** When this content was observed (epoch ms); an unchanged re-observation updates only the sighting. */
  readonly observedAt: number
  /** When price, line or isLive last changed (epoch ms); null: new, and the sportsbook gives no time. */
  readonly changedAt: number | null
  /**
   * Whether the sportsbook stated it under another type, and its question changed because a draw or
   * a further outcome was beside it. Later statements under that type are of this question too.
   */
  readonly isFiledByDraw?: boolean | null
}
