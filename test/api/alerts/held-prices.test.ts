/** Alerts on prices that go and come back while the alert may send nothing, and over a restart. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createScopes } from '../../../api/access/scope.ts'
import { tierRights } from '../../../api/access/tiers.ts'
import { createDecisions } from '../../../api/alerts/decisions.ts'
import { compileAlert } from '../../../api/alerts/rule-types.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import type { AlertDeliveryRow, AlertRow } from '../../../schemas/alert.ts'
import { emptyProfile } from '../../../schemas/profile.ts'
import { inHours, knicks, moneyline, push } from '../hand-made-market.ts'
import { type SimulatedService, startAt, startSimulated } from '../simulated-service.ts'

let service: SimulatedService
beforeEach(async () => {
  service = await startSimulated(null)
})
afterEach(() => service.close())

const minuteMs = 60_000
const game = { ...knicks, startsAt: inHours(30) }
/** The market begins at 18:00 UTC. */
const quiet = { from: 18 * 60 + 10, to: 18 * 60 + 30, timeZone: 'UTC' }

const alertRow = (change: Partial<AlertRow>) =>
  ({
    ...{ id: 'alert_1', type: 'price', accountId: 'acct_1', revision: '1', name: 'Knicks' },
    ...{ createdAt: 0, updatedAt: 0, query: 'market=moneyline&min_odds=200', improvement: 0.01 },
    ...{ perHour: 60, quiet: null, isPaused: false, pauseReason: null },
    target: { type: 'browser', url: 'browser:', secret: null, chatId: null },
    ...change,
  }) as AlertRow

function decisionsOn(alert: AlertRow, sent: readonly AlertDeliveryRow[] = []) {
  const { boards, clock } = service
  const decisions = createDecisions({
    ...{ boards, chain: sharpChain('pinnacle'), clock, timer: () => 0, profileOf: emptyProfile },
  })
  for (const row of sent) decisions.remember(row)
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner: false })
  const rights = { scope, scopeAmong: () => scope, features: tierRights.sharp.features }
  decisions.setAlerts([{ alert, compiled: compileAlert(alert, rights) }], () => true)
  return decisions
}

it('a price is known to have gone while its alert may send nothing, and is told again afterwards', () => {
  const { boards } = service
  const alert = alertRow({})
  const offer = (price: number) =>
    push(service, game, { draftkings: [moneyline(price, price > 3 ? 1.4 : 1.6)] })
  offer(3.1)
  const decisions = decisionsOn(alert)
  const [first] = decisions.decide()
  const { occasion } = first!.finding
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner: false })
  const rights = { scope, scopeAmong: () => scope, features: tierRights.sharp.features }
  const compiled = compileAlert(alert, rights)
  const set = (isSilent: boolean) =>
    decisions.setAlerts([{ alert, compiled, isSilent }], () => true)
  const isGone = () => decisions.isGone({ alertId: alert.id, occasion, opportunityId: null })
  const minute = () => {
    service.wait(minuteMs)
    return decisions.decide().length
  }
  set(true)
  expect([minute(), isGone()]).toEqual([0, false])
  offer(2.5)
  expect([minute(), minute(), isGone()]).toEqual([0, 0, true])
  offer(3.1)
  expect([minute(), isGone()]).toEqual([0, true])
  set(false)
  expect(decisions.decide()).toHaveLength(1)
  decisions.close()
})

const minutesNow = () => (service.clock() - startAt) / minuteMs

/**
 * Gives the wanted price each minute, but for these minutes, when it is too low.
 * @returns the minutes at which it was told
 */
function toldAt(alert: AlertRow, { minutes, isGone }: Course): number[] {
  const decisions = decisionsOn(alert)
  const told: number[] = []
  for (let minute = 0; minute < minutes; minute++) {
    push(service, game, {
      draftkings: [isGone(minute) ? moneyline(2.5, 1.6) : moneyline(3.1, 1.4)],
    })
    for (const _ of decisions.decide()) told.push(minutesNow())
    service.wait(minuteMs)
  }
  decisions.close()
  return told
}

interface Course {
  readonly minutes: number
  readonly isGone: (minute: number) => boolean
}

it('a price that went and came back in quiet hours is told at their end', () => {
  const isGone = (minute: number) => minute >= 12 && minute < 16
  expect(toldAt(alertRow({ quiet }), { minutes: 40, isGone })).toEqual([0, 30])
})

it('a price that was away for a single look in quiet hours is told no more', () => {
  const isGone = (minute: number) => minute === 12
  expect(toldAt(alertRow({ quiet }), { minutes: 40, isGone })).toEqual([0])
})

it('a price that went and came back while the hour was used up is told when there is room', () => {
  const isGone = (minute: number) => minute >= 12 && minute < 16
  expect(toldAt(alertRow({ perHour: 1 }), { minutes: 70, isGone })).toEqual([0, 60])
})

it('a price that is known to have gone is told again by the next process', () => {
  const alert = alertRow({})
  push(service, game, { draftkings: [moneyline(3.1, 1.4)] })
  const before = decisionsOn(alert)
  const [first] = before.decide()
  before.close()
  const { occasion, worth } = first!.finding
  const row = { alertId: alert.id, type: 'price', occasion, worth, decidedAt: service.clock() }
  const toldAgain = (goneAt: number | null) => {
    const decisions = decisionsOn(alert, [{ ...row, goneAt } as AlertDeliveryRow])
    const count = decisions.decide().length
    decisions.close()
    return count
  }
  expect([toldAgain(null), toldAgain(service.clock())]).toEqual([0, 1])
})
