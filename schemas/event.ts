/** One row of the events table: a game, once, whatever the sportsbooks call it. */

import type { EventStatus } from './feed-record.ts'
import { isHandicap } from './reference/markets.ts'

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

/** Whether a market pays on either of two results, so that the order of the two means nothing. */
export const isDoubleChance = (marketType: string) => /(^|_)double_chance$/.test(marketType)

/** Whether a market asks for a score, home side first, so that `2_1` has sides and is no range. */
const isScoreMarket = (marketType: string) =>
  /(^|_)((correct|exact|final|set|map|frame|leg)_score|(set|map|frame|leg)_betting)(_|$)/.test(
    marketType,
  )

/**
 * The selection type of the same answer with home and away exchanged: `home` to `away`,
 * `away_over` to `home_over`, the score `2_1` to `1_2`, half-time/full-time `home_away` to
 * `away_home`; types without sides, such as the range `2_3` of goals, stay as they are.
 */
export function flipSelectionType(selectionType: string, marketType: string): string {
  const isPair = selectionType === 'home_away' || selectionType === 'away_home'
  if (isPair && isDoubleChance(marketType)) return selectionType
  const score = /^(\d+)_(\d+)$/.exec(selectionType)
  if (score && isScoreMarket(marketType)) return `${score[2]}_${score[1]}`
  return selectionType.split('_').map(opposite).join('_')
}

const opposite = (word: string) => (word === 'home' ? 'away' : word === 'away' ? 'home' : word)

/**
 * The line of the same answer with home and away exchanged. A draw's handicap is seen from the home
 * side; a side's own line goes with it, and a line that is no handicap ("race to 20") has no side.
 */
export const flipLine = (
  selectionType: string,
  line: number | null,
  marketType: string,
): number | null =>
  selectionType === 'draw' && line !== null && isHandicapOfResults(marketType) ? 0 - line : line

/** A three-way handicap goes by the name of a moneyline too. */
export const isHandicapOfResults = (marketType: string) =>
  isHandicap(marketType) || /(^|_)moneyline(_|$)/.test(marketType)
