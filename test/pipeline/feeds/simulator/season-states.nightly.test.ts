/** A year of simulated matches: scores by the rules of their sports, and prices that fit the results. */

import { describe, expect, it } from 'vitest'
import { bookProfiles } from '../../../../pipeline/feeds/simulator/books.ts'
import { type Game, playOn, winnerOf } from '../../../../pipeline/feeds/simulator/game.ts'
import {
  createListing,
  openFamilies,
  setLive,
} from '../../../../pipeline/feeds/simulator/listing.ts'
import { createPricer } from '../../../../pipeline/feeds/simulator/pricing.ts'
import { createRandom } from '../../../../pipeline/feeds/simulator/random.ts'
import { createSimulation } from '../../../../pipeline/feeds/simulator/simulation.ts'
import { readPeriod } from '../../../../pipeline/rules/games/game-periods.ts'
import type { FeedRecord, GameStateRecord } from '../../../../schemas/feed-record.ts'
import { testSeed } from '../../../seed.ts'
import { leaguesOf, seasonGames } from './season-games.ts'

const minute = 60_000
const sports = ['tennis', 'esports', 'cricket', 'snooker', 'darts'] as const

/** Returns the sharp book's current no-vig probability of home. */
function chanceOfHome(game: Game): number {
  const [sharp] = bookProfiles
  const listing = createListing(game, sharp!, 0)
  setLive(listing, game.stage === 'live')
  openFamilies(listing, game.stage === 'live', 1, createRandom(game.number))
  const winner = listing.families[0]!
  pricer.reprice(listing, winner, game.version - 1, game.movedAt, null)
  const [home, away] = winner.steps.map((step) => 1 / sharp!.grid.prices[step]!)
  return home! / (home! + away!)
}

const pricer = createPricer()
const looks = [0.2, 0.4, 0.6, 0.8]

describe.each(sports)('years of %s', (sport) => {
  const leagues = leaguesOf(sport)
  const most = Math.ceil(200 / leagues.length)
  const years = [0, 1, 2, 3].map((year) => testSeed + year)
  const drawn = () =>
    years.flatMap((seed) => leagues.flatMap((league) => seasonGames(league, most, seed)))

  it('are the same whenever they are drawn, however often they are read', () => {
    const again = drawn()
    for (const [i, watched] of drawn().entries()) {
      const missed = again[i]!
      for (let at = watched.startsAt; at < watched.endsAt; at += 17 * minute) playOn(watched, at)
      for (const game of [watched, missed]) {
        playOn(game, game.endsAt)
        game.stage = 'final'
      }
      const outcomeOf = (game: Game) => [
        game.homeScore,
        game.awayScore,
        game.endsAt,
        winnerOf(game),
      ]
      expect(outcomeOf(missed)).toEqual(outcomeOf(watched))
      expect(winnerOf(missed)).not.toBe('draw')
    }
  })

  it('are won about as often as the prices imply, before and in play', () => {
    const bins = Array.from({ length: 5 }, () => ({ chances: 0, won: 0, count: 0 }))
    for (const game of drawn()) {
      const chances = [chanceOfHome(game)]
      game.stage = 'live'
      for (const share of looks) {
        playOn(game, game.startsAt + share * (game.endsAt - game.startsAt))
        chances.push(chanceOfHome(game))
      }
      playOn(game, game.endsAt)
      game.stage = 'final'
      for (const chance of chances) {
        const bin = bins[Math.min(4, Math.floor(5 * chance))]!
        bin.count++
        bin.chances += chance
        if (winnerOf(game) === 'home') bin.won++
      }
    }
    for (const { chances, won, count } of bins) {
      expect(count).toBeGreaterThan(50)
      // Looks at one match are correlated, so they count for one fifth.
      const luck = 4 * Math.sqrt(looks.length * count * 0.2)
      expect(Math.abs(won - chances)).toBeLessThan(0.06 * count + luck)
    }
  })
})

// ---- records of sportsbooks

const books = ['pinnacle', 'draftkings', 'bet365', 'betmgm']

/** Returns records of some hours from the first match of the year. */
function toldOf(sport: string): FeedRecord[] {
  const leagues = leaguesOf(sport)
  const starts = leagues.flatMap((league) => seasonGames(league, 1, testSeed))
  const startAt = Math.min(...starts.map(({ startsAt }) => startsAt)) - minute
  const ids = leagues.map(({ id }) => id)
  const of = { seed: testSeed, startAt, events: 8, changesPerSecond: 10, books, leagues: ids }
  const simulation = createSimulation(of)
  const published: FeedRecord[] = []
  for (let now = startAt; now <= startAt + 270 * minute; now += 15_000) {
    published.push(...simulation.step(now))
  }
  return published
}

const statesIn = (records: readonly FeedRecord[]) =>
  records.filter((record): record is GameStateRecord => record.type === 'game_state')

type Sport = (typeof sports)[number]
type State = Record<string, number>

/** Whether an unfinished match can have this score. */
const isPossible: Readonly<Record<Sport, (state: State, part: number) => boolean>> = {
  tennis: ({ home_score: home, away_score: away, sets_home: one, sets_away: two }, part) =>
    one! < 2 && two! < 2 && part === one! + two! + 1 && home! >= 6 * one! && away! >= 6 * two!,
  esports: ({ home_score: home, away_score: away }, part) =>
    home! < 2 && away! < 2 && part === home! + away! + 1,
  snooker: ({ home_score: home, away_score: away }, part) =>
    home! < 9 && away! < 9 && part === home! + away! + 1,
  darts: ({ home_score: home, away_score: away }, part) =>
    home! < 10 && away! < 10 && part === home! + away! + 1,
  cricket: ({ wickets_home: one, wickets_away: two, overs }, part) =>
    one! <= 10 && two! <= 10 && overs! <= 20 && Math.round((overs! % 1) * 10) < 6 && part <= 2,
}

const isFinalScore: Readonly<Record<Sport, (home: number, away: number) => boolean>> = {
  tennis: (home, away) => Math.max(home, away) >= 12 || home + away >= 24,
  esports: (home, away) => Math.max(home, away) === 2,
  snooker: (home, away) => Math.max(home, away) === 9,
  darts: (home, away) => Math.max(home, away) === 10,
  cricket: (home, away) => home !== away,
}

const letters = { tennis: 'S', esports: 'M', cricket: 'I', snooker: 'F', darts: 'L' } as const

function partOf({ event, state }: GameStateRecord) {
  const period = readPeriod(event.sport, String(state.game_period))
  if (period === null || period === 'before') throw new Error(`no period: ${state.game_period}`)
  return { text: period.text, part: Number(/\d+$/.exec(period.text)?.[0]) }
}

describe.each(sports)('the reports of sportsbooks on %s', (sport) => {
  const records = toldOf(sport)
  const states = statesIn(records)

  it('are in its words, and without a clock', () => {
    for (const record of states) {
      const { text } = partOf(record)
      expect(record.state.game_clock).toBeNull()
      if (text !== 'FT') expect(text[0]).toBe(letters[sport])
    }
  })

  it('have a score that the sport allows, that never falls, and is final at the end', () => {
    const last = new Map<string, GameStateRecord>()
    const faults: GameStateRecord[] = []
    for (const record of states) {
      const key = `${record.sportsbook} ${record.event.externalId}`
      const before = last.get(key)
      last.set(key, record)
      const { text, part } = partOf(record)
      const state = record.state as State
      const { home_score: home, away_score: away } = state
      const isOver = text === 'FT'
      const isFine = isOver ? isFinalScore[sport](home!, away!) : isPossible[sport](state, part)
      const isOn =
        before === undefined ||
        (before.state.game_period !== 'final' &&
          (isOver || partOf(before).part <= part) &&
          home! >= Number(before.state.home_score) &&
          away! >= Number(before.state.away_score))
      if (!isFine || !isOn) faults.push(record)
    }
    expect(faults.slice(0, 5)).toEqual([])
    const finals = [...last.values()].filter(({ state }) => state.game_period === 'final')
    expect(finals.length).toBeGreaterThan(0)
  })

  it('are repeated to the byte by the same seed', () => {
    expect(JSON.stringify(statesIn(toldOf(sport)))).toBe(JSON.stringify(states))
  })
})
