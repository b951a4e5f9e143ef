/** Refusals, the early ones too: a page of another origin can read each, by the same policy as other responses. */

import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openApp } from '../../api/app.ts'
import { createBoards } from '../../api/boards.ts'
import { openStartingPort } from '../../api/starting-port.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { testedListener } from '../tested-listener.ts'
import { keys, startInProcess, testSettings } from './service-in-process.ts'

const origin = 'https://desk.example.com'
const isNode = testedListener === 'node'

const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function started(options: Parameters<typeof startInProcess>[0] = {}) {
  const service = await startInProcess(options)
  closers.push(() => service.close())
  return service
}

const asked = (url: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(url, { ...init, headers: { origin, connection: 'close', ...init.headers } })

/** Returns the status, and the origin that may read the response. */
async function seen(answer: Promise<Response>) {
  const { status, headers, body } = await answer
  await body?.cancel()
  return [status, headers.get('access-control-allow-origin')]
}

/** Returns the response to bytes that fetch would not send. */
function said(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

it('answers of every kind', async () => {
  const { port, base: url } = await started()
  const pro = { 'x-api-key': keys.pro }
  const long = JSON.stringify({ event_ids: ['x'.repeat(2 * 1024 * 1024)] })
  const post = { method: 'POST', headers: { ...pro, 'content-type': 'application/json' } }
  expect(await seen(asked(`${url}/sports`, { headers: pro }))).toEqual([200, '*'])
  expect(await seen(asked(`${url}/odds?leauge=nba`, { headers: pro }))).toEqual([400, '*'])
  expect(await seen(asked(`${url}/odds`))).toEqual([401, '*'])
  expect(await seen(asked(`${url}/none`))).toEqual([404, '*'])
  expect(await seen(asked(`${url}/odds`, { method: 'DELETE' }))).toEqual([405, '*'])
  expect(await seen(asked(`${url}/odds/batch`, { ...post, body: long }))).toEqual([413, '*'])
  expect(await seen(asked(`${url}/stream/odds`, { headers: { 'x-api-key': 'none' } }))).toEqual([
    401,
    '*',
  ])
  const misframed =
    'POST /api/v1/odds/batch HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'
  const refused = await said(port, misframed)
  if (refused !== '') expect(refused).toMatch(/^HTTP\/1.1 400 .*Access-Control-Allow-Origin: \*/s)
})

it('a limit that is reached', async () => {
  const { base: url } = await started()
  const statuses = new Map<number, string | null>()
  await expect
    .poll(
      async () => {
        const answer = await asked(`${url}/sports`, { headers: { 'x-api-key': keys.free } })
        await answer.body?.cancel()
        statuses.set(answer.status, answer.headers.get('access-control-allow-origin'))
        return statuses.has(429)
      },
      { interval: 0 },
    )
    .toBe(true)
  expect(Object.fromEntries(statuses)).toEqual({ 200: '*', 429: '*' })
})

it('a board that is still being read', async () => {
  const path = await mkdtemp(join(tmpdir(), 'overround-refusals-'))
  closers.push(() => rm(path, { recursive: true }))
  const log = await openEmbeddedLog({ path })
  closers.push(() => log.close())
  const clock = () => Date.parse('2026-11-20T12:00:00.000Z')
  const boards = { ...createBoards(log, clock), follow: () => Promise.resolve() }
  const corsOrigins = [origin]
  const settings = { ...testSettings, corsOrigins, sandboxBehindProxies: true }
  const app = openApp({ log, clock, boards, logger: createLogger(settings, 'test'), settings })
  closers.push(() => app.close())
  const url = `http://127.0.0.1:${await app.listen()}/api/v1`
  await app.accounts.ready
  const headers = { 'x-api-key': keys.pro }
  expect(await seen(asked(`${url}/odds`, { headers }))).toEqual([503, origin])
  const elsewhere = { ...headers, origin: 'https://elsewhere.example.com' }
  expect(await seen(asked(`${url}/odds`, { headers: elsewhere }))).toEqual([503, null])
})

describe.each([
  [['*'], '*'],
  [[origin], origin],
])('a log that is waited for, with the origins %j', (origins, allowed) => {
  it('is shown to pages, and their browsers may ask', async () => {
    const corsOrigins = allowed === '*' ? '*' : origins
    const logger = createLogger(testSettings, 'test')
    const settings = { host: '127.0.0.1', port: 0, corsOrigins } as const
    const starting = await openStartingPort(settings, 'a broker', () => 0, logger)
    closers.push(starting.close)
    const url = `http://127.0.0.1:${starting.port}/api/v1`
    expect(await seen(asked(`${url}/odds`))).toEqual([503, allowed])
    expect(await seen(asked(`${url}/health`))).toEqual([503, allowed])
    const metrics = await asked(`http://127.0.0.1:${starting.port}/metrics`)
    expect(metrics.status).toBe(200)
    expect((await metrics.text()).split('\n')).toContain('overround_ready 0')
    const preflight = await asked(`${url}/odds`, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(allowed)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-API-Key')
  })
})

// The packages of the other listeners respond to these by themselves, with bytes that cannot be changed.
it.runIf(isNode)('what node:http takes for no request', async () => {
  const { port } = await started()
  const long = `GET /api/v1/sports HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`
  for (const [bytes, status] of [
    [long, 431],
    ['nonsense\r\n\r\n', 400],
  ] as const) {
    const answer = await said(port, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toContain('\r\nAccess-Control-Allow-Origin: *\r\n')
  }
})
