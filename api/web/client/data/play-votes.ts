/**
 * Whether games are in play by the prices on the page. Prices are streamed and games are polled, so a game that goes
 * in play is known by its prices first, and by them alone while games cannot be read.
 */

import { isOpen } from '../../../../pipeline/rules/games/event-end.ts'
import { isInPlayByClock } from '../../../../pipeline/rules/games/event-play.ts'
import type { Game } from '../../wire.ts'

export interface PlayVotes {
  /** Counts a price. @returns whether the game may have gone in play or out of it */
  add(eventId: string, sportsbook: string, isLive: boolean): boolean
  /** Counts a price no more. @returns as `add` */
  drop(eventId: string, sportsbook: string, isLive: boolean): boolean
  /** @param hasStarted whether the start has passed */
  isPlayed(eventId: string, hasStarted: boolean): boolean
}

/** The number of prices of a sportsbook on a game. */
interface Count {
  all: number
  live: number
}

interface GameCount {
  readonly books: Map<string, Count>
  /** The number of sportsbooks with a price in play. */
  playing: number
}

export function createPlayVotes(): PlayVotes {
  const games = new Map<string, GameCount>()

  // Prices do not tell which sportsbooks only go by the clock, so most have to agree, as for those.
  const says = ({ books, playing }: GameCount, hasStarted: boolean) =>
    isInPlayByClock({ byClock: playing, waiting: books.size - playing, hasStarted })

  function count(eventId: string, sportsbook: string, isLive: boolean, by: 1 | -1): boolean {
    const game = games.get(eventId) ?? { books: new Map(), playing: 0 }
    games.set(eventId, game)
    const before = says(game, true)
    const { books } = game
    const known = books.get(sportsbook)
    const book = known ?? { all: 0, live: 0 }
    const wasLive = book.live > 0
    book.all += by
    if (isLive) book.live += by
    if (wasLive !== book.live > 0) game.playing += by
    if (book.all === 0) books.delete(sportsbook)
    else if (!known) books.set(sportsbook, book)
    if (books.size === 0) games.delete(eventId)
    return before !== says(game, true)
  }

  return {
    add: (eventId, sportsbook, isLive) => count(eventId, sportsbook, isLive, 1),
    drop: (eventId, sportsbook, isLive) => count(eventId, sportsbook, isLive, -1),
    isPlayed(eventId, hasStarted) {
      const game = games.get(eventId)
      return game !== undefined && says(game, hasStarted)
    },
  }
}

const hasStarted = ({ start_time }: Game, now: number) => now >= Date.parse(start_time)

/** Returns the game, in play if its prices say so. @param now by the board's clock (epoch ms) */
export function withPlay(game: Game, votes: Pick<PlayVotes, 'isPlayed'>, now: number): Game {
  if (game.is_live || !votes.isPlayed(game.id, hasStarted(game, now))) return game
  return { ...game, is_live: true }
}

/** Returns whether the game has still to start: it is not in play, postponed or over. */
export const isAwaited = ({ is_live, event_status, status }: Game): boolean =>
  !is_live && isOpen(event_status ?? status)

/** Returns the next start of one of the games (epoch ms): play may be another from then on. */
export function nextStart(games: Iterable<Game>, now: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { start_time } of games) {
    const startsAt = Date.parse(start_time)
    if (startsAt > now && startsAt < next) next = startsAt
  }
  return next
}
