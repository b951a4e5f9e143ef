/**
 * One row of the table of main lines: the rung of a question that is its main line, for each set of sportsbooks and
 * for each sportsbook alone. A question with one rung has no row: that rung is the main line of all.
 */

import { type Visibility, visibilityBit } from './opportunity.ts'
import { tierBooks } from './reference/tier-books.ts'

/** The sets of sportsbooks that main lines are decided for, each including those before it. */
export const mainLineSets = ['free', 'hobby', 'pro', 'all', 'owner'] as const

/** Returns the first set that has a sportsbook, as an index in `mainLineSets`. @param visibility the first that has it */
export const firstSetOf = (sportsbook: string, visibility: Visibility): number =>
  visibility === 0 && tierBooks.free!.has(sportsbook) ? 0 : visibility + 1

/** Returns the set of a bit of `visibilityBit`; without one, the free tier's. */
export const setOfScope = (bit: number): number =>
  Object.values(visibilityBit).indexOf(bit as 1) + 1

/** The main lines of one question. Lines are home's, in the event's frame: away +1.5 is on the rung of home -1.5. */
export interface MainLineRow {
  readonly eventId: string
  readonly league: string
  readonly marketType: string
  /** The team whose total, or whose yes and no, it is; null for the game's or a player's. */
  readonly team: 'home' | 'away' | null
  readonly playerName: string | null
  /** Lines before the start and in play are chosen separately. */
  readonly isLive: boolean
  /**
   * Lines by index in `mainLineSets`; null if no sportsbook of the set has a price of the question.
   */
  readonly lines: readonly (number | null)[]
  /** The own main line of each sportsbook with several rungs. */
  readonly own: readonly OwnMainLine[]
}

export interface OwnMainLine {
  readonly sportsbook: string
  readonly line: number
}

export type Question = Pick<
  MainLineRow,
  'eventId' | 'marketType' | 'team' | 'playerName' | 'isLive'
>

/** Returns the parts of a question that are in its key. */
export function questionOfKey(key: string): Pick<Question, 'eventId' | 'marketType'> {
  const [eventId = '', marketType = ''] = key.split('|', 2)
  return { eventId, marketType }
}

export const mainLineKey = ({ eventId, marketType, team, playerName, isLive }: Question) =>
  `${eventId}|${marketType}|${isLive ? 'live' : 'pre'}|${team ?? ''}|${playerName ?? ''}`
