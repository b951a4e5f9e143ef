/**
 * Kills the real process while opportunities appear and their webhook responds, is slow or fails, and restarts it. Each
 * opportunity must arrive, under one id.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import { openReceiver, type Received } from '../api/alerts/receiver.ts'
import { moneyline } from '../api/hand-made-market.ts'
import { oddsRecord } from '../api/service-in-process.ts'
import { testSeed } from '../seed.ts'
import { type Service, startService } from '../service.ts'

const token = 'alerts-crash-ingest-token'
const key = 'sk_test_sandbox_sharp'
const kills = Number(process.env.OVERROUND_TEST_CRASHES ?? 12)

const homes = [
  ...['Boston Celtics', 'Brooklyn Nets', 'New York Knicks', 'Toronto Raptors', 'Chicago Bulls'],
  ...['Detroit Pistons', 'Indiana Pacers', 'Milwaukee Bucks', 'Atlanta Hawks', 'Miami Heat'],
]
const aways = [
  ...['Denver Nuggets', 'Utah Jazz', 'Phoenix Suns', 'Sacramento Kings', 'Houston Rockets'],
  ...['Dallas Mavericks', 'Memphis Grizzlies', 'San Antonio Spurs', 'Orlando Magic', 'LA Clippers'],
]

/** Number of games, days apart, one arbitrage each: no more than an alert's limit of an hour. */
const gameCount = 50
const gameOf = (number: number) => ({
  home: homes[number % 10]!,
  away: aways[(number + 3 * Math.floor(number / 10)) % 10]!,
  startsAt: new Date(Date.UTC(2030, 0, 1 + 2 * number, 20)).toISOString(),
})

interface Delivered {
  readonly id: string
  readonly delivered_at: string
}

test(`alerts through ${kills} kills tell each opportunity, under one id`, async () => {
  const workDir = mkdtempSync(join(tmpdir(), 'overround-alerts-'))
  const receiver = await openReceiver()
  let service: Service | undefined
  try {
    const random = createRandom(testSeed)
    const start = async () => {
      service = await startService({
        env: {
          OVERROUND_DATA_DIR: workDir,
          OVERROUND_FEEDS: 'none',
          OVERROUND_ARCHIVE: 'off',
          OVERROUND_INGEST_TOKEN: token,
          OVERROUND_ALERT_TARGETS: 'any',
        },
      })
    }
    /** Repeats the request until the process takes it, because it may be killed meanwhile. */
    const ask = async (path: string, init: RequestInit): Promise<Response> => {
      for (;;) {
        try {
          const response = await fetch(`${service!.address}${path}`, init)
          if (response.ok) return response
        } catch {
          // It was killed, or is not up yet.
        }
        await delay(20)
      }
    }
    const push = (number: number) => {
      const records = [
        ['draftkings', moneyline(2.1, 1.7)],
        ['fanduel', moneyline(1.8, 2.05)],
      ] as const
      const lines = records.map(([sportsbook, market]) =>
        JSON.stringify(
          oddsRecord(Date.now(), { ...gameOf(number), sportsbook, markets: [market] }),
        ),
      )
      return ask('/ingest', {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: lines.join('\n'),
      })
    }

    await start()
    const made = await ask('/account/alerts', {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: 'every arbitrage',
        kind: 'arbitrage',
        once_per: 'opportunity',
        per_hour: 60,
        target: { type: 'webhook', url: `${receiver.url}/odds` },
      }),
    })
    const { data } = (await made.json()) as { data: { id: string; target: { secret: string } } }

    const webhook = new Webhook(data.target.secret)
    const unsigned: string[] = []
    /** Verifies a message on receipt, because its signature is valid for five minutes. */
    const verify = ({ text, headers }: Received) => {
      try {
        webhook.verify(text, headers as Record<string, string>)
      } catch (error) {
        unsigned.push(String(error))
      }
    }
    // Some responses come late, some are errors, and some never come.
    receiver.answer((one, response) => {
      verify(one)
      const drawn = random.between(0, 1)
      if (drawn < 0.1) response.writeHead(500).end()
      else if (drawn < 0.15) response.destroy()
      else setTimeout(() => response.writeHead(204).end(), random.between(0, 100))
    })
    let killed = 0
    const pushing = (async () => {
      for (let number = 0; number < gameCount; number++) {
        // Spreads the games over the kills.
        while (killed < Math.floor((number * kills) / gameCount)) await delay(10)
        await push(number)
        await delay(random.between(0, 400))
      }
    })()
    while (killed < kills) {
      await delay(random.between(100, 2_500))
      await service!.kill()
      killed++
      await start()
    }
    await pushing

    receiver.answer((one, response) => {
      verify(one)
      response.writeHead(204).end()
    })
    const idOf = ({ headers }: Received) => headers['webhook-id'] as string
    const opportunityOf = ({ body }: Received) => body.data.opportunity_id
    await expect.poll(() => new Set(receiver.received.map(opportunityOf)).size).toBe(gameCount)
    // All other messages have arrived once none is pending.
    await expect
      .poll(async () => {
        const response = await ask(`/account/alerts/${data.id}`, { headers: { 'X-API-Key': key } })
        return ((await response.json()) as { data: { pending: number } }).data.pending
      })
      .toBe(0)

    const idsOf = new Map<string, Set<string>>()
    for (const one of receiver.received) {
      const ids = idsOf.get(opportunityOf(one)) ?? new Set()
      idsOf.set(opportunityOf(one), ids.add(idOf(one)))
    }
    expect(unsigned).toEqual([])
    expect([...idsOf].filter(([, ids]) => ids.size !== 1)).toEqual([])
    expect(new Set(receiver.received.map(({ body }) => body.data.event.id)).size).toBe(gameCount)
    const distinct = new Set(receiver.received.map(idOf)).size
    expect(distinct).toBe(gameCount)
    const sent = receiver.received.length
    console.log(`${kills} kills, ${gameCount} opportunities, ${sent} requests, ${distinct} ids`)

    // By the clock of the service. How long a start takes is the machine's affair, so this is no bound.
    const listed = await ask(`/account/alerts/${data.id}/deliveries?limit=200`, {
      headers: { 'X-API-Key': key },
    })
    const deliveries = ((await listed.json()) as { data: Delivered[] }).data
    expect(new Set(deliveries.map(({ id }) => id))).toEqual(new Set(receiver.received.map(idOf)))
    const detectedAt = new Map(
      receiver.received.map((one) => [idOf(one), one.body.data.detected_at]),
    )
    const late = deliveries
      .map(({ id, delivered_at }) => Date.parse(delivered_at) - Date.parse(detectedAt.get(id)!))
      .sort((a, b) => a - b)
    const seconds = [0.5, 0.9, 1].map((part) => late[Math.ceil(part * late.length) - 1]! / 1_000)
    console.log(`from detection to arrival p50, p90, most: ${seconds.join(', ')} s`)
  } finally {
    await service?.kill()
    await receiver.close()
    rmSync(workDir, { recursive: true, force: true })
  }
})
