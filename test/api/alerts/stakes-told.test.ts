/** Stakes in explanations and in messages of alerts: those of the account's profile unless they are stated. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MessageOf } from '../../../schemas/http/alerts.ts'
import { knicks, moneyline, push } from '../hand-made-market.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'
import { openReceiver, type Receiver } from './receiver.ts'

let service: SimulatedService
let receiver: Receiver
let key: string
beforeAll(async () => {
  service = await startSimulated(null)
  receiver = await openReceiver()
  // Pinnacle gives both sides one half. At fair odds of 2, 2.1 is an edge of 5 %; with 2.08 it is an arbitrage.
  push(service, knicks, {
    pinnacle: [moneyline(1.91, 1.91)],
    draftkings: [moneyline(2.1, 1.75)],
    fanduel: [moneyline(1.75, 2.08)],
  })
  service.step(1_000)
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})
beforeEach(async () => {
  key = await service.key('sharp')
})

const json = { 'Content-Type': 'application/json' }

async function setProfile(profile: object) {
  const body = JSON.stringify(profile)
  const { status, text } = await service.request('PATCH', '/account/profile', key, json, body)
  expect([status, text]).toEqual([200, text])
}

/** Kelly's rule for a bet with two outcomes, from its definition: b is what a stake of 1 gains. */
function kelly(price: number, fair: number): number {
  const b = price - 1
  return (fair * b - (1 - fair)) / b
}

const down = (value: number, unit: number) => Math.floor(value / unit + 1e-9) * unit

async function idOf(kind: string, sportsbook: string): Promise<string> {
  const { body } = await service.get(`/opportunities/${kind}&sportsbook=${sportsbook}`, key)
  return body.data[0].id
}

const explainedStakes = async (id: string, query = '') =>
  (await service.get(`/opportunities/${id}/explain${query}`, key)).body.data.stakes

/** Returns the first message of a new alert on +EV at DraftKings, or on another kind. */
async function told(rule: object): Promise<MessageOf<'alert.opportunity'>['data']> {
  const path = `/${Math.random()}`
  const { status, text } = await service.post('/account/alerts', key, {
    ...{ name: 'Knicks', kind: 'ev', filters: { min_ev: 1, sportsbook: 'draftkings' } },
    target: { type: 'webhook', url: receiver.url + path },
    ...rule,
  })
  expect([status, text]).toEqual([201, text])
  await expect.poll(() => receiver.at(path).length).toBe(1)
  return receiver.at(path)[0]!.body.data
}

const profile = { bankroll: 2_000, kelly: 0.25, stake_unit: 5, currency: 'EUR' }

it('tell the whole Kelly stake of a bankroll of 100 to an account without a profile', async () => {
  const stake = down(100 * kelly(2.1, 0.5), 0.01)
  expect(stake).toBeCloseTo(4.54, 10)
  const explained = await explainedStakes(await idOf('ev?min_ev=1', 'draftkings'))
  expect(explained).toMatchObject({ asked: 100, unit: 0.01, kelly_part: 1, currency: null })
  expect(explained.total).toBeCloseTo(stake, 10)
  const { legs, stake_total, currency } = await told({})
  expect([legs.map((leg) => leg.stake), stake_total, currency]).toEqual([[stake], stake, null])
})

it('tell a part of the bankroll of the profile, in its unit and currency', async () => {
  const id = await idOf('ev?min_ev=1', 'draftkings')
  expect((await explainedStakes(id)).asked).toBe(100)
  await setProfile(profile)
  // A quarter of 4.54 % of 2,000 is 22.73.
  const stake = down(0.25 * 2_000 * kelly(2.1, 0.5), 5)
  expect(stake).toBe(20)
  expect(await explainedStakes(id)).toMatchObject({
    ...{ asked: 2_000, unit: 5, kelly_part: 0.25, currency: 'EUR', total: stake },
    legs: [{ sportsbook: 'draftkings', stake, profit: 22 }],
    ...{ worst_profit: -20, expected_profit: 1 },
  })
  expect(await explainedStakes(id, '?books=draftkings,fanduel')).toMatchObject({ total: stake })
  expect(await told({})).toMatchObject({
    ...{ stake_total: stake, worst_profit: -20, currency: 'EUR', legs: [{ stake }] },
  })
})

it('prefer what the request or the alert states, each figure by itself', async () => {
  await setProfile(profile)
  const id = await idOf('ev?min_ev=1', 'draftkings')
  const half = down(0.5 * 2_000 * kelly(2.1, 0.5), 5)
  expect(half).toBe(45)
  expect(await explainedStakes(id, '?kelly=0.5')).toMatchObject({ total: half, unit: 5 })
  const ofMore = down(0.25 * 5_000 * kelly(2.1, 0.5), 1)
  expect(ofMore).toBe(56)
  expect(await explainedStakes(id, '?total=5000&unit=1')).toMatchObject({ total: ofMore })
  expect(await told({ stakes: { total: 5_000, unit: 1 } })).toMatchObject({ stake_total: ofMore })
  expect(await told({ stakes: { kelly: 0.5 } })).toMatchObject({ stake_total: half })
})

it('stay within the highest stake of the sportsbook, also where it is not used now', async () => {
  const sportsbooks = [{ sportsbook: 'draftkings', max_stake: 13, status: 'paused' }]
  await setProfile({ ...profile, sportsbooks })
  const id = await idOf('ev?min_ev=1', 'draftkings')
  expect(await explainedStakes(id)).toMatchObject({
    total: 10,
    limited_by: 'draftkings',
    legs: [{ max_bet: 13, stake: 10 }],
  })
  expect(await told({})).toMatchObject({ stake_total: 10 })
})

it('are left out with the reason where the unit leaves nothing', async () => {
  // A quarter of 4.54 % of 400 is 4.54.
  await setProfile({ ...profile, bankroll: 400 })
  const none = { legs: [{ stake: null }], stake_total: null, worst_profit: null, stake_unit: 5 }
  expect(await told({})).toMatchObject({ ...none, stake_missing: 'below_unit' })
  await setProfile({ ...profile, sportsbooks: [{ sportsbook: 'draftkings', max_stake: 4 }] })
  expect(await told({})).toMatchObject({ ...none, stake_missing: 'limit_below_unit' })
  expect(await told({ stakes: { unit: 1 } })).toMatchObject({ stake_total: 4, stake_missing: null })
})

it('share the bankroll of the profile between the legs of an arbitrage', async () => {
  await setProfile(profile)
  // Equal returns of 2,000: 2.1 and 2.08 get 995.2 and 1,004.8. Of the multiples of 5 near them, with 995 and 1,005
  // at most 2,000, these return most in the worst case.
  const share = 1 / 2.1 / (1 / 2.1 + 1 / 2.08)
  const whole = [995, 1_000, 1_005]
  const pairs = whole.flatMap((one) => whole.map((other) => [one, other] as const))
  const within = pairs.filter(([one, other]) => one + other <= 2_000)
  const worst = ([one, other]: readonly [number, number]) =>
    Math.min(one * 2.1, other * 2.08) / (one + other)
  const [best] = within.sort((a, b) => worst(b) - worst(a))
  expect([best![0] / 5, 2_000 * share]).toEqual([199, expect.closeTo(995.2, 1)])
  const stakes = [...best!]
  const { legs, total } = await explainedStakes(await idOf('arbitrage?min_profit=1', 'fanduel'))
  expect([legs.map(({ stake }: { stake: number }) => stake), total]).toEqual([stakes, 2_000])
  const message = await told({ kind: 'arbitrage', filters: { min_profit: 1 } })
  expect(message.legs.map(({ stake }) => stake)).toEqual(stakes)
})

it('belong to one account, though another asks alike at the same time', async () => {
  const id = await idOf('ev?min_ev=1', 'draftkings')
  const other = await service.key('sharp')
  await setProfile(profile)
  for (let time = 0; time < 3; time++) {
    expect((await explainedStakes(id)).total).toBe(20)
    const { body } = await service.get(`/opportunities/${id}/explain`, other)
    expect(body.data.stakes.asked).toBe(100)
  }
  await setProfile({ bankroll: 4_000 })
  expect((await explainedStakes(id)).total).toBe(45)
})

it('stand beside prices in the odds format of the profile', async () => {
  const filters = { market: 'moneyline', min_odds: 105, sportsbook: 'draftkings' }
  const rule = { type: 'price', kind: undefined, filters }
  expect((await told(rule)).title).toMatch(/^New York Knicks at \+110: /)
  await setProfile({ price_format: 'fractional' })
  expect((await told(rule)).title).toMatch(/^New York Knicks at 11\/10: /)
})
