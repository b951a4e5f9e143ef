import { describe, expect, it } from 'vitest'
import { kindViews } from '../../api/web/client/data/kinds.ts'
import { type FilterNames, filterText, noneText } from '../../api/web/client/format/filters.ts'
import { moveFilters, priceFilters, sourceFilters } from '../../schemas/http/alert-filters.ts'

const names: FilterNames = {
  format: 'american',
  leagues: new Map([['nba', 'NBA']]),
  sportsbooks: new Map([
    ['draftkings', 'DraftKings'],
    ['fanduel', 'FanDuel'],
  ]),
}

describe('a filter in words', () => {
  const all = new Set([
    ...Object.values(kindViews).flatMap(({ filters }) => Object.keys(filters)),
    ...['league', 'live', 'books'],
    ...[priceFilters, moveFilters, sourceFilters].flatMap((filters) => Object.keys(filters)),
  ])

  for (const name of ['event', 'team', 'player']) all.delete(name)

  it.each([...all])('%s has its own words', (name) => {
    const text = filterText(name, '7', names)
    expect(text).not.toBe(`${name.replaceAll('_', ' ')} 7`)
    expect(text).not.toContain('_')
  })

  it.each([
    ['league', 'nba,wnba', 'NBA, wnba'],
    ['market', 'point_spread,total_points', 'Point spread, Total points'],
    ['sportsbook', 'draftkings,fanduel', 'DraftKings, FanDuel'],
    ['books', 'mine', 'among my sportsbooks'],
    ['books', 'fanduel', 'among FanDuel'],
    ['books', 'mine,fanduel', 'among my sportsbooks, FanDuel'],
    ['live', 'false', 'before the start'],
    ['min_odds', '-115', 'odds of -115 or better'],
    ['min_age_ms', '1500', 'listed for 1.5 s or longer'],
    ['direction', 'shortened', 'prices shorten'],
    ['of', 'best', 'the best price'],
  ])('%s=%s is %s', (name, value, text) => expect(filterText(name, value, names)).toBe(text))

  it.each([
    ['-115', 'odds of 1.87 or better'],
    ['150', 'odds of 2.5 or better'],
    ['0', 'odds of 0 or better'],
    ['1e999', 'odds of 1e999 or better'],
  ])('has a bound of %s in the format of the reader: %s', (value, text) => {
    expect(filterText('min_odds', value, { ...names, format: 'decimal' })).toBe(text)
  })

  it('is its name and value if that reads well', () => {
    expect(filterText('team', 'knicks', names)).toBe('team knicks')
  })
})

it('an empty list says which bounds apply', () => {
  expect(noneText([['min_profit', 0.5]], names)).toBe(
    'None right now with profit of 0.5 % or more.',
  )
  const two = [
    ['min_ev', 0],
    ['max_hold', 5],
  ] as const
  expect(noneText(two, names)).toBe('None right now with EV of 0 % or more, hold of 5 % or less.')
  expect(noneText([], names)).toBe('None right now.')
})
