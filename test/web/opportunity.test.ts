/** The rows of the table of opportunities. */

import { expect, it } from 'vitest'
import { opportunityFilters } from '../../api/alerts/opportunity-rule.ts'
import { type Kind, kindViews } from '../../api/web/client/data/kinds.ts'
import { readListQuery } from '../../api/web/client/data/list-query.ts'
import { joinBets, type Opportunity } from '../../api/web/client/data/opportunity.ts'
import { familyOf, opportunityKinds } from '../../schemas/opportunity.ts'

function opportunity(
  kind: Kind,
  id: string,
  sportsbook: string,
  worth: number,
  more: Partial<Opportunity> = {},
): Opportunity {
  const leg = { sportsbook, selection: 'Over 45.5', price: 2, american: 100 }
  return {
    ...{ id, kind, eventId: 'a game', title: 'A @ B', league: 'nfl', market: 'total_points' },
    ...{ player: null, isLive: false, startsAt: 0, detectedAt: 0, worth, fair: 1.9, chance: null },
    priceAgeMs: 0,
    legs: [{ ...leg, tied: [], deepLink: null, stake: 1 }],
    warnings: [],
    ...more,
  }
}

const rows = (list: readonly Opportunity[]) =>
  joinBets(list).map(({ best, others }) => [best.id, ...others.map(({ id }) => id)])

it('+EV of one selection is one row, with the best sportsbook first in whatever order they come', () => {
  const list = [
    opportunity('ev', 'a', 'bovada', 2),
    opportunity('ev', 'b', 'fanduel', 3),
    opportunity('ev', 'c', 'betmgm', 9, { market: 'moneyline' }),
    opportunity('ev', 'd', 'caesars', 1),
    opportunity('ev', 'e', 'caesars', 1, { player: 'J. Brunson' }),
    opportunity('ev', 'f', 'caesars', 1, { eventId: 'another' }),
  ]
  expect(rows(list)).toEqual([['b', 'a', 'd'], ['c'], ['e'], ['f']])
})

it('other kinds keep a row each', () => {
  const list = [
    opportunity('arbitrage', 'a', 'bovada', 2),
    opportunity('arbitrage', 'b', 'fanduel', 1),
  ]
  expect(rows(list)).toEqual([['a'], ['b']])
})

it('an address has the filters of an alert by their names, and the words of the page', () => {
  const address =
    'kind=ev&league=nba,nfl&live=false&min_ev=3&market=moneyline&utm=x&when=&sort=odds'
  expect(readListQuery(new URLSearchParams(address))).toMatchObject({
    ...{ kind: 'ev', league: 'nba,nfl', when: 'upcoming', order: 'odds' },
    filters: 'min_ev=3&market=moneyline',
  })
  // A filter of another kind is dropped, because the service would refuse it.
  expect(readListQuery(new URLSearchParams('kind=middles&min_ev=3&min_size=2')).filters).toBe(
    'min_size=2',
  )
})

it('every filter of an alert is read by the page', () => {
  for (const kind of opportunityKinds) {
    const own = ['league', 'live', 'books', ...kindViews[familyOf(kind)].filters]
    expect(own.sort()).toEqual(Object.keys(opportunityFilters[kind]).sort())
  }
})
