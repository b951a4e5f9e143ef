/**
 * A deployment of three brokers (one in the short form), two pipelines and two APIs under every kind of fault known
 * from production, while prices are pushed and read: no acknowledged record is lost, no older price comes back, no
 * process ends by itself, the archive has each price once, opportunities follow from the prices, and a live source is
 * still polled.
 *
 *     npm run test:faults
 *     OVERROUND_TEST_KILLS=200 OVERROUND_TEST_SEED=7 npm run test:faults
 *
 * The first runs five faults once, as CI does. The second runs all, draws more by their weights until so many processes
 * have been killed or `OVERROUND_TEST_MINUTES` are over, and writes `results.md`.
 * `OVERROUND_TEST_FAULTS='broker,nobody'` runs those with one of these in their names, `OVERROUND_TEST_PARTITIONS` sets
 * the partitions of each topic (4).
 */

import { mkdtempSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import { testSeed } from '../seed.ts'
import { adminToken, type Cluster, startCluster, topicPrefix } from './cluster.ts'
import { createFaults, type Fault, rolledFault } from './faults.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { type Load, startLoad } from './load.ts'
import { addedField, changedSchemas, makeNewerBuild } from './newer-build.ts'
import { type Outcome, writeResults } from './results.ts'
import '../kafka-setup.ts'
import { patienceMs } from '../patience.ts'

const kafka = inject('kafka')
/** Whether this test started the broker. It cannot kill brokers that are configured or in containers. */
const isOurs = !('reason' in kafka) && process.env.OVERROUND_KAFKA_BROKERS === undefined
const wantedKills = Number(process.env.OVERROUND_TEST_KILLS ?? 0)
const isLong = wantedKills > 0
const mostMs = Number(process.env.OVERROUND_TEST_MINUTES ?? 100) * 60_000
/** How long the whole log or registry stays away (ms). */
const awayMs = isLong ? 60_000 : 5_000
/** The least time to watch the effects of a fault (ms). */
const watchedMs = 6_000
/** Prices must flow again within this time on any machine (ms). The results have the actual time. */
const healsWithinMs = patienceMs

describe.skipIf(!isOurs)(
  `a deployment that is hurt${isOurs ? '' : ' (skipped: no broker of our own)'}`,
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'overround-faults-'))
    const random = createRandom(testSeed)
    const named = (process.env.OVERROUND_TEST_FAULTS ?? '').split(',')
    const newerBuild = makeNewerBuild(directory)
    const faults = createFaults({ awayMs, newerBuild }).filter(
      ({ name, isInShort }) => named.some((part) => name.includes(part)) && (isLong || isInShort),
    )
    const outcomes: Outcome[] = []
    const loads: number[] = []
    let cluster: Cluster
    let ledger: Ledger
    let load: Load
    let kills = 0

    beforeAll(async () => {
      cluster = await startCluster({ directory, brokers: isLong ? 3 : 1, pipelines: 2, apis: 2 })
      ledger = openLedger(join(directory, 'ledger'))
      load = await startLoad(cluster, { key: await createKey(cluster), ledger, random })
      await flowing('the start')
    })
    afterAll(async () => {
      await load?.close()
      ledger?.close()
      await cluster?.stop()
    })

    const flowing = (after: string) =>
      waitUntil(() => load.stuck(), `prices do not flow after ${after}`)

    /** @param missing returns the unmet conditions, in words */
    async function waitUntil(missing: () => readonly string[], otherwise: string) {
      const deadline = performance.now() + healsWithinMs
      for (let what = missing(); what.length > 0; what = missing()) {
        if (performance.now() > deadline) {
          const told = [...what, ...(await cluster.states()), ...cluster.exits]
          throw new Error(`${otherwise}:\n${told.join('\n')}`)
        }
        await delay(50)
      }
    }

    async function hurt(fault: Fault) {
      load.beginTime()
      const until = performance.now() + watchedMs
      await fault.run(cluster, random)
      // A dead pipeline is noticed when its session times out: prices may flow until then.
      const takenAway = performance.now()
      await delay(Math.max(0, until - takenAway))
      await flowing(fault.name)
      kills += fault.kills
      const healedAfter = (performance.now() - takenAway) / 1_000
      const outcome = { fault: fault.name, ...load.silences(), healedAfter }
      outcomes.push(outcome)
      loads.push(loadavg()[0]!)
      const { prices, pricesElsewhere, reads, ingest } = outcome
      const said = [prices, pricesElsewhere, reads, ingest].map((seconds) => seconds.toFixed(1))
      console.log(
        `${fault.name}: without prices ${said[0]} s (elsewhere ${said[1]}), reads ${said[2]}, ingest ${said[3]}, all flows ${healedAfter.toFixed(1)} s after it; ${kills} kills, load ${loadavg()[0]!.toFixed(0)}`,
      )
      const asked = cluster.source.calls()
      await waitUntil(
        () => (cluster.source.calls() > asked + 1 ? [] : ['no calls']),
        `nobody asks the source after ${fault.name}`,
      )
      expect(cluster.exits).toEqual([])
    }

    it(
      'loses no acknowledged record, and shows nobody an older price or another board',
      async () => {
        const end = performance.now() + mostMs
        for (const fault of possible()) await hurt(fault)
        while (kills < wantedKills && performance.now() < end) await hurt(drawn())
        await load.finish()
        console.log(
          `${load.acknowledged} acknowledged, ${load.archived} looked up in the archive, ${load.opportunities} opportunities, ${load.games} games that started, ${load.reads} reads, ${load.proofs} proofs of streams, ${kills} kills, seed ${testSeed}`,
        )
        if (isLong) {
          writeResults({
            outcomes,
            kills,
            seed: testSeed,
            exits: cluster.exits.length,
            losses: load.losses,
            counts: load,
            machine: {
              cpu: cpus()[0]!.model,
              cores: cpus().length,
              memoryBytes: totalmem(),
              loads,
            },
          })
        }
        expect(load.faults).toEqual([])
        expect(Object.values(load.losses)).toEqual(Object.values(load.losses).map(() => 0))
        expect(load.proofs).toBeGreaterThan(faults.length)
        expect(load.opportunities).toBeGreaterThan(0)
        expect(load.games).toBeGreaterThan(0)
        if (cluster.clickhouse) expect(load.archived).toBe(load.acknowledged)
        if (outcomes.some(({ fault }) => fault === rolledFault)) await expectTwoSchemas()
      },
      mostMs + 4 * healsWithinMs,
    )

    /** Checks that the builds differ: each must have registered its own schema. */
    async function expectTwoSchemas() {
      const ask = async (path: string) =>
        (await fetch(`${cluster.registryUrl}/subjects/${path}`)).json() as Promise<unknown>
      for (const { topic } of changedSchemas) {
        const versions = `${topicPrefix}${topic}-value/versions`
        const numbers = (await ask(versions)) as number[]
        const schemas = await Promise.all(numbers.map((number) => ask(`${versions}/${number}`)))
        const isNewer = schemas.map((schema) => JSON.stringify(schema).includes(addedField))
        expect(new Set(isNewer), topic).toEqual(new Set([false, true]))
      }
    }

    /** Leaves out what this process may not do to the brokers' disks. */
    function possible(): Fault[] {
      const hasDisks = !cluster.disks.includes(null)
      return faults.filter(({ needsDisks }) => hasDisks || !needsDisks)
    }

    function drawn(): Fault {
      const all = possible().flatMap((fault) => Array.from({ length: fault.weight }, () => fault))
      return random.pick(all)
    }
  },
)

async function createKey({ apis }: Cluster): Promise<string> {
  const create = async () => {
    const answer = await fetch(`${apis[0]!.base}/admin/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
      body: JSON.stringify({ name: 'Reader', tier: 'enterprise' }),
    })
    return { status: answer.status, body: (await answer.json()) as { data: { key: string } } }
  }
  let created = await create()
  for (let i = 0; i < 100 && created.status === 503; i++) {
    await delay(200)
    created = await create()
  }
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  return created.body.data.key
}
