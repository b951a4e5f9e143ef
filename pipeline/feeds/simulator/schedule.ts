/**
 * Which game comes next and when: sides that are free, starts on round minutes, and enough games
 * coming up soon that about a sixth of the board is always in play.
 */
import { textHash } from '../../../schemas/text-hash.ts'
import type { SimulatedLeague } from './catalogue.ts'
import { createGame, type Game } from './game.ts'
import type { Participant } from './participants.ts'
import type { Random } from './random.ts'

const minute = 60_000
const hour = 60 * minute
const liveShare = 0.17
/** Rest between two games of a side. */
const rest = 18 * hour

export interface Schedule {
  /** A board as one finds it on an ordinary day: games in play, later today, on the next days. */
  first(count: number, at: number): Game[]
  /** The game that takes the place of a finished one. */
  next(games: readonly Game[], at: number): Game
  /** Frees what was kept of games before this instant. */
  forget(before: number): void
}

export function createSchedule(leagues: readonly SimulatedLeague[], random: Random): Schedule {
  const starts = new Map<string, number[]>()
  const totalWeight = leagues.reduce((sum, { weight }) => sum + weight, 0)
  /** Games by number, until they are forgotten. */
  const numbered = new Map<number, { readonly startsAt: number }>()
  let rematch: { game: Game; startsAt: number } | undefined

  function pickLeague(): SimulatedLeague {
    let left = random.next() * totalWeight
    for (const league of leagues) {
      left -= league.weight
      if (left < 0) return league
    }
    return leagues[leagues.length - 1]!
  }

  const isFree = (key: string, startsAt: number) =>
    !starts.get(key)?.some((other) => Math.abs(other - startsAt) < rest)

  function book(key: string, startsAt: number) {
    const before = starts.get(key)
    if (before) before.push(startsAt)
    else starts.set(key, [startsAt])
  }

  function create(
    league: SimulatedLeague,
    home: Participant,
    away: Participant,
    startsAt: number,
    at: number,
  ) {
    book(`${league.id}|${home.key}`, startsAt)
    book(`${league.id}|${away.key}`, startsAt)
    const number = numberOf(`${league.id}|${home.key}|${away.key}`, startsAt)
    return createGame({ number, league, home, away, startsAt }, at, random)
  }

  /**
   * From the sides and the date, so that a market that is started again gives the games it had
   * before the ids they had. Two games of a day, and the rare clash, take the next number.
   */
  function numberOf(sides: string, startsAt: number): number {
    const date = Math.floor(startsAt / (24 * hour))
    let number = textHash(`${sides}|${date}`) >>> 0
    while (numbered.has(number)) number = (number + 1) >>> 0
    numbered.set(number, { startsAt })
    return number
  }

  /** Later by a day whenever nobody is free, so that a board of any size can be filled. */
  function arrange(startsAt: number, at: number): Game {
    for (let tries = 1; ; tries++) {
      const league = pickLeague()
      const wholeMinutes = league.sport === 'soccer' ? 15 : 5
      const delayed = startsAt + Math.floor(tries / 30) * 24 * hour
      const rounded = Math.round(delayed / (wholeMinutes * minute)) * wholeMinutes * minute
      const home = random.pick(league.participants)
      const away = random.pick(league.participants)
      if (home === away) continue
      if (!isFree(`${league.id}|${home.key}`, rounded)) continue
      if (!isFree(`${league.id}|${away.key}`, rounded)) continue
      // Now and then baseball plays two on a day, the same sides and the same hosts.
      const game = create(league, home, away, rounded, at)
      if (league.id === 'mlb' && random.chance(0.06)) {
        rematch = { game, startsAt: rounded + 4 * hour }
      }
      return game
    }
  }

  return {
    first(count, at) {
      const games: Game[] = []
      for (let i = 0; i < count; i++) {
        const place = i / count
        if (place < liveShare) {
          const game = arrange(at - random.between(0, 1.5) * hour, at)
          if (game.endsAt > at + 3 * minute) {
            games.push(game)
            continue
          }
        }
        const lead = place < 0.6 ? random.between(0.1, 10) : random.between(10, 72)
        games.push(arrange(at + lead * hour, at))
      }
      return games
    },
    next(games, at) {
      if (rematch && rematch.startsAt > at) {
        const { game, startsAt } = rematch
        rematch = undefined
        return create(game.league, game.home, game.away, startsAt, at)
      }
      rematch = undefined
      // Games last about two hours and a quarter: that many must start in the next four hours.
      const wanted = (games.length * liveShare * 4) / 2.25
      const soon = games.filter((game) => game.startsAt > at && game.startsAt < at + 4 * hour)
      const lead = soon.length < wanted ? random.between(0.5, 4) : random.between(4, 60)
      return arrange(at + lead * hour, at)
    },
    forget(before) {
      for (const [number, { startsAt }] of numbered) {
        if (startsAt < before) numbered.delete(number)
      }
      for (const [key, of] of starts) {
        const kept = of.filter((startsAt) => startsAt >= before)
        if (kept.length === 0) starts.delete(key)
        else if (kept.length < of.length) starts.set(key, kept)
      }
    },
  }
}
