/** Texts of opportunities that are kept, while the sportsbooks on their lines come and go. */

import { expect, it } from 'vitest'
import { kindOf } from '../../api/opportunities/all-kinds.ts'
import { itemText, shownAnew } from '../../api/opportunities/item-texts.ts'
import type { OpportunityKind } from '../../schemas/opportunity.ts'
import { away, createOpportunityMarket, home } from './opportunity-market.ts'
import { baseTime } from './small-board.ts'

const minute = 60_000

/** A kind whose items show how many sportsbooks quote the line, among four. */
function shownOf(kind: OpportunityKind) {
  const market = createOpportunityMarket()
  const { price, opportunity, momentAt } = market
  const reference = [price(home('pinnacle', 1.95)), price(away('pinnacle', 1.95))]
  const legs = [price(home('draftkings', 2.05)), price(away('fanduel', 1.93))]
  for (const of of [home('betmgm', 1.9), away('betmgm', 1.9), away('caesars', 1.8)]) price(of)
  for (const of of [home('draftkings', 2.05), home('caesars', 1.85)]) price(of)
  const one =
    kind === 'ev'
      ? opportunity('e1', 'ev', legs.slice(0, 1), reference)
      : opportunity('a1', kind, legs)
  return {
    ...market,
    /** Returns the kept text, which has to be as one made anew. */
    shown(now = baseTime) {
      const moment = momentAt(now)
      const seen = kindOf(kind).at(moment)
      const item = one.item()
      const text = JSON.parse(itemText(item, seen, moment))
      expect(text).toEqual(JSON.parse(JSON.stringify(shownAnew(item, seen))))
      return text
    },
  }
}

const kinds = ['ev', 'low_hold'] as const

it.each(kinds)('%s: a price of the line is withheld and released', (kind) => {
  const { shown, judge } = shownOf(kind)
  const { confidence } = shown()
  const some = [home('betmgm', 1.9), away('betmgm', 1.9)]
  for (const of of some) judge(of, 'far_from_consensus')
  expect(shown().confidence).toBeLessThan(confidence)
  for (const of of some) judge(of, null)
  expect(shown().confidence).toBe(confidence)
})

it.each(kinds)('%s: a sportsbook on the line is down and up again', (kind) => {
  const { shown, status } = shownOf(kind)
  const { confidence } = shown()
  status({ sportsbook: 'betmgm', status: 'down', since: baseTime + 1 })
  expect(shown().confidence).toBeLessThan(confidence)
  status({ sportsbook: 'betmgm', since: baseTime + 2 })
  expect(shown().confidence).toBe(confidence)
})

it.each(kinds)('%s: prices of the line grow too old, and are seen again', (kind) => {
  const { shown, price } = shownOf(kind)
  for (const of of [home('pinnacle', 1.95), home('draftkings', 2.05), away('fanduel', 1.93)]) {
    price(of, baseTime + 4 * minute)
  }
  const { confidence } = shown(baseTime + 4 * minute)
  const later = baseTime + 5 * minute + 1
  expect(shown(later).confidence).toBeLessThan(confidence)
  for (const of of [home('betmgm', 1.9), home('caesars', 1.85)]) price(of, later)
  shown(later)
})

it.each(kinds)('%s: a sportsbook comes to the line, moves on it, and is suspended', (kind) => {
  const { shown, price } = shownOf(kind)
  const { confidence } = shown()
  price(home('bet365', 1.8))
  const withMore = shown().confidence
  expect(withMore).toBeGreaterThan(confidence)
  price(home('bet365', 2.05))
  expect(shown().confidence).toBe(withMore)
  price({ ...home('bet365', 2.05), isActive: false })
  expect(shown().confidence).toBe(confidence)
})
