/** The filters of a list of opportunities in its address: which are set, and what sets and removes others. */

import { describe, expect, it } from 'vitest'
import { opportunityFilters } from '../../api/alerts/opportunity-rule.ts'
import { queryOf } from '../../api/alerts/rule-types.ts'
import { opportunityFields } from '../../api/web/client/data/alert-fields.ts'
import { filterValues, statedFilters } from '../../api/web/client/data/fields.ts'
import { kinds } from '../../api/web/client/data/kinds.ts'
import { readListQuery } from '../../api/web/client/data/list-query.ts'
import {
  filterChanges,
  filterFields,
  noFilters,
  setFilters,
} from '../../api/web/client/data/set-filters.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
import { familyOf, opportunityKinds } from '../../schemas/opportunity.ts'

/** Returns an address after changes, as the page makes them. */
function changed(address: string, changes: Readonly<Record<string, string | null>>): string {
  const parameters = new URLSearchParams(address)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) parameters.delete(name)
    else parameters.set(name, value)
  }
  return parameters.toString()
}

const lists = {
  leagues: [{ id: 'nba', shortName: 'NBA', sport: 'basketball' }],
  sportsbooks: [{ id: 'fanduel', display_name: 'FanDuel' }],
  markets: ['moneyline', 'total_points'],
  mine: ['mine'],
}

describe.each(kinds)('the filters of %s', (kind) => {
  const own = opportunityKinds.find((name) => familyOf(name) === kind)!
  const fields = filterFields(kind)

  it('are exactly those of the service, with league and games, and those of an alert', () => {
    const ofService = Object.keys(opportunityFilters[own]).sort()
    expect([...Object.keys(fields), 'league', 'live'].sort()).toEqual(ofService)
    expect([...Object.keys(opportunityFields(kind)), 'books'].sort()).toEqual(ofService)
  })

  it('are taken by the service with every choice, alone and joined', () => {
    const read = createQueryReader(opportunityFilters[own], [])
    for (const [name, { choices, isOfSeveral }] of Object.entries(fields)) {
      const ids = choices?.(lists).flatMap(([id]) => (id === '' ? [] : id)) ?? []
      for (const value of [...ids, ...(isOfSeveral ? [ids.join()] : [])]) {
        expect([name, value, read(queryOf({ [name]: value })).ok]).toEqual([name, value, true])
      }
    }
  })

  it('are set and removed one by one, and nothing else of the address changes', () => {
    const address = `kind=${kind}&league=nba&when=live&sort=start`
    for (const name of Object.keys(fields)) {
      const next = changed(address, filterChanges(kind, { [name]: '7' }))
      expect(setFilters(kind, new URLSearchParams(next))).toEqual({ [name]: '7' })
      expect(next).toBe(`${address}&${name}=7`)
      expect(changed(next, { [name]: null })).toBe(address)
      expect(changed(next, noFilters)).toBe(address)
    }
  })
})

it('an address sets the filters of its kind that have a value, in the order of the form', () => {
  const address = new URLSearchParams(
    'kind=ev&max_odds=150&min_ev=3&market=moneyline&market=spread&team=&utm=x&min_profit=2&live=true',
  )
  expect(Object.entries(setFilters('ev', address))).toEqual([
    ['min_ev', '3'],
    ['market', 'moneyline,spread'],
    ['max_odds', '150'],
  ])
  expect(setFilters('arbitrage', address)).toMatchObject({ min_profit: '2' })
})

it('other filters of the form replace those before, and what is emptied is removed', () => {
  const before = { market: 'moneyline', min_odds: '-115' }
  const fields = filterFields('arbitrage')
  const shown = filterValues(fields, before, 'decimal')
  expect(shown.min_odds).toBe('1.87')
  const values = { ...shown, market: ' ', min_profit: '2' }
  const stated = statedFilters(fields, values, 'decimal', before)
  // The bound that was left as it was is that one, without rounding.
  expect(stated).toEqual({ min_profit: '2', min_odds: '-115' })
  expect(
    changed('kind=arbitrage&market=moneyline&min_odds=-115', filterChanges('arbitrage', stated)),
  ).toBe('kind=arbitrage&min_odds=-115&min_profit=2')
})

it('a number may have a decimal comma', () => {
  const fields = filterFields('ev')
  const typed = { min_ev: ' 2,5', starts_within_minutes: '1,000.5', team: 'Nets, Heat' }
  expect(statedFilters(fields, typed, 'decimal')).toEqual({
    ...{ min_ev: '2.5', starts_within_minutes: '1000.5', team: 'Nets, Heat' },
  })
})

it('clearing removes the filters of all kinds, which would come back with their kind', () => {
  const address = 'kind=ev&min_ev=3&min_profit=2&min_size=4&books=mine&league=nba'
  expect(changed(address, noFilters)).toBe('kind=ev&league=nba')
})

it('the list asks the service for the filters that the chips show', () => {
  const address = 'kind=middles&min_size=2&market=moneyline&min_ev=4'
  const { filters } = readListQuery(new URLSearchParams(address))
  expect(Object.fromEntries(new URLSearchParams(filters))).toEqual(
    setFilters('middles', new URLSearchParams(address)),
  )
})

it('an alert begins with the filters of the list, in sight, and folds away the others', () => {
  const fields = opportunityFields('ev', { min_ev: '3', player_name: 'Jalen Brunson' })
  const shown = Object.entries(fields).flatMap(([name, { isFolded }]) => (isFolded ? [] : name))
  expect(shown).toEqual(['min_ev', 'player_name'])
})
