/** Alerts of accounts whose tier has no alerts any more, or fewer, and of those without a key. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createScopes } from '../../../api/access/scope.ts'
import { tierRights } from '../../../api/access/tiers.ts'
import { createDecisions } from '../../../api/alerts/decisions.ts'
import { typeOfRule } from '../../../api/alerts/rule-types.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import type { AlertDeliveryRow, AlertRow, RuleType } from '../../../schemas/alert.ts'
import { emptyProfile } from '../../../schemas/profile.ts'
import type { Tier } from '../../../schemas/reference/tier-books.ts'
import { knicks, moneyline, packers, push } from '../hand-made-market.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'
import { openReceiver } from './receiver.ts'

let service: SimulatedService
beforeAll(async () => {
  service = await startSimulated(null)
  push(service, knicks, { draftkings: [moneyline(1.5, 2.6)], fanduel: [moneyline(1.5, 2.6)] })
})
afterAll(() => service.close())

const path = '/account/alerts'
const rules = {
  price: { type: 'price', filters: { market: 'moneyline', min_odds: 200 } },
  drop: { type: 'move', filters: { market: 'moneyline', min_drop: 5 } },
  steam: { type: 'move', filters: { market: 'moneyline', min_books: 2 } },
  source: { type: 'source', filters: {} },
}

async function openAccount(tier: Tier) {
  const { value: key, account } = await service.accounts.create({
    ...{ name: 'x', tier, addOns: [], expiresAt: null },
  })
  return { key, changeTo: (tier: Tier) => service.accounts.change(account.id, { tier }) }
}

const post = (key: string, rule: object) =>
  service.post(path, key, { name: 'x', target: { type: 'browser' }, ...rule })

async function create(key: string, rule: object): Promise<string> {
  // Each is newer than those before.
  service.wait(1)
  const { status, text, body } = await post(key, rule)
  expect([status, text]).toEqual([201, expect.stringContaining('alert_')])
  return body.data.id
}

const told = async (key: string, id: string) =>
  (await service.get(`${path}/${id}/deliveries`, key)).body.data.length

/** Waits until all alerts, accounts and prices of now are decided: a price is told that an alert made after them wants. */
async function untilDecided() {
  const { key } = await openAccount('sharp')
  const id = await create(key, {
    type: 'price',
    filters: { market: 'moneyline', min_odds: -1000 },
  })
  await expect.poll(() => told(key, id)).toBeGreaterThan(0)
}

/** A game that no other case has pushed. */
const newcomer = (name: string) => ({
  ...packers,
  home: `Home of ${name}`,
  away: `Away of ${name}`,
})

interface Shown {
  readonly id: string
  readonly state: string
  readonly reason: string | null
}

const list = async (key: string): Promise<Shown[]> =>
  (await service.get(`${path}?limit=100`, key)).body.data

it('a tier without alerts has none of any type, and an account lowered to it has its alerts blocked', async () => {
  const free = await openAccount('free')
  for (const rule of Object.values(rules)) {
    const { status, body } = await post(free.key, rule)
    expect([status, body.code]).toEqual([403, 'tier_restricted'])
  }

  const lowered = await openAccount('sharp')
  for (const rule of Object.values(rules)) await create(lowered.key, rule)
  await lowered.changeTo('free')
  await untilDecided()
  // The delayed board does not have these prices yet.
  push(service, packers, { draftkings: [moneyline(3.2, 1.4)], fanduel: [moneyline(3.2, 1.4)] })
  await untilDecided()
  const shown = await list(lowered.key)
  expect(shown.map(({ state }) => state)).toEqual(Array(4).fill('blocked'))
  expect(new Set(shown.map(({ reason }) => reason))).toEqual(
    new Set(['The free tier does not include alerts: hobby, pro, sharp, and enterprise do.']),
  )
  for (const { id } of shown) expect(await told(lowered.key, id)).toBe(0)
})

it('an account lowered to a tier with fewer alerts keeps the oldest', async () => {
  const { key, changeTo } = await openAccount('sharp')
  const ids: string[] = []
  const most = tierRights.hobby.alerts
  const none = { type: 'price', filters: { market: 'moneyline', min_odds: 200, league: 'nhl' } }
  for (let count = 1; count < most; count++) ids.push(await create(key, none))
  ids.push(await create(key, rules.price), await create(key, rules.price))
  await changeTo('hobby')
  await untilDecided()
  push(service, packers, { draftkings: [moneyline(4.2, 1.3)] })
  await untilDecided()
  const states = async () => (await list(key)).map(({ state }) => state)
  expect(await states()).toEqual([...Array(most).fill('active'), 'blocked'])
  const [kept, beyond] = ids.slice(-2) as [string, string]
  await expect.poll(() => told(key, kept)).toBeGreaterThan(0)
  const before = await told(key, beyond)
  const { reason } = (await list(key)).at(-1)!
  expect(reason).toBe(
    'The hobby tier includes 10 alerts, and the account has as many older ones; this one waits until one of them is deleted.',
  )

  push(service, packers, { draftkings: [moneyline(5.2, 1.2)] })
  await untilDecided()
  expect(await told(key, beyond)).toBe(before)
  await service.request('DELETE', `${path}/${ids[0]}`, key)
  expect(await states()).toEqual(Array(most).fill('active'))
  await expect.poll(() => told(key, beyond)).toBeGreaterThan(before)
})

it('a message that waits when the account is lowered is not sent, and is decided anew', async () => {
  const receiver = await openReceiver()
  try {
    receiver.answer((_, response) => response.writeHead(500).end())
    const { key, changeTo } = await openAccount('sharp')
    const league = { league: 'nfl' }
    const id = await create(key, {
      ...{ type: 'price', target: { type: 'webhook', url: receiver.url } },
      filters: { market: 'moneyline', min_odds: 200, ...league },
    })
    const game = newcomer('a lowered account')
    // Hobby accounts do not see Circa.
    push(service, game, { circa: [moneyline(9.5, 1.05)], draftkings: [moneyline(4.2, 1.3)] })
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    await changeTo('hobby')
    const accepted: string[] = []
    receiver.answer(({ text }, response) => {
      accepted.push(text)
      response.writeHead(204).end()
    })
    const deliveries = async () => (await service.get(`${path}/${id}/deliveries`, key)).body.data
    const stateOf = async (state: string) =>
      (await deliveries()).filter((one: { state: string }) => one.state === state).length
    await expect.poll(() => stateOf('pending')).toBe(0)
    await expect.poll(() => stateOf('delivered')).toBeGreaterThan(0)
    expect(accepted).not.toEqual([])
    for (const text of accepted) expect(text).not.toContain('circa')
    for (const one of await deliveries()) {
      expect(one.title ?? '').not.toContain('+850')
      if (one.state !== 'failed') continue
      expect(one).toMatchObject({ title: null, page: null, can_redeliver: false })
      const path = `/account/alerts/${id}/deliveries/${one.id}/redeliver`
      expect((await service.post(path, key, {})).body.code).toBe('validation_error')
    }
  } finally {
    await receiver.close()
  }
})

it('a message that waits when a sportsbook in it becomes the operator’s own is not sent', async () => {
  const receiver = await openReceiver()
  try {
    receiver.answer((_, response) => response.writeHead(500).end())
    const { key } = await openAccount('sharp')
    const id = await create(key, {
      ...{ type: 'price', target: { type: 'webhook', url: receiver.url } },
      filters: { market: 'moneyline', min_odds: 860, league: 'nfl' },
    })
    const game = newcomer('a hidden sportsbook')
    push(service, game, { caesars: [moneyline(9.9, 1.05)], draftkings: [moneyline(9.7, 1.05)] })
    const texts = () => receiver.received.map(({ text }) => text)
    await expect.poll(() => texts().some((text) => text.includes('caesars'))).toBe(true)
    const observedAt = service.clock()
    const status = { type: 'book_status', sportsbook: 'caesars', observedAt, status: 'up' } as const
    service.say([{ ...status, audience: 'owner' }])
    const deliveries = async () => (await service.get(`${path}/${id}/deliveries`, key)).body.data
    for (const { title } of await deliveries()) expect(title ?? '').not.toContain('+890')
    const accepted: string[] = []
    receiver.answer(({ text }, response) => {
      accepted.push(text)
      response.writeHead(204).end()
    })
    await expect.poll(() => accepted.some((text) => text.includes('draftkings'))).toBe(true)
    for (const text of accepted) expect(text).not.toContain('caesars')
  } finally {
    await receiver.close()
  }
})

it('a message that was sent is hidden while the account sees less, and not sent again', async () => {
  const { key, changeTo } = await openAccount('sharp')
  const id = await create(key, {
    ...{ type: 'price', filters: { market: 'moneyline', min_odds: 800, league: 'nfl' } },
  })
  const told = 'at +1100'
  push(service, newcomer('a sent message'), { circa: [moneyline(12, 1.04)] })
  const find = async () =>
    (await service.get(`${path}/${id}/deliveries`, key)).body.data.find(
      ({ title }: { title: string | null }) => title?.includes(told),
    )
  await expect.poll(async () => (await find())?.state).toBe('delivered')
  const shown = await find()
  expect(shown).toMatchObject({ page: expect.any(String), can_redeliver: true })
  const one = async () =>
    (await service.get(`${path}/deliveries`, key)).body.data.find(
      (other: { id: string }) => other.id === shown.id,
    )
  await changeTo('hobby')
  expect(await one()).toMatchObject({
    ...{ state: 'delivered', title: null, page: null, can_redeliver: false },
  })
  const again = await service.post(`${path}/${id}/deliveries/${shown.id}/redeliver`, key, {})
  expect([again.status, again.body.error.message]).toEqual([
    400,
    'The message tells of more than your account sees now.',
  ])
  await changeTo('sharp')
  expect(await one()).toEqual(shown)
})

it('an account whose last key is revoked is told nothing until it has one again', async () => {
  const { accounts } = service
  const { account, key, value } = await accounts.create({
    ...{ name: 'x', tier: 'sharp', addOns: [], expiresAt: null },
  })
  const id = await create(value, rules.price)
  await expect.poll(() => told(value, id)).toBeGreaterThan(0)
  const before = await told(value, id)
  await accounts.revokeKey(account.id, key.id)
  await untilDecided()
  const game = newcomer('an account without a key')
  push(service, game, { draftkings: [moneyline(4.2, 1.3)] })
  await untilDecided()
  push(service, game, { draftkings: [moneyline(1.9, 1.9)] })
  const { value: granted } = await accounts.grantKey(account.id, { name: 'y', maxStreams: null })
  await untilDecided()
  expect(await told(granted, id)).toBe(before)
  push(service, game, { draftkings: [moneyline(4.3, 1.3)] })
  await expect.poll(() => told(granted, id)).toBe(before + 1)
})

it.each([
  ['price', 'market=moneyline&min_odds=200'],
  ['move', 'market=moneyline&min_drop=5'],
  ['move', 'market=moneyline&min_drop=5&of=best'],
] as const)('a rule of the type %s looks at the board of its scope: %s', (type, query) => {
  const { boards, clock } = service
  const scope = createScopes(boards).of({ tier: 'free', isOwner: false })
  const alert = {
    ...{ id: 'alert_1', type, accountId: 'acct_1', revision: '1', name: 'x', query },
    ...{ createdAt: 0, updatedAt: 0, improvement: 0.01, perHour: 60, quiet: null },
    ...{ isPaused: false, pauseReason: null },
    target: { type: 'browser', url: 'browser:', secret: null, chatId: null },
  } as AlertRow
  const rights = { scope, scopeAmong: () => scope, features: tierRights.free.features }
  const chain = sharpChain('pinnacle')
  const decisions = createDecisions({
    boards,
    chain,
    clock,
    timer: () => 0,
    profileOf: emptyProfile,
  })
  const compiled = typeOfRule(type satisfies RuleType).compile(alert, rights)
  decisions.setAlerts([{ alert, compiled }], () => true)
  const count = () => decisions.decide().length
  push(service, knicks, { draftkings: [moneyline(1.5, 2.6)], fanduel: [moneyline(1.5, 2.6)] })
  service.wait(61_000)
  count()
  push(service, knicks, { draftkings: [moneyline(1.2, 4.5)], fanduel: [moneyline(1.2, 4.5)] })
  // These prices are new to the live board, so the delayed one has no row for them.
  push(service, newcomer(query), { draftkings: [moneyline(4.5, 1.2)] })
  service.wait(59_000)
  expect(count()).toBe(0)
  service.wait(2_000)
  expect(count()).toBeGreaterThan(0)
  decisions.close()
})

it('a message that was not sent does not count in per_hour', () => {
  const { boards } = service
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner: false })
  const alert = {
    ...{ id: 'alert_1', type: 'price', accountId: 'acct_1', revision: '1', name: 'x' },
    query: 'market=moneyline&min_odds=200&league=nhl',
    ...{ createdAt: 0, updatedAt: 0, improvement: 0.01, perHour: 1, quiet: null },
    ...{ isPaused: false, pauseReason: null },
    target: { type: 'browser', url: 'browser:', secret: null, chatId: null },
  } as AlertRow
  const rights = { scope, scopeAmong: () => scope, features: tierRights.sharp.features }
  let at = service.clock()
  const decisions = createDecisions({
    ...{ boards, chain: sharpChain('pinnacle'), timer: () => 0, profileOf: emptyProfile },
    clock: () => at++,
  })
  const compiled = typeOfRule('price').compile(alert, rights)
  decisions.setAlerts([{ alert, compiled }], () => true)
  for (const name of ['one', 'two']) {
    const game = { ...newcomer(name), sport: 'hockey', league: 'NHL' }
    push(service, game, { draftkings: [moneyline(4.5, 1.2)] })
  }
  const [first, ...others] = decisions.decide()
  expect(others).toEqual([])
  expect(decisions.decide()).toEqual([])
  const { finding, decidedAt } = first!
  decisions.forget({ alertId: alert.id, ...finding, decidedAt } as unknown as AlertDeliveryRow)
  expect(decisions.decide().map(({ finding }) => finding.occasion)).toEqual([finding.occasion])
  expect(decisions.decide()).toEqual([])
  decisions.close()
})
