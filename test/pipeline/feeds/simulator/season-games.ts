/** Games of whole seasons, without a market: the same ones at every call. */

import { dayInYear } from '../../../../pipeline/feeds/simulator/calendar.ts'
import {
  type SimulatedLeague,
  simulatedLeagues,
} from '../../../../pipeline/feeds/simulator/catalogue.ts'
import { createFixtureList, weekOf } from '../../../../pipeline/feeds/simulator/fixtures.ts'
import { createGame, type Game } from '../../../../pipeline/feeds/simulator/game.ts'

const weeks = 52
const firstWeek = weekOf(dayInYear('08-01', 2026))

export const leaguesOf = (...sports: readonly string[]) =>
  simulatedLeagues.filter(({ sport }) => sports.includes(sport))

/** Returns up to `most` games of a league, spread over a year, as listed first. */
export function seasonGames(league: SimulatedLeague, most: number, seed: number): Game[] {
  const list = createFixtureList(league, seed)
  const fixtures = Array.from({ length: weeks }, (_, week) => list.week(firstWeek + week)).flat()
  const every = Math.max(1, fixtures.length / most)
  const count = Math.min(most, fixtures.length)
  return Array.from({ length: count }, (_, i) => {
    const fixture = fixtures[Math.floor(i * every)]!
    const listedAt = fixture.startsAt - league.listedHours * 3_600_000
    return createGame({ ...fixture, number: 7919 * i + seed, seed }, listedAt)
  })
}
