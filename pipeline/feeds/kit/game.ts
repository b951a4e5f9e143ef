/** The rules of a game that every parser needs: who plays whom, which side a name is, and when there is no game. */

import type { FeedEvent } from '../../../schemas/feed-record.ts'
import type { Skip } from '../feed.ts'

export type Side = 'home' | 'away'

interface Sides {
  readonly homeTeam: string
  readonly awayTeam: string
}

/** "A at B" and "A @ B" are played at B's, "A v B" and "A vs. B" at A's. */
const anySides = /^(.+?) (vs?\.?|at|@) (.+)$/i

/**
 * The sides that the name of an event states, or null.
 * @param pattern where only some words stand between them: the first side, the word, the second side
 */
export function sidesIn(name: string, pattern = anySides): Sides | null {
  const [, first, word, second] = pattern.exec(name) ?? []
  if (!first || !word || !second) return null
  return /^(?:at|@)$/i.test(word)
    ? { homeTeam: second, awayTeam: first }
    : { homeTeam: first, awayTeam: second }
}

/** The side that goes by exactly this name; null for another name, and where both sides have it. */
export function sideNamed(name: string, { homeTeam, awayTeam }: Sides): Side | null {
  if (name === homeTeam) return name === awayTeam ? null : 'home'
  return name === awayTeam ? 'away' : null
}

/** The same in letters of any case. */
export function sideSpelled(name: string, { homeTeam, awayTeam }: Sides): Side | null {
  const isNamed = (team: string) => name.localeCompare(team, 'en', { sensitivity: 'base' }) === 0
  const isHome = isNamed(homeTeam)
  if (isHome === isNamed(awayTeam)) return null
  return isHome ? 'home' : 'away'
}

/** The item of a list of one; of a side that is named twice nobody can say who plays. */
export const onlyOne = <Item>([item, ...others]: readonly Item[]): Item | undefined =>
  others.length === 0 ? item : undefined

export const otherSide = (side: Side): Side => (side === 'home' ? 'away' : 'home')

type Unstated<Members> = { readonly [Name in keyof Members]: Members[Name] | null | undefined }

/** A game as a source states it; undefined, null and '' for a member that it does not state. */
type Stated = Unstated<Omit<FeedEvent, keyof Sides>> & Partial<Unstated<Sides>>

const missing = {
  sport: 'unsupported_sport',
  sides: 'unknown_participant',
  league: 'unknown_league',
  start: 'bad_start',
}

/**
 * The game, or a skip for the first member that is missing.
 * @param detail the event in a few words, for the skip
 * @param reasons of members whose absence means something else at this source
 */
export function gameOf(
  stated: Stated,
  detail: string,
  reasons: Partial<typeof missing> = missing,
): FeedEvent | Skip {
  const { externalId = null, sport, league, homeTeam, awayTeam, startsAt, isLive } = stated
  const because = (member: keyof typeof missing) => ({
    reason: reasons[member] ?? missing[member],
    detail,
  })
  if (!sport) return because('sport')
  if (!homeTeam || !awayTeam) return because('sides')
  if (!league) return because('league')
  if (startsAt == null) return because('start')
  return { externalId, sport, league, homeTeam, awayTeam, startsAt, isLive: isLive === true }
}
