/** One row of the events table: a game, once, whatever the sportsbooks call it. */

import type { EventStatus } from './feed-record.ts'

export interface EventRow {
  /** Canonical and stable, see `pipeline/rules/event-id.ts`. */
  readonly id: string
  readonly sport: string
  readonly league: string
  /** Whether the league is in the reference table; an unknown one is slugged and served all the same. */
  readonly leagueMapped: boolean
  /** The sides as most sportsbooks give them. */
  readonly homeTeam: string
  readonly awayTeam: string
  /** True when most sportsbooks give the sides the other way round than the rows' own frame. */
  readonly flipped: boolean
  readonly startsAt: number
  readonly status: EventStatus
  readonly isLive: boolean
  /** When this row last changed (epoch ms). */
  readonly updatedAt: number
}

const opposite: Readonly<Record<string, string>> = { home: 'away', away: 'home' }

/**
 * The selection type of the same answer with home and away exchanged: `home` to `away`,
 * `away_over` to `home_over`, the score `2_1` to `1_2`; types without sides stay as they are.
 */
export function flipSelectionType(selectionType: string): string {
  if (selectionType === 'home_away' || selectionType === 'away_home') return selectionType
  const score = /^(\d+)_(\d+)$/.exec(selectionType)
  if (score) return `${score[2]}_${score[1]}`
  return selectionType
    .split('_')
    .map((word) => opposite[word] ?? word)
    .join('_')
}
