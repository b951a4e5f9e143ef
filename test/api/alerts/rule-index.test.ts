/** The index of rules, held against a test of each rule, and what it costs to make. */

import { expect, it } from 'vitest'
import { createOfferIndex, type NamedOffers } from '../../../api/alerts/offers.ts'
import { createRuleIndex, type Named } from '../../../api/alerts/rule-index.ts'
import { createRandom } from '../../../pipeline/feeds/simulator/random.ts'
import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import { testSeed } from '../../seed.ts'

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name}_${i}`)

it('finds the rules that name a league, a market type and a sportsbook, or all', () => {
  const random = createRandom(testSeed)
  const [leagues, marketTypes, sportsbooks] = ['l', 'm', 's'].map((name) => numbered(name, 15))
  const some = (names: readonly string[] = []) =>
    random.between(0, 1) < 0.3 ? undefined : names.filter(() => random.between(0, 1) < 0.5)
  const rules: Named[] = Array.from({ length: 60 }, () => ({
    ...{ leagues: some(leagues), marketTypes: some(marketTypes), sportsbooks: some(sportsbooks) },
  }))
  const index = createRuleIndex(rules, (rule) => rule)
  const isOf = (names: readonly string[] | undefined, name: string) => names?.includes(name) ?? true
  for (const league of ['', ...leagues!]) {
    for (const marketType of ['', ...marketTypes!]) {
      for (const sportsbook of ['', ...sportsbooks!]) {
        const expected = rules.filter(
          (rule) =>
            isOf(rule.leagues, league) &&
            isOf(rule.marketTypes, marketType) &&
            isOf(rule.sportsbooks, sportsbook),
        )
        // Twice: the second answer is a kept one.
        for (let i = 0; i < 2; i++) {
          expect(index.of(league, marketType, sportsbook)).toEqual(expected)
        }
      }
    }
  }
})

/** Lists whose reads are counted. */
function countedLists() {
  let reads = 0
  const counted = (names: readonly string[]) =>
    new Proxy(names, {
      get(list, name, receiver) {
        if (typeof name === 'string' && name !== 'length') reads++
        return Reflect.get(list, name, receiver)
      },
    })
  return { counted, reads: () => reads }
}

it('is made by one look at each name, not at each combination', () => {
  const { counted, reads } = countedLists()
  const rule = {
    leagues: counted(numbered('league', 285)),
    marketTypes: counted(numbered('market', 300)),
    sportsbooks: counted(numbered('book', 12)),
  }
  const index = createRuleIndex([rule], (one) => one)
  expect(index.of('league_284', 'market_299', 'book_11')).toEqual([rule])
  expect(reads()).toBe(285 + 300 + 12)
})

it('keeps the same list for all combinations that leave the same rules', () => {
  const rules = [{ sportsbooks: ['book_1'] }, { sportsbooks: ['book_2'] }, {}]
  const index = createRuleIndex<Named>(rules, (rule) => rule)
  const lists = new Set<readonly Named[]>()
  for (const league of numbered('league', 20)) {
    for (const marketType of numbered('market', 20)) {
      for (const book of ['book_1', 'book_2']) lists.add(index.of(league, marketType, book))
    }
  }
  expect([...lists]).toEqual([
    [rules[0], {}],
    [rules[1], {}],
  ])
})

it('is made again where rules, their prices or market types change, not where they are said again', () => {
  const types = ['moneyline']
  const board = { marketTypes: () => types } as unknown as BoardView
  const offers = (): NamedOffers => ({ key: '' }) as NamedOffers
  const rules = [{ offers: offers() }, { offers: offers() }]
  const index = createOfferIndex<{ offers: NamedOffers }>(board, (rule) => rule.offers)
  const made = new Set<unknown>()
  const again = () => {
    index.set([...rules])
    made.add(index.now())
    return made.size
  }
  expect([again(), again()]).toEqual([1, 1])
  rules[0]!.offers = offers()
  expect([again(), again()]).toEqual([2, 2])
  rules.pop()
  expect([again(), again()]).toEqual([3, 3])
  types.push('spread')
  expect([again(), again()]).toEqual([4, 4])
})
