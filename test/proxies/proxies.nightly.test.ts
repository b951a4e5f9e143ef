/** The service behind real proxies, each with the shipped configuration file. */

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { playingLeague, type Service, startService } from '../service.ts'
import { freePort, isInstalled, proxyNames, type RunningProxy, startProxy } from './proxy.ts'

const key = 'sk_test_sandbox_sharp'
const token = 'an-ingest-token-of-some-length'
const insecure = { rejectUnauthorized: false }

let folder: string
let servicePort: number
let service: Service
const start = () =>
  startService({
    env: {
      OVERROUND_PORT: String(servicePort),
      OVERROUND_DATA_DIR: join(folder, 'data'),
      OVERROUND_ARCHIVE: 'off',
      // The operator allows it. By default no request relayed by a proxy has a sandbox.
      OVERROUND_SANDBOX: 'true',
      OVERROUND_INGEST_TOKEN: token,
    },
  })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overround-behind-'))
  servicePort = await freePort()
  service = await start()
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

type Answering = (asked: IncomingMessage, response: ServerResponse) => void

/** Starts a server in place of the service, on its own port. */
async function startUpstream(answer: Answering, { isReady = true } = {}) {
  let probes = 0
  const server = createServer((asked, response) => {
    if (asked.url !== '/readyz') return answer(asked, response)
    probes++
    response.writeHead(isReady ? 200 : 503).end(asked.url)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** Returns the number of readiness checks received. */
    probes: () => probes,
    close: () => server.close(),
  }
}

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

for (const name of proxyNames) {
  const title = isInstalled(name)
    ? `behind ${name}`
    : `behind ${name} (skipped: it is not installed)`
  describe.skipIf(!isInstalled(name))(title, () => {
    let proxy: RunningProxy
    const agent = new Agent({ ...insecure, keepAlive: true })
    beforeAll(async () => {
      proxy = await startProxy(name, servicePort)
    })
    afterAll(async () => {
      agent.destroy()
      await proxy.close()
    })

    const ask = (path: string, { method = 'GET', headers = {}, body }: Asked = {}) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const sent = { 'X-API-Key': key, ...headers }
        const asked = request(
          `${proxy.origin}/api/v1${path}`,
          { method, headers: sent, agent },
          resolve,
        )
        asked.on('error', reject)
        asked.end(body)
      })

    it('passes responses on, and honours a client’s cached tag', async () => {
      const answer = await ask('/openapi.json')
      expect(answer.statusCode).toBe(200)
      const direct = await fetch(`${service.address}/openapi.json`)
      expect(await text(answer)).toBe(await direct.text())
      // The content may have changed between the two requests.
      await expect
        .poll(async () => {
          const first = await ask('/teams?league=nba')
          first.resume()
          const etag = first.headers.etag!
          const again = await ask('/teams?league=nba', { headers: { 'If-None-Match': etag } })
          again.resume()
          return again.statusCode
        })
        .toBe(304)
    })

    it('speaks HTTP/2 to its clients', async () => {
      const session = connectHttp2(proxy.origin, insecure)
      const stream = session.request({ ':path': '/api/v1/odds?limit=3', 'x-api-key': key })
      const status = await new Promise((resolve) => {
        stream.on('response', (headers) => resolve(headers[':status']))
      })
      expect(status).toBe(200)
      expect(JSON.parse(await text(stream)).data).toHaveLength(3)
      session.close()
    })

    it('passes a stream on without delay', async () => {
      const league = await playingLeague(service.address)
      const answer = await ask(`/stream/odds?league=${league}`, {
        headers: { Accept: 'text/event-stream' },
      })
      expect(answer.statusCode).toBe(200)
      let heard = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        heard += chunk
      })
      await expect.poll(() => heard).toContain('event: odds:update')
      answer.destroy()
    })

    it('passes WebSockets on, both ways', async () => {
      const socket = new WebSocket(
        `${proxy.origin.replace('https', 'wss')}/ws?api_key=${key}`,
        insecure,
      )
      const types: string[] = []
      socket.on('message', (message) => types.push(JSON.parse(String(message)).type))
      await new Promise((resolve) => socket.once('open', resolve))
      const leagues = [await playingLeague(service.address)]
      socket.send(JSON.stringify({ type: 'subscribe', channels: ['odds'], filters: { leagues } }))
      await expect.poll(() => types).toContain('initial')
      socket.terminate()
    })

    it('logs no key, even of a request that fails', async () => {
      const failing = await startUpstream((_asked, response) => response.destroy())
      const before = await startProxy(name, failing.port)
      try {
        const secret = 'sk_live_a_key_that_is_to_be_kept'
        const asked = request(`${before.origin}/mcp?api_key=${secret}`, {
          ...insecure,
          method: 'POST',
          headers: { 'X-API-Key': secret, Authorization: `Bearer ${secret}` },
        })
        const answer = await new Promise<IncomingMessage>((resolve, reject) => {
          asked.on('error', reject).on('response', resolve).end('{}')
        })
        answer.resume()
        expect(answer.statusCode).toBe(502)
        if (name === 'caddy') await expect.poll(() => before.output()).toContain('api_key=hidden')
        expect(before.output()).not.toContain(secret)
      } finally {
        await before.close()
        failing.close()
      }
    })

    it('repeats no push that a service has read in part or in full', async () => {
      const pushed = '{"type":"odds"}\n'.repeat(1_000)
      const seen: string[] = []
      const breaking: Answering = async (asked, response) => {
        seen.push(await text(asked))
        response.destroy()
      }
      const upstreams = [await startUpstream(breaking), await startUpstream(breaking)]
      const before = await startProxy(name, ...upstreams.map(({ port }) => port))
      const session = connectHttp2(before.origin, insecure)
      try {
        // Without a length, like a client that compresses while sending.
        const stream = session.request({ ':method': 'POST', ':path': '/api/v1/ingest' })
        stream.end(pushed)
        const status = await new Promise((resolve, reject) => {
          stream.on('response', (headers) => resolve(headers[':status'])).on('error', reject)
        })
        expect(status).toBe(502)
        expect(new Set(seen)).toEqual(new Set([pushed]))
      } finally {
        session.destroy()
        await before.close()
        for (const upstream of upstreams) upstream.close()
      }
    })

    it('lets an operator reach a service that is not ready', async () => {
      const upstream = await startUpstream((asked, response) => response.end(asked.url), {
        isReady: false,
      })
      const before = await startProxy(name, upstream.port)
      try {
        // nginx sends no probes by itself.
        if (name === 'caddy') await expect.poll(upstream.probes).toBeGreaterThan(1)
        for (const path of ['/readyz', '/status', '/api/v1/health', '/api/v1/admin/usage']) {
          const asked = request(`${before.origin}${path}`, insecure).end()
          const [answer] = (await once(asked, 'response')) as [IncomingMessage]
          expect(await text(answer)).toBe(path)
        }
      } finally {
        await before.close()
        upstream.close()
      }
    })

    it('passes a quiet stream on without delay, to a client that accepts no coding', async () => {
      const quiet = '/stream/opportunities?kinds=arbitrage&min_profit=99&heartbeat_seconds=1'
      const answer = await ask(quiet)
      let heard = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        heard += chunk
      })
      await expect.poll(() => heard).toContain('event: heartbeat')
      answer.destroy()
    })

    it('passes the largest body on, and refuses a larger one', async () => {
      const post = (bytes: number) =>
        ask('/ingest', {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
          body: `{"type":"odds"}\n`.padEnd(bytes, ' '),
        })
      const taken = await post(8 * 1024 * 1024)
      taken.resume()
      expect(taken.statusCode).toBe(202)
      for (let i = 0; i < 5; i++) {
        const refused = await post(10 * 1024 * 1024)
        refused.resume()
        expect(refused.statusCode).toBe(413)
      }
    })
  })
}
