/** Intervals of sums: bets on one game count as one, whether the service has the game or not. */

import { describe, expect, it, test } from 'vitest'
import { dayThatFits, type EndedBet, gamesOf, resultSumOf } from '../../api/bets/bet-sums.ts'
import type { SettledBet } from '../../api/bets/settled-bets.ts'
import type { BetEvent, BetSelection } from '../../schemas/bet.ts'
import { betExample } from '../../schemas/http/examples/bets.ts'

const game: BetEvent = {
  ...{ id: null, homeTeam: 'New York Knicks', awayTeam: 'Brooklyn Nets' },
  // 19:30 in New York, after midnight UTC.
  ...{ startsAt: Date.parse('2026-11-21T00:30:00Z'), isDay: false },
  ...{ sport: 'basketball', league: 'nba' },
}

let number = 0
function ended(event: Partial<BetEvent>, profit: number, foundId: string | null = null) {
  number++
  const found = foundId === null ? null : ({ eventId: foundId } as BetSelection)
  const row = { ...betExample, id: `bet_${number}`, stake: 50, event: { ...game, ...event }, found }
  const settled: SettledBet = {
    ...{ row, found, outcome: profit > 0 ? 'won' : 'lost', reason: null, settledBy: 'hand' },
    ...{ byScore: null, returned: 50 + profit, profit, score: null },
  }
  return {
    ...{ row, found, settled, clv: null, reason: null, close: null, ownClose: null, ownClv: null },
    market: 'moneyline',
  }
}

function roiOf(...bets: readonly Omit<EndedBet, 'game'>[]) {
  const games = gamesOf(bets)
  return resultSumOf(bets.map((bet, i) => ({ ...bet, game: games[i]! }))).roi!
}

describe('the interval of the yield', () => {
  const other = { homeTeam: 'Boston Celtics', awayTeam: 'Miami Heat' }

  it('is none for bets on one game that is not known', () => {
    expect(roiOf(ended({}, 50), ended({}, 50), ended({}, -50))).toMatchObject({ low: null })
    expect(roiOf(ended({}, 50), ended(other, 50), ended({}, -50)).low).not.toBeNull()
  })

  it('is as wide as that of known games', () => {
    const profits = [50, 50, 50, -50, 50, 50]
    const events = [{}, {}, {}, other, other, other]
    const ids = ['a', 'a', 'a', 'b', 'b', 'b']
    const unknown = roiOf(...profits.map((profit, i) => ended(events[i]!, profit)))
    expect(unknown).toEqual(roiOf(...profits.map((profit, i) => ended({}, profit, ids[i]!))))
    const apart = profits.map((profit, i) => ended({}, profit, String(i)))
    expect(unknown.high! - unknown.low!).toBeGreaterThan(
      roiOf(...apart).high! - roiOf(...apart).low!,
    )
  })

  test.each([
    ['its sides have other names', { homeTeam: 'NY Knicks', awayTeam: 'brooklyn nets' }],
    ['its sides are swapped', { homeTeam: 'Brooklyn Nets', awayTeam: 'New York Knicks' }],
    ['only its day is stated', { startsAt: Date.parse('2026-11-20T00:00:00Z'), isDay: true }],
    ['its start is another hour', { startsAt: game.startsAt! + 1_800_000 }],
    ['only its sport is stated', { league: null }],
  ])('counts a game as one where %s', (_, event) => {
    // A start without a league has its date in UTC.
    const [noon, eve] = [Date.parse('2026-11-20T17:00:00Z'), game.startsAt]
    const startsAt = 'league' in event ? noon : eve
    const two = [ended({ startsAt }, 50), ended({ startsAt, ...event }, -50)]
    expect(roiOf(...two).low).toBeNull()
  })

  test.each([
    ['on another day', { startsAt: game.startsAt! + 86_400_000 }],
    ['with another side', { awayTeam: 'Miami Heat' }],
    ['by another id', { id: 'game_2' }],
  ])('counts a game %s as another', (_, event) => {
    expect(roiOf(ended({}, 50), ended(event, -50)).low).not.toBeNull()
  })

  it('counts a bet whose game is not found as one on the found game of these sides', () => {
    const home = { homeTeam: 'New York Knicks', awayTeam: 'Brooklyn Nets' }
    const found = { sport: 'basketball', league: 'nba', startsAt: game.startsAt!, ...home }
    const at = (eventId: string, event: Partial<BetEvent>) => {
      const bet = ended(event, 50, eventId)
      return { ...bet, found: { ...bet.found!, ...found } }
    }
    const day = { startsAt: Date.parse('2026-11-20T00:00:00Z'), isDay: true }
    const byId = { ...{ id: 'game_1', homeTeam: null, awayTeam: null, startsAt: null } }
    const named = { homeTeam: 'The Knicks', awayTeam: 'Those Nets' }
    for (const [event, unfound] of [
      [{}, {}],
      [{}, day],
      [byId, day],
      [byId, { league: null }],
      // Names by which only the sportsbook's listing was found.
      [named, named],
    ] as const) {
      expect(roiOf(at('game_1', event), ended(unfound, -50)).low).toBeNull()
    }
    expect(roiOf(at('game_1', byId), ended(other, -50)).low).not.toBeNull()
    // Two found games of these sides on one day stay two.
    expect(roiOf(at('game_1', {}), at('game_2', {}), ended({}, -50)).low).not.toBeNull()
  })

  it('takes the stated id, and that of the game found before it', () => {
    const byId = { id: 'game_1', homeTeam: null, awayTeam: null, startsAt: null }
    expect(roiOf(ended(byId, 50), ended({}, -50, 'game_1')).low).toBeNull()
    expect(roiOf(ended(byId, 50), ended(byId, -50, 'game_2')).low).not.toBeNull()
  })
})

test.each([
  [['03T12', '02T12', '01T12'], 2, '2026-11-02'],
  // Days count whole.
  [['03T12', '02T12', '02T00', '01T12'], 2, '2026-11-03'],
  [['03T00', '02T23'], 1, '2026-11-03'],
  [['03T12', '01T12', '01T11'], 2, '2026-11-02'],
  [['03T12', '03T11', '03T10', '01T12'], 2, null],
])('of bets placed on %j, at most %d are summed from %s', (hours, most, from) => {
  const rows = hours.map((hour) => ({ placedAt: Date.parse(`2026-11-${hour}:00:00Z`) }))
  expect(dayThatFits(rows, most)).toBe(from)
})
