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

/** Whether a market pays on either of two results, so that the order of the two means nothing. */
export const isDoubleChance = (marketType: string) => /(^|_)double_chance$/.test(marketType)

/**
 * The selection type of the same answer with home and away exchanged: `home` to `away`,
 * `away_over` to `home_over`, the score `2_1` to `1_2`, half-time/full-time `home_away` to
 * `away_home`; types without sides stay as they are.
 */
export function flipSelectionType(selectionType: string, marketType: string): string {
  const isPair = selectionType === 'home_away' || selectionType === 'away_home'
  if (isPair && isDoubleChance(marketType)) return selectionType
  const score = /^(\d+)_(\d+)$/.exec(selectionType)
  if (score) return `${score[2]}_${score[1]}`
  return selectionType
    .split('_')
    .map((word) => opposite[word] ?? word)
    .join('_')
}

/** The line of the same answer with home and away exchanged: a draw's is seen from the home side. */
export const flipLine = (selectionType: string, line: number | null): number | null =>
  selectionType === 'draw' && line !== null ? 0 - line : line
