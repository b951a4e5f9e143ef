import { expect, it } from 'vitest'
import {
  asksElse,
  marketLabelled,
  moneylineTypeFor,
  typeNamed,
} from '../../../../pipeline/feeds/kit/market-type.ts'

const idOf = (of: ReturnType<typeof marketLabelled>) => (typeof of === 'string' ? of : of.id)

it.each(['Moneyline', 'Match Result', '1st Half Moneyline'])(
  'has a winner of soccer only with a draw: %s',
  (label) => {
    expect(idOf(marketLabelled(label, 'soccer', { hasDraw: false }))).toBe('unmapped_market')
    expect(idOf(marketLabelled(label, 'soccer', { hasDraw: true }))).toMatch(/moneyline$/)
    expect(idOf(marketLabelled(label, 'rugby', { hasDraw: false }))).toMatch(/moneyline$/)
  },
)

it.each(['Draw No Bet', 'To Qualify'])('has %s without a draw', (label) => {
  expect(idOf(marketLabelled(label, 'soccer', { hasDraw: false }))).toBe(
    label.toLowerCase().replaceAll(' ', '_'),
  )
})

it.each([
  ['1X2', 'soccer', 'moneyline'],
  ['3-Way', 'soccer', 'moneyline'],
  ['Full Time Result', 'soccer', 'moneyline'],
  ['WIN-DRAW-WIN', 'soccer', 'moneyline'],
  ['1st Half 1X2', 'soccer', '1st_half_moneyline'],
  ['Moneyline 3-Way', 'hockey', 'moneyline_3-way'],
  ['3-Way Handicap', 'soccer', 'unmapped_period'],
  ['Regular Time Moneyline', 'hockey', 'unmapped_period'],
])('has a label that says the draw also while none is on offer: %s of %s', (...row) => {
  const [label, sport, expected] = row
  expect(idOf(marketLabelled(label, sport, { hasDraw: false }))).toBe(expected)
})

it.each([
  ['Full Time', 'rugby'],
  ['Full Time Result', 'basketball'],
  ['FULL_TIME_RESULT', 'hockey'],
])('takes no draw from %s of %s, which says the time alone', (label, sport) => {
  expect(idOf(marketLabelled(label, sport, { hasDraw: false }))).toMatch(/^unmapped_/)
})

it('has no moneyline of soccer without a draw', () => {
  expect([moneylineTypeFor('soccer', false), moneylineTypeFor('soccer', true)]).toEqual([
    undefined,
    'moneyline',
  ])
  expect([moneylineTypeFor('hockey', false), moneylineTypeFor('hockey', true)]).toEqual([
    'moneyline',
    'moneyline_3-way',
  ])
})

it('reads the question of a name without its line', () => {
  expect(typeNamed('Over/Under 2.5 Goals', 'soccer')).toBe('total_goals')
  expect(typeNamed('Leeds Total Goals', 'soccer')).toBeNull()
  expect(asksElse('Draw No Bet', 'hockey', 'moneyline')).toBe(true)
  expect(asksElse('Moneyline', 'hockey', 'moneyline')).toBe(false)
  expect(asksElse('Anything', 'hockey', 'moneyline')).toBe(false)
})
