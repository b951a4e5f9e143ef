import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { moneyline } from '../hand-made-market.ts'
import { adminToken, type InProcess, oddsRecord, startInProcess } from '../service-in-process.ts'
import { openReceiver, type Received, type Receiver } from './receiver.ts'

let service: InProcess
let receiver: Receiver
let key: string
let account: string
beforeEach(async () => {
  receiver = await openReceiver()
  service = await startInProcess({ alertPausesMs: [1] })
  const { body } = await service.request('/admin/accounts', {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'desk', tier: 'sharp' }),
  })
  key = body.data.key
  account = body.data.account_id
})
afterEach(async () => {
  await service.close()
  await receiver.close()
})

const send = (method: string, path = '', body?: object) =>
  service.request(`/account/alerts${path}`, {
    method,
    headers: { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

async function create(target: object, rule: object = { kind: 'arbitrage' }): Promise<string> {
  const { status, text, body } = await send('POST', '', { name: 'Knicks', target, ...rule })
  expect([status, text]).toEqual([201, expect.stringContaining('alert_')])
  return body.data.id
}

/** @param home the price of one sportsbook; above 2.05 it is an arbitrage against the other's */
async function offer(home: number, homeTeam = 'New York Knicks') {
  const about = { home: homeTeam, away: 'Brooklyn Nets', league: 'NBA' }
  const at = service.clock()
  await service.ingest([
    oddsRecord(at, { ...about, sportsbook: 'draftkings', markets: [moneyline(home, 1.7)] }),
    oddsRecord(at, { ...about, sportsbook: 'fanduel', markets: [moneyline(1.8, 2.05)] }),
  ])
  await service.settled()
}

const count = (path: string, many: number) => expect.poll(() => receiver.at(path).length).toBe(many)

async function deliveryOf(alert: string) {
  const { body } = await send('GET', `/${alert}/deliveries`)
  return body.data[0]
}

const untilGone = async (alert: string) => {
  await expect.poll(async () => (await deliveryOf(alert)).gone_at).not.toBeNull()
  return deliveryOf(alert)
}

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

// biome-ignore lint/suspicious/noExplicitAny: bodies of other services
const bodyOf = ({ text }: Received): any => JSON.parse(text)

const goneText = /^NO LONGER THERE at \d\d:\d\d:\d\d UTC\n/

describe('a message whose opportunity is gone', () => {
  it('is edited in Discord, in its thread', async () => {
    receiver.answer((_, response) => json(response, 200, { type: 0, id: '1200000000000000001' }))
    const alert = await create({ type: 'discord', url: `${receiver.url}/hooks/1/x?thread_id=7` })
    await offer(2.1)
    await count('/hooks/1/x?thread_id=7&wait=true', 1)
    const [sent] = receiver.received as [Received]
    await offer(1.9)
    const edit = '/hooks/1/x/messages/1200000000000000001?thread_id=7'
    await count(edit, 1)
    const [edited] = receiver.at(edit) as [Received]
    expect([sent.method, edited.method]).toEqual(['POST', 'PATCH'])
    const [before] = bodyOf(sent).embeds
    const [after] = bodyOf(edited).embeds
    expect(after.title).toBe(`Gone: ${before.title}`)
    expect(after.description).toMatch(goneText)
    expect(after.description.replace(goneText, '')).toBe(before.description)
    await expect.poll(async () => (await deliveryOf(alert)).edited_at).not.toBeNull()
    expect(receiver.received).toHaveLength(2)
  })

  it('is edited in Telegram', async () => {
    receiver.answer((_, response) => json(response, 200, { ok: true, result: { message_id: 42 } }))
    const token = `123:${'x'.repeat(35)}`
    await create({ type: 'telegram', bot_token: token, chat_id: '-1001', url: receiver.url })
    await offer(2.1)
    await count(`/bot${token}/sendMessage`, 1)
    await offer(1.9)
    await count(`/bot${token}/editMessageText`, 1)
    const [sent, edited] = receiver.received.map(bodyOf)
    expect(edited).toMatchObject({ chat_id: '-1001', message_id: 42 })
    expect(edited.text).toContain(`\n${sent.text.split('\n').slice(1).join('\n')}`)
  })

  it('is replaced in ntfy under its sequence', async () => {
    receiver.answer((one, response) =>
      json(response, 200, { id: 'x', sequence_id: bodyOf(one).sequence_id }),
    )
    await create({ type: 'ntfy', url: `${receiver.url}/odds` })
    await offer(2.1)
    await count('/', 1)
    await offer(1.9)
    await count('/', 2)
    const [sent, edited] = receiver.received.map(bodyOf)
    expect(edited).toMatchObject({ topic: 'odds', sequence_id: sent.sequence_id })
    expect([edited.title, edited.message]).toEqual([
      `Gone: ${sent.title}`,
      expect.stringMatching(goneText),
    ])
  })

  it('is known to be gone, and not sent again, where the target cannot edit it', async () => {
    const replies = {
      // A server before 2.16, which would show another message.
      ntfy: { id: 'x' },
      // Not Discord itself: this is no id of a message.
      discord: { id: '../../elsewhere' },
      slack: { id: '1' },
      webhook: { id: '1', sequence_id: '1' },
    }
    const types = Object.keys(replies) as (keyof typeof replies)[]
    receiver.answer(({ path, text }, response) => {
      const type = types.find((one) => path.includes(one) || text.includes(`"topic":"${one}"`))
      json(response, 200, replies[type!])
    })
    const alerts: string[] = []
    for (const type of types) alerts.push(await create({ type, url: `${receiver.url}/${type}` }))
    await offer(2.1)
    await expect.poll(() => receiver.received.length).toBe(types.length)
    await offer(1.9)
    for (const alert of alerts) {
      expect(await untilGone(alert)).toMatchObject({ state: 'delivered', edited_at: null })
    }
    // Another is told after it, so nothing was on its way.
    await offer(2.2, 'Boston Celtics')
    await expect.poll(() => receiver.received.length).toBe(2 * types.length)
    for (const { text } of receiver.received.slice(types.length)) {
      expect(text).toContain('Boston Celtics')
    }
  })

  it('is not edited at a target that its alert got later', async () => {
    receiver.answer((_, response) => json(response, 200, { id: '1' }))
    const alert = await create({ type: 'discord', url: `${receiver.url}/first` })
    await offer(2.1)
    await expect.poll(() => receiver.received.length).toBe(1)
    await expect.poll(async () => (await deliveryOf(alert)).state).toBe('delivered')
    await send('PATCH', `/${alert}`, { target: { type: 'discord', url: `${receiver.url}/second` } })
    await offer(1.9)
    await untilGone(alert)
    await offer(2.2, 'Boston Celtics')
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(receiver.received[1]!.path).toBe('/second?wait=true')
  })

  it('is edited once the target answers, and left alone where it was deleted there', async () => {
    let failures = 2
    receiver.answer(({ method }, response) => {
      if (method === 'POST') json(response, 200, { id: '1' })
      else if (failures-- > 0) response.writeHead(503).end()
      else json(response, 404, { message: 'Unknown Message' })
    })
    const alert = await create({ type: 'discord', url: `${receiver.url}/hook` })
    await offer(2.1)
    await count('/hook?wait=true', 1)
    await offer(1.9)
    await count('/hook/messages/1', 3)
    const { body } = await send('GET', `/${alert}`)
    expect(body.data).toMatchObject({ state: 'active', pending: 0 })
    await offer(2.2, 'Boston Celtics')
    await count('/hook?wait=true', 2)
    expect(receiver.at('/hook/messages/1')).toHaveLength(3)
  })
})

it('a message about a price is edited when no offer meets its rule any more', async () => {
  receiver.answer((_, response) => json(response, 200, { id: '1' }))
  const filters = { market: 'moneyline', selection: 'home', min_odds: 105 }
  await create({ type: 'discord', url: `${receiver.url}/hook` }, { type: 'price', filters })
  await offer(2.1)
  await count('/hook?wait=true', 1)
  await offer(1.9)
  await expect
    .poll(() => {
      // It looks each minute whether offers meet the rule.
      service.advance(1_000)
      return receiver.at('/hook/messages/1').length
    })
    .toBe(1)
})

describe('a message of an alert that may send nothing', () => {
  const edit = '/hook/messages/1'
  const toHook = (rule?: object) => create({ type: 'discord', url: `${receiver.url}/hook` }, rule)
  const lower = (tier: string) =>
    service.request(`/admin/accounts/${account}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tier }),
    })
  beforeEach(() => receiver.answer((_, response) => json(response, 200, { id: '1' })))

  it.each([
    ['an opportunity', { kind: 'arbitrage' }],
    [
      'an opportunity of some sportsbooks',
      { kind: 'arbitrage', filters: { books: 'draftkings,fanduel' } },
    ],
    [
      'a price',
      { type: 'price', filters: { market: 'moneyline', selection: 'home', min_odds: 105 } },
    ],
  ])('is edited while the alert is paused: %s', async (_, rule) => {
    const alert = await toHook(rule)
    await offer(2.1)
    await count('/hook?wait=true', 1)
    await expect.poll(async () => (await deliveryOf(alert)).state).toBe('delivered')
    expect((await send('POST', `/${alert}/pause`)).body.data.state).toBe('paused')
    // It stands while the prices do, and a better one is not told.
    await offer(2.15)
    await toHook({ type: 'price', filters: { market: 'moneyline', min_odds: -1000 } })
    await expect.poll(() => receiver.at('/hook?wait=true').length).toBeGreaterThan(1)
    expect(await deliveryOf(alert)).toMatchObject({ gone_at: null })
    await offer(1.9)
    await expect
      .poll(async () => {
        service.advance(1_000)
        return (await deliveryOf(alert)).edited_at
      })
      .not.toBeNull()
    const { body } = await send('GET', `/${alert}/deliveries`)
    expect(body.data).toHaveLength(1)
    expect(receiver.at(edit).length).toBeGreaterThan(0)
  })

  it('is edited once its account may not have the alert any more', async () => {
    const alert = await toHook()
    await offer(2.1)
    await count('/hook?wait=true', 1)
    await expect.poll(async () => (await deliveryOf(alert)).state).toBe('delivered')
    await lower('free')
    await count(edit, 1)
    const { body } = await send('GET', `/${alert}`)
    expect(body.data.state).toBe('blocked')
  })

  it('stays as it is while a lost key of its account is replaced', async () => {
    const { accounts } = service
    const other = await accounts.create({
      ...{ name: 'other', tier: 'sharp', addOns: [], expiresAt: null },
    })
    const alert = await toHook()
    await offer(2.1)
    await expect.poll(async () => (await deliveryOf(alert)).state).toBe('delivered')
    const [lost] = accounts.keysOf(account)
    await accounts.revokeKey(account, lost!.id)
    // The message of another account is looked at beside it.
    key = other.value
    await create({ type: 'discord', url: `${receiver.url}/other` })
    await count('/other?wait=true', 1)
    await accounts.change(other.account.id, { tier: 'free' })
    await count('/other/messages/1', 1)
    key = (await accounts.grantKey(account, { name: 'new', maxStreams: null })).value
    expect(await deliveryOf(alert)).toMatchObject({ state: 'delivered', gone_at: null })
    expect(receiver.at(edit)).toHaveLength(0)
    await offer(1.9)
    await count(edit, 1)
  })
})
