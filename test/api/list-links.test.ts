/** Links from lists of opportunities to the pages: the bet that is listed is what opens. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { kinds } from '../../api/web/client/data/kinds.ts'
import { pricesPathOf, readOpportunity } from '../../api/web/client/data/opportunity.ts'
import { knicks, moneyline, points, push, spread, teamTotal } from './hand-made-market.ts'
import { marketKinds, shownAt } from './shown-page.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

let service: SimulatedService
let key: string
beforeAll(async () => {
  service = await startSimulated(null)
  key = await service.key('sharp')
})
afterAll(() => service.close())

/** @param high price of bets on lines, teams and players that do not come first */
const prices = (low: number, high: number) => [
  moneyline(1.91, 1.91),
  spread(-3, 1.91, 1.91),
  spread(-1.5, low, high),
  teamTotal('home', 101.5, 1.91, 1.91),
  teamTotal('away', 99.5, high, low),
  points('Jalen Brunson', 27.5, 1.91, 1.91),
  points('Josh Hart', 11.5, high, low),
]

const celtics = { ...knicks, away: 'Boston Celtics' }

it.each([
  ['as it is', knicks, []],
  ['shown the other way round than its first sportsbook lists it', celtics, ['hardrock']],
])('open the question and the line of the first bet, of a game %s', async (_, game, first) => {
  const swapped = { ...game, home: game.away, away: game.home }
  for (const book of first) push(service, swapped, { [book]: [spread(5.5, 1.9, 1.9)] })
  for (const book of ['pinnacle', 'fanduel', 'caesars'])
    push(service, game, { [book]: prices(1.85, 2) })
  push(service, game, { draftkings: prices(1.7, 2.22) })
  service.step(1_000)
  const known = await marketKinds(service, key)
  const seen = new Set<string>()
  for (const kind of kinds) {
    const { body } = await service.get(`/opportunities/${kind}?team=${game.away}&limit=200`, key)
    expect([kind, body.data]).not.toEqual([kind, []])
    for (const item of body.data) {
      const one = readOpportunity(kind, item)
      const { market, legs } = one
      const shown = await shownAt(service, key, pricesPathOf(one, known))
      expect(shown).toMatchObject({ market, prices: expect.arrayContaining([legs[0]!.price]) })
      const { body: explained } = await service.get(`/opportunities/${one.id}/explain`, key)
      const told = explained.data.quotes.filter(({ role }: { role: string }) => role === 'leg')
      expect(
        told.map((quote: Record<string, unknown>) => [quote.selection_type, quote.line]),
      ).toEqual(legs.map(({ selectionType, line }) => [selectionType, line]))
      const odds = await service.get(`/odds?event=${one.eventId}&limit=200`, key)
      for (const { sportsbook, selectionType, line, price } of legs) {
        expect(odds.body.data).toContainEqual(
          expect.objectContaining({
            ...{ sportsbook, market_type: market },
            ...{ selection_type: selectionType, line, odds_decimal: price },
          }),
        )
      }
      seen.add(market)
    }
  }
  expect([...seen].sort()).toEqual(['moneyline', 'player_points', 'point_spread', 'team_total'])
})
