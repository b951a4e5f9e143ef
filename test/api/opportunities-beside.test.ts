/** Opportunities beside another, as they come and go: on its line, or with one of its legs. */

import { expect, it } from 'vitest'
import { worthOfLegs, worthOnLine } from '../../api/opportunities/beside.ts'
import { away, createOpportunityMarket, home, spread } from './opportunity-market.ts'
import { baseTime } from './small-board.ts'

it('an arbitrage on the line of a +EV, from when it comes until it goes', () => {
  const { price, opportunity, momentAt } = createOpportunityMarket()
  const reference = [price(home('pinnacle', 1.95)), price(away('pinnacle', 1.95))]
  const value = opportunity('e1', 'ev', [price(home('draftkings', 2.2))], reference)
  const beside = () => worthOnLine('arbitrage', value.item(), momentAt(baseTime))
  expect(beside()).toBeNull()
  opportunity('a1', 'arbitrage', [
    price(spread(home('betmgm', 2.4), -3.5)),
    price(spread(away('caesars', 2.4), 3.5)),
  ])
  expect(beside()).toBeNull()
  const legs = [price(home('betmgm', 2.1)), price(away('fanduel', 2.1))]
  const arbitrage = opportunity('a2', 'arbitrage', legs)
  const first = beside()
  expect(first).toBeGreaterThan(0.04)
  price(away('fanduel', 2.2))
  expect(beside()).toBeGreaterThan(first!)
  price({ ...away('fanduel', 2.2), isActive: false })
  expect(beside()).toBeNull()
  price(away('fanduel', 2.1))
  expect(beside()).toBe(first)
  arbitrage.ends()
  expect(beside()).toBeNull()
})

it('an arbitrage whose prices are in play is on the line only once they are not', () => {
  const { price, opportunity, momentAt } = createOpportunityMarket()
  const reference = [price(home('pinnacle', 1.95)), price(away('pinnacle', 1.95))]
  const value = opportunity('e1', 'ev', [price(home('draftkings', 2.2))], reference)
  const offers = [home('betmgm', 2.1), away('fanduel', 2.1)]
  const legs = offers.map((of) => price({ ...of, isLive: true }))
  opportunity('a1', 'arbitrage', legs)
  const beside = () => worthOnLine('arbitrage', value.item(), momentAt(baseTime))
  expect(beside()).toBeNull()
  for (const of of offers) price(of)
  expect(beside()).toBeGreaterThan(0)
})

it('a +EV with a leg of an arbitrage, from when it comes until it goes', () => {
  const { price, opportunity, momentAt } = createOpportunityMarket()
  const reference = [price(home('pinnacle', 1.95)), price(away('pinnacle', 1.95))]
  const best = price(home('draftkings', 2.2))
  const arbitrage = opportunity('a1', 'arbitrage', [best, price(away('fanduel', 2.1))])
  const beside = () => worthOfLegs('ev', arbitrage.item(), momentAt(baseTime))
  expect(beside()).toBeNull()
  opportunity('e1', 'ev', [price(home('betmgm', 2.3))], reference)
  expect(beside()).toBeNull()
  const value = opportunity('e2', 'ev', [best], reference)
  expect(beside()).toBeCloseTo(0.1)
  price(home('draftkings', 2.3))
  expect(beside()).toBeCloseTo(0.15)
  value.ends()
  expect(beside()).toBeNull()
})
