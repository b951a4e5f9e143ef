/** +EV that was computed for one request, when it is shown some steps later. */

import { expect, it } from 'vitest'
import { standingRows, stillStanding } from '../../api/opportunities/priced.ts'
import { away, createOpportunityMarket, home } from './opportunity-market.ts'
import { baseTime } from './small-board.ts'

function foundEarlier() {
  const market = createOpportunityMarket()
  const { price, opportunity, scope } = market
  const reference = [price(home('unibet_uk', 1.95)), price(away('unibet_uk', 1.95))]
  const { row } = opportunity('e1', 'ev', [price(home('draftkings', 2.2))], reference)
  const some = standingRows(scope, [row], baseTime)
  const found = { some, since: scope.board.watermark, statuses: scope.sources.version }
  const [first] = some
  return { ...market, first: first!, now: (at = baseTime) => stillStanding(scope, found, at) }
}

it('is the same while its prices are', () => {
  const { first, now, price } = foundEarlier()
  price(home('fanduel', 2.1))
  expect(now()).toEqual([first])
  expect(now()[0]).toBe(first)
})

it('is valued again when its price or one that it is measured against moves', () => {
  const { first, now, price } = foundEarlier()
  price(home('draftkings', 2.3))
  const [higher] = now()
  expect(higher!.rank).toBeGreaterThan(first.rank)
  price(away('unibet_uk', 2.1))
  expect(now()[0]!.rank).toBeGreaterThan(higher!.rank)
})

it('is left out when a price is gone, or too old', () => {
  const { now, withdraw } = foundEarlier()
  expect(now(baseTime + 3_600_000)).toEqual([])
  withdraw(home('draftkings', 2.2))
  expect(now()).toEqual([])
})

it('is veiled once the sportsbook that it is measured against is for the owner alone', () => {
  const { first, now, status } = foundEarlier()
  status({ sportsbook: 'unibet_uk', audience: 'owner', since: baseTime + 1 })
  expect(now()[0]!.figures).not.toEqual(first.figures)
})
