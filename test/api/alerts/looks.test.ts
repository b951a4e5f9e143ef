/** Full looks of alerts on prices: in pieces, in turn, and where more changed than the journal holds. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createScopes } from '../../../api/access/scope.ts'
import { tierRights } from '../../../api/access/tiers.ts'
import { createDecisions } from '../../../api/alerts/decisions.ts'
import { compileAlert } from '../../../api/alerts/rule-types.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import type { AlertRow } from '../../../schemas/alert.ts'
import { emptyProfile } from '../../../schemas/profile.ts'
import { inHours, knicks, moneyline, packers, points, push } from '../hand-made-market.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'

let service: SimulatedService
beforeEach(async () => {
  service = await startSimulated(null)
})
afterEach(() => service.close())

const gameAt = (hours: number) => ({ ...knicks, startsAt: inHours(hours) })
const days = Array.from({ length: 9 }, (_, day) => 24 * (day + 1))

/** The timer goes on by 2 ms at each reading, so there is room for three pieces in each call. */
function decisionsOn(rules: Readonly<Record<string, string>>) {
  const { boards, clock } = service
  let readings = 0
  const timer = () => 2 * readings++
  const decisions = createDecisions({
    ...{ boards, chain: sharpChain('pinnacle'), clock, timer, profileOf: emptyProfile },
  })
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner: false })
  const rights = { scope, scopeAmong: () => scope, features: tierRights.sharp.features }
  const alerts = Object.entries(rules).map(([id, query]) => {
    const alert = {
      ...{ id, type: 'price', accountId: 'acct_1', revision: '1', name: id, query },
      ...{ createdAt: 0, updatedAt: 0, improvement: 0.01, perHour: 60, quiet: null },
      ...{ isPaused: false, pauseReason: null },
      target: { type: 'browser', url: 'browser:', secret: null, chatId: null },
    } as AlertRow
    return { alert, compiled: compileAlert(alert, rights) }
  })
  decisions.setAlerts(alerts, () => true)
  return decisions
}

type Decisions = ReturnType<typeof decisionsOn>

const told = (decisions: Decisions) =>
  decisions
    .decide()
    .map(({ alert, finding }) => `${alert.id} ${Number((-1 / finding.worth).toFixed(3))}`)

it('a look at everything is made in pieces, between which the others have their turn', () => {
  for (const [i, hours] of days.entries()) {
    push(service, gameAt(hours), { draftkings: [moneyline(2.1 + i / 10, 1.4)] })
  }
  push(service, packers, { draftkings: [moneyline(2, 1.9)] })
  const decisions = decisionsOn({
    all: 'market=moneyline&min_odds=-1000000000',
    few: 'market=moneyline&league=nfl&min_odds=100',
  })
  const calls = Array.from({ length: 8 }, () => told(decisions))
  decisions.close()
  const first = (id: string) => calls.findIndex((some) => some.some((one) => one.startsWith(id)))
  expect([first('few'), first('all')]).toEqual([1, 4])
  expect(calls[1]).toEqual(['few 2'])
  const best = days.map((_, i) => `all ${(2.9 - i / 10).toFixed(1)}`)
  expect(calls[4]).toEqual([...best, 'all 2', 'all 1.9', ...days.map(() => 'all 1.4')])
  expect(calls.flat()).toHaveLength(calls[1]!.length + calls[4]!.length)
})

it('of very many offers the best are told', () => {
  // Better ones come later, and a second sportsbook has each outcome too.
  const players = Array.from({ length: 1_300 }, (_, i) => 1.5 + i / 1_000)
  const markets = (less: number) =>
    players.map((price, i) =>
      points(`Player ${String(i).padStart(4, '0')}`, 9.5, price - less, 1.2),
    )
  push(service, gameAt(24), { draftkings: markets(0), fanduel: markets(0.01) })
  const decisions = decisionsOn({ all: 'market=props&min_odds=-1000000000' })
  const calls = [...told(decisions), ...told(decisions)]
  decisions.close()
  const best = players.map((price) => `all ${Number(price.toFixed(3))}`).reverse()
  expect(calls).toEqual(best.slice(0, 60))
})

it('what changes while a look lasts is told once, as it is then', () => {
  for (const hours of days) push(service, gameAt(hours), { draftkings: [moneyline(2.5, 1.4)] })
  const decisions = decisionsOn({ all: 'market=moneyline&min_odds=150' })
  const before = told(decisions)
  // An event of the first piece, and one that comes last.
  push(service, gameAt(days[0]!), { draftkings: [moneyline(2.3, 1.5)] })
  push(service, gameAt(days.at(-1)!), { draftkings: [moneyline(2.9, 1.3)] })
  const after = Array.from({ length: 6 }, () => told(decisions)).flat()
  decisions.close()
  expect(before).toEqual([])
  expect(after.sort()).toEqual([...days.slice(2).map(() => 'all 2.5'), 'all 2.9'].sort())
})

it('after more changes than the journal holds, rules are looked at in turn', () => {
  push(service, gameAt(24), { draftkings: [moneyline(2.5, 1.4)] })
  push(service, gameAt(48), { draftkings: [moneyline(2.5, 1.4)] })
  const rules = Object.fromEntries(
    ['a', 'b', 'c'].map((id) => [id, 'market=moneyline&min_odds=200']),
  )
  const decisions = decisionsOn(rules)
  for (let i = 0; i < 6; i++) expect(told(decisions)).toEqual([])
  push(service, gameAt(24), { draftkings: [moneyline(3.1, 1.3)] })
  const { live } = service.boards
  live.journal.clear(live.watermark)
  const calls = Array.from({ length: 6 }, () => told(decisions))
  decisions.close()
  expect(calls.flat().sort()).toEqual(['a 3.1', 'b 3.1', 'c 3.1'])
  expect(calls.filter((some) => some.length > 1)).toEqual([])
})
