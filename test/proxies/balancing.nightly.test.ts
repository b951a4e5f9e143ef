/** Two services behind each proxy, with the shipped configuration file. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInstalled, proxyNames, type RunningProxy, startProxy } from './proxy.ts'

/** The response to the next POST at either service. Later ones get 200. */
let next: 'cut' | 503 | 200 = 200
/** Number of POSTs received by either. */
let posts = 0

/** Starts a service whose archive is away: it responds 503 on purpose there, and 200 elsewhere. */
async function startHalf(): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(request.url === '/archived' ? 503 : 200).end('said')
      return
    }
    posts++
    const now = next
    next = 200
    if (now === 'cut') request.socket.destroy()
    else request.resume().on('end', () => response.writeHead(now).end('said'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

for (const name of proxyNames) {
  const title = isInstalled(name) ? name : `${name} (skipped: it is not installed)`
  describe.skipIf(!isInstalled(name))(`behind ${title}`, () => {
    const agent = new Agent({ rejectUnauthorized: false, keepAlive: true })
    let halves: Server[]
    let proxy: RunningProxy
    beforeAll(async () => {
      halves = await Promise.all([startHalf(), startHalf()])
      proxy = await startProxy(name, ...halves.map((one) => (one.address() as AddressInfo).port))
    })
    afterAll(async () => {
      agent.destroy()
      await proxy.close()
      for (const half of halves) half.close()
    })

    const status = (path: string, method = 'GET') =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${proxy.origin}${path}`, { agent, method }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        })
          .on('error', reject)
          .end(method === 'POST' ? 'body' : undefined)
      })

    it('a deliberate 503 from both takes neither out', async () => {
      const seen = new Map<string, Set<number | undefined>>()
      for (let i = 0; i < 20; i++) {
        for (const path of ['/archived', '/odds']) {
          seen.set(path, (seen.get(path) ?? new Set()).add(await status(path)))
        }
      }
      expect(
        Object.fromEntries([...seen].map(([path, statuses]) => [path, [...statuses]])),
      ).toEqual({ '/archived': [503], '/odds': [200] })
    })

    if (name === 'nginx') {
      it('prices pushed to one that stops or starts go to the other', async () => {
        for (const path of ['/api/v1/ingest', '/api/v1/odds/batch', '/api/v1/deeplinks/batch']) {
          for (const failure of ['cut', 503] as const) {
            next = failure
            posts = 0
            expect([path, failure, await status(path, 'POST')]).toEqual([path, failure, 200])
            expect(posts).toBe(2)
          }
        }
      })
    }

    it('a request that must not be repeated is sent once', async () => {
      for (const [failure, answer] of [
        ['cut', 502],
        [503, 503],
      ] as const) {
        next = failure
        posts = 0
        expect(await status('/api/v1/admin/accounts', 'POST')).toBe(answer)
        expect(posts).toBe(1)
      }
    })

    it('a service that is gone is skipped', async () => {
      halves[0]!.closeAllConnections()
      halves[0]!.close()
      for (let i = 0; i < 10; i++) expect(await status('/odds')).toBe(200)
    })
  })
}
