/** The rules of a game that every parser needs: its sides, the side of a name, and when an event is no game. */

import type { FeedEvent } from '../../../schemas/feed-record.ts'
import type { Skip } from '../feed.ts'

export type Side = 'home' | 'away'

interface Sides {
  readonly homeTeam: string
  readonly awayTeam: string
}

/** Matches "A at B" and "A @ B" (B is at home), "A v B" and "A vs. B" (A is at home). */
const anySides = /^(.+?) (vs?\.?|at|@) (.+)$/i

/**
 * Returns the sides in the name of an event, or null.
 * @param pattern matches the first side, the word between them and the second side
 */
export function sidesIn(name: string, pattern = anySides): Sides | null {
  const [, first, word, second] = pattern.exec(name) ?? []
  if (!first || !word || !second) return null
  return /^(?:at|@)$/i.test(word)
    ? { homeTeam: second, awayTeam: first }
    : { homeTeam: first, awayTeam: second }
}

/** Returns the side with exactly this name; null if no side has it, or both. */
export function sideNamed(name: string, { homeTeam, awayTeam }: Sides): Side | null {
  if (name === homeTeam) return name === awayTeam ? null : 'home'
  return name === awayTeam ? 'away' : null
}

/** Returns the same, ignoring case. */
export function sideSpelled(name: string, { homeTeam, awayTeam }: Sides): Side | null {
  const isNamed = (team: string) => name.localeCompare(team, 'en', { sensitivity: 'base' }) === 0
  const isHome = isNamed(homeTeam)
  if (isHome === isNamed(awayTeam)) return null
  return isHome ? 'home' : 'away'
}

/** Returns a source's label of a market without the names of the sides, as skips carry it. */
export const anonymous = (label: string, { homeTeam, awayTeam }: Sides): string =>
  label.replace(homeTeam, 'the team').replace(awayTeam, 'the team')

/** Returns whether a whole name is that of the draw. */
export const isDrawNamed = (name: string): boolean => /^(?:the )?(?:draw|tie)$/i.test(name.trim())

/** Sports whose games are played on after regulation time until somebody wins. */
export const sportsWithOvertime: ReadonlySet<string> = new Set([
  'basketball',
  'hockey',
  'baseball',
  'football',
])

/** Returns the only item of a list; undefined if it has more: a side named twice is ambiguous. */
export const onlyOne = <Item>([item, ...others]: readonly Item[]): Item | undefined =>
  others.length === 0 ? item : undefined

export const otherSide = (side: Side): Side => (side === 'home' ? 'away' : 'home')

type Unstated<Members> = { readonly [Name in keyof Members]: Members[Name] | null | undefined }

/** A game as a source states it; undefined, null and '' for a field that it does not state. */
type Stated = Unstated<Omit<FeedEvent, keyof Sides | 'isByClock'>> &
  Pick<FeedEvent, 'isByClock'> &
  Partial<Unstated<Sides>>

const missing = {
  sport: 'unsupported_sport',
  sides: 'unknown_participant',
  league: 'unknown_league',
  start: 'bad_start',
}

/**
 * Returns the game, or a skip for the first missing field.
 * @param detail the event in a few words, for the skip
 * @param reasons the skips' reasons for fields whose absence means something else at this source
 */
export function gameOf(
  stated: Stated,
  detail: string,
  reasons: Partial<typeof missing> = missing,
): FeedEvent | Skip {
  const { externalId = null, sport, league, homeTeam, awayTeam, startsAt, isLive } = stated
  const byClock = stated.isByClock ? { isByClock: true } : {}
  const because = (member: keyof typeof missing) => ({
    reason: reasons[member] ?? missing[member],
    detail,
  })
  if (!sport) return because('sport')
  if (!homeTeam || !awayTeam) return because('sides')
  if (!league) return because('league')
  if (startsAt == null) return because('start')
  return {
    externalId,
    sport,
    league,
    homeTeam,
    awayTeam,
    startsAt,
    isLive: isLive === true,
    ...byClock,
  }
}
