import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Accounts, newKeysPerHour, openAccounts } from '../../api/access/accounts.ts'
import { keyHash, sandboxKeys } from '../../api/access/keys.ts'
import { createMeters, remainingRequests, takeRequest } from '../../api/access/limits.ts'
import { createUsage } from '../../api/access/usage.ts'
import { openApp } from '../../api/app.ts'
import { toApiError } from '../../api/errors.ts'
import { createFollower } from '../../api/follower.ts'
import { answersOf } from '../../api/route.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import type { Chunk, Log } from '../../pipeline/log/log.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { topics } from '../../schemas/topics.ts'
import type { UsageRow } from '../../schemas/usage.ts'
import { testSettings } from './service-in-process.ts'

const adminToken = 'an-admin-token-for-tests'
const start = Date.parse('2026-11-20T12:00:00.000Z')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

/** Starts a service over a log; `now` is the start of its clock. */
async function startService(path: string, options: { now?: number; sandbox?: boolean } = {}) {
  let now = options.now ?? start
  const clock = () => now
  const log = await openEmbeddedLog({ path })
  const app = openApp({
    log,
    clock,
    logger: createLogger(testSettings, 'test'),
    settings: { ...testSettings, adminToken, sandbox: options.sandbox ?? true },
  })
  const { accounts } = app
  const routes = app.routes.filter(({ path }) => /\/(account|admin)\b/.test(path))
  await app.ready
  const port = await app.listen()

  async function request(
    method: string,
    route: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Reply> {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${route}`, {
      method,
      // The official clients send this header even without a body.
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }

  return {
    accounts,
    routes,
    log,
    advance(ms: number) {
      now += ms
    },
    now: clock,
    as: (key: string, method: string, route: string, body?: unknown) =>
      request(method, route, { 'X-API-Key': key }, body),
    admin: (method: string, route: string, body?: unknown) =>
      request(method, `/admin${route}`, { Authorization: `Bearer ${adminToken}` }, body),
    request,
    async close() {
      await app.close()
      await log.close()
    },
  }
}

type Service = Awaited<ReturnType<typeof startService>>

const directories: string[] = []
async function newDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'overround-accounts-'))
  directories.push(path)
  return path
}
afterAll(() => Promise.all(directories.map((path) => rm(path, { recursive: true }))))

/** Opens an account and returns its id, key id and key. */
async function openAccount(service: Service, body: object = { name: 'Example', tier: 'pro' }) {
  const { status, body: answer } = await service.admin('POST', '/accounts', body)
  expect(status).toBe(201)
  return answer.data as { account_id: string; key_id: string; key: string }
}

const sandbox = Object.keys(sandboxKeys) as [string, string, string]

describe('accounts over HTTP', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService(await newDirectory())
  })
  afterAll(() => service.close())

  /** Fails unless the response fits the schema of its route. */
  function expectDescribed(method: string, path: string, reply: Reply) {
    const route = service.routes.find((one) => one.path === path && one.method === method)!
    const schema = answersOf(route).find(({ status = 200 }) => status === reply.status)!.schema!
    expect(schema.safeParse(reply.body).error?.issues).toBeUndefined()
  }

  it('are opened by the operator, with a key that works at once', async () => {
    const reply = await service.admin('POST', '/accounts', {
      name: 'Example Analytics',
      tier: 'hobby',
      addons: ['streaming'],
      expires_at: '2027-01-01T00:00:00Z',
    })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expectDescribed('post', '/api/v1/admin/accounts', reply)
    const { data } = reply.body
    expect(data).toMatchObject({ tier: 'hobby', addons: ['streaming'], disabled: false })
    expect(data.expires_at).toBe('2027-01-01T00:00:00.000Z')
    expect(data.account_id).toMatch(/^acct_[0-9a-f]{12}$/)
    expect(data.key_id).toMatch(/^key_[0-9a-f]{12}$/)
    expect(data.key).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/)

    for (const headers of [
      { 'X-API-Key': data.key },
      { Authorization: `Bearer ${data.key}` },
    ] as Record<string, string>[]) {
      const account = await service.request('GET', '/account', headers)
      expect(account.status).toBe(200)
      expect(account.headers.get('x-tier')).toBe('hobby')
    }
    expect((await service.request('GET', `/account?api_key=${data.key}`, {})).status).toBe(200)
  })

  it('are described by examples that fit their schemas', () => {
    for (const route of service.routes) {
      for (const { schema, example } of answersOf(route)) {
        const shown = example ?? exampleOf(schema!)
        expect(schema!.safeParse(shown).error?.issues, route.path).toBeUndefined()
        expect(z.toJSONSchema(schema!, { io: 'output' })).toBeDefined()
      }
      const body = route.kind === 'action' ? route.body : undefined
      if (!body) continue
      const taken = body.whole ?? body.schema
      expect(taken.safeParse(body.example).error?.issues, route.path).toBeUndefined()
      expect(z.toJSONSchema(taken, { io: 'input' })).toBeDefined()
    }
  })

  it('need the admin token', async () => {
    for (const authorization of ['', 'Bearer wrong', `Basic ${adminToken}`]) {
      for (const [method, route] of [
        ['POST', '/admin/accounts'],
        ['GET', '/admin/accounts'],
        ['PATCH', '/admin/accounts/acct_1'],
      ] as const) {
        const reply = await service.request(method, route, { Authorization: authorization })
        expect(reply.status).toBe(401)
        expect(reply.body.error.code).toBe('unauthorized')
      }
    }
  })

  it('refuse invalid bodies of the operator', async () => {
    for (const body of [
      undefined,
      {},
      { name: 'x', tier: 'gold' },
      { name: 'x', tier: 'pro', a: 1 },
    ]) {
      const reply = await service.admin('POST', '/accounts', body)
      expect(reply.body.error.code).toBe('validation_error')
    }
    const { account_id } = await openAccount(service)
    for (const body of [{}, { disabled: 1 }, { expires_at: 'soon' }]) {
      const reply = await service.admin('PATCH', `/accounts/${account_id}`, body)
      expect(reply.body.error.code).toBe('validation_error')
    }
    for (const id of ['acct_none', 'acct_sandbox_pro', '__proto__', '%00']) {
      const reply = await service.admin('PATCH', `/accounts/${id}`, { tier: 'sharp' })
      expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found'])
    }
  })

  it('are listed without a trace of keys or of the sandbox', async () => {
    const opened = await openAccount(service, { name: 'Listed', tier: 'sharp' })
    const reply = await service.admin('GET', '/accounts')
    expectDescribed('get', '/api/v1/admin/accounts', reply)
    const listed = reply.body.data.find(
      (account: { account_id: string }) => account.account_id === opened.account_id,
    )
    expect(listed).toMatchObject({ name: 'Listed', tier: 'sharp', keys: [{ id: opened.key_id }] })
    expect(reply.text).not.toContain('sk_')
    expect(reply.text).not.toContain(keyHash(opened.key))
    expect(reply.text).not.toContain('sandbox')
    expect(reply.body.pagination.total).toBe(reply.body.data.length)

    const second = await service.admin('GET', '/accounts?limit=1&offset=1')
    expect(second.body.data).toEqual([reply.body.data[1]])
    expect(second.body.pagination).toMatchObject({ limit: 1, offset: 1, count: 1 })
    expect((await service.admin('GET', '/accounts?offset=999')).body.data).toEqual([])
  })

  it('change tier, state and end at once, and keep the minute’s count', async () => {
    const { account_id, key } = await openAccount(service)
    const patch = (body: object) => service.admin('PATCH', `/accounts/${account_id}`, body)
    const get = () => service.as(key, 'GET', '/account')
    expect((await get()).headers.get('x-ratelimit-remaining')).toBe('299')
    expectDescribed('patch', '/api/v1/admin/accounts/:accountId', await patch({ tier: 'free' }))
    const free = await get()
    expect(free.body.data).toMatchObject({
      tier: 'free',
      limits: { requests_per_minute: 12, odds_delay_seconds: 60, max_books: 2, max_streams: 0 },
    })
    expect(free.headers.get('x-ratelimit-remaining')).toBe('10')

    await patch({ disabled: true })
    expect((await get()).body.error.code).toBe('disabled_api_key')
    await patch({ disabled: false, expires_at: new Date(service.now() + 1_000).toISOString() })
    expect((await get()).status).toBe(200)
    service.advance(999)
    expect((await get()).status).toBe(200)
    service.advance(1)
    const expired = await get()
    expect([expired.status, expired.body.error.code]).toEqual([401, 'expired_api_key'])
    await patch({ expires_at: null })
    expect((await get()).status).toBe(200)
  })

  it('show nested and flat fields with equal content', async () => {
    const { key, key_id, account_id } = await openAccount(service, {
      name: 'Sharp',
      tier: 'sharp',
      addons: ['game_state'],
    })
    const reply = await service.as(key, 'GET', '/account')
    expectDescribed('get', '/api/v1/account', reply)
    const { data } = reply.body
    expect(data.key).toEqual({ id: key_id, tier: 'sharp', user_id: account_id })
    // `max_books` is the length of the list of sportsbooks.
    const listed = (await service.as(key, 'GET', '/sportsbooks')).body.data
    expect(data.limits.max_books).toBe(listed.length)
    expect(data.rate_limit).toEqual({
      requests_per_minute: data.limits.requests_per_minute,
      max_books: data.limits.max_books,
    })
    expect(data).toMatchObject({
      key_id,
      tier: 'sharp',
      addons: ['game_state'],
      add_ons: ['game_state'],
      streaming: { enabled: false, max_connections: 0 },
      streaming_trial: { active: false, eligible: true, used: false, remaining_hours: 0 },
    })
    expect(data.features).toMatchObject({
      ev: true,
      arbitrage: true,
      middles: true,
      streaming: false,
      game_state: true,
    })
  })

  it('may stream by add-on on a paid tier, and never on the free one', async () => {
    const streaming = async (tier: string) => {
      const addons = ['streaming', 'game_state']
      const { key } = await openAccount(service, { name: tier, tier, addons })
      const { data } = (await service.as(key, 'GET', '/account')).body
      return [data.features.streaming, data.limits.max_streams, data.features.game_state]
    }
    expect(await streaming('free')).toEqual([false, 0, false])
    expect(await streaming('hobby')).toEqual([true, 10, true])
    expect(await streaming('enterprise')).toEqual([true, 50, true])
  })

  it('stream during a trial, until it ends by the clock', async () => {
    const { account_id, key } = await openAccount(service, { name: 'Trial', tier: 'hobby' })
    const account = async () => (await service.as(key, 'GET', '/account')).body.data
    await service.admin('PATCH', `/accounts/${account_id}`, { streaming_trial_hours: 4 })
    const activated = new Date(service.now()).toISOString()
    expect(await account()).toMatchObject({
      features: { streaming: true },
      streaming: { enabled: true, max_connections: 1 },
      streaming_trial: { active: true, used: true, activated_at: activated, remaining_hours: 4 },
    })
    service.advance(4 * hourMs - 1)
    expect((await account()).features.streaming).toBe(true)
    service.advance(1)
    expect(await account()).toMatchObject({
      features: { streaming: false },
      limits: { max_streams: 0 },
      streaming_trial: { active: false, eligible: false, used: true, remaining_hours: 0 },
    })
    await service.admin('PATCH', `/accounts/${account_id}`, { streaming_trial_hours: 1 })
    expect((await account()).features.streaming).toBe(true)
    await service.admin('PATCH', `/accounts/${account_id}`, { streaming_trial_hours: 0 })
    expect((await account()).features.streaming).toBe(false)
    await service.admin('PATCH', `/accounts/${account_id}`, {
      tier: 'free',
      streaming_trial_hours: 1,
    })
    expect((await account()).features.streaming).toBe(false)
  })

  it('are given a trial of any part of an hour', async () => {
    const { account_id, key } = await openAccount(service, { name: 'Part', tier: 'hobby' })
    for (const hours of [1 / 3, 1e-7, 0.1 + 0.2, 8_759.999_999_9]) {
      const path = `/accounts/${account_id}`
      const { status } = await service.admin('PATCH', path, { streaming_trial_hours: hours })
      expect([hours, status]).toEqual([hours, 200])
    }
    expect((await service.as(key, 'GET', '/account')).body.data.features.streaming).toBe(true)
  })

  it('make and delete keys up to the number of their tier', async () => {
    const { key, key_id } = await openAccount(service, { name: 'Two', tier: 'sharp' })
    const created = await service.as(key, 'POST', '/account/keys', { name: 'ci' })
    expect(created.status).toBe(201)
    expect(created.headers.get('cache-control')).toBe('no-store')
    expectDescribed('post', '/api/v1/account/keys', created)
    expect(created.body.data).toMatchObject({ name: 'ci', tier: 'sharp' })
    const second = created.body.data as { id: string; key: string }
    expect((await service.as(second.key, 'GET', '/account')).body.data.key_id).toBe(second.id)

    const third = await service.as(key, 'POST', '/account/keys', { name: 'more' })
    expect([third.status, third.body.error.code]).toEqual([400, 'validation_error'])

    const list = await service.as(key, 'GET', '/account/keys')
    expectDescribed('get', '/api/v1/account/keys', list)
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining([key_id, second.id]),
    )
    expect(list.body.meta).toMatchObject({
      count: 2,
      total: 2,
      max_keys: 2,
      pagination: { limit: 50, offset: 0, has_more: false, next_offset: null },
    })
    for (const secret of [key, second.key, keyHash(key)]) expect(list.text).not.toContain(secret)

    const own = await service.as(second.key, 'DELETE', `/account/keys/${second.id}`)
    expect([own.status, own.body.error.code]).toEqual([400, 'validation_error'])
    const deleted = await service.as(key, 'DELETE', `/account/keys/${second.id}`)
    expectDescribed('delete', '/api/v1/account/keys/:keyId', deleted)
    const deletion = { deleted: true, key_id: second.id, message: 'Key deleted' }
    expect(deleted.body).toMatchObject({ ...deletion, data: deletion })
    expect((await service.as(second.key, 'GET', '/account')).body.error.code).toBe(
      'invalid_api_key',
    )
    expect((await service.as(key, 'DELETE', `/account/keys/${second.id}`)).status).toBe(404)
    expect((await service.as(key, 'POST', '/account/keys', { name: 'again' })).status).toBe(201)
  })

  it('make no key beyond the limit when many are requested at once', async () => {
    const { key } = await openAccount(service, { name: 'Race', tier: 'sharp' })
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => service.as(key, 'POST', '/account/keys', { name: 'x' })),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it('get no more requests by making new keys', async () => {
    const { key } = await openAccount(service, { name: 'Renewing', tier: 'sharp' })
    const statuses: number[] = []
    let used = 0
    for (let i = 0; i < newKeysPerHour + 1; i++) {
      const { status, headers, body } = await service.as(key, 'POST', '/account/keys', {
        name: 'x',
      })
      statuses.push(status)
      if (status === 201) {
        const { meter, requestsPerMinute } = service.accounts.keyring.authenticate(
          body.data.key,
          service.now(),
        )
        while (takeRequest(meter, requestsPerMinute, service.now()).isAllowed) used++
        expect((await service.as(body.data.key, 'GET', '/account')).status).toBe(429)
      }
      if (status === 201) await service.as(key, 'DELETE', `/account/keys/${body.data.id}`)
      else {
        // `retry_after` and the header are of the hourly limit, not of the minute's.
        const seconds = Math.ceil((3_600_000 - (service.now() % 3_600_000)) / 1_000)
        expect(body).toMatchObject({ code: 'rate_limited', retry_after: seconds })
        expect([headers.get('retry-after'), seconds > 60]).toEqual([String(seconds), true])
      }
    }
    expect(statuses).toEqual([...Array(newKeysPerHour).fill(201), 429])
    // The account briefly has two keys, each with a minute's allowance.
    expect(used).toBe(1_000)
  })

  it('get a new key from the operator in place of a lost one', async () => {
    const { account_id, key, key_id } = await openAccount(service)
    const path = `/accounts/${account_id}/keys`
    const granted = await service.admin('POST', path, { name: 'instead' })
    expect(granted.status).toBe(201)
    expectDescribed('post', '/api/v1/admin/accounts/:accountId/keys', granted)
    expect((await service.as(granted.body.data.key, 'GET', '/account')).status).toBe(200)
    const deleted = await service.admin('DELETE', `${path}/${key_id}`)
    expect(deleted.status).toBe(200)
    expectDescribed('delete', '/api/v1/admin/accounts/:accountId/keys/:keyId', deleted)
    expect((await service.as(key, 'GET', '/account')).body.code).toBe('invalid_api_key')
    for (const id of ['acct_nobody', 'acct_sandbox_pro']) {
      const refused = await service.admin('POST', `/accounts/${id}/keys`, { name: 'x' })
      expect([404, 403]).toContain(refused.status)
    }
    expect((await service.admin('DELETE', `${path}/key_nobody`)).status).toBe(404)
  })

  it('show how many streams the operator gave a key, wherever it is described', async () => {
    const { account_id, key } = await openAccount(service, { name: 'Many', tier: 'enterprise' })
    const path = `/accounts/${account_id}/keys`
    // Keys are listed in order of creation.
    service.advance(1)
    const granted = await service.admin('POST', path, { name: 'many', max_streams: 7 })
    expect(granted.body.data).toMatchObject({ name: 'many', max_streams: 7 })
    expectDescribed('post', '/api/v1/admin/accounts/:accountId/keys', granted)
    const { id } = granted.body.data
    const streamsOf = (keys: { id: string; max_streams?: number }[]) =>
      keys.map((of) => [of.id === id, of.max_streams])
    const told = [
      [false, undefined],
      [true, 7],
    ]
    const listed = await service.as(key, 'GET', '/account/keys')
    expect(streamsOf(listed.body.data)).toEqual(told)
    expectDescribed('get', '/api/v1/account/keys', listed)
    const changed = await service.admin('PATCH', `/accounts/${account_id}`, { name: 'More' })
    expect(streamsOf(changed.body.data.keys)).toEqual(told)
    expectDescribed('patch', '/api/v1/admin/accounts/:accountId', changed)
    const rotated = await service.as(key, 'POST', `/account/keys/${id}/rotate`)
    expect(rotated.body.data.new_key).toMatchObject({ id, max_streams: 7 })
    expectDescribed('post', '/api/v1/account/keys/:keyId/rotate', rotated)
    // A key with its tier's limit has no `max_streams`.
    const plain = await service.admin('POST', path, { name: 'plain' })
    expect(plain.body.data).not.toHaveProperty('max_streams')
  })

  it('keep their keys on a lower tier', async () => {
    const { key, account_id } = await openAccount(service, { name: 'Down', tier: 'sharp' })
    const second = (await service.as(key, 'POST', '/account/keys', { name: 'b' })).body.data
    await service.admin('PATCH', `/accounts/${account_id}`, { tier: 'free' })
    expect((await service.as(second.key, 'GET', '/account')).body.data.tier).toBe('free')
    expect((await service.as(key, 'GET', '/account/keys')).body.data).toHaveLength(2)
    expect((await service.as(key, 'POST', '/account/keys', { name: 'c' })).status).toBe(400)
  })

  it('see no key of another account', async () => {
    const mine = await openAccount(service, { name: 'Mine', tier: 'sharp' })
    const theirs = await openAccount(service, { name: 'Theirs', tier: 'sharp' })
    const list = await service.as(mine.key, 'GET', '/account/keys')
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([mine.key_id])
    const unknown = await service.as(mine.key, 'DELETE', '/account/keys/key_000000000000')
    for (const [method, path] of [
      ['DELETE', `/account/keys/${theirs.key_id}`],
      ['POST', `/account/keys/${theirs.key_id}/rotate`],
      ['DELETE', '/account/keys/__proto__'],
      ['DELETE', '/account/keys/key_sandbox_pro'],
    ] as const) {
      const reply = await service.as(mine.key, method, path)
      expect([reply.status, reply.body.error]).toEqual([404, unknown.body.error])
    }
    expect((await service.as(theirs.key, 'GET', '/account')).status).toBe(200)
  })

  it('rotate a key, at once unless a grace period is requested', async () => {
    const { key, key_id } = await openAccount(service)
    const path = `/account/keys/${key_id}/rotate`
    const works = async (value: string) => {
      const { status, body } = await service.as(value, 'GET', '/account')
      return status === 200 ? true : body.error.code
    }
    const first = await service.as(key, 'POST', path)
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expectDescribed('post', '/api/v1/account/keys/:keyId/rotate', first)
    const one = first.body.data
    expect(one).toMatchObject({
      key_id,
      id: key_id,
      name: 'default',
      status: 'active',
      key_preview: `${one.key.slice(0, 12)}...`,
      previous_key_revoked: true,
      new_key: { id: key_id, key: one.key, name: 'default', tier: 'pro' },
      old_key: { id: key_id, revoked: true, expires_at: null },
    })
    expect([await works(key), await works(one.key)]).toEqual(['invalid_api_key', true])

    const second = await service.as(one.key, 'POST', path, { gracePeriodHours: 1, name: 'fresh' })
    const two = second.body.data
    const endsAt = new Date(service.now() + hourMs).toISOString()
    expectDescribed('post', '/api/v1/account/keys/:keyId/rotate', second)
    expect(two).toMatchObject({
      name: 'fresh',
      previous_key_revoked: false,
      old_key_expires_at: endsAt,
      old_key: { id: key_id, revoked: false, expires_at: endsAt },
    })
    service.advance(hourMs - 1)
    expect([await works(one.key), await works(two.key)]).toEqual([true, true])
    service.advance(1)
    expect([await works(one.key), await works(two.key)]).toEqual(['expired_api_key', true])

    // Rotating without a grace period also ends a value that is in its grace period.
    const three = (await service.as(two.key, 'POST', path, { gracePeriodHours: 72 })).body.data
    const four = (await service.as(three.key, 'POST', path)).body.data
    expect([await works(two.key), await works(three.key), await works(four.key)]).toEqual([
      'invalid_api_key',
      'invalid_api_key',
      true,
    ])
    for (const body of [{ gracePeriodHours: 73 }, { gracePeriodHours: '1' }, { name: '' }, []]) {
      const reply = await service.as(four.key, 'POST', path, body)
      expect(reply.body.error.code).toBe('validation_error')
    }
    let value = four.key
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const reply = await service.as(value, 'POST', path, { gracePeriodHours: 1 })
      statuses.push(reply.status)
      value = reply.body.data?.key ?? value
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 400])
    expect(await works(four.key)).toBe(true)
  })

  it('rotate and delete their keys only once for two simultaneous requests', async () => {
    const { key, key_id } = await openAccount(service)
    const path = `/account/keys/${key_id}/rotate`
    const replies = await Promise.all([0, 1].map(() => service.as(key, 'POST', path)))
    const rotated = replies.find(({ status }) => status === 200)!
    const refused = replies.find(({ status }) => status === 401)!
    expect(refused.body.error).toMatchObject({ code: 'invalid_api_key' })
    const again = await service.as(rotated.body.data.key, 'POST', path)
    expect(again.status).toBe(200)
    expect((await service.as(again.body.data.key, 'POST', path)).status).toBe(200)

    const one = await openAccount(service, { name: 'Each other', tier: 'sharp' })
    const other = (await service.as(one.key, 'POST', '/account/keys', { name: 'b' })).body.data
    const deletions = await Promise.all([
      service.as(one.key, 'DELETE', `/account/keys/${other.id}`),
      service.as(other.key, 'DELETE', `/account/keys/${one.key_id}`),
    ])
    expect(deletions.map(({ status }) => status).sort()).toEqual([200, 401])
    const left = await Promise.all(
      [one, other].map(({ key }) => service.as(key, 'GET', '/account')),
    )
    expect(left.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('can be read with a former value of a key, but not changed', async () => {
    const { key, key_id } = await openAccount(service, { name: 'Former', tier: 'sharp' })
    const path = `/account/keys/${key_id}/rotate`
    const other = (await service.as(key, 'POST', '/account/keys', { name: 'b' })).body.data
    const fresh = (await service.as(key, 'POST', path, { gracePeriodHours: 1 })).body.data.key
    for (const [method, route, body] of [
      ['POST', path, { gracePeriodHours: 0 }],
      ['POST', `/account/keys/${other.id}/rotate`, undefined],
      ['DELETE', `/account/keys/${other.id}`, undefined],
      ['POST', '/account/keys', { name: 'c' }],
    ] as const) {
      const refused = await service.as(key, method, route, body)
      expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
      expect(refused.body.error.message).toContain('new value')
    }
    for (const value of [key, fresh, other.key]) {
      expect((await service.as(value, 'GET', '/account')).status).toBe(200)
    }
    expect((await service.as(fresh, 'POST', path, { gracePeriodHours: 1 })).status).toBe(200)
  })

  it('of the sandbox can be read and not changed', async () => {
    for (const key of sandbox) {
      for (const path of ['/account', '/account/keys', '/account/usage']) {
        const reply = await service.as(key, 'GET', path)
        expect(reply.status).toBe(200)
        expectDescribed('get', `/api/v1${path}`, reply)
      }
      const { tier, key_id } = (await service.as(key, 'GET', '/account')).body.data
      expect(tier).toBe(sandboxKeys[key])
      for (const [method, path, body] of [
        ['POST', '/account/keys', { name: 'x' }],
        ['DELETE', '/account/keys/key_other', undefined],
        ['POST', `/account/keys/${key_id}/rotate`, undefined],
      ] as const) {
        const reply = await service.as(key, method, path, body)
        expect([reply.status, reply.body.error.code]).toEqual([403, 'forbidden'])
      }
    }
  })

  it('report their usage by UTC day, week and month, and the requests left in the minute', async () => {
    const { key } = await openAccount(service, { name: 'Usage', tier: 'pro' })
    // The clock moves to Saturday the 28th, Monday the 30th and Tuesday the 1st.
    const to = (instant: string) => service.advance(Date.parse(instant) - service.now())
    const usage = async () => {
      const reply = await service.as(key, 'GET', '/account/usage')
      expectDescribed('get', '/api/v1/account/usage', reply)
      return reply.body.data
    }
    to('2026-11-28T23:59:58.000Z')
    await usage()
    expect(await usage()).toEqual({
      requests: {
        today: 2,
        this_week: 2,
        this_month: 2,
        limit: { per_minute: 300, remaining: 298, resets_at: '2026-11-29T00:00:00.000Z' },
      },
      streams: { active: 0, max: 0 },
      period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
    })
    to('2026-11-30T00:00:00.000Z')
    expect((await usage()).requests).toMatchObject({ today: 1, this_week: 1, this_month: 3 })
    to('2026-12-01T00:00:00.000Z')
    expect((await usage()).requests).toMatchObject({ today: 1, this_week: 2, this_month: 1 })

    const test = await service.as(sandbox[1], 'GET', '/account/usage')
    expect(test.body.data.requests).toMatchObject({ today: 0, limit: { per_minute: 300 } })
    expect(test.body.data.requests.limit.remaining).toBe(299)
  })
})

describe('the keyring', () => {
  async function open(options: { sandbox?: boolean; path?: string } = {}) {
    let now = start
    const log = await openEmbeddedLog({ path: options.path ?? (await newDirectory()) })
    const accounts = openAccounts(log, { sandbox: options.sandbox ?? false, clock: () => now })
    const stop = new AbortController()
    const following = runAccounts(log, accounts, stop.signal)
    await accounts.ready
    return {
      log,
      accounts,
      advance(ms: number) {
        now += ms
      },
      at: () => now,
      as: (value: string) => accounts.keyring.authenticate(value, now),
      code(value: string) {
        try {
          accounts.keyring.authenticate(value, now)
          return 'ok'
        } catch (error) {
          return (error as { code: string }).code
        }
      },
      async close() {
        stop.abort()
        await accounts.close()
        await following
        await log.close()
      },
      /** Stops without writing anything, as a kill would. */
      async abandon() {
        stop.abort()
        await following
        await log.close()
      },
    }
  }

  const pro = { name: 'A', tier: 'pro', addOns: [], expiresAt: null } as const

  it('accepts no key that was never issued, whatever it looks like', async () => {
    const { accounts, code, close } = await open()
    await accounts.create(pro)
    expect(code('')).toBe('missing_api_key')
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
      fc.stringMatching(/^sk_live_[A-Za-z0-9_-]{43}$/),
      fc.constantFrom('__proto__', 'constructor', 'x'.repeat(100_000), '\ud800', ...sandbox),
    )
    fc.assert(
      fc.property(text, (value) => {
        expect(code(value)).toBe('invalid_api_key')
      }),
    )
    await close()
  })

  it('reports that it has not read its keys yet', async () => {
    const log = await openEmbeddedLog({ path: await newDirectory() })
    const accounts = openAccounts(log, { sandbox: true, clock: () => start })
    const known = () => accounts.keyring.authenticate(`sk_live_${'a'.repeat(43)}`, start)
    expect(known).toThrow(expect.objectContaining({ code: 'service_unavailable' }))
    expect(accounts.keyring.authenticate(sandbox[0], start).tier).toBe('free')
    await expect(accounts.create(pro)).rejects.toMatchObject({ code: 'service_unavailable' })
    await log.close()
  })

  it('returns one caller until something changes, and the same meter after', async () => {
    const { accounts, at, advance, close } = await open()
    const { account, value } = await accounts.create(pro)
    const caller = () => accounts.keyring.authenticate(value, at())
    const first = caller()
    takeRequest(first.meter, first.requestsPerMinute, at())
    advance(hourMs)
    expect(caller()).toBe(first)
    await accounts.change(account.id, { tier: 'sharp' })
    expect(caller()).not.toBe(first)
    expect(caller().tier).toBe('sharp')
    expect(caller().meter).toBe(first.meter)
    await close()
  })

  it('distinguishes a former value from the current one, and both from those before a rotation', async () => {
    const { accounts, as, close } = await open()
    const { key, value } = await accounts.create(pro)
    const before = as(value)
    const rotated = await accounts.rotateKey(before, key.id, { graceMs: hourMs })
    const [former, fresh] = [as(value), as(rotated.value)]
    expect([before, former, fresh].map(({ isFormerValue }) => isFormerValue)).toEqual([
      false,
      true,
      false,
    ])
    expect([former.keyRevision, fresh.keyRevision]).toEqual(Array(2).fill(rotated.key.revision))
    expect(before.keyRevision).toBe(key.revision)
    expect(former.meter).toBe(fresh.meter)
    // The two values are told apart and cached, in either order of requests.
    expect([as(rotated.value), as(value)]).toEqual([fresh, former])
    expect(as(value)).toBe(former)
    await close()
  })

  it('refuses changes of keys by callers whose own rights ended while they waited', async () => {
    const { accounts, as, at, close } = await open()
    const enterprise = { ...pro, tier: 'enterprise' } as const
    const stale = { code: 'invalid_api_key', message: expect.stringContaining('changed') }
    const { account, key, value } = await accounts.create(enterprise)
    const leaked = await accounts.createKey(as(value), 'leaked')
    const other = await accounts.createKey(as(value), 'other')

    // The key is deleted by another key of its account, then by the operator.
    const [owner, thief] = [as(value), as(leaked.value)]
    const attempts = () => [
      accounts.createKey(thief, 'back door'),
      accounts.rotateKey(thief, other.key.id, { graceMs: 0 }),
      accounts.rotateKey(thief, leaked.key.id, { graceMs: 0 }),
      accounts.deleteKey(thief, key.id),
    ]
    const deletion = accounts.deleteKey(owner, leaked.key.id)
    for (const attempt of attempts()) await expect(attempt).rejects.toMatchObject(stale)
    await deletion
    const intruder = as(other.value)
    const revocation = accounts.revokeKey(account.id, other.key.id)
    await expect(accounts.createKey(intruder, 'x')).rejects.toMatchObject(stale)
    await revocation
    expect(accounts.keysOf(account.id).map(({ id }) => id)).toEqual([key.id])

    // After a rotation, even with a grace period, the caller's value is not the key's current one.
    const rotation = accounts.rotateKey(owner, key.id, { graceMs: hourMs })
    await expect(accounts.createKey(owner, 'x')).rejects.toMatchObject(stale)
    const fresh = as((await rotation).value)

    // The key is disabled or expires with its account.
    for (const [change, code] of [
      [{ isDisabled: true }, 'disabled_api_key'],
      [{ isDisabled: false, expiresAt: at() }, 'expired_api_key'],
    ] as const) {
      const ending = accounts.change(account.id, change)
      await expect(accounts.createKey(fresh, 'x')).rejects.toMatchObject({ code })
      await ending
    }
    await accounts.change(account.id, { expiresAt: null })
    expect((await accounts.createKey(fresh, 'x')).key.name).toBe('x')
    await close()
  })

  it('leaves no value of a key on disk', async () => {
    const path = await newDirectory()
    const { accounts, as, close } = await open({ path })
    const { key, value } = await accounts.create(pro)
    const rotated = await accounts.rotateKey(as(value), key.id, { graceMs: hourMs })
    await close()
    const files = await readdir(path, { recursive: true, withFileTypes: true })
    const bytes = await Promise.all(
      files.filter((file) => file.isFile()).map((f) => readFile(join(f.parentPath, f.name))),
    )
    const all = Buffer.concat(bytes)
    expect(all.includes(keyHash(value))).toBe(true)
    for (const secret of [value, rotated.value]) expect(all.includes(secret.slice(16))).toBe(false)
  })

  it('has the same state after a restart', async () => {
    const path = await newDirectory()
    const before = await open({ path })
    const { account, key, value } = await before.accounts.create(pro)
    const other = await before.accounts.create({ ...pro, tier: 'sharp', name: 'B' })
    const third = await before.accounts.create({ ...pro, tier: 'sharp' })
    const extra = await before.accounts.createKey(before.as(other.value), 'extra')
    const deleted = await before.accounts.createKey(before.as(third.value), 'gone')
    await before.accounts.deleteKey(before.as(third.value), deleted.key.id)
    const rotated = await before.accounts.rotateKey(before.as(value), key.id, { graceMs: hourMs })
    await before.accounts.change(other.account.id, { isDisabled: true })
    const caller = before.accounts.keyring.authenticate(rotated.value, start)
    for (let i = 0; i < 7; i++) {
      takeRequest(caller.meter, caller.requestsPerMinute, start)
      before.accounts.usage.count(caller, start, 'odds')
    }
    const listed = before.accounts.list()
    await before.close()

    const after = await open({ path })
    const plain = (rows: unknown) => JSON.parse(JSON.stringify(rows))
    expect(plain(after.accounts.list())).toMatchObject(plain(listed))
    expect([value, rotated.value, other.value, extra.value, deleted.value].map(after.code)).toEqual(
      ['ok', 'ok', 'disabled_api_key', 'disabled_api_key', 'invalid_api_key'],
    )
    expect(after.accounts.usage.totals(account.id, start).today).toBe(7)
    // Requests counted in this minute before the restart still count.
    const again = after.accounts.keyring.authenticate(rotated.value, start)
    expect(takeRequest(again.meter, 300, start).remaining).toBe(292)
    after.accounts.usage.count(again, start, 'odds')
    expect(after.accounts.usage.totals(account.id, start).today).toBe(8)
    after.advance(hourMs)
    expect([after.code(value), after.code(rotated.value)]).toEqual(['expired_api_key', 'ok'])
    await after.abandon()
  })

  it('sees another process’s writes by itself', async () => {
    const path = await newDirectory()
    const [here, there] = [await open({ path }), await open({ path })]
    const { account, key, value } = await here.accounts.create({ ...pro, tier: 'sharp' })
    await until(() => there.code(value) === 'ok')
    const second = await there.accounts.createKey(there.as(value), 'there')
    await until(() => here.code(second.value) === 'ok')
    const rotated = await there.accounts.rotateKey(there.as(value), key.id, { graceMs: 0 })
    expect(there.code(value)).toBe('invalid_api_key')
    await until(() => here.code(value) === 'invalid_api_key' && here.code(rotated.value) === 'ok')
    await here.accounts.deleteKey(here.as(rotated.value), second.key.id)
    await until(() => there.code(second.value) === 'invalid_api_key')
    await there.accounts.change(account.id, { isDisabled: true })
    await until(() => here.code(rotated.value) === 'disabled_api_key')
    await Promise.all([here.close(), there.close()])
  })

  it('counts requests that other processes let through, and sums the usage of all', async () => {
    const path = await newDirectory()
    const [here, there] = [await open({ path }), await open({ path })]
    const { account, value } = await here.accounts.create({ ...pro, tier: 'free' })
    const take = ({ accounts }: { accounts: Accounts }) => {
      const caller = accounts.keyring.authenticate(value, start)
      const { isAllowed } = takeRequest(caller.meter, caller.requestsPerMinute, start)
      if (isAllowed) accounts.usage.count(caller, start, 'odds')
      return isAllowed
    }
    const today = ({ accounts }: { accounts: Accounts }) =>
      accounts.usage.totals(account.id, start).today
    await until(() => there.code(value) === 'ok')
    for (let i = 0; i < 5; i++) expect(take(here)).toBe(true)
    await here.accounts.usage.flush()
    await until(() => today(there) === 5)
    for (let i = 0; i < 7; i++) expect(take(there)).toBe(true)
    expect(take(there)).toBe(false)
    await there.accounts.usage.flush()
    await until(() => today(here) === 12)
    expect([today(here), today(there)]).toEqual([12, 12])
    expect(take(here)).toBe(false)
    await Promise.all([here.close(), there.close()])
  })

  it('keeps no meter of a deleted key, however late its usage comes', async () => {
    const meters = createMeters()
    const log = await openEmbeddedLog({ path: await newDirectory() })
    const usage = createUsage(log, { writer: 'here', meters, clock: () => start })
    const row = (keyId: string, minuteRequests: number) => ({
      topic: topics.usage,
      key: `${keyId} 1 there`,
      value: {
        accountId: 'acct_1',
        keyId,
        day: Math.floor(start / dayMs),
        writer: 'there',
        requests: 1,
        minute: Math.floor(start / minuteMs),
        minuteRequests,
      },
    })
    const { take } = createFollower({ async *follow() {} }, [usage], () => start)
    const apply = (records: readonly object[], more: { reset: boolean; caughtUp: boolean }) =>
      take({ records, ...more } as unknown as Chunk)
    meters.of('key_live', 'acct')
    apply([row('key_live', 3)], { reset: true, caughtUp: false })
    // The usage row of this key is read before the key is known.
    apply([row('key_new', 4)], { reset: false, caughtUp: false })
    meters.of('key_new', 'acct')
    apply([row('key_live', 5)], { reset: false, caughtUp: true })
    apply([row('key_gone', 2)], { reset: false, caughtUp: true })
    expect(meters.find('key_gone')).toBeUndefined()
    const left = (keyId: string) => remainingRequests(meters.of(keyId, 'acct'), 10, start).remaining
    expect([left('key_live'), left('key_new')]).toEqual([5, 6])
    expect(usage.totals('acct_1', start).today).toBe(3)
    await log.close()
  })

  it('writes usage by itself, and forgets days beyond the month', async () => {
    const { log, accounts, at, advance, close } = await open()
    const { account, value } = await accounts.create(pro)
    const count = () =>
      accounts.usage.count(accounts.keyring.authenticate(value, at()), at(), 'odds')
    count()
    while ((await usageRows(log)).length === 0) await delay(50)
    expect(await usageRows(log)).toMatchObject([{ accountId: account.id, requests: 1 }])
    const day = Math.floor(start / dayMs)
    advance(35 * dayMs)
    count()
    await accounts.usage.flush()
    expect((await usageRows(log)).map((row) => row.day)).toEqual([day, day + 35])
    advance(dayMs)
    count()
    await accounts.usage.flush()
    expect((await usageRows(log)).map((row) => row.day)).toEqual([day + 35, day + 36])
    expect(accounts.usage.totals(account.id, at()).thisMonth).toBe(2)
    await close()
  })

  it('keeps counting in the newer day when the clock steps back over midnight', async () => {
    const { accounts, close } = await open()
    const { account, value } = await accounts.create(pro)
    const midnight = Math.ceil(start / dayMs) * dayMs
    const caller = accounts.keyring.authenticate(value, start)
    for (const now of [midnight - 1, midnight, midnight - 1, midnight]) {
      accounts.usage.count(caller, now, 'odds')
    }
    expect(accounts.usage.totals(account.id, midnight)).toMatchObject({ today: 3, thisWeek: 4 })
    await close()
  })

  it('keeps its rows in force while it reads everything again', async () => {
    const path = await newDirectory()
    const log = await openEmbeddedLog({ path })
    let inner = new AbortController()
    const stop = new AbortController()
    const begun: boolean[] = []
    /** A log whose reader starts again whenever `inner` is aborted. */
    const interrupted: Log = {
      ...log,
      async *follow(topics) {
        while (!stop.signal.aborted) {
          for await (const chunk of log.follow(topics, { signal: inner.signal })) {
            if (chunk.reset) begun.push(true)
            yield chunk
          }
          inner = new AbortController()
        }
      },
    }
    const accounts = openAccounts(interrupted, { sandbox: false, clock: () => start })
    const following = runAccounts(interrupted, accounts, stop.signal)
    await accounts.ready
    const kept = await accounts.create(pro)
    const known = () => accounts.keyring.authenticate(kept.value, start).keyId
    const checking = setInterval(known, 1)
    for (let round = 0; round < 5; round++) {
      inner.abort()
      // A write during a replay resolves, and its row is readable.
      const added = await accounts.create({ ...pro, tier: 'sharp' })
      const caller = accounts.keyring.authenticate(added.value, start)
      const second = await accounts.createKey(caller, 'second')
      inner.abort()
      await accounts.deleteKey(caller, second.key.id)
      expect(() => accounts.keyring.authenticate(second.value, start)).toThrow('not known')
      expect(accounts.keyring.authenticate(added.value, start).tier).toBe('sharp')
      expect(known()).toBe(kept.key.id)
    }
    expect(begun.length).toBeGreaterThan(5)
    expect(accounts.list()).toHaveLength(6)
    clearInterval(checking)
    stop.abort()
    inner.abort()
    await following
    await log.close()
  })

  it('reports when the log takes no writes', async () => {
    const { accounts, log, abandon } = await open()
    const { account } = await accounts.create(pro)
    await log.close()
    const refusal = await accounts.change(account.id, { name: 'B' }).catch(toApiError)
    expect(refusal).toMatchObject({ code: 'service_unavailable', status: 503 })
    await abandon()
  })
})

/** Runs followers and accounts as the service does. */
const runAccounts = (log: Log, accounts: Accounts, signal: AbortSignal) =>
  Promise.all([
    createFollower(log, accounts.views, () => start).follow(signal),
    accounts.run(signal),
  ])

/** Polls until the condition holds. The test's own time limit ends it. */
async function until(holds: () => boolean) {
  while (!holds()) await delay(5)
}

async function usageRows(log: Log): Promise<UsageRow[]> {
  const rows: UsageRow[] = []
  const { signal } = new AbortController()
  for await (const records of log.replay([topics.usage], { partitions: [0], signal })) {
    for (const { value } of records) rows.push(value as UsageRow)
  }
  return rows.sort((a, b) => a.day - b.day)
}
