/** Two API processes on one broker share a key's limits of requests a minute and streams, and its usage. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Service, startService } from '../service.ts'
import '../kafka-setup.ts'

const kafka = inject('kafka')
const adminToken = 'admin-token-12345'

describe.skipIf('reason' in kafka)(
  `two APIs${'reason' in kafka ? ` (skipped: ${kafka.reason})` : ''}`,
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'overround-shared-limits-'))
    let pipeline: Service
    let apis: Service[]

    const settings = (name: string): Record<string, string> => ({
      ...('brokers' in kafka && {
        OVERROUND_KAFKA_BROKERS: kafka.brokers.join(','),
        OVERROUND_SCHEMA_REGISTRY_URL: kafka.registryUrl,
      }),
      OVERROUND_KAFKA_TOPIC_PREFIX: `shared-${process.pid}.`,
      OVERROUND_KAFKA_PARTITIONS: '1',
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_DATA_DIR: join(directory, name),
    })
    const startApi = (name: string) =>
      startService({
        env: { ...settings(name), OVERROUND_ROLE: 'api', OVERROUND_ADMIN_TOKEN: adminToken },
      })

    beforeAll(async () => {
      pipeline = await startService({
        env: { ...settings('pipeline'), OVERROUND_ROLE: 'pipeline' },
        early: true,
      })
      apis = await Promise.all([startApi('a'), startApi('b')])
    })
    afterAll(async () => {
      await Promise.all([pipeline, ...(apis ?? [])].map((one) => one?.kill()))
      rmSync(directory, { recursive: true, force: true })
    })

    /** Repeats the request, because a log just opened may fail the first writes. */
    async function admin(path: string, body: object) {
      let answer!: Response
      await expect
        .poll(async () => {
          answer = await fetch(`${apis[0]!.address}/admin${path}`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          })
          return answer.status
        })
        .toBe(201)
      return ((await answer.json()) as { data: { key: string; account_id: string } }).data
    }

    const ask = (api: Service, path: string, key: string) =>
      fetch(api.address + path, { headers: { 'X-API-Key': key } })

    /** Waits until both processes know the key. */
    const isKnown = (key: string) =>
      Promise.all(
        apis.map((api) =>
          expect.poll(async () => (await ask(api, '/account/usage', key)).status).toBe(200),
        ),
      )

    it('let through at most a tenth more than the requests of a minute, in a burst at both', async () => {
      const limit = 120
      const { key } = await admin('/accounts', { name: 'Burst', tier: 'hobby' })
      await isKnown(key)
      /** Allowed requests by the minute they were counted in. */
      const allowed = new Map<string, number>()
      const spent = new Map<string, Set<Service>>()
      async function once(api: Service) {
        const answer = await ask(api, '/sports', key)
        await answer.arrayBuffer()
        const minute = answer.headers.get('x-ratelimit-reset')!
        if (answer.status === 200) allowed.set(minute, (allowed.get(minute) ?? 0) + 1)
        else expect(answer.status).toBe(429)
        if (answer.headers.get('x-ratelimit-remaining') !== '0') return minute
        spent.set(minute, (spent.get(minute) ?? new Set()).add(api))
        return minute
      }
      // If a minute ends meanwhile, the next one is checked.
      await expect
        .poll(
          async () => {
            await Promise.all(apis.flatMap((api) => Array.from({ length: limit }, () => once(api))))
            const minutes = [...spent].filter(([, by]) => by.size === apis.length)
            return minutes.length
          },
          { interval: 500 },
        )
        .toBeGreaterThan(0)
      console.log('let through of 120 by minute:', [...allowed.values()])
      for (const count of allowed.values()) expect(count).toBeLessThanOrEqual(1.1 * limit)
      const [full] = [...spent].find(([, by]) => by.size === apis.length)!
      // The requests of isKnown count too.
      expect(allowed.get(full)).toBeGreaterThanOrEqual(limit - 20)
    })

    it('have no more streams of a key open than it may, and take those of one that was killed', async () => {
      const { account_id: id } = await admin('/accounts', { name: 'Streams', tier: 'enterprise' })
      const { key } = await admin(`/accounts/${id}/keys`, { name: 'ten', max_streams: 10 })
      await isKnown(key)
      const stop = new AbortController()
      let open = 0
      const ends: string[] = []
      async function stream(api: Service) {
        const answer = await fetch(`${api.address}/stream/odds?league=nba&sportsbook=pinnacle`, {
          headers: { 'X-API-Key': key },
          signal: stop.signal,
        })
        if (answer.status !== 200) {
          await answer.arrayBuffer()
          return answer.status
        }
        open++
        answer
          .text()
          .then(
            (text) => {
              ends.push(/"code":"(\w+)"/.exec(text)?.[1] ?? 'without a code')
            },
            () => ends.push('broken'),
          )
          .finally(() => open--)
        return 200
      }
      try {
        // The requests span several reports, because neither process knows at first how far the other is.
        const statuses = await Promise.all(
          apis.flatMap((api) =>
            Array.from({ length: 10 }, async (_, i) => {
              await delay(25 * i)
              return stream(api)
            }),
          ),
        )
        const opened = statuses.filter((status) => status === 200).length
        await expect.poll(() => open).toBe(10)
        expect(ends).toEqual(Array.from({ length: opened - 10 }, () => 'too_many_streams'))
        for (const api of apis) {
          await expect
            .poll(async () => {
              const body = (await (await ask(api, '/account/usage', key)).json()) as {
                data: { streams: { active: number } }
              }
              return body.data.streams.active
            })
            .toBe(10)
          expect(await stream(api)).toBe(429)
        }
        await apis[0]!.kill()
        await expect
          .poll(
            async () => {
              if (open < 10) await stream(apis[1]!)
              return open
            },
            { interval: 100 },
          )
          .toBe(10)
        expect(await stream(apis[1]!)).toBe(429)
      } finally {
        stop.abort()
        apis[0] = await startApi('a')
      }
    })

    it('know the last request of one that has stopped', async () => {
      const { key } = await admin('/accounts', { name: 'Last', tier: 'enterprise' })
      let answered = 0
      async function askCounted(api: Service) {
        const answer = await ask(api, '/account/usage', key)
        if (answer.status === 200) answered++
        return answer
      }
      for (const api of apis) {
        await expect.poll(async () => (await askCounted(api)).status).toBe(200)
      }
      // It responds until it closes. The loop ends once it accepts no connection.
      const stopping = apis[0]!.stop()
      let isTaken = true
      while (isTaken) {
        await askCounted(apis[0]!).catch(() => {
          isTaken = false
        })
      }
      expect(await stopping).toBe(0)
      await expect
        .poll(async () => {
          const body = (await (await askCounted(apis[1]!)).json()) as {
            data: { requests: { today: number } }
          }
          return body.data.requests.today - answered
        })
        .toBe(0)
    })
  },
)
