/** Two services behind each proxy, with the file that is shipped for it. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Agent, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInstalled, proxyNames, type RunningProxy, startProxy } from './proxy.ts'

/** One whose archive is away: a 503 on purpose, while all else is answered. */
async function startHalf(): Promise<Server> {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/archived' ? 503 : 200).end('said')
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

    const status = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get(`${proxy.origin}${path}`, { agent }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        }).on('error', reject)
      })

    it('a 503 that both mean takes neither out', async () => {
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

    it('one that is gone is passed over', async () => {
      halves[0]!.closeAllConnections()
      halves[0]!.close()
      for (let i = 0; i < 10; i++) expect(await status('/odds')).toBe(200)
    })
  })
}
