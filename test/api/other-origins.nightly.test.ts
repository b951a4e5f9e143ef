/**
 * Pages of other origins, in a separate browser: the responses and refusals that they may read, on every
 * route. Skipped by name where Chromium is not installed.
 */

import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillBoard, fillOpportunities } from './filled-board.ts'
import {
  adminToken,
  type InProcess,
  ingestToken,
  keys,
  startInProcess,
} from './service-in-process.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

describe.skipIf(!executablePath)(
  'a page of another origin (skipped where /usr/bin/chromium is not there)',
  () => {
    let service: InProcess
    let browser: Browser
    let site: Server
    let page: Page
    beforeAll(async () => {
      service = await startInProcess()
      await fillBoard(service)
      await fillOpportunities(service)
      site = createServer((_, response) => response.end('<!doctype html><title>desk</title>'))
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
      browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
      page = await browser.newPage()
      await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
    })
    afterAll(async () => {
      await browser.close()
      site.close()
      await service.close()
    })

    interface Asked {
      readonly method: string
      readonly url: string
      readonly headers: Record<string, string>
      readonly body: string | null
    }

    /** Returns the page's view of each response; null where the browser blocks it. */
    const read = (requests: readonly Asked[]) =>
      page.evaluate(
        async (asked) =>
          Promise.all(
            asked.map(async ({ method, url, headers, body }) => {
              try {
                const answer = await fetch(url, { method, headers, body })
                const isStream = answer.headers.get('content-type')?.includes('event-stream')
                if (isStream) await answer.body!.cancel()
                const text = isStream ? '' : await answer.text()
                return {
                  status: answer.status,
                  requestId: answer.headers.get('x-request-id'),
                  length: text.length,
                }
              } catch {
                return null
              }
            }),
          ),
        requests,
      )

    const asked = (path: string, method: string, headers: Record<string, string>): Asked => ({
      method: method.toUpperCase(),
      url: `http://127.0.0.1:${service.port}${path.replaceAll(/:\w+/g, 'nothing')}`,
      headers,
      body: method === 'get' ? null : '{}',
    })

    it('reads every route with and without a key, refusals too', async () => {
      const routes = service.routes.filter(
        ({ access }) => access !== 'admin' && access !== 'ingest',
      )
      const streams = ['', '/odds', '/opportunities', '/gamestate', '/all', '/events/nothing'].map(
        (path) => ({
          path: `/api/v1/stream${path}`,
          method: 'get',
        }),
      )
      const all = [...routes, ...streams]
      const json = { 'X-API-Key': keys.sharp, 'Content-Type': 'application/json' }
      const answers = await read(all.map(({ path, method }) => asked(path, method, json)))
      const kept = all.filter((_, i) => !answers[i]?.requestId)
      expect(kept.map(({ method, path }) => `${method} ${path}`)).toEqual([])
      const refusals = await read(
        all.map(({ path, method }) => asked(path, method, { 'X-API-Key': 'sk_wrong' })),
      )
      expect(refusals.filter((answer) => answer === null)).toEqual([])
      const unknown = await read([asked('/api/v1/nowhere', 'get', json)])
      expect(unknown).toMatchObject([{ status: 404 }])
    })

    it('reads no route of the operator', async () => {
      const routes = service.routes.filter(
        ({ access }) => access === 'admin' || access === 'ingest',
      )
      expect(routes.length).toBeGreaterThan(5)
      const answers = await read(
        routes.map(({ path, method, access }) =>
          asked(path, method, {
            Authorization: `Bearer ${access === 'admin' ? adminToken : ingestToken}`,
          }),
        ),
      )
      expect(answers.filter((answer) => answer !== null)).toEqual([])
    })
  },
)
