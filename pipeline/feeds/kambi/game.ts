/** The game of a Kambi event: sides, league, start and, in play, score and clock. */

import { z } from 'zod'
import type { FeedEvent, GameStateRecord } from '../../../schemas/feed-record.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import { countsUp } from '../../rules/games/game-periods.ts'
import { gameOf } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { sportNames } from '../kit/sport-names.ts'

export const eventSchema = z.object({
  id: z.number(),
  name: z.string(),
  homeName: z.string().nullish(),
  awayName: z.string().nullish(),
  start: z.unknown().optional(),
  group: z.string().nullish(),
  path: z.array(z.object({ name: z.string(), englishName: z.string().nullish() })).nullish(),
  sport: z.string(),
  state: z.string().nullish(),
})
const sideStatistics = z.object({
  yellowCards: z.number().nullish(),
  redCards: z.number().nullish(),
  corners: z.number().nullish(),
})
const liveDataSchema = z.object({
  matchClock: z
    .object({
      minute: z.number().nullish(),
      second: z.number().nullish(),
      minutesLeftInPeriod: z.number().nullish(),
      secondsLeftInMinute: z.number().nullish(),
      period: z.string().nullish(),
      disabled: z.boolean().nullish(),
    })
    .nullish(),
  score: z.object({ home: z.string(), away: z.string() }).nullish(),
  statistics: z
    .object({ football: z.object({ home: sideStatistics, away: sideStatistics }).nullish() })
    .nullish(),
})

export type KambiEvent = z.infer<typeof eventSchema>

const sports = sportNames('kambi')

/** Returns the game, or the reason it is not one. */
export function gameOfEvent(event: KambiEvent): FeedEvent | string {
  const { homeName, awayName } = event
  const game = gameOf(
    {
      externalId: String(event.id),
      sport: findSport(sports.get(event.sport) ?? event.sport)?.id,
      league: leagueOf(event),
      homeTeam: homeName && givenNameFirst(homeName),
      awayTeam: awayName && givenNameFirst(awayName),
      startsAt: instantOf(event.start),
      isLive: event.state === 'STARTED',
    },
    event.name,
    { sides: 'outright' },
  )
  return 'reason' in game ? game.reason : game
}

/**
 * Returns country and league, because many leagues are called "Premier League"; the path begins
 * with the sport.
 */
function leagueOf({ path, group, sport }: KambiEvent): string {
  const names = (path ?? []).slice(1).map(({ englishName, name }) => englishName ?? name)
  return names.length > 0 ? names.join(' - ') : (group ?? sport)
}

/** Returns score and clock of a game in play, for the sports where these fields are reliable. */
export function stateOf(liveData: unknown, sport: string): GameStateRecord['state'] | null {
  const live = liveDataSchema.safeParse(liveData)
  if (!live.success || !scoredSports.has(sport)) return null
  const { matchClock, score, statistics } = live.data
  if (!score || !/^\d+$/.test(score.home) || !/^\d+$/.test(score.away)) return null
  const state: Record<string, string | number> = {
    home_score: Number(score.home),
    away_score: Number(score.away),
  }
  if (matchClock?.period) state.game_period = matchClock.period
  const clock = matchClock && !matchClock.disabled ? clockOf(matchClock, sport) : null
  if (clock !== null) state.game_clock = clock
  const counted = sport === 'soccer' ? statistics?.football : null
  for (const side of ['home', 'away'] as const) {
    const { corners, yellowCards, redCards } = counted?.[side] ?? {}
    if (typeof corners === 'number') state[`corners_${side}`] = corners
    if (typeof yellowCards === 'number') state[`yellow_cards_${side}`] = yellowCards
    if (typeof redCards === 'number') state[`red_cards_${side}`] = redCards
  }
  return state
}

/**
 * Returns the time played, or the remaining time if the sport's clock counts down; null if not
 * stated.
 */
function clockOf(
  clock: NonNullable<z.infer<typeof liveDataSchema>['matchClock']>,
  sport: string,
): string | null {
  if (!clockedSports.has(sport)) return null
  const [minutes, seconds] = countsUp(sport)
    ? [clock.minute, clock.second]
    : [clock.minutesLeftInPeriod, clock.secondsLeftInMinute]
  if (typeof minutes !== 'number' || typeof seconds !== 'number') return null
  return `${minutes}:${String(seconds).padStart(2, '0')}`
}

/** Sports whose score is one pair of numbers; in others it counts sets, frames or overs. */
const scoredSports: ReadonlySet<string> = new Set([
  'soccer',
  'basketball',
  'football',
  'hockey',
  'baseball',
])
const clockedSports: ReadonlySet<string> = new Set(['soccer', 'basketball', 'football', 'hockey'])

/** Returns "Surname, Given" as "Given Surname"; other names unchanged. */
export function givenNameFirst(name: string): string {
  const [surname, given, ...more] = name.split(',').map((part) => part.trim())
  return surname && given && more.length === 0 ? `${given} ${surname}` : name
}
