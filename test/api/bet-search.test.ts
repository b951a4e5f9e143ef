/** Which bets a query `q` means. */

import { describe, expect, it, test } from 'vitest'
import { filterOf } from '../../api/bets/bet-answers.ts'
import type { BetEvent, BetRow, BetSelection } from '../../schemas/bet.ts'
import { betExample } from '../../schemas/http/examples/bets.ts'

const event: BetEvent = {
  ...{ id: null, homeTeam: 'NY Knicks', awayTeam: 'Brooklyn' },
  ...{ startsAt: Date.parse('2026-11-21T00:30:00Z'), isDay: false },
  ...{ sport: 'basketball', league: 'nba' },
}
const found: BetSelection = {
  ...{ eventId: 'nba_nets_knicks_2026-11-20_b3', sport: 'basketball', league: 'nba' },
  ...{ homeTeam: 'New York Knicks', awayTeam: 'Brooklyn Nets', startsAt: event.startsAt! },
  ...{ marketType: 'total_points', selectionType: 'under', line: 215.5, playerName: null },
}
const bet = (more: Partial<BetRow> = {}): BetRow => ({
  ...{ ...betExample, event, market: 'O/U', selection: 'U', line: 215.5, playerName: null },
  ...{ sportsbook: 'betmgm', reference: 'slip-1042', found: null, verdict: null },
  ...more,
})
const verdict = { outcome: 'refunded', returned: null, sharedBy: null, at: 0 } as const

const none = undefined
const filter = (q: string) =>
  filterOf({ ...{ sportsbook: none, league: none, market: none, from: none, to: none }, q })
const means = (q: string, row: BetRow, of = row.found) => filter(q).holds(row, of)

describe('the text of a bet', () => {
  test.each([
    ['a part of a stated name', 'brook'],
    ['another name of a stated team', 'nets'],
    ['the league', 'NBA'],
    ['words of several fields, in any order and case', 'BetMGM  knicks'],
    ['both teams, as games are written', 'Brooklyn @ NY Knicks'],
    ['words between teams', 'nets vs knicks'],
    ['its reference', 'slip-1042'],
  ])('has %s', (_, q) => {
    expect(means(q, bet())).toBe(true)
  })

  it('has what was found for it, by the names that lists show', () => {
    const [before, after] = [bet(), bet({ found })]
    for (const q of ['total points', 'under']) {
      expect([means(q, before), means(q, after), means(q, before, found)], q).toEqual([
        ...[false, true, true],
      ])
    }
  })

  it('has the player, and the words beside a stated result', () => {
    const row = bet({ playerName: 'Luka Dončić', verdict: { ...verdict, reason: 'did not start' } })
    expect(['doncic', 'did not start'].map((q) => means(q, row))).toEqual([true, true])
    expect(['doncic', 'did not start'].map((q) => means(q, bet()))).toEqual([false, false])
  })

  it('of a bet that names its game by id alone is what was found', () => {
    const byId = { ...event, id: found.eventId, homeTeam: null, awayTeam: null, league: null }
    const row = bet({ event: byId })
    expect([means('knicks', row), means('knicks', row, found)]).toEqual([false, true])
  })
})

test.each(['celtics', 'knicks fanduel', '?!'])('%s means no such bet', (q) => {
  expect(means(q, bet({ found }))).toBe(false)
})

test('a bet whose game is not found yet may still be meant, as the same request tells once it is', () => {
  const { mayHold, holds } = filter('under')
  const row = bet()
  expect(mayHold(row)).toBe(true)
  expect([holds(row, null), holds(row, found), holds(row, found)]).toEqual([false, true, true])
})
