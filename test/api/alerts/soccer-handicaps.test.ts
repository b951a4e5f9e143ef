/** Alerts on handicaps of soccer in play, whose prices are not compared across sportsbooks. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createScopes } from '../../../api/access/scope.ts'
import { tierRights } from '../../../api/access/tiers.ts'
import { createDecisions } from '../../../api/alerts/decisions.ts'
import { compileAlert } from '../../../api/alerts/rule-types.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import type { AlertRow } from '../../../schemas/alert.ts'
import { emptyProfile } from '../../../schemas/profile.ts'
import { inHours, leeds, push, spread } from '../hand-made-market.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'

let service: SimulatedService
beforeEach(async () => {
  service = await startSimulated(null)
})
afterEach(() => service.close())

const rules = [
  ['price', 'price', 'market=point_spread&selection=home&min_odds=130'],
  ['steam', 'move', 'min_books=2&seconds=60&min_move=1'],
  ['drop', 'move', 'min_drop=5&seconds=60'],
  ['best', 'move', 'min_drop=5&seconds=60&of=best'],
] as const

/** Two sportsbooks price home, and lower it. @returns the rules that were told, by price */
function told(isLive: boolean): string[][] {
  const { boards, clock } = service
  const decisions = createDecisions({
    ...{ boards, chain: sharpChain('pinnacle'), clock, timer: () => 0, profileOf: emptyProfile },
  })
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner: false })
  const rights = { scope, scopeAmong: () => scope, features: tierRights.sharp.features }
  decisions.setAlerts(
    rules.map(([id, type, query]) => {
      const alert = {
        ...{ id, type, accountId: 'acct_1', revision: '1', name: id, query },
        ...{ createdAt: 0, updatedAt: 0, improvement: 1, perHour: 60, quiet: null },
        ...{ isPaused: false, pauseReason: null },
        target: { type: 'browser', url: 'browser:', secret: null, chatId: null },
      } as AlertRow
      return { alert, compiled: compileAlert(alert, rights) }
    }),
    () => true,
  )
  const game = { ...leeds, startsAt: inHours(isLive ? 0 : 1), isLive }
  const all = [2.5, 2.2].map((home) => {
    const markets = [spread(-0.5, home, home / (home - 1) - 0.05)]
    push(service, game, { draftkings: markets, fanduel: markets })
    service.wait(10_000)
    return [...new Set([...decisions.decide()].map(({ alert }) => alert.id))].sort()
  })
  decisions.close()
  return all
}

it('tell of all moves and prices before the start', () => {
  expect(told(false)).toEqual([['price'], ['best', 'drop', 'steam']])
})

it('tell in play of what a sportsbook’s own price does, and of no best price', () => {
  expect(told(true)).toEqual([[], ['drop', 'steam']])
})
