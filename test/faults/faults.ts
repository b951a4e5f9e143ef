/** The faults of deployments: each is injected, held for a while, and removed. */

import { setTimeout as delay } from 'node:timers/promises'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import type { Random } from '../../pipeline/feeds/simulator/random.ts'
import { serviceProcessor } from '../../pipeline/processors/service-processor.ts'
import { groupBy } from '../../schemas/grouping.ts'
import { topics } from '../../schemas/topics.ts'
import { type Cluster, type Member, topicPrefix } from './cluster.ts'

export interface Fault {
  readonly name: string
  /** Number of processes killed with SIGKILL. */
  readonly kills: number
  /** How often it is drawn, relative to the others. */
  readonly weight: number
  /**
   * Whether CI runs it too, with one broker: kills of each kind of process but the broker, an absent registry, and
   * unreadable records.
   */
  readonly isInShort?: true
  /** Whether brokers need small disks of their own, see `openDisk`. */
  readonly needsDisks?: true
  /** @returns once the fault is removed; prices need not flow again yet */
  run(cluster: Cluster, random: Random): Promise<void>
}

/** Longer than a pipeline's session of 4 s (ms). */
const pauseMs = 6_000
const cutMs = 60_000

async function killed(member: Member) {
  await member.kill()
  await member.start()
}

async function deployed(member: Member, root?: string) {
  const code = await member.stop()
  if (code !== 0) throw new Error(`${member.name} was stopped and ended with ${code}`)
  await member.start(root)
}

async function paused(process: { pause(): void; resume(): void }, ms = pauseMs) {
  process.pause()
  await delay(ms)
  process.resume()
}

export interface FaultOptions {
  /** How long the whole log or registry stays away (ms). */
  readonly awayMs: number
  /** Directory of a newer build, see `newer-build.ts`. */
  readonly newerBuild: string
}

export const rolledFault = 'rolled to a newer build with other schemas, and back'

export function createFaults({ awayMs, newerBuild }: FaultOptions): readonly Fault[] {
  return [
    {
      name: rolledFault,
      kills: 0,
      weight: 1,
      async run({ pipelines, apis }) {
        const rolled = [...pipelines, ...apis]
        for (const member of rolled) await deployed(member, newerBuild)
        // Both builds read records of either.
        await delay(2_000)
        for (const member of rolled) await deployed(member)
      },
    },
    {
      name: `ClickHouse killed, and away for ${awayMs / 1_000} s`,
      kills: 1,
      weight: 2,
      isInShort: true,
      async run({ clickhouse }) {
        if (!clickhouse) return
        await clickhouse.killAndStayAway()
        await delay(awayMs)
        await clickhouse.comeBack()
      },
    },
    {
      name: 'pipeline killed',
      kills: 1,
      weight: 20,
      isInShort: true,
      run: ({ pipelines }, random) => killed(random.pick(pipelines)),
    },
    {
      name: 'API killed',
      kills: 1,
      weight: 16,
      isInShort: true,
      run: ({ apis }, random) => killed(random.pick(apis)),
    },
    {
      name: 'broker killed, one of three',
      kills: 1,
      weight: 8,
      async run({ brokers }, random) {
        const broker = random.pick(brokers)
        await broker.kill()
        // The others take over first, because starting a broker takes both cores of a small machine.
        await delay(8_000)
        await broker.start()
      },
    },
    {
      name: 'all pipelines killed',
      kills: 2,
      weight: 2,
      async run({ pipelines }) {
        await Promise.all(pipelines.map((one) => one.kill()))
        await Promise.all(pipelines.map((one) => one.start()))
      },
    },
    {
      name: 'pipeline deployed',
      kills: 0,
      weight: 2,
      run: ({ pipelines }, random) => deployed(random.pick(pipelines)),
    },
    {
      name: 'API deployed',
      kills: 0,
      weight: 1,
      run: ({ apis }, random) => deployed(random.pick(apis)),
    },
    {
      name: 'pipeline stands still for 6 s',
      kills: 0,
      weight: 1,
      run: ({ pipelines }, random) => paused(random.pick(pipelines)),
    },
    {
      name: 'API stands still for 6 s',
      kills: 0,
      weight: 1,
      run: ({ apis }, random) => paused(random.pick(apis)),
    },
    {
      name: 'pipeline joins and leaves',
      kills: 0,
      weight: 1,
      async run({ further }) {
        await further.start()
        await delay(pauseMs)
        await further.stop()
      },
    },
    {
      name: 'broker rolled',
      kills: 0,
      weight: 2,
      async run({ brokers }, random) {
        const broker = random.pick(brokers)
        await broker.end()
        await broker.start()
      },
    },
    {
      name: 'broker stands still for 6 s',
      kills: 0,
      weight: 1,
      run: ({ brokers }, random) => paused(random.pick(brokers)),
    },
    {
      name: 'broker stands still for 45 s',
      kills: 0,
      weight: 1,
      // Longer than a request waits for an answer: the others lead its partitions meanwhile.
      run: ({ brokers }, random) => paused(random.pick(brokers), 45_000),
    },
    {
      name: `all brokers away for ${awayMs / 1_000} s`,
      kills: 3,
      weight: 1,
      async run({ brokers }) {
        await Promise.all(brokers.map((broker) => broker.kill()))
        await delay(awayMs)
        await Promise.all(brokers.map((broker) => broker.start()))
      },
    },
    {
      name: `registry away for ${awayMs / 1_000} s`,
      kills: 1,
      weight: 1,
      isInShort: true,
      async run({ registry }) {
        await registry.kill()
        await delay(awayMs)
        await registry.start()
      },
    },
    {
      name: 'network 100 ms slower each way',
      kills: 0,
      weight: 1,
      async run({ ways }) {
        for (const way of ways) way.slow(100)
        await delay(pauseMs)
        for (const way of ways) way.mend()
      },
    },
    {
      name: 'all connections to brokers cut',
      kills: 0,
      weight: 1,
      async run({ ways }) {
        for (const way of ways) way.cut()
      },
    },
    {
      name: 'way to one broker leads nowhere for 6 s',
      kills: 0,
      weight: 1,
      async run({ ways }, random) {
        const way = random.pick(ways)
        way.block()
        await delay(pauseMs)
        way.mend()
      },
    },
    {
      name: `broker cut off from the others for ${cutMs / 1_000} s`,
      kills: 0,
      weight: 1,
      // It still takes itself for the leader of its partitions, and says so.
      async run({ brokerAddresses, isolate }, random) {
        const mend = isolate(await leaderOfFeeds(brokerAddresses, random))
        await delay(cutMs)
        mend()
      },
    },
    {
      name: `disk of a broker full for ${awayMs / 1_000} s`,
      kills: 0,
      weight: 1,
      needsDisks: true,
      // A broker that cannot write ends by itself.
      async run({ brokers, disks }, random) {
        const broker = random.pick([...brokers.keys()])
        disks[broker]!.fill()
        await delay(awayMs)
        disks[broker]!.free()
        await brokers[broker]!.kill()
        await brokers[broker]!.start()
      },
    },
    {
      name: 'all partitions moved to other brokers, and back',
      kills: 0,
      weight: 1,
      run: ({ brokerAddresses }) => reassign(brokerAddresses),
    },
    {
      name: 'records deleted that have been read',
      kills: 0,
      weight: 1,
      run: ({ brokerAddresses }) => deleteRead(brokerAddresses),
    },
    {
      name: 'records that nobody can read',
      kills: 0,
      weight: 1,
      isInShort: true,
      run: (cluster, random) => poison(cluster.brokerAddresses, random),
    },
  ]
}

async function asAdmin<T>(brokers: string, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

/** Takes each partition from the broker that leads it, then gives it back as a follower: no connection is lost. */
function reassign(brokers: string) {
  return asAdmin(brokers, async (admin) => {
    const names = (await admin.listTopics()).filter((name) => name.startsWith(topicPrefix))
    const { topics } = await admin.fetchTopicMetadata({ topics: names })
    const all = topics.flatMap(({ name, partitions }) =>
      partitions.map(({ partitionId: partition, leader, replicas }) => {
        const others = replicas.filter((one) => one !== leader)
        return { topic: name, partition, leader, others }
      }),
    )
    async function move(replicasOf: (of: (typeof all)[number]) => number[]) {
      const assigned = [...groupBy(all, ({ topic }) => topic)].map(([topic, some]) => ({
        topic,
        partitionAssignment: some.map((of) => ({
          partition: of.partition,
          replicas: replicasOf(of),
        })),
      }))
      await admin.alterPartitionReassignments({ topics: assigned })
      while ((await admin.listPartitionReassignments({})).topics.length > 0) await delay(200)
    }
    if (all.some(({ leader }) => leader < 0)) throw new Error('a partition has no leader')
    await move(({ others }) => others)
    await delay(pauseMs)
    await move(({ others, leader }) => [...others, leader])
  })
}

/** Returns the broker that leads one of the partitions in which prices arrive. */
function leaderOfFeeds(brokers: string, random: Random) {
  return asAdmin(brokers, async (admin) => {
    const name = `${topicPrefix}${topics.feedOdds.name}`
    const { topics: found } = await admin.fetchTopicMetadata({ topics: [name] })
    return random.pick(found[0]!.partitions).leader
  })
}

/** Deletes the records of the feeds' topic that the pipelines have read, as retention does. */
function deleteRead(brokers: string) {
  return asAdmin(brokers, async (admin) => {
    const topic = `${topicPrefix}${topics.feedOdds.name}`
    const groupId = `${topicPrefix}${serviceProcessor([]).name}`
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] })
    const partitions = (committed?.partitions ?? []).filter(({ offset }) => Number(offset) > 0)
    await admin.deleteTopicRecords({ topic, partitions })
  })
}

/** Writes bytes into the topics of feeds, as a foreign producer might. */
async function poison(brokers: string, random: Random) {
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING })
  const producer = kafka.producer()
  await producer.connect()
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => random.below(256)))
  const values = [
    Buffer.alloc(0),
    bytes(3),
    bytes(400),
    // An id of a schema that no registry has.
    Buffer.concat([Buffer.from([0, 0x7f, 0xff, 0xff, 0xff]), bytes(40)]),
    Buffer.from('{"type":"odds"}'),
  ]
  try {
    const messages = values.map((value, i) => ({ value, key: i % 2 === 0 ? null : bytes(8) }))
    await producer.send({ topic: `${topicPrefix}${topics.feedOdds.name}`, messages })
  } finally {
    await producer.disconnect()
  }
}
