/** Settlement by a final score, depending on when the bet was made and when the game was played. */

import { expect, test } from 'vitest'
import { settleBets } from '../../api/bets/settled-bets.ts'
import { betExample } from '../../schemas/http/examples/bets.ts'

const hour = 3_600_000
const startsAt = Date.parse('2026-11-21T15:00:00Z')

/** Returns a bet at 1.93 on a game that ended 2-1. */
async function settledBet(
  bet: {
    sport?: string
    marketType: string
    selectionType: string
    line?: number
    /** Time of the bet, ms after the start. */
    placed?: number
    stake?: number
  },
  playedAt = startsAt,
) {
  const { sport = 'soccer', marketType, selectionType, line = null, placed = -hour } = bet
  const { stake = 100 } = bet
  const found = {
    ...{ eventId: 'game', sport, league: 'league', homeTeam: 'A', awayTeam: 'B', startsAt },
    ...{ marketType, selectionType, line, playerName: null },
  }
  const row = { ...betExample, price: 1.93, stake, placedAt: startsAt + placed, found }
  const report = {
    ...{ sportsbook: 'the_odds_api', observedAt: playedAt + 2 * hour, endedIn: null, periods: [] },
    final: { home: 2, away: 1 },
  }
  const result = {
    ...{ eventId: 'game', sport, league: 'league', startsAt: playedAt, status: 'final' as const },
    reports: [report],
  }
  const [settled] = await settleBets([{ row, match: { found } }], {
    ask: async () => [],
    resultOf: () => result,
    eventOf: () => undefined,
    mayShow: () => true,
    now: playedAt + 24 * hour,
  })
  return settled!
}

const endOf = async (...bet: Parameters<typeof settledBet>) => {
  const { outcome, reason } = await settledBet(...bet)
  return outcome ?? reason
}

const handicap = { marketType: 'point_spread', selectionType: 'home', line: -0.5 }

test('a handicap of soccer in play may count from the bet on', async () => {
  expect(await endOf(handicap)).toBe('won')
  expect(await endOf({ ...handicap, placed: hour })).toBe('placed_after_start')
  expect(await endOf({ ...handicap, placed: hour, sport: 'basketball' })).toBe('won')
  const over = { marketType: 'total_goals', selectionType: 'over', line: 2.5, placed: hour }
  expect(await endOf(over)).toBe('won')
})

test('a game that is played at another time than the bet knew may have returned the stake', async () => {
  expect(await endOf(handicap, startsAt + 11 * hour)).toBe('won')
  expect(await endOf(handicap, startsAt + 20 * hour)).toBe('postponed')
  expect(await endOf(handicap, startsAt - 20 * hour)).toBe('postponed')
})

test('money is to the cent, and finer where the stake is', async () => {
  expect(await settledBet({ ...handicap, stake: 7.77 })).toMatchObject({
    returned: 15,
    profit: 7.23,
  })
  expect(await settledBet({ ...handicap, stake: 0.0015 })).toMatchObject({
    ...{ returned: 0.002895, profit: 0.001395 },
  })
  expect(await settledBet({ ...handicap, line: -1, stake: 0.0015 })).toMatchObject({ profit: 0 })
})
