import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alertMessage } from '../../../schemas/http/alerts.ts'
import { moneyline } from '../hand-made-market.ts'
import { adminToken, type InProcess, oddsRecord, startInProcess } from '../service-in-process.ts'
import { openReceiver, type Received, type Receiver } from './receiver.ts'

let service: InProcess
let receiver: Receiver
beforeEach(async () => {
  receiver = await openReceiver()
  service = await startInProcess({ alertPausesMs: [1] })
})
afterEach(async () => {
  await service.close()
  await receiver.close()
})

async function keyOf(tier: string): Promise<string> {
  const { body } = await service.request('/admin/accounts', {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'desk', tier }),
  })
  return body.data.key
}

const send = (key: string, method: string, path = '', body?: object) =>
  service.request(`/account/alerts${path}`, {
    method,
    headers: { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

const arbitrage = (path = '/hook', more: object = {}) => ({
  name: 'Arbitrage',
  kind: 'arbitrage',
  target: { type: 'webhook', url: `${receiver.url}${path}` },
  ...more,
})

async function create(key: string, body: object) {
  const made = await send(key, 'POST', '', body)
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('alert_')])
  return made.body.data
}

/** Verifies a message as a receiver does, by the clock of the test. */
function verify(secret: string, text: string, headers: Received['headers']) {
  vi.useFakeTimers({ toFake: ['Date'], now: service.clock() })
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

/** Advances the clock while polling: a price that is fresh again waits for the next look of the minute. */
const asTimePasses = (read: () => number, expected: number) =>
  expect
    .poll(() => {
      service.advance(1_000)
      return read()
    })
    .toBe(expected)

const games = [
  ['New York Knicks', 'Brooklyn Nets'],
  ['Boston Celtics', 'Miami Heat'],
  ['Chicago Bulls', 'Utah Jazz'],
  ['Denver Nuggets', 'Phoenix Suns'],
] as const

/** Makes two sportsbooks of every tier disagree on a game. @param home the better price on home */
async function offer(home: number, game = 0, books = ['draftkings', 'fanduel'], league = 'NBA') {
  const [homeTeam, away] = games[game]!
  const about = { home: homeTeam, away, league }
  const reply = await service.ingest([
    oddsRecord(service.clock(), {
      ...about,
      sportsbook: books[0]!,
      markets: [moneyline(home, 1.7)],
    }),
    oddsRecord(service.clock(), {
      ...about,
      sportsbook: books[1]!,
      markets: [moneyline(1.8, 2.05)],
    }),
  ])
  expect(reply.status).toBe(202)
  await service.settled()
}

/** Waits for the message of one more opportunity, so that all before it have been decided. */
async function afterAnother(path: string, game: number) {
  const before = receiver.at(path).length
  await offer(2.2, game)
  const name = games[game]![0]
  await expect
    .poll(() =>
      receiver
        .at(path)
        .slice(before)
        .some(({ body }) => body.data.event.name.includes(name)),
    )
    .toBe(true)
}

describe('an alert', () => {
  it('sends an opportunity once, signed, with everything a bettor needs', async () => {
    const key = await keyOf('sharp')
    const made = await create(key, arbitrage('/hook', { stakes: { total: 1_000, unit: 5 } }))
    expect(made).toMatchObject({ state: 'active', kind: 'arbitrage', once_per: 'event' })
    await offer(2.1)
    await expect.poll(() => receiver.received.length).toBe(1)
    const [{ text, headers, body }] = receiver.received as [Received]
    expect(() => verify(made.target.secret, text, headers)).not.toThrow()
    expect(() => verify(made.target.secret, `${text} `, headers)).toThrow('No matching signature')
    expect(alertMessage.parse(body)).toEqual(body)

    const { body: list } = await service.request('/opportunities/arbitrage', {
      headers: { 'X-API-Key': key },
    })
    const [listed] = list.data
    expect(body.data).toMatchObject({
      alert: { id: made.id, name: 'Arbitrage' },
      edge_percent: listed.profit_percent,
      told_before_percent: null,
      opportunity_id: listed.id,
      event: { id: listed.event_id, name: listed.event_name, league: 'nba' },
      market_type: 'moneyline',
    })
    expect(
      body.data.legs.map(({ sportsbook, odds_decimal }) => [sportsbook, odds_decimal]),
    ).toEqual(listed.legs.map((leg: Sent) => [leg.sportsbook, leg.odds_decimal]))
    const why = await service.request(
      `${new URL(body.data.links.why).pathname}?total=1000&unit=5`,
      {
        headers: { 'X-API-Key': key },
      },
    )
    expect(why.body.data.stakes.legs.map(({ stake }: { stake: number }) => stake)).toEqual(
      body.data.legs.map(({ stake }) => stake),
    )
    expect(body.data.legs.every(({ stake }) => stake! > 0 && stake! % 5 === 0)).toBe(true)
    for (const { link } of body.data.legs) expect(link).toContain('/api/v1/deeplink/')

    // The same opportunity a little better or worse sends nothing. Another event does.
    await offer(2.11)
    await offer(2.1)
    await offer(2.06)
    await afterAnother('/hook', 1)
    expect(receiver.received.length).toBe(2)
    await expect
      .poll(async () => {
        const { body: log } = await send(key, 'GET', `/${made.id}/deliveries`)
        return log.data.map((row: Sent) => [row.state, row.attempts])
      })
      .toEqual([
        ['delivered', 1],
        ['delivered', 1],
      ])
  })

  it('leads to the explanation among the sportsbooks of its rule', async () => {
    const key = await keyOf('sharp')
    const filters = { books: ['caesars', 'fanduel'] }
    await create(key, arbitrage('/hook', { filters }))
    await offer(2.1, 0, ['caesars', 'fanduel'])
    await asTimePasses(() => receiver.received.length, 1)
    const { opportunity_id: id, links } = receiver.received[0]!.body.data
    const address = new URL(links.why)
    expect(address.pathname + address.search).toBe(
      `/api/v1/opportunities/${id}/explain?books=caesars,fanduel`,
    )
    const headers = { 'X-API-Key': key }
    expect((await service.request(address.pathname + address.search, { headers })).status).toBe(200)
  })

  it('sends again when an opportunity improves by the requested amount', async () => {
    const key = await keyOf('sharp')
    await create(key, arbitrage('/hook', { improvement: 2 }))
    await offer(2.1)
    await expect.poll(() => receiver.received.length).toBe(1)
    const first = receiver.received[0]!.body.data.edge_percent
    await offer(2.14)
    await offer(2.2)
    await expect.poll(() => receiver.received.length).toBe(2)
    const { data } = receiver.received[1]!.body
    expect(data.edge_percent).toBeGreaterThanOrEqual(first + 2)
    expect(data.told_before_percent).toBe(first)
    expect(new Set(receiver.ids('/hook')).size).toBe(2)
  })

  it('sends opportunities from before it was made, and those open when it is resumed', async () => {
    const key = await keyOf('sharp')
    await offer(2.1)
    const { id } = await create(key, arbitrage())
    await expect.poll(() => receiver.received.length).toBe(1)
    expect((await send(key, 'POST', `/${id}/pause`)).body.data.state).toBe('paused')
    await create(key, arbitrage('/other'))
    await afterAnother('/other', 1)
    expect(receiver.at('/hook').length).toBe(1)
    expect((await send(key, 'POST', `/${id}/resume`)).body.data.state).toBe('active')
    await expect.poll(() => receiver.at('/hook').length).toBe(2)
  })

  it('sends no more in an hour than allowed, the best first, and the rest when there is room', async () => {
    const key = await keyOf('sharp')
    await offer(2.1, 0)
    await offer(2.2, 1)
    await offer(2.15, 2)
    await create(key, arbitrage('/hook', { per_hour: 1 }))
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(receiver.received[0]!.body.data.event.name).toContain('Celtics')
    await create(key, arbitrage('/all'))
    await expect.poll(() => receiver.at('/all').length).toBe(3)
    expect(receiver.at('/hook').length).toBe(1)
    service.advance(3_600_000)
    await offer(2.15, 2)
    await asTimePasses(() => receiver.at('/hook').length, 2)
    expect(receiver.at('/hook')[1]!.body.data.event.name).toContain('Bulls')
  })

  it('is silent in quiet hours, and sends what is still open at their end', async () => {
    const key = await keyOf('sharp')
    // The clock of the test begins at noon UTC.
    const quiet_hours = { from: '13:00', to: '14:00', time_zone: 'Europe/Berlin' }
    const made = await create(key, arbitrage('/hook', { quiet_hours }))
    expect(made.quiet_hours).toEqual(quiet_hours)
    await create(key, arbitrage('/all'))
    await offer(2.1)
    await expect.poll(() => receiver.at('/all').length).toBe(1)
    expect(receiver.at('/hook').length).toBe(0)
    service.advance(3_600_000)
    await offer(2.1)
    await asTimePasses(() => receiver.at('/hook').length, 1)
  })

  it('waits until an opportunity has the requested age', async () => {
    const key = await keyOf('sharp')
    await create(key, arbitrage('/old', { filters: { min_age_ms: 5_000 } }))
    await create(key, arbitrage('/all'))
    await offer(2.1)
    await expect.poll(() => receiver.at('/all').length).toBe(1)
    expect(receiver.at('/old').length).toBe(0)
    service.advance(5_000)
    await expect.poll(() => receiver.at('/old').length).toBe(1)
    expect(receiver.at('/old')[0]!.body.data.age_seconds).toBeGreaterThanOrEqual(5)
  })
})

describe('a target', () => {
  it('that fails gets the same message again until it takes it', async () => {
    const key = await keyOf('sharp')
    const { id } = await create(key, arbitrage())
    receiver.answer((_, response) =>
      response.writeHead(receiver.received.length < 3 ? 500 : 200).end(),
    )
    await offer(2.1)
    await expect.poll(() => receiver.received.length).toBe(3)
    expect(new Set(receiver.ids('/hook')).size).toBe(1)
    await expect
      .poll(async () => (await send(key, 'GET', `/${id}/deliveries`)).body.data[0])
      .toMatchObject({ state: 'delivered', attempts: 3, problem: null })
  })

  it('that never answers holds up no other', async () => {
    const key = await keyOf('sharp')
    receiver.answer(({ path }, response) => path !== '/slow' && response.writeHead(204).end())
    await create(key, arbitrage('/slow'))
    await create(key, arbitrage('/quick'))
    for (const game of [0, 1, 2]) await offer(2.1, game)
    await expect.poll(() => receiver.at('/quick').length).toBe(3)
    expect(receiver.at('/slow').length).toBe(1)
  })

  it('that fails for an hour pauses its alert, which sends the pending messages once resumed', async () => {
    const key = await keyOf('sharp')
    receiver.answer((_, response) => response.writeHead(503).end())
    const { id } = await create(key, arbitrage())
    await offer(2.1)
    await expect.poll(() => receiver.received.length).toBeGreaterThan(3)
    const shown = async () => (await send(key, 'GET', `/${id}`)).body.data
    expect(await shown()).toMatchObject({ state: 'active', pending: 1 })
    service.advance(3_600_000)
    await expect.poll(async () => (await shown()).state).toBe('paused')
    expect(await shown()).toMatchObject({
      reason: expect.stringContaining('answered 503'),
      pending: 1,
    })
    const scraped = await fetch(`http://127.0.0.1:${service.port}/metrics`, {
      headers: { Authorization: `Bearer ${adminToken}` },
    })
    const metrics = await scraped.text()
    expect(metrics).toContain('overround_alert_pauses_total 1')
    expect(metrics).toContain('overround_alerts{state="paused_by_service"} 1')

    receiver.answer()
    const before = receiver.received.length
    await send(key, 'POST', `/${id}/resume`)
    await expect.poll(() => receiver.received.length).toBe(before + 1)
    expect(new Set(receiver.ids('/hook')).size).toBe(1)
    await expect.poll(async () => (await shown()).pending).toBe(0)
  })

  it('that is gone pauses its alert at once', async () => {
    const key = await keyOf('sharp')
    receiver.answer((_, response) => response.writeHead(410).end())
    const { id } = await create(key, arbitrage())
    await offer(2.1)
    await expect.poll(async () => (await send(key, 'GET', `/${id}`)).body.data.state).toBe('paused')
    expect(receiver.received.length).toBe(1)
  })

  it('is not followed elsewhere', async () => {
    const key = await keyOf('sharp')
    receiver.answer((_, response) =>
      response.writeHead(302, { Location: `${receiver.url}/other` }).end(),
    )
    const { id } = await create(key, arbitrage())
    const { body } = await send(key, 'POST', `/${id}/test`)
    expect(body.data).toMatchObject({ state: 'failed', problem: 'it answered 302' })
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  })

  it('gets a test message, and a message again under its id, also while the alert is paused', async () => {
    const key = await keyOf('sharp')
    const { id, target } = await create(key, arbitrage())
    await offer(2.1)
    await expect.poll(() => receiver.received.length).toBe(1)
    await send(key, 'POST', `/${id}/pause`)
    const test = await send(key, 'POST', `/${id}/test`)
    expect(test.body.data).toMatchObject({ state: 'delivered', type: 'test', attempts: 1 })
    const [first, second] = receiver.received
    expect(second!.body.type).toBe('alert.test')
    expect(alertMessage.parse(second!.body)).toEqual(second!.body)
    expect(() => verify(target.secret, second!.text, second!.headers)).not.toThrow()

    const messageId = first!.headers['webhook-id']
    const path = `/${id}/deliveries/${messageId}/redeliver`
    const again = await send(key, 'POST', path)
    expect(again.body.data).toMatchObject({ id: messageId, state: 'delivered' })
    expect(receiver.received[2]!.headers['webhook-id']).toBe(messageId)
    expect(receiver.received[2]!.text).toBe(first!.text)

    for (let i = 0; i < 9; i++) await send(key, 'POST', `/${id}/test`)
    expect((await send(key, 'POST', `/${id}/test`)).body.code).toBe('rate_limited')
  })

  it('takes ten tests of those that come at once', async () => {
    const key = await keyOf('sharp')
    const { id } = await create(key, arbitrage())
    const replies = await Promise.all(
      Array.from({ length: 14 }, () => send(key, 'POST', `/${id}/test`)),
    )
    const codes = replies.map(({ status, body }) => body.code ?? status).sort()
    expect(codes).toEqual([...Array(10).fill(200), ...Array(4).fill('rate_limited')])
    expect(receiver.received).toHaveLength(10)
  })

  it.each([
    ['discord', {}, ({ embeds: [embed] }: Sent) => `${embed.title} ${embed.description}`],
    ['slack', {}, ({ text }: Sent) => text],
    [
      'ntfy',
      { token: 'tk_1' },
      ({ title, message, topic }: Sent) => `${topic} ${title} ${message}`,
    ],
    [
      'telegram',
      { bot_token: '123456:abcdefghijklmnopqrstuvwxyz', chat_id: '-10042' },
      ({ text, chat_id }: Sent) => `${chat_id} ${text}`,
    ],
  ])('of the type %s gets a text', async (type, more, textIn) => {
    const key = await keyOf('sharp')
    const target = { type, url: `${receiver.url}/room/odds`, ...more }
    const made = await create(key, arbitrage('', { target }))
    expect(JSON.stringify(made)).not.toContain('abcdefghij')
    await offer(2.1)
    await expect.poll(() => receiver.received.length).toBe(1)
    const [one] = receiver.received
    const text = textIn(one!.body as unknown as Sent)
    for (const part of ['Brooklyn Nets @ New York Knicks', 'DraftKings', '2.1 (+110)', 'stake']) {
      expect(text).toContain(part)
    }
    if (type === 'telegram') expect(one!.path).toMatch(/\/bot123456:\w+\/sendMessage$/)
    if (type === 'ntfy')
      expect([one!.path, one!.headers.authorization]).toEqual(['/room/', 'Bearer tk_1'])
  })

  it('of browsers is fetched by the pages of its account', async () => {
    const [key, other] = [await keyOf('sharp'), await keyOf('sharp')]
    const told = async (by: string) => (await send(by, 'GET', '/deliveries?target=browser')).body
    await create(key, arbitrage('', { target: { type: 'browser' } }))
    await create(key, arbitrage())
    await offer(2.1)
    await expect.poll(async () => (await told(key)).data.length).toBe(1)
    await expect.poll(() => receiver.received.length).toBe(1)
    expect((await told(key)).data[0]).toMatchObject({
      title: expect.stringContaining('Brooklyn Nets @ New York Knicks'),
      page: expect.stringContaining('/opportunities?'),
    })
    expect((await send(key, 'GET', '/deliveries')).body.data).toHaveLength(2)
    expect((await told(other)).data).toEqual([])
  })
})

// biome-ignore lint/suspicious/noExplicitAny: bodies of several services
type Sent = any

describe('an alert of another type', () => {
  const target = () => ({ type: 'webhook', url: `${receiver.url}/hook` })
  const titles = () => receiver.received.map(({ body }) => body.data.title)

  it('of prices sends an offer that meets its filters, and sends again after it was gone', async () => {
    const key = await keyOf('sharp')
    const made = await create(key, {
      ...{ type: 'price', name: 'Knicks at +110', target: target() },
      filters: { market: 'moneyline', team: 'knicks', selection: 'home', min_odds: 110 },
    })
    expect(made).toMatchObject({
      ...{ type: 'price', kind: null, once_per: null, stakes: null, improvement: 1 },
      list: '/api/v1/odds/best?market=moneyline&team=knicks&min_odds=110',
    })
    await offer(2.05)
    await offer(2.1)
    await expect
      .poll(titles)
      .toEqual([expect.stringMatching(/^New York Knicks at \+110: .*Knicks$/)])
    expect(alertMessage.parse(receiver.received[0]!.body)).toEqual(receiver.received[0]!.body)
    await offer(2.11)
    await offer(2.0)
    // The runner looks at the market twice without this price.
    const told = () => receiver.received.length
    for (let look = 0; look < 4; look++) {
      service.advance(61_000)
      await offer(2.0)
      await delay(100)
    }
    await offer(2.1)
    await asTimePasses(told, 2)
    expect(new Set(receiver.ids('/hook')).size).toBe(2)
  })

  it('of moves sends a price that drops, with its link', async () => {
    const key = await keyOf('sharp')
    await create(key, {
      ...{ type: 'move', name: 'Drops', target: target() },
      filters: { league: 'nba', min_drop: 5, seconds: 60, sportsbook: 'draftkings' },
    })
    await offer(2.2)
    await offer(2.0)
    await expect.poll(titles).toEqual([expect.stringContaining('dropped by 9.09 %')])
    const { body } = receiver.received[0]!
    expect(alertMessage.parse(body)).toEqual(body)
    expect((body.data as Sent).moves).toMatchObject([
      { sportsbook: 'draftkings', odds_decimal: 2, from_decimal: 2.2, link: expect.any(String) },
    ])
  })

  it('of sources reports that a sportsbook is down, and that it is up again', async () => {
    const key = await keyOf('sharp')
    await offer(2.0)
    await create(key, {
      ...{ type: 'source', name: 'Feeds', target: target() },
      filters: { sportsbook: 'fanduel' },
    })
    const say = async (status: string) => {
      service.advance(1_000)
      const observed_at = new Date(service.clock()).toISOString()
      await service.ingest([{ type: 'book_status', sportsbook: 'fanduel', observed_at, status }])
    }
    await say('down')
    await expect.poll(titles).toEqual(['FanDuel is down'])
    await say('up')
    await expect.poll(titles).toEqual(['FanDuel is down', 'FanDuel is up again'])
    for (const { body } of receiver.received) expect(alertMessage.parse(body)).toEqual(body)
  })

  it('is refused without the fields its type needs, and with fields of other types', async () => {
    const key = await keyOf('sharp')
    const code = async (body: object) => {
      const reply = await send(key, 'POST', '', { name: 'x', target: target(), ...body })
      return [reply.status, reply.body.code]
    }
    const refused = [400, 'validation_error']
    expect(await code({ type: 'price', filters: { market: 'moneyline' } })).toEqual(refused)
    expect(await code({ type: 'price', filters: { min_odds: 100 } })).toEqual(refused)
    expect(await code({ type: 'move', filters: { seconds: 60 } })).toEqual(refused)
    expect(await code({ type: 'move', filters: { min_drop: 5, min_books: 3 } })).toEqual(refused)
    expect(await code({ type: 'source', kind: 'ev' })).toEqual(refused)
    expect(await code({ type: 'nonsense' })).toEqual(refused)
    const { id } = await create(key, { type: 'source', name: 'x', target: target() })
    const changed = await send(key, 'PATCH', `/${id}`, { stakes: { total: 5 } })
    expect([changed.status, changed.body.code]).toEqual(refused)
  })
})

describe('the routes', () => {
  it('show an account only its own alerts, without secrets', async () => {
    const [own, other] = [await keyOf('sharp'), await keyOf('sharp')]
    const made = await create(own, arbitrage('/a-long-secret-path-9f2c'))
    const shown = await send(own, 'GET', `/${made.id}`)
    expect(shown.body.data.target).toEqual({
      type: 'webhook',
      url_preview: `${receiver.url}/…9f2c`,
    })
    expect((await send(own, 'GET')).body.meta).toMatchObject({ total: 1, max_alerts: 50 })
    expect((await send(other, 'GET')).body.data).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/msg_1/redeliver'],
    ]) {
      const refused = await send(
        other,
        method!,
        `/${made.id}${path}`,
        method === 'PATCH' ? { per_hour: 1 } : undefined,
      )
      expect([method, path, refused.status]).toEqual([method, path, 404])
    }
    const changed = await send(own, 'PATCH', `/${made.id}`, {
      filters: { league: ['nba', 'nfl'], min_profit: 1 },
    })
    expect(changed.body.data).toMatchObject({
      list: '/api/v1/opportunities/arbitrage?league=nba,nfl&min_profit=1',
      target: { url_preview: `${receiver.url}/…9f2c` },
    })
    expect(changed.body.data.target.secret).toBeUndefined()
    const { body } = await send(own, 'PATCH', `/${made.id}`, { target: arbitrage().target })
    expect(body.data.target.secret).toMatch(/^whsec_/)
    expect(body.data.target.secret).not.toBe(made.target.secret)
    expect((await send(own, 'DELETE', `/${made.id}`)).body.data.deleted).toBe(true)
    expect((await send(own, 'GET', `/${made.id}`)).status).toBe(404)
  })

  it('refuse filters that the key may not see, and invalid ones', async () => {
    const target = { type: 'webhook', url: `${receiver.url}/hook` }
    const tried = async (tier: string, body: object) => {
      const { status, body: answer } = await send(await keyOf(tier), 'POST', '', {
        name: 'x',
        target,
        ...body,
      })
      return [status, answer.code]
    }
    expect(await tried('free', { kind: 'arbitrage' })).toEqual([403, 'feature_required'])
    expect(await tried('hobby', { kind: 'ev' })).toEqual([403, 'feature_required'])
    expect(await tried('hobby', { kind: 'middles' })).toEqual([403, 'tier_restricted'])
    const pinnacle = { kind: 'arbitrage', filters: { sportsbook: 'pinnacle' } }
    expect(await tried('pro', pinnacle)).toEqual([403, 'tier_restricted'])
    for (const filters of [
      { leauge: 'nba' },
      { limit: 5 },
      { devig_book: 'pinnacle' },
      { min_profit: 'much' },
    ]) {
      expect(await tried('sharp', { kind: 'arbitrage', filters })).toEqual([
        400,
        'validation_error',
      ])
    }
    const unknown = { kind: 'arbitrage', filters: { league: 'nbaa' } }
    expect(await tried('sharp', unknown)).toEqual([400, 'invalid_filter'])
    const mail = { kind: 'arbitrage', target: { type: 'email', to: 'me@example.com' } }
    expect(await tried('sharp', mail)).toEqual([400, 'validation_error'])
    const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'Mars/Olympus' }
    expect(await tried('sharp', { kind: 'ev', quiet_hours })).toEqual([400, 'validation_error'])
  })

  it('never show a tier what it cannot read', async () => {
    const [hobby, sharp] = [await keyOf('hobby'), await keyOf('sharp')]
    await create(hobby, arbitrage('/hobby', { once_per: 'opportunity' }))
    await create(sharp, arbitrage('/sharp', { once_per: 'opportunity' }))
    await offer(2.1, 0, ['pinnacle', 'fanduel'])
    await expect.poll(() => receiver.at('/sharp').length).toBe(1)
    await offer(2.1, 1)
    await expect.poll(() => receiver.at('/hobby').length).toBe(1)
    expect(receiver.at('/hobby').some(({ text }) => text.includes('pinnacle'))).toBe(false)
  })

  it('explain why an alert sends nothing since its account sees less', async () => {
    const { body } = await service.request('/admin/accounts', {
      method: 'POST',
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'desk', tier: 'sharp' }),
    })
    const { key, account_id: account } = body.data
    const made = await create(key, arbitrage('/hook', { filters: { sportsbook: 'pinnacle' } }))
    await service.request(`/admin/accounts/${account}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tier: 'pro' }),
    })
    const { body: shown } = await send(key, 'GET', `/${made.id}`)
    expect(shown.data).toMatchObject({
      state: 'blocked',
      reason: expect.stringContaining('pinnacle'),
    })
  })
})
