/** Bets in the questions of `/bets`. */

import { expect, it } from 'vitest'
import {
  betText,
  incompleteText,
  meanText,
  otherCurrencyText,
  returnText,
  selectionOfBet,
  takenText,
  unansweredText,
} from '../../api/web/client/format/bet.ts'
import { isHandicap } from '../../pipeline/rules/odds/questions.ts'
import { markets } from '../../schemas/reference/markets.ts'

const stated = {
  ...{ home_team: 'NY Knicks', away_team: 'Nets', event_id: null, market: 'spread' },
  ...{ selection: 'NY Knicks', line: -4.5, player_name: null, stake: 1_250, found: null },
  free_bet: false,
}

it('a question about a bet names it', () => {
  expect(betText(stated, 'DraftKings', 'EUR')).toMatch(
    /^NY Knicks -4\.5 \(Spread, Nets @ NY Knicks\): .*1,250.* at DraftKings$/,
  )
  const ofPlayer = { ...stated, player_name: 'J. Brunson', selection: 'over', line: 22.5 }
  expect(betText({ ...ofPlayer, home_team: null, event_id: 'a game' }, 'bet365', null)).toMatch(
    /^J\. Brunson over 22\.5 \(Spread, a game\): /,
  )
})

it('a handicap has its sign, a total none', () => {
  const bet = { ...stated, line: 8.5 }
  expect(selectionOfBet(bet)).toBe('NY Knicks +8.5')
  const total = { ...bet, market: 'total_points', selection: 'over' }
  expect([selectionOfBet(total), selectionOfBet({ ...bet, line: 0 })]).toEqual([
    'over 8.5',
    'NY Knicks 0',
  ])
  expect(selectionOfBet({ ...bet, market: 'no market that is known' })).toBe('NY Knicks 8.5')
})

it('every handicap that is listed has its sign, and no other market', () => {
  for (const { id, hasLine } of markets) {
    if (!hasLine) continue
    const text = selectionOfBet({ ...stated, market: id, line: 8.5 })
    expect([id, text]).toEqual([id, isHandicap(id) ? 'NY Knicks +8.5' : 'NY Knicks 8.5'])
  }
})

it('a bet that may be stored is named with its game, stake and price', () => {
  const bet = {
    ...{ reference: 'a', placed_at: '2026-11-20T12:00:00.000Z', event_id: 'a game' },
    ...{ market: 'spread', selection: 'home', line: -4.5, player_name: null },
    ...{ odds_decimal: 2.5, stake: 20, sportsbook: 'draftkings' },
  }
  const game = { home_team: 'NY Knicks', away_team: 'Nets' }
  expect(unansweredText(bet, game, 'DraftKings', null, 'american')).toBe(
    'It may be stored: NY Knicks -4.5 (Spread, Nets @ NY Knicks): 20.00 at DraftKings, odds +150. Sent again, it is stored once.',
  )
})

it('an amount that came back is shown with what it comes to', () => {
  expect(returnText(stated, 1_300, null)).toBe(
    '1,300.00 came back of a stake of 1,250.00: a profit of 50.00.',
  )
  expect(returnText(stated, 1.25, null)).toContain('a loss of 1,248.75.')
  expect(returnText({ stake: 50, free_bet: true }, 70, null)).toBe(
    '20.00 came back of a free bet of 50.00: a profit of 20.00.',
  )
  expect(returnText({ ...stated, stake: 0.0012 }, 0.0025, 'BTC')).toMatch(
    /BTC\s0\.0025 .* stake of BTC\s0\.0012: a profit of BTC\s0\.0013\./,
  )
})

it('a file is summed up in a sentence', () => {
  const textOf = (accepted: number, duplicates: number, rejected_count: number) =>
    takenText({
      ...{ accepted, duplicates, rejected_count, rejected: [] },
      ...{ ignored_columns: [], currency: null },
    })
  expect([textOf(3, 1, 2), textOf(1, 0, 0), textOf(0, 0, 1), textOf(5, 5, 0)]).toEqual([
    '3 bets are stored, 1 of them was before. 2 bets are refused.',
    '1 bet is stored.',
    '0 bets are stored. 1 bet is refused.',
    '5 bets are stored, 5 of them were before.',
  ])
})

it('a file in another currency than the profile says so', () => {
  expect(otherCurrencyText('€', 'USD')).toContain('are in €, and your profile has USD')
  expect(otherCurrencyText('CAD', 'USD')).toContain('are in CAD')
  const same = [
    ['$', 'CAD'],
    ['EUR', 'EUR'],
    ['€', 'EUR'],
    [null, 'EUR'],
    ['€', null],
  ] as const
  expect(same.map(([ofFile, ofProfile]) => otherCurrencyText(ofFile, ofProfile))).toEqual(
    same.map(() => null),
  )
})

it('sums that lack what the archive did not answer say so', () => {
  expect([0, 1, 1_200].map(incompleteText)).toEqual([
    null,
    'The archive does not answer: 1 bet is without result or value, and the sums are not complete.',
    'The archive does not answer: 1,200 bets are without result or value, and the sums are not complete.',
  ])
})

it('a mean is shown with its interval, if it has one', () => {
  expect([
    meanText({ percent: 4.2, low: -1.1, high: 9.5 }, 10),
    meanText({ percent: 5, low: -1_195, high: 1_205 }, 9),
    meanText({ percent: -0.5, low: null, high: null }, 10),
    meanText(null, 0),
  ]).toEqual(['4.20% (−1.10% to 9.50%)', '5.00%', '−0.50%', '–'])
})
