/** The rights of a key are those of the moment of the work, and its former values read only. */

import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IssuedKey } from '../../api/access/accounts.ts'
import { mostStreamsOf } from '../../api/access/keys.ts'
import { rightsNow } from '../../api/access/tiers.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'

let service: InProcess
let eventId: string
beforeAll(async () => {
  service = await startInProcess()
  const now = service.clock()
  await service.ingest(
    ['draftkings', 'pinnacle'].map((sportsbook) => oddsRecord(now, { sportsbook })),
  )
  await service.settled()
  const { body } = await service.get('/events')
  eventId = body.data[0].id
})
afterAll(() => service.close())

const newAccount = (tier: Tier) =>
  service.accounts.create({ name: 'x', tier, addOns: [], expiresAt: null })

/** Sends a request whose last byte comes after `meanwhile`. */
async function held(
  path: string,
  body: object,
  { key, value }: IssuedKey,
  meanwhile: () => Promise<unknown>,
) {
  const text = JSON.stringify(body)
  const socket = connect(service.port, '127.0.0.1')
  let received = ''
  socket.on('data', (data) => {
    received += data.toString()
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const before = service.accounts.usage.totals(key.accountId, service.clock()).today
  socket.write(
    `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${value}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, -1)}`,
  )
  const countNow = () => service.accounts.usage.totals(key.accountId, service.clock()).today
  await expect.poll(countNow).toBe(before + 1)
  await meanwhile()
  socket.write(text.slice(-1))
  await closed
  // It counts once, though it is checked twice.
  expect(countNow()).toBe(before + 1)
  return { status: Number(received.split(' ')[1]), text: received }
}

describe('a request whose body comes late', () => {
  it('is refused once its account is disabled, whatever it reads or writes', async () => {
    for (const [path, body] of [
      ['/odds/batch', () => ({ event_ids: [eventId] })],
      ['/account/alerts', () => ({ name: 'x' })],
    ] as const) {
      const issued = await newAccount('enterprise')
      const { accountId } = issued.key
      const disable = () => service.accounts.change(accountId, { isDisabled: true })
      const { status, text } = await held(path, body(), issued, disable)
      expect([path, status]).toEqual([path, 401])
      expect(text).toContain('disabled_api_key')
    }
  })

  it('has the tier of the moment that it is complete', async () => {
    const body = { event_ids: [eventId] }
    const issued = await newAccount('sharp')
    const { accountId } = issued.key
    expect((await held('/odds/batch', body, issued, async () => {})).text).toContain('pinnacle')
    const lower = () => service.accounts.change(accountId, { tier: 'hobby' })
    const { status, text } = await held('/odds/batch', body, issued, lower)
    expect(status).toBe(200)
    expect(text).toContain('draftkings')
    expect(text).not.toContain('pinnacle')
  })
})

describe('a former value of a key', () => {
  it('reads, and is refused by every route that changes something of the account', async () => {
    const { key, value } = await newAccount('enterprise')
    const by = service.accounts.keyring.authenticate(value, service.clock())
    const { value: fresh } = await service.accounts.rotateKey(by, key.id, { graceMs: 3_600_000 })
    const send = (method: string, path: string, as: string) =>
      service.request(path.replaceAll(/:\w+/g, 'none'), {
        method: method.toUpperCase(),
        headers: { 'X-API-Key': as, 'Content-Type': 'application/json' },
        ...(method !== 'get' && { body: '{}' }),
      })
    const ofAccounts = service.routes.filter(({ path }) => path.startsWith('/api/v1/account'))
    const writes = ofAccounts.filter(({ method }) => method !== 'get')
    expect(writes.length).toBeGreaterThan(10)
    for (const { method, path } of writes) {
      const refused = await send(method, path, value)
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'forbidden'])
      expect([path, (await send(method, path, fresh)).body.code]).not.toEqual([path, 'forbidden'])
    }
    for (const path of [
      '/account',
      '/account/bets',
      '/account/alerts',
      '/account/profile',
      '/odds',
    ]) {
      expect([path, (await send('get', path, value)).status]).toEqual([path, 200])
    }
    const batch = await service.request('/odds/batch', {
      method: 'POST',
      headers: { 'X-API-Key': value, 'Content-Type': 'application/json' },
      body: JSON.stringify({ event_ids: [eventId] }),
    })
    expect(batch.status).toBe(200)
  })
})

it('a trial allows one stream of a key, whatever number of streams is its own', async () => {
  const { key, account } = await newAccount('pro')
  const at = service.clock()
  const mostOf = (maxStreams: number | null, addOns: readonly 'streaming'[], trialEndsAt: number) =>
    mostStreamsOf({ ...key, maxStreams }, rightsNow({ ...account, addOns, trialEndsAt }, at))
  expect([mostOf(null, [], at + 1), mostOf(20, [], at + 1), mostOf(20, [], at)]).toEqual([1, 1, 0])
  expect([mostOf(20, ['streaming'], at + 1), mostOf(null, ['streaming'], at)]).toEqual([20, 10])
})
