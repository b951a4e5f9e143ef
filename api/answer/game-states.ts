/**
 * Games in play, as responses and streams show them, and when they change by the clock alone. These are games that
 * the scope's list of events shows as live. A score is stale once its sportsbook has not reported for 10 s; a whole
 * sport is stale once no sportsbook has reported for 30 s.
 */

import type { z } from 'zod'
import { gameStateFreshMs, sportFreshMs } from '../../pipeline/rules/odds/freshness.ts'
import type { GameInPlay } from '../../pipeline/views/game-states/game-states-view.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { briefGameState as brief } from '../../schemas/http/events.ts'
import type { Scope } from '../access/scope.ts'
import { isListed } from './events.ts'

export interface ShownGame {
  readonly event: EventRow
  /** When the newest report was observed (epoch ms). */
  readonly observedAt: number
  /** Its fields as JSON, without braces and id. */
  readonly members: string
}

export interface ShownGames {
  /** Sorted by sport, then by id. */
  readonly games: readonly ShownGame[]
  /** When a game is next shown differently by the clock alone (epoch ms); Infinity for never. */
  readonly expiresAt: number
}

/** Returns a number that grows whenever `shownGames` may change, except by the clock. */
export const gamesVersion = ({ gameStates, board }: Scope): number =>
  gameStates.version + board.shapeStamp

/** Returns the games of a scope. @param now epoch ms */
export function shownGames(scope: Scope, now: number): ShownGames {
  const { gameStates, visibilityBit, board } = scope
  const games = gameStates.games(visibilityBit)
  const newestOfSport = new Map<string, number>()
  for (const { event, state } of games) {
    const newest = newestOfSport.get(event.sport) ?? 0
    newestOfSport.set(event.sport, Math.max(newest, state.observedAt))
  }
  let expiresAt = Number.POSITIVE_INFINITY
  const isPast = (freshUntil: number) => {
    if (now > freshUntil) return true
    expiresAt = Math.min(expiresAt, freshUntil + 1)
    return false
  }
  const shown = games.flatMap((game) => {
    const { id, sport } = game.event
    const event = board.find(id)
    if (!event || !isListed(event, scope)) return []
    const isStale = isPast(game.state.primaryAt + gameStateFreshMs)
    const isSportStale = isPast((newestOfSport.get(sport) ?? 0) + sportFreshMs)
    return shownGame(game, isStale, isSportStale)
  })
  return { games: shown, expiresAt }
}

interface Written extends ShownGame {
  readonly isStale: boolean
  readonly isSportStale: boolean
}

// A game is read several times a second but changes only every few seconds.
const written = new WeakMap<GameInPlay, Written>()

function shownGame(game: GameInPlay, isStale: boolean, isSportStale: boolean): ShownGame {
  const known = written.get(game)
  if (known && known.isStale === isStale && known.isSportStale === isSportStale) return known
  const freshness = {
    ...(isStale && { stale: true }),
    ...(isSportStale && { aggregator_stale: true }),
  }
  const members = JSON.stringify({ ...gameJson(game), ...freshness }).slice(1, -1)
  const { event, state } = game
  const shown = { event, observedAt: state.observedAt, members, isStale, isSportStale }
  written.set(game, shown)
  return shown
}

function gameJson({ event, state }: GameInPlay): object {
  const { period, clock } = state
  const { outs, balls, strikes, runner_first, runner_second, runner_third, ...situation } =
    state.situation
  const atBat = { outs, balls, strikes }
  const runners = { first: runner_first, second: runner_second, third: runner_third }
  const isKnown = [atBat, runners].every((part) =>
    Object.values(part).every((value) => value !== undefined),
  )
  return {
    home_team: event.homeTeam,
    away_team: event.awayTeam,
    sport: event.sport,
    league: event.league,
    home_score: state.homeScore,
    away_score: state.awayScore,
    is_live: true,
    primary_book: state.primaryBook,
    book_count: state.bookCount,
    ...(period !== null && { game_period: period }),
    ...(clock !== null && { game_clock: clock }),
    ...situation,
    // A partly known diamond is left out.
    ...(isKnown && { in_play: { ...atBat, runners } }),
  }
}

// ---- in short

/** Unit of scores by sport. Others count points. */
const scoreTypes: Readonly<Record<string, string>> = {
  soccer: 'goals',
  hockey: 'goals',
  handball: 'goals',
  lacrosse: 'goals',
  baseball: 'runs',
  cricket: 'runs',
  tennis: 'games',
  esports: 'maps',
  snooker: 'frames',
}

type BriefGameState = z.output<typeof brief>

/** Returns the state of an event in play for event lists; undefined if its score is unknown. */
export function briefGameState(
  { gameStates, visibilityBit }: Scope,
  eventId: string,
): BriefGameState | undefined {
  const game = gameStates.find(eventId, visibilityBit)
  if (!game) return undefined
  const { homeScore, awayScore, period, clock } = game.state
  const situation: Partial<BriefGameState> = game.state.situation
  return {
    home_score: homeScore,
    away_score: awayScore,
    period,
    clock,
    score_type: scoreTypes[game.event.sport] ?? 'points',
    possession: situation.possession ?? null,
    is_timeout: situation.is_timeout ?? null,
    power_play: situation.power_play ?? null,
    last_play: situation.last_play ?? null,
  }
}
