/** What an alert on opportunities remembers of the messages of an earlier process, perhaps of an earlier build. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createScopes } from '../../../api/access/scope.ts'
import { tierRights } from '../../../api/access/tiers.ts'
import { createDecisions } from '../../../api/alerts/decisions.ts'
import { compileAlert } from '../../../api/alerts/rule-types.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import type { AlertDeliveryRow, AlertRow } from '../../../schemas/alert.ts'
import { emptyProfile } from '../../../schemas/profile.ts'
import { knicks, moneyline, push } from '../hand-made-market.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'

let service: SimulatedService
beforeEach(async () => {
  service = await startSimulated(null)
  push(service, knicks, {
    pinnacle: [moneyline(1.91, 1.91)],
    draftkings: [moneyline(2.1, 1.75)],
    betmgm: [moneyline(1.75, 2.08)],
  })
  service.step(1_000)
})
afterEach(() => service.close())

const alertOf = (occasion: string) =>
  ({
    ...{ id: 'alert_1', type: 'opportunity', accountId: 'acct_1', revision: '1', name: 'Edges' },
    ...{
      createdAt: 0,
      updatedAt: 0,
      kind: 'arbitrage',
      query: 'min_profit=0',
      occasion,
      improvement: 1,
    },
    ...{ perHour: 60, quiet: null, isPaused: false, pauseReason: null },
    target: { type: 'browser', url: 'browser:', secret: null, chatId: null },
  }) as AlertRow

/** Returns the occasions that are told after messages of these, and without those that are forgotten. */
function toldAfter(alert: AlertRow, sent: readonly string[], forgotten: readonly string[] = []) {
  const { boards, clock } = service
  const decisions = createDecisions({
    ...{ boards, chain: sharpChain('pinnacle'), clock, timer: () => 0, profileOf: emptyProfile },
  })
  const rowOf = (occasion: string) =>
    ({
      ...{ id: occasion, alertId: alert.id, type: 'opportunity', occasion, worth: 1 },
      decidedAt: clock(),
    }) as AlertDeliveryRow
  for (const occasion of sent) decisions.remember(rowOf(occasion))
  for (const occasion of forgotten) decisions.forget(rowOf(occasion))
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner: false })
  const rights = { scope, scopeAmong: () => scope, features: tierRights.sharp.features }
  decisions.setAlerts([{ alert, compiled: compileAlert(alert, rights) }], () => true)
  const told = decisions.decide().map(({ finding }) => finding.occasion)
  decisions.close()
  return told
}

it.each(['event', 'market'])(
  'an edge that an earlier build told of is not told again: %s',
  (by) => {
    const alert = alertOf(by)
    const [occasion, ...others] = toldAfter(alert, [])
    expect([occasion!.split('|')[0], others]).toEqual(['arbitrage', []])
    expect(toldAfter(alert, [occasion!])).toEqual([])
    const old = occasion!.slice('arbitrage|'.length)
    expect(toldAfter(alert, [old])).toEqual([])
    expect(toldAfter(alert, [`x${old}`])).toEqual([occasion])
  },
)

it('a message that is deleted before its alert is known is forgotten', () => {
  const alert = alertOf('event')
  const [occasion] = toldAfter(alert, [])
  expect(toldAfter(alert, [occasion!, 'other'], ['other'])).toEqual([])
  expect(toldAfter(alert, [occasion!, 'other'], [occasion!])).toEqual([occasion])
})

it('a message names the sportsbooks of its bets and those that measure it', () => {
  const { boards, clock } = service
  const decisions = createDecisions({
    ...{ boards, chain: sharpChain('pinnacle'), clock, timer: () => 0, profileOf: emptyProfile },
  })
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner: false })
  const rights = { scope, scopeAmong: () => scope, features: tierRights.sharp.features }
  const arbitrage = alertOf('opportunity')
  const ev = { ...arbitrage, id: 'alert_2', kind: 'ev', query: 'min_ev=4.9' } as AlertRow
  const namedBy = (alert: AlertRow) => {
    decisions.setAlerts([{ alert, compiled: compileAlert(alert, rights) }], () => true)
    return decisions.decide().map(({ finding }) => [...finding.sportsbooks()].sort())
  }
  expect(namedBy(arbitrage)).toEqual([['betmgm', 'draftkings']])
  expect(namedBy(ev)).toEqual([['draftkings', 'pinnacle']])
  decisions.close()
})
