/**
 * One row of the table of main lines: which rung of a question is its main line, for each set of sportsbooks,
 * and which is a sportsbook's own. A question with one rung has no row: that rung is the main line of all.
 */

import { type ScopeLevel, scopeBit } from './opportunity.ts'
import { tierBooks } from './reference/tier-books.ts'

/** The sets of sportsbooks that main lines are decided for, each holding those before it. */
export const mainLineSets = ['free', 'hobby', 'pro', 'all', 'owner'] as const

export type MainLineSet = (typeof mainLineSets)[number]

/** The first set that has a sportsbook, by its place in `mainLineSets`. @param level the same in `scopeBit` */
export const firstSetOf = (sportsbook: string, level: ScopeLevel): number =>
  level === 0 && tierBooks.free!.has(sportsbook) ? 0 : level + 1

/** The set that has a bit of `scopeBit`; without one, the free tier's. */
export const setOfScope = (bit: number): number => Object.values(scopeBit).indexOf(bit as 1) + 1

/** Lines are home's, in the event's frame: away +1.5 is on the rung of home -1.5. */
export interface MainLineRow {
  readonly eventId: string
  readonly league: string
  readonly marketType: string
  /** Whose total, or whose yes and no, it is; null for the game's or a player's. */
  readonly team: 'home' | 'away' | null
  readonly playerName: string | null
  /** Lines before the start and in play are chosen apart. */
  readonly isLive: boolean
  /** By place in `mainLineSets`; null where nobody of the set has a price of the question. */
  readonly lines: readonly (number | null)[]
  /** Of each sportsbook with several rungs, its own main line. */
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

/** What a key says of its question. */
export function questionOfKey(key: string): Pick<Question, 'eventId' | 'marketType'> {
  const [eventId = '', marketType = ''] = key.split('|', 2)
  return { eventId, marketType }
}

export const mainLineKey = ({ eventId, marketType, team, playerName, isLive }: Question) =>
  `${eventId}|${marketType}|${isLive ? 'live' : 'pre'}|${team ?? ''}|${playerName ?? ''}`
