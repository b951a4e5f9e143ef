/** One row of the events table: a game, once, whatever the sportsbooks call it. */

import type { EventStatus } from './feed-record.ts'

export interface EventRow {
  /** Canonical and stable, see `pipeline/rules/names/event-id.ts`. */
  readonly id: string
  readonly sport: string
  readonly league: string
  /** Whether the league is in the reference table; an unknown one gets a slug and is served too. */
  readonly leagueMapped: boolean
  /** The sides as most sportsbooks order them, and as they are shown. */
  readonly homeTeam: string
  readonly awayTeam: string
  /**
   * The sides as the event was first listed, in the rows' own frame: listings are compared with
   * these, and rows are labelled by them. Null or absent for a side that is shown under that name.
   */
  readonly listedHome?: string | null
  readonly listedAway?: string | null
  /** True when most sportsbooks have the sides swapped against the rows' own frame. */
  readonly flipped: boolean
  readonly startsAt: number
  readonly status: EventStatus
  readonly isLive: boolean
  /**
   * Whether it is live only because its start has passed, and nobody has reported play since. Null
   * or absent: no.
   */
  readonly isLiveByClock?: boolean | null
  /**
   * Whether play was reported before the row stopped being live, and was not taken back. Null or
   * absent: no.
   */
  readonly wasPlayed?: boolean | null
  /** When this row last changed (epoch ms). */
  readonly updatedAt: number
}
