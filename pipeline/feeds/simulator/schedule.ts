/**
 * The next game of the season. The season is the same at each call; a board has room for a number
 * of games: those in play or soon to begin, and for big leagues also those of the next days.
 */
import { textHash } from '../../../schemas/text-hash.ts'
import { dayAt, dayMs, minute } from './calendar.ts'
import type { SimulatedLeague } from './catalogue.ts'
import { createFixtureList, type Fixture, weekOf } from './fixtures.ts'
import { createGame, type Game } from './game.ts'

const hour = 60 * minute

type Queue = ReturnType<typeof createQueue>

/** The most empty weeks in a row, because every league plays within a year. */
const mostEmptyWeeks = 60

/** Keeps the fixtures of a league that have not been listed, in the order of their starts. */
function createQueue(league: SimulatedLeague, seed: number, at: number) {
  const list = createFixtureList(league, seed)
  // A game that began yesterday may still be played.
  let week = weekOf(dayAt(at) - 1)
  let fixtures: Fixture[] = []
  let place = 0

  function readOn() {
    fixtures = []
    place = 0
    for (const end = week + mostEmptyWeeks; fixtures.length === 0; week++) {
      if (week > end) throw new Error(`${league.id} does not play`)
      fixtures = list.week(week).sort((a, b) => a.startsAt - b.startsAt)
    }
  }

  return {
    league,
    /** Returns the next that starts after `after`. */
    peek(after: number): Fixture {
      for (;;) {
        const next = fixtures[place]
        if (!next) readOn()
        else if (next.startsAt > after) return next
        else place++
      }
    },
    drop() {
      place++
    },
  }
}

/** The least time before the start for a game to be listed. */
const shortestLead = 5 * minute

export function createSchedule(leagues: readonly SimulatedLeague[], seed: number) {
  let queues: Queue[] | undefined

  /**
   * Returns the fixture that starts first, measured in units of how long before the start its
   * league is listed. So every league's games are listed before they begin, even on the fullest
   * Saturday.
   */
  function take(from: readonly Queue[], after: number, at: number): Fixture {
    let nearest: Queue | undefined
    let least = Number.POSITIVE_INFINITY
    for (const queue of from) {
      const ahead = (queue.peek(after).startsAt - at) / queue.league.listedHours
      if (ahead >= least) continue
      least = ahead
      nearest = queue
    }
    if (!nearest) throw new Error('a schedule needs a league')
    const fixture = nearest.peek(after)
    nearest.drop()
    return fixture
  }

  /**
   * Creates a game. The number follows from the sides and the start, so that games have the same
   * ids after a restart.
   */
  function create(fixture: Fixture, knownSince: number): Game {
    const { league, home, away, startsAt } = fixture
    const number = textHash(`${league.id}|${home.key}|${away.key}|${startsAt}`) >>> 0
    return createGame({ ...fixture, number, seed }, knownSince)
  }

  return {
    /**
     * Returns the initial board: games in play, and those that are listed by now.
     * @param knownSince when the market learnt of them; default: `at`
     */
    first(count: number, at: number, knownSince = at): Game[] {
      const opened = leagues.map((league) => createQueue(league, seed, at))
      queues = opened
      const games: Game[] = []
      while (games.length < count) {
        const game = create(take(opened, at - dayMs / 2, at), knownSince)
        const isOver = game.endsAt <= at + 3 * minute
        const isOff = game.isPostponed && game.startsAt <= at + 3 * hour
        if (!isOver && !isOff) games.push(game)
      }
      return games
    },
    /**
     * Returns the next game of each major league without a game on the initial board, if it is near
     * enough.
     */
    absentMajors(games: readonly Game[], at: number, knownSince: number): Game[] {
      const present = new Set(games.map(({ league }) => league.id))
      const absent = queues!.filter(({ league }) => league.isMajor && !present.has(league.id))
      return absent.flatMap((queue) => {
        const fixture = queue.peek(at + shortestLead)
        if (fixture.startsAt > at + queue.league.listedHours * hour) return []
        queue.drop()
        return create(fixture, knownSince)
      })
    },
    /** Returns the game that replaces a finished one; it has not begun. */
    next(at: number): Game {
      if (!queues) throw new Error('a schedule begins with its first board')
      return create(take(queues, at + shortestLead, at), at)
    },
  }
}
