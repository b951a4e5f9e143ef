/** The effects of a failing source on lists, health, sportsbooks and streams. */

import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { liveSources } from '../../pipeline/feeds/live-sources.ts'
import type { Append } from '../../pipeline/log/log.ts'
import type { SourceRow } from '../../schemas/source.ts'
import { topics } from '../../schemas/topics.ts'
import { answering, openSource } from '../pipeline/feeds/loopback-source.ts'
import { sourceCases } from '../pipeline/feeds/source-cases.ts'
import { adminToken, type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'
import { sourceRow } from './source-row.ts'
import { openEvents, openFrames } from './stream-reader.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
  await service.ingest([oddsRecord(service.clock(), { sportsbook: 'fanduel' })])
  await service.settled()
})
afterAll(() => service.close())

const write = (more: Partial<SourceRow>) => {
  const value = sourceRow({ updatedAt: service.clock(), ...more })
  const row = { topic: topics.sources, partitionKey: 0, key: value.source, value }
  return service.log.append([row as Append])
}
const betfairHalf = {
  source: 'betfair-exchange',
  settings: {
    ...{ appKey: 'a', username: 'b', password: 'c', certFile: '/x.pem', marketFilter: {} },
  },
}
const sources = async () => {
  const headers = { Authorization: `Bearer ${adminToken}` }
  return (await service.request('/sources', { headers })).body.data
}
const health = async () => (await service.request('/health')).body
const ofFanduel = async () => (await service.get('/sportsbooks/fanduel')).body.data

describe('a source', () => {
  it('is shown to the operator, with advice, and to nobody without the token', async () => {
    await write({ state: 'needs_key', reason: 'http_401' })
    await expect.poll(sources).toMatchObject([
      {
        id: 'the-odds-api',
        state: 'needs_key',
        reason: 'http_401',
        advice: expect.stringContaining('OVERROUND_FEEDS_FILE'),
        unmatched: 1,
        skipped: { unmapped_market: 1, no_price: 2 },
        credits_left: 480,
      },
    ])
    expect((await service.get('/sources')).status).toBe(401)
    expect(await health()).toMatchObject({
      status: 'degraded',
      checks: { data: { message: 'Live sources do not answer.' } },
      sources: { needs_key: 1 },
    })
    // A source of hidden sportsbooks is not shown to callers without a key.
    for (const hidden of [{ sportsbooks: ['pinnacle'] }, { audience: 'owner' }] as const) {
      await write({ state: 'needs_key', reason: 'http_401', ...hidden })
      await expect.poll(health).toMatchObject({ status: 'degraded', sources: {} })
      expect((await health()).sources).toEqual({})
    }
    await write({ state: 'up', reason: null })
    await expect.poll(health).toMatchObject({ status: 'ok', sources: { up: 1 } })
  })

  it('whose process is silent is down, and forgotten after a while', async () => {
    await write({ state: 'up', updatedAt: service.clock() - 31_000 })
    await expect.poll(sources).toMatchObject([{ state: 'down', reason: 'not_running' }])
    await write({ state: 'up', updatedAt: service.clock() - 601_000 })
    await expect.poll(sources).toEqual([])
    await expect.poll(async () => (await health()).sources).toBeUndefined()
  })
})

describe('a source to add', () => {
  const one = sourceCases.find(({ source: { name } }) => name === 'pinnacle')!
  const authorized = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
  let source: Awaited<ReturnType<typeof openSource>>
  beforeAll(async () => {
    source = await openSource(answering(one.answers))
  })
  afterAll(() => source.close())

  const call = (method: string, path: string, body?: object, to = service) =>
    to.request(path, {
      ...{ method, headers: authorized },
      ...(body && { body: JSON.stringify(body) }),
    })
  const stated = (more: object = {}) => ({
    source: 'pinnacle',
    settings: { ...one.settings, baseUrl: source.baseUrl, ...more },
  })
  const shown = async () =>
    (await sources()).find(({ id }: { readonly id: string }) => id === 'pinnacle')
  const stored = () => service.boards.sources.added.get('pinnacle')
  /** Whether the log says so last, as a pipeline reads it. */
  const isPaused = async () => {
    let last: boolean | null = null
    const { signal } = new AbortController()
    for await (const records of service.log.replay([topics.sourcePauses], {
      ...{ partitions: [0], signal },
    })) {
      for (const { key, value } of records) {
        if (key === 'pinnacle') last = (value as { readonly isPaused: boolean }).isPaused
      }
    }
    return last
  }

  it('is listed with the schema of its settings, keys marked', async () => {
    const { body } = await call('GET', '/sources/available')
    const listed = new Map(body.data.map((item: { readonly id: string }) => [item.id, item]))
    expect([...listed.keys()]).toEqual(liveSources.map(({ name }) => name))
    expect(listed.get('pinnacle')).toMatchObject({
      official: false,
      settings: {
        type: 'object',
        required: ['apiKey', 'leagues'],
        properties: {
          apiKey: { type: 'string', writeOnly: true },
          leagues: { type: 'array', items: { type: 'integer' } },
          audience: { enum: ['all', 'owner'], default: 'all' },
        },
      },
    })
  })

  it('is read once by a test, and nothing is stored', async () => {
    const { status, body } = await call('POST', '/sources/test', stated())
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: {
        id: 'pinnacle',
        state: 'up',
        reason: null,
        round_ended: true,
        events: 1,
        prices: 2,
        sportsbooks: ['pinnacle'],
        leagues: { NFL: 1 },
        examples: [{ home_team: 'Home', away_team: 'Away', prices: 2 }],
      },
    })
    expect(stored()).toBeUndefined()
    const answers: [(response: ServerResponse) => unknown, string][] = [
      [(response) => response.writeHead(404).end(), 'check the ids'],
      [(response) => response.destroy(), 'cannot be reached'],
      [(response) => response.writeHead(403).end(), 'often because of its country'],
      [(response) => response.writeHead(429).end(), 'raise intervalMs'],
      [(response) => response.end('no'), 'test again in some'],
    ]
    for (const [answer, advice] of answers) {
      source.answerWith((_path, response) => answer(response))
      const { data } = (await call('POST', '/sources/test', stated())).body
      expect(data.advice, data.reason).toContain(advice)
    }
    source.answerWith((_path, response) => response.writeHead(401).end())
    const refused = (await call('POST', '/sources/test', stated())).body.data
    expect(refused).toMatchObject({
      state: 'needs_key',
      reason: 'http_401',
      events: 0,
      examples: [],
    })
    expect(refused.advice).toContain('The key or login is refused')
    source.answerWith(answering(one.answers))
  })

  it.each([
    ['a missing key', { source: 'pinnacle', settings: { leagues: [1] } }, 'apiKey: '],
    [
      'a field that it does not have',
      { source: 'bovada', settings: { leagues: ['/x'], leages: [] } },
      'leages',
    ],
    ['two settings that belong together', betfairHalf, 'certFile: is needed with keyFile'],
    [
      'an operator that is not known',
      { source: 'kambi', settings: { operator: 'zz', paths: ['a'] } },
      'operator: zz is not known',
    ],
  ])('is refused with %s, tested or added', async (_, body, says) => {
    for (const path of ['/sources/test', '/sources']) {
      const answer = await call('POST', path, body)
      expect(answer.status).toBe(400)
      expect(answer.body.error).toMatchObject({ code: 'validation_error' })
      expect(answer.body.error.message).toContain(says)
    }
  })

  it('reads a certificate that is still written, and answers others meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'overround-certificate-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const certFile = join(folder, 'cert.pem')
    execFileSync('mkfifo', [certFile])
    const settings = { ...betfairHalf.settings, certFile, keyFile: join(folder, 'nowhere.pem') }
    let isAnswered = false
    const answer = call('POST', '/sources/test', { ...betfairHalf, settings }).finally(() => {
      isAnswered = true
    })
    // Nobody can open a pipe for writing until it is open for reading.
    const isWritten = async () => {
      await health()
      try {
        const pipe = openSync(certFile, constants.O_WRONLY | constants.O_NONBLOCK)
        writeSync(pipe, 'certificate')
        closeSync(pipe)
        return true
      } catch {
        return isAnswered
      }
    }
    await expect.poll(isWritten).toBe(true)
    expect((await answer).body.error.message).toContain('nowhere.pem cannot be read (ENOENT)')
  })

  it('is refused if nobody has such a source', async () => {
    for (const path of ['/sources/test', '/sources']) {
      const answer = await call('POST', path, { source: 'nobody', settings: {} })
      expect(answer.status).toBe(404)
      expect(answer.body.error.reference).toBe('/api/v1/sources/available')
    }
  })

  it('is added, shown without its key, changed without it, and removed', async () => {
    expect((await call('POST', '/sources', stated({ apiKey: 'secret-1' }))).status).toBe(202)
    await expect.poll(shown).toMatchObject({
      state: 'degraded',
      reason: 'starting',
      experimental: true,
      settings: { leagues: [889], baseUrl: source.baseUrl },
    })
    expect(JSON.stringify(await shown())).not.toContain('secret-1')
    const { apiKey: _, ...changed } = stated({ leagues: [2] }).settings as Record<string, unknown>
    await call('POST', '/sources', { source: 'pinnacle', settings: changed })
    await expect.poll(() => stored()?.settings).toContain('[2]')
    expect(JSON.parse(stored()!.settings)).toMatchObject({ apiKey: 'secret-1', leagues: [2] })
    // The service sends a stored key to no other address, whoever asks.
    const elsewhere = { ...changed, baseUrl: 'https://elsewhere.example' }
    for (const path of ['/sources', '/sources/test']) {
      const answer = await call('POST', path, { source: 'pinnacle', settings: elsewhere })
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error', parameters: ['apiKey'] } },
      })
      expect(answer.body.error.message).toContain('baseUrl')
    }
    expect(JSON.parse(stored()!.settings)).toMatchObject({ baseUrl: source.baseUrl })
    expect(
      JSON.stringify((await service.request('/status', { headers: authorized })).body),
    ).not.toContain(source.baseUrl)
    // No pipeline runs it.
    service.advance(31_000)
    expect(await shown()).toMatchObject({ state: 'down', reason: 'not_running' })
    await call('PATCH', '/sources/pinnacle', { paused: true })
    expect(await isPaused()).toBe(true)
    expect((await call('DELETE', '/sources/pinnacle')).status).toBe(202)
    await expect.poll(shown).toBeUndefined()
    await call('POST', '/sources', stated())
    expect(await isPaused()).toBe(false)
    await expect.poll(shown).toMatchObject({ settings: { baseUrl: source.baseUrl } })
    await call('DELETE', '/sources/pinnacle')
    await expect.poll(shown).toBeUndefined()
    expect((await call('DELETE', '/sources/pinnacle')).status).toBe(404)
  })

  it('is refused if the settings of a pipeline name it, or prices are not real', async () => {
    await write({ source: 'pinnacle' })
    await expect.poll(shown).toMatchObject({ state: 'up', settings: null })
    const answer = await call('POST', '/sources', stated())
    expect(answer.status).toBe(403)
    expect(answer.body.error.message).toContain('OVERROUND_FEEDS_FILE')
    const simulated = await startInProcess({ prices: 'simulated' })
    const beside = await call('POST', '/sources', stated(), simulated)
    expect(beside.status).toBe(403)
    expect(beside.body.error.message).toContain('OVERROUND_FEEDS=none')
    await simulated.close()
  })

  it('needs the admin token', async () => {
    for (const path of ['/sources', '/sources/test']) {
      const request = { method: 'POST', body: JSON.stringify(stated()) }
      expect((await service.request(path, request)).status).toBe(401)
    }
  })
})

describe('a sportsbook whose sources are down', () => {
  it('is limited, its prices are inactive, and both end with the outage', async () => {
    const say = (status: 'up' | 'down', ms: number) => {
      const observed_at = new Date(service.clock() + ms).toISOString()
      return service.ingest([{ type: 'book_status', sportsbook: 'fanduel', observed_at, status }])
    }
    const activity = async () =>
      (await service.get('/odds?sportsbook=fanduel')).body.data.map(
        ({ is_active }: { is_active: boolean }) => is_active,
      )
    expect(await activity()).toEqual([true, true])
    await say('down', 1)
    await expect.poll(activity).toEqual([false, false])
    await expect
      .poll(async () => {
        service.advance(1_000)
        return ofFanduel()
      })
      .toMatchObject({ active: false, status: 'limited', source_status: 'down' })
    await say('up', 2)
    await expect.poll(activity).toEqual([true, true])
    await expect
      .poll(ofFanduel)
      .toMatchObject({ active: true, status: 'active', source_status: 'up' })
  })
})

describe('a stream', () => {
  it('is sent another state of a source, by SSE and by WebSocket, and only of what it sees', async () => {
    const keyOf = async (isOwner: boolean) => {
      const of = { name: 'x', tier: 'enterprise', addOns: [], expiresAt: null, isOwner } as const
      return { 'X-API-Key': (await service.accounts.create(of)).value }
    }
    const events = await openEvents(`${service.base}/stream/odds`, await keyOf(false))
    const owners = await openEvents(`${service.base}/stream/odds`, await keyOf(true))
    const frames = await openFrames(`${service.base}/ws?channels=odds`, {
      headers: await keyOf(false),
    })
    await Promise.all([events, owners, frames].map((stream) => stream.next('snapshot:complete')))
    await write({ source: 'mine', state: 'down', audience: 'owner', sportsbooks: ['fanduel'] })
    await write({ state: 'down', since: service.clock() })
    const told = {
      source: 'the-odds-api',
      state: 'down',
      since: new Date(service.clock()).toISOString(),
      sportsbooks: ['draftkings', 'fanduel'],
    }
    expect((await events.next('source:status')).body).toEqual(told)
    expect(await frames.next('source:status')).toMatchObject({ type: 'source:status', ...told })
    expect((await owners.next('source:status')).body).toMatchObject({ source: 'mine' })
    for (const stream of [events, owners, frames]) stream.close()
  })
})
