/**
 * Clients that send requests and do not read, and clients that send while the service stops, against the
 * real process on each listener that loads here. The parts run in order: the last one stops the service.
 */

import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { allListeners } from '../listeners/each-listener.ts'
import { type Service, startService } from '../service.ts'

const megabyte = 1_048_576

describe.each(allListeners)('the service on $name, to those who', ({ name, missing }) => {
  const test = it.skipIf(missing !== null)
  const because = missing === null ? '' : ` (skipped: ${missing})`
  let service: Service
  let dataDir: string
  const sockets: Socket[] = []

  beforeAll(async () => {
    if (missing !== null) return
    dataDir = await mkdtemp(join(tmpdir(), 'overround-unread-'))
    service = await startService({
      env: {
        OVERROUND_DATA_DIR: dataDir,
        OVERROUND_LISTENER: name,
        OVERROUND_ARCHIVE: 'off',
        OVERROUND_SIMULATOR_RATE: '10',
      },
    })
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  afterAll(async () => {
    await service?.kill()
    if (dataDir) await rm(dataDir, { recursive: true })
  })

  /** Writes requests on several connections and reads nothing. */
  async function ask(request: string, times: number, connections: number) {
    const port = Number(new URL(service.address).port)
    for (let i = 0; i < connections; i++) {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => {})
      socket.pause()
      socket.write(request.repeat(times))
    }
    // The cost shows within a second, and a health response shows that the process still responds.
    await delay(1_000)
    expect((await fetch(`${service.address}/health`)).status).toBe(200)
  }

  test(`pipeline a keyless document without reading it, gives little memory${because}`, async () => {
    const before = rssMegabytes(service.pid)
    const request = 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'
    await ask(request, 6_000, 3)
    const grown = rssMegabytes(service.pid) - before
    console.log(
      `${name}: 3 connections, ${(18_000 * request.length) / 1_000} KB sent: ${grown} MB more`,
    )
    expect(grown).toBeLessThan(128)
  })

  test(`pipeline small answers without end, gives little memory${because}`, async () => {
    const request = 'GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n'
    // The first requests allocate the memory that responding takes.
    await ask(request, 2_000, 1)
    const before = rssMegabytes(service.pid)
    await ask(request, 100_000, 3)
    const grown = rssMegabytes(service.pid) - before
    console.log(`${name}: 3 connections, 300,000 health requests: ${grown} MB more`)
    expect(grown).toBeLessThan(128)
  })

  test(`pipeline batches with a key, gives little memory${because}`, async () => {
    const headers = { 'X-API-Key': 'sk_test_sandbox_pro' }
    const list = await fetch(`${service.address}/events?limit=50`, { headers })
    const { data } = (await list.json()) as { data: { id: string }[] }
    const body = JSON.stringify({ event_ids: data.map(({ id }) => id) })
    const request = `POST /api/v1/odds/batch HTTP/1.1\r\nHost: a\r\nX-API-Key: sk_test_sandbox_pro\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    await ask(request, 1, 1)
    const before = rssMegabytes(service.pid)
    await ask(request, 30, 1)
    const grown = rssMegabytes(service.pid) - before
    console.log(`${name}: 30 batches of ${data.length} events: ${grown} MB more`)
    expect(grown).toBeLessThan(200)
  })

  test(`ask while it stops, answers, and cuts nobody off${because}`, async () => {
    const faults: string[] = []
    let answers = 0
    const clients = Array.from({ length: clientCount }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (;;) {
        const { fault, isLast } = await askOnce(`${service.address}/health`, agent)
        if (fault) faults.push(fault)
        else answers++
        if (fault || isLast) return agent.destroy()
      }
    })
    await expect.poll(() => answers).toBeGreaterThan(10 * clientCount)
    const code = await service.stop()
    await Promise.all(clients)
    expect(faults).toEqual([])
    expect(code).toBe(0)
  })
})

const clientCount = 40

function askOnce(address: string, agent: Agent) {
  return new Promise<{ readonly fault?: string; readonly isLast: boolean }>((resolve) => {
    const request = get(address, { agent }, (response) => {
      response.resume()
      response.on('end', () => resolve({ isLast: response.headers.connection === 'close' }))
    })
    request.on('error', ({ message }) => resolve({ fault: message, isLast: true }))
  })
}
const rssMegabytes = (pid: number) =>
  Math.round(
    (Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024) /
      megabyte,
  )
