import { describe, expect, it } from 'vitest'
import { dayInYear } from '../../../../pipeline/feeds/simulator/calendar.ts'
import { simulatedLeagues } from '../../../../pipeline/feeds/simulator/catalogue.ts'
import {
  createFixtureList,
  type Fixture,
  weekOf,
} from '../../../../pipeline/feeds/simulator/fixtures.ts'
import {
  createGame,
  type Game,
  playOn,
  winnerOf,
} from '../../../../pipeline/feeds/simulator/game.ts'
import { createSimulation } from '../../../../pipeline/feeds/simulator/simulation.ts'
import { countsUp } from '../../../../pipeline/rules/games/game-periods.ts'
import type { FeedRecord } from '../../../../schemas/feed-record.ts'

const minute = 60_000
const startsAt = Date.UTC(2026, 10, 22, 18)

function gameOf(league: string, number: number): Game {
  const of = simulatedLeagues.find(({ id }) => id === league)
  const [home, away] = of?.participants ?? []
  if (!of || !home || !away) throw new Error(`no league ${league}`)
  const facts = { league: of, home, away, startsAt, zone: 'UTC', edge: 0, isPostponed: false }
  return createGame({ ...facts, number, seed: 1 }, startsAt - minute)
}

describe('a game in play', () => {
  it.each(['nba', 'nfl', 'nhl', 'mlb', 'england_-_premier_league', 'afl', 'nrl', 'atp'])(
    'of %s has the same score however often it is read',
    (league) => {
      for (let number = 1; number <= 10; number++) {
        const watched = gameOf(league, number)
        const missed = gameOf(league, number)
        for (let at = startsAt; at < watched.endsAt; at += 7 * minute) playOn(watched, at)
        for (const game of [watched, missed]) {
          playOn(game, game.endsAt)
          game.stage = 'final'
        }
        expect([missed.homeScore, missed.awayScore]).toEqual([watched.homeScore, watched.awayScore])
        expect(winnerOf(missed)).toBe(winnerOf(watched))
      }
    },
  )

  it.each(['nba', 'nfl', 'nhl', 'mlb'])(
    'of %s has a winner, whose score is the higher',
    (league) => {
      for (let number = 1; number <= 60; number++) {
        const game = gameOf(league, number)
        playOn(game, game.endsAt)
        expect(winnerOf(game)).toBeNull()
        game.stage = 'final'
        expect(winnerOf(game)).toBe(game.homeScore > game.awayScore ? 'home' : 'away')
      }
    },
  )

  it.each([
    ['nba', 226, 25],
    ['nfl', 45, 8],
    ['nhl', 6.1, 1.2],
    ['mlb', 8.7, 1.5],
    ['england_-_premier_league', 2.7, 0.7],
  ])('of %s ends at about %d points together', (league, total, within) => {
    let sum = 0
    const games = 80
    for (let number = 1; number <= games; number++) {
      const game = gameOf(league, number)
      playOn(game, game.endsAt)
      sum += game.homeScore + game.awayScore
    }
    expect(Math.abs(sum / games - total)).toBeLessThan(within)
  })
})

describe('the reports of games in play', () => {
  const simulation = createSimulation({
    seed: 3,
    startAt: startsAt,
    events: 24,
    changesPerSecond: 30,
  })
  const published: FeedRecord[] = []
  for (let now = startsAt; now <= startsAt + 150 * minute; now += 5000) {
    published.push(...simulation.step(now))
  }

  it('have a clock that goes one way in a period, and a last score that is final', () => {
    const last = new Map<string, { period: string; clock: string | null; sport: string }>()
    const final = new Set<string>()
    for (const record of published) {
      if (record.type !== 'game_state') continue
      const key = `${record.sportsbook} ${record.event.externalId}`
      expect(final.has(key), 'told after the end').toBe(false)
      const { game_period: period, game_clock: clock } = record.state
      const { sport } = record.event
      if (period === 'final') final.add(key)
      const before = last.get(key)
      if (before && before.period === period && before.clock && typeof clock === 'string') {
        const moved = seconds(clock) - seconds(before.clock)
        expect(countsUp(sport) ? moved : -moved, `${sport} ${clock}`).toBeGreaterThanOrEqual(0)
      }
      last.set(key, { period: String(period), clock: clock as string | null, sport })
    }
    expect(final.size).toBeGreaterThan(3)
  })

  it('are followed by final at the sportsbooks that push, with no price left', () => {
    const finals = published.filter(
      (record) => record.type === 'event_status' && record.status === 'final',
    )
    expect(finals.length).toBeGreaterThan(30)
    const gone = new Set<string>()
    for (const record of published) {
      if (record.type === 'event_status' && record.status === 'final') {
        gone.add(`${record.sportsbook} ${record.event.externalId}`)
      } else if (record.type === 'odds' && record.markets.length > 0) {
        expect(gone.has(`${record.sportsbook} ${record.event.externalId}`)).toBe(false)
      }
    }
  })
})

describe('a game that is called off', () => {
  it('is reported as postponed, its prices withdrawn, and never played', () => {
    const mlb = simulatedLeagues.find(({ id }) => id === 'mlb')
    if (!mlb) throw new Error('no baseball')
    const list = createFixtureList(mlb, 1)
    let calledOff: Fixture | undefined
    for (let week = weekOf(dayInYear('04-20', 2026)); !calledOff; week++) {
      calledOff = list.week(week).find(({ isPostponed }) => isPostponed)
    }
    const startAt = calledOff.startsAt - 4 * 60 * minute
    const simulation = createSimulation({
      seed: 1,
      startAt,
      events: 24,
      changesPerSecond: 10,
      books: ['pinnacle', 'draftkings', 'betmgm'],
      leagues: ['mlb'],
    })
    const off = new Set<string>()
    const priced = new Set<string>()
    for (let now = startAt; now <= startAt + 5 * 60 * minute; now += minute) {
      for (const record of simulation.step(now)) {
        if (record.type !== 'event_status' && record.type !== 'odds') continue
        const key = `${record.sportsbook} ${record.event.externalId}`
        if (record.type === 'event_status') {
          if (record.status === 'postponed') off.add(key)
          else expect(off.has(key)).toBe(false)
        } else if (off.has(key) && record.markets.length > 0) priced.add(key)
      }
    }
    expect(off.size).toBeGreaterThan(0)
    expect([...priced]).toEqual([])
  })
})

function seconds(clock: string): number {
  const [minutes, rest] = clock.split(':').map(Number)
  return 60 * (minutes ?? 0) + (rest ?? 0)
}
