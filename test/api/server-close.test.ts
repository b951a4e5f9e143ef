/** A stopping server and its clients that wait for a response. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWorkBudget } from '../../api/access/work-budget.ts'
import { createReadiness } from '../../api/readiness.ts'
import { openAction } from '../../api/route.ts'
import { chooseListener } from '../../api/server/listeners/choose-listener.ts'
import { openServer, type Server } from '../../api/server/server.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { type InProcess, startInProcess, testSettings } from './service-in-process.ts'
import { openEvents } from './stream-reader.ts'

let service: InProcess
let server: Server
/** Called when a request arrives. */
let entered: () => void
/** Resolves when requests may be completed. */
let gate: Promise<void>

beforeEach(async () => {
  service = await startInProcess()
  const slow = openAction({
    method: 'get',
    path: '/slow',
    access: 'public',
    tag: 'test',
    summary: 'Answers when told to',
    query: {},
    answer: null,
    errors: [],
    async handle() {
      entered()
      await gate
      return { body: { done: true } }
    },
  })
  const { boards, accounts, streams, clock } = service
  server = await openServer({
    budget: createWorkBudget(() => 0),
    host: '127.0.0.1',
    port: 0,
    routes: [slow],
    boards,
    readiness: createReadiness({ boards, read: Promise.resolve() }),
    keyring: accounts.keyring,
    usage: accounts.usage,
    streams,
    tokens: { admin: null, ingest: null },
    clock,
    logger: createLogger(testSettings, 'test'),
    openListener: (await chooseListener(testSettings.listener)).open,
    corsOrigins: '*',
    hosts: null,
    trustedProxies: [],
    // Longer than a test may take: none of them waits for it.
    closingTimeoutMs: 600_000,
  })
})
afterEach(() => service.close())

it('responds to a running request, on a connection it then closes, and accepts no other', async () => {
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  const come = new Promise<void>((resolve) => {
    entered = resolve
  })
  const address = `http://127.0.0.1:${server.port}/slow`
  const answering = fetch(address)
  await come
  let isClosed = false
  const closing = server.close().then(() => {
    isClosed = true
  })
  await expect(fetch(address)).rejects.toThrow('fetch failed')
  expect(isClosed).toBe(false)
  open()
  const answer = await answering
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect(await answer.json()).toEqual({ done: true })
  await closing
})

it('does not wait for a request whose client has gone', async () => {
  gate = new Promise(() => {})
  const come = new Promise<void>((resolve) => {
    entered = resolve
  })
  const client = new AbortController()
  const answering = fetch(`http://127.0.0.1:${server.port}/slow`, { signal: client.signal })
  await come
  const closing = server.close()
  client.abort()
  await expect(answering).rejects.toThrow('aborted')
  await closing
})

it('still responds before it stops, on connections that it then closes', async () => {
  gate = Promise.resolve()
  entered = () => {}
  const ask = async () => {
    const { status, headers } = await fetch(`http://127.0.0.1:${server.port}/slow`)
    return [status, headers.get('connection')]
  }
  expect(await ask()).not.toContain('close')
  server.retire()
  expect(await ask()).toEqual([200, 'close'])
  expect(await ask()).toEqual([200, 'close'])
  await server.close()
  await expect(ask()).rejects.toThrow()
})

it('gives each stream a time to reconnect, in the form of an EventSource', async () => {
  const { base } = service
  const headers = { 'X-API-Key': 'sk_test_sandbox_sharp' }
  const streams = await Promise.all([1, 2].map(() => openEvents(`${base}/stream/odds`, headers)))
  await Promise.all(streams.map((events) => events.next('snapshot:complete')))
  service.streams.close()
  for (const events of streams) {
    const { body } = await events.next('error')
    expect(body).toMatchObject({ code: 'service_stopping', retry_ms: expect.any(Number) })
    expect(body.retry_ms).toBeGreaterThanOrEqual(500)
    expect(body.retry_ms).toBeLessThan(5_000)
    await events.ended
    expect(events.text()).toContain(`retry: ${body.retry_ms}\n`)
  }
})

it('ends each stream whole: the last bytes are the end of the response', async () => {
  const address = `http://127.0.0.1:${server.port}/api/v1/stream/odds`
  const answer = await fetch(address, { headers: { 'X-API-Key': 'sk_test_sandbox_sharp' } })
  expect(answer.status).toBe(200)
  const reading = answer.text()
  server.retire()
  const closing = server.close()
  // Bytes outside a chunk would make this reject.
  expect(await reading).toMatch(/"code":"service_stopping".*\n\n$/)
  await closing
})
