import type { Admin, Kafka } from 'kafkajs'
import { describe, expect, it, vi } from 'vitest'
import {
  type ClusterFacts,
  compareTopics,
  planTopics,
  type TopicFacts,
} from '../../../../pipeline/log/kafka/topic-plan.ts'
import {
  goneTopics,
  mendTopics,
  readPlanned,
  readTopics,
  setUpTopics,
} from '../../../../pipeline/log/kafka/topics.ts'
import { LogSetupError, LogUnavailableError } from '../../../../pipeline/log/log.ts'
import { type TopicPolicy, topicPolicyOf } from '../../../../pipeline/settings/kafka-settings.ts'
import { topics } from '../../../../schemas/topics.ts'

const { feedOdds, odds } = topics
const cluster = (facts: Partial<ClusterFacts> = {}): ClusterFacts => ({
  brokers: 3,
  replicationFactor: 1,
  minInsyncReplicas: 1,
  ...facts,
})

function planned(facts: Partial<ClusterFacts>, said: Partial<TopicPolicy> = {}) {
  const plans = planTopics(
    [feedOdds, odds],
    { ...topicPolicyOf(said), prefix: 'p.' },
    cluster(facts),
  )
  const [meta, feed, table] = plans
  return { meta: meta!, feed: feed!, table: table!, plans }
}

describe('topics are planned', () => {
  // Kafka's own default is one replica on any cluster.
  it.each([
    [{ brokers: 1 }, 1, undefined],
    [{ brokers: 2 }, 2, undefined],
    [{ brokers: 3 }, 3, '2'],
    [{ brokers: 9 }, 3, '2'],
    [{ brokers: 3, replicationFactor: null, minInsyncReplicas: null }, 3, '2'],
    [{ brokers: 5, replicationFactor: 5 }, 5, '2'],
    [{ brokers: 3, replicationFactor: 2 }, 2, undefined],
    [{ brokers: 3, replicationFactor: 3, minInsyncReplicas: 2 }, 3, undefined],
  ])('on %o with %i copies and %s in sync', (facts, copies, inSync) => {
    for (const plan of planned(facts).plans) {
      expect(plan.replicationFactor).toBe(copies)
      expect(plan.settings['min.insync.replicas']).toBe(inSync)
    }
  })

  it('by the operator’s settings, whatever the cluster has', () => {
    const { meta, feed, table } = planned(
      { brokers: 3, replicationFactor: 3, minInsyncReplicas: 2 },
      {
        partitions: 24,
        replicationFactor: 1,
        minInsyncReplicas: 1,
        compression: 'zstd',
        retentionMs: 1,
        tombstonesKeptMs: 2,
      },
    )
    expect([meta, feed, table].map(({ name, partitions }) => [name, partitions])).toEqual([
      ['p.meta', 1],
      ['p.feed.odds', 24],
      ['p.odds', 24],
    ])
    for (const { replicationFactor, settings } of [meta, feed, table]) {
      expect(replicationFactor).toBe(1)
      expect(settings).toMatchObject({ 'min.insync.replicas': '1', 'compression.type': 'zstd' })
    }
    expect(feed.settings).toMatchObject({ 'cleanup.policy': 'delete', 'retention.ms': '1' })
    expect(table.settings).toMatchObject({
      'cleanup.policy': 'compact',
      'delete.retention.ms': '2',
    })
  })
})

describe('a topic that is there', () => {
  const { feed, table } = planned({})
  const factsOf = (plan = table): TopicFacts => ({
    partitions: plan.partitions,
    replicationFactor: plan.replicationFactor,
    settings: { 'min.insync.replicas': '1', 'compression.type': 'producer', ...plan.settings },
  })
  const compared = (change: Partial<TopicFacts>, plan = table, brokers = 3) =>
    compareTopics([plan], new Map([[plan.name, { ...factsOf(plan), ...change }]]), { brokers }).map(
      ({ setting, gravity }) => `${gravity} ${setting}`,
    )
  const set = (settings: Record<string, string>, plan = table) =>
    compared({ settings: { ...factsOf(plan).settings, ...settings } }, plan)

  it('as planned differs in nothing, and a missing one is refused', () => {
    expect(compared({})).toEqual([])
    expect(compareTopics([table], new Map(), { brokers: 3 })).toMatchObject([
      { topic: 'p.odds', setting: 'topic', is: null, gravity: 'refused' },
    ])
  })

  it.each([
    ['partitions of another number', { partitions: 9 }, 'refused partitions'],
    ['fewer partitions', { partitions: 7 }, 'refused partitions'],
    ['more in use', { partitions: 9, partitionsInUse: 9 }, 'refused partitions'],
    // Keys go by the number of the plan: the ninth stays empty.
    ['a spare one', { partitions: 9, partitionsInUse: 8 }, 'warned partitions'],
    ['settings that are not shown', { settings: null }, 'warned DescribeConfigs'],
    [
      'one copy',
      { replicationFactor: 1, settings: null },
      ['warned replication.factor', 'warned DescribeConfigs'],
    ],
    ['fewer copies', { replicationFactor: 2 }, 'warned replication.factor'],
    ['more copies', { replicationFactor: 4 }, 'noted replication.factor'],
  ])('with %s', (_what, change, expected) => {
    expect(compared(change)).toEqual([expected].flat())
  })

  it('of Kafka itself must have several copies if there are several brokers', () => {
    const offsets: TopicFacts = { partitions: 50, replicationFactor: 1, settings: null }
    const facts = new Map([
      [table.name, factsOf()],
      ['__consumer_offsets', offsets],
    ])
    expect(compareTopics([table], facts, { brokers: 3 })).toMatchObject([
      { topic: '__consumer_offsets', gravity: 'warned', is: '1', wanted: '3' },
    ])
    expect(compareTopics([], facts, { brokers: 1 })).toEqual([])
  })

  it('of one copy on one broker is as good as it gets', () => {
    const { table: alone } = planned({ brokers: 1 })
    expect(compared({}, alone, 1)).toEqual([])
  })

  it.each([
    // A table deleted by age would lose rows that do not change.
    [{ 'cleanup.policy': 'delete' }, ['refused cleanup.policy']],
    [{ 'cleanup.policy': 'compact,delete' }, ['refused cleanup.policy']],
    [{ 'min.insync.replicas': '4' }, ['refused min.insync.replicas']],
    [{ 'min.insync.replicas': '1' }, ['warned min.insync.replicas']],
    [{ 'min.insync.replicas': '3' }, ['noted min.insync.replicas']],
    [{ 'unclean.leader.election.enable': 'true' }, ['warned unclean.leader.election.enable']],
    [{ 'max.message.bytes': '1048588' }, ['warned max.message.bytes']],
    [{ 'max.message.bytes': '99999999' }, ['noted max.message.bytes']],
    [{ 'delete.retention.ms': '1000' }, ['warned delete.retention.ms']],
    [{ 'segment.ms': '604800000' }, ['noted segment.ms']],
    // The compression is not configured.
    [{ 'compression.type': 'lz4' }, []],
  ])('as a table with %o', (settings, expected) => {
    expect(set(settings)).toEqual(expected)
  })

  it.each([
    [{ 'cleanup.policy': 'compact' }, ['refused cleanup.policy']],
    [{ 'retention.ms': '1000' }, ['warned retention.ms']],
    // No limit.
    [{ 'retention.ms': '-1' }, ['noted retention.ms']],
  ])('as a feed with %o', (settings, expected) => {
    expect(set(settings, feed)).toEqual(expected)
  })

  it('may want more in sync than two where the cluster says so', () => {
    const { table: plan } = planned({ replicationFactor: 5, minInsyncReplicas: 3 })
    const settings = { ...factsOf(plan).settings, 'min.insync.replicas': '3' }
    expect(compared({ settings }, plan)).toEqual([])
  })
})

describe('missing topics', () => {
  const { plans } = planned({})
  const names = plans.map(({ name }) => name)

  /** Brokers with this response to the creation of topics, which know all of them afterwards. */
  function brokersOf({ areNew }: { areNew: boolean }) {
    const asked: string[] = []
    const admin: Partial<Admin> = {
      async createTopics({ topics }) {
        asked.push(...topics.map(({ topic }) => topic))
        return areNew
      },
      listTopics: async () => names,
      fetchTopicMetadata: async () => ({
        topics: names.map((name) => ({ name, partitions: [] })),
      }),
      describeConfigs: async () => ({ resources: [], throttleTime: 0 }),
    }
    return { admin: admin as Admin, asked }
  }

  it('are new if the brokers report that they made all of them', async () => {
    const { admin, asked } = brokersOf({ areNew: true })
    const made = await mendTopics(admin, plans, compareTopics(plans, new Map(), cluster()))
    expect([asked, [...made]]).toEqual([names, names])
  })

  it('are not known to be new if another process made one meanwhile', async () => {
    const { admin, asked } = brokersOf({ areNew: false })
    const made = await mendTopics(admin, plans, compareTopics(plans, new Map(), cluster()))
    expect([asked, [...made]]).toEqual([names, []])
  })

  it('are not made without the right to describe them', async () => {
    const { admin, asked } = brokersOf({ areNew: true })
    const differences = compareTopics(plans, new Map([[names[1]!, null]]), cluster())
    await expect(mendTopics(admin, plans, differences)).rejects.toThrow(
      /lacks the right Describe on these topics.*: p\.feed\.odds$/,
    )
    expect(asked).toEqual([])
  })

  it('are not made anew where they were there before', async () => {
    const { admin, asked } = brokersOf({ areNew: true })
    const differences = compareTopics(plans, new Map(), cluster(), new Set([names[2]!]))
    expect(differences.map(({ setting, gravity }) => [setting, gravity])).toEqual([
      ['topic', 'refused'],
      ['topic', 'refused'],
      ['gone topic', 'refused'],
    ])
    await expect(mendTopics(admin, plans, differences)).rejects.toThrow(
      /deleted from a log in use, and their records with them: p\.odds\. Nothing was changed/,
    )
    expect(asked).toEqual([])
  })

  it('are waited for until they have leaders, and those that were there are not', async () => {
    const { admin } = brokersOf({ areNew: true })
    let leader = -1
    let asked = 0
    admin.fetchTopicMetadata = async ({ topics } = { topics: [] }) => {
      if (asked++ > 0) leader = 1
      const partitions = [{ leader, replicas: [1] }] as never
      return { topics: topics.map((name) => ({ name, partitions })) }
    }
    const facts = await readTopics(admin, names)
    expect([leader, [...facts.keys()]]).toEqual([-1, names])
    asked = 0
    await mendTopics(admin, plans, compareTopics(plans, new Map(), cluster()))
    expect([leader, asked]).toEqual([1, 2])
  })

  it('are not reported as made while slow brokers do not show them: the start waits, and continues when they do', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    try {
      const { admin } = brokersOf({ areNew: true })
      let shown: string[] = []
      const kafka = {
        admin: () => ({
          ...admin,
          connect: async () => {},
          disconnect: async () => {},
          listTopics: async () => shown,
          fetchTopicMetadata: async ({ topics }: { topics: string[] }) => ({
            topics: topics
              .filter((name) => shown.includes(name))
              .map((name) => ({
                ...{ name, partitions: [{ replicas: [1] }] },
              })),
          }),
          describeCluster: async () => ({ brokers: [{ nodeId: 1 }], controller: 1 }),
        }),
      } as unknown as Kafka
      const said: string[] = []
      const note = (_fields: object, message: string) => said.push(message)
      const start = () =>
        setUpTopics(kafka, [feedOdds], {
          policy: { ...topicPolicyOf({ partitions: 1 }), prefix: 'p.' },
          setup: 'create',
          namedBrokers: 1,
          isRegistered: async () => false,
          requireVersions: async () => {},
          logger: { debug() {}, info: note, warn: note },
        })
      const waiting = start().catch((error) => error)
      await vi.advanceTimersByTimeAsync(31_000)
      const error = await waiting
      expect(error).toBeInstanceOf(LogUnavailableError)
      expect(error.message).toMatch(/do not show them yet: p\.meta, p\.feed\.odds$/)
      expect(said).toEqual([])
      shown = ['p.meta', 'p.feed.odds']
      await expect(start()).resolves.toEqual({ tombstonesKeptMs: expect.any(Number) })
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a missing topic', () => {
  const { plans } = planned({})
  const [meta, feed, table] = plans.map(({ name }) => name) as [string, string, string]

  /** A cluster that lacks topics, with a log that is in use if the topic of its identity has records. */
  function createCluster({ identities = 1, missing = [feed, table] } = {}) {
    const lacks = new Set(missing)
    const made: string[] = []
    const listed = () => [meta, feed, table].filter((name) => !lacks.has(name))
    const admin: Partial<Admin> = {
      connect: async () => {},
      disconnect: async () => {},
      describeCluster: async () =>
        ({ brokers: [{ nodeId: 1 }], controller: 1 }) as Awaited<
          ReturnType<Admin['describeCluster']>
        >,
      listTopics: async () => listed(),
      async fetchTopicMetadata({ topics } = { topics: [] }) {
        if (topics.some((name) => lacks.has(name))) {
          throw Object.assign(new Error('unknown'), { type: 'UNKNOWN_TOPIC_OR_PARTITION' })
        }
        const partitions = [{ leader: 1, replicas: [1] }] as never
        return { topics: topics.map((name) => ({ name, partitions })) }
      },
      describeConfigs: async () => ({ resources: [], throttleTime: 0 }),
      fetchTopicOffsets: async () => [
        { partition: 0, offset: '0', low: '0', high: String(identities) },
      ],
      async createTopics({ topics }) {
        for (const { topic } of topics) {
          made.push(topic)
          lacks.delete(topic)
        }
        return true
      },
    }
    return { admin: admin as Admin, lacks, made, facts: () => readTopics(admin as Admin, listed()) }
  }

  /** Runs with stepped time. */
  async function inTime<Value>(work: () => Promise<Value>) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    try {
      const working = work().catch((error: Error) => error)
      await vi.advanceTimersByTimeAsync(6_000)
      return await working
    } finally {
      vi.useRealTimers()
    }
  }

  it('was there before if its schema is registered, on a log that has its identity', async () => {
    const { admin, facts } = createCluster()
    const isRegistered = async (topic: string) => topic === table
    const gone = await inTime(async () => goneTopics(admin, plans, await facts(), isRegistered))
    expect(gone).toEqual(new Set([table]))
  })

  it('is a new one on a log without identity, whatever another log has registered', async () => {
    for (const lacking of [{ identities: 0 }, { missing: [meta, feed, table] }]) {
      const { admin, facts } = createCluster(lacking)
      expect(await goneTopics(admin, plans, await facts(), async () => true)).toEqual(new Set())
    }
  })

  it('was not there before if another process makes it now', async () => {
    const { admin, lacks, facts } = createCluster()
    const known = await facts()
    const isRegistered = async (topic: string) => {
      // The broker that we ask shows it later.
      setTimeout(() => lacks.delete(topic), 3_000)
      return true
    }
    const gone = await inTime(() => goneTopics(admin, plans, known, isRegistered))
    expect(gone).toEqual(new Set())
  })

  it('refuses a start by its name, and nothing is made', async () => {
    const { admin, made } = createCluster()
    const start = (isRegistered: (topic: string) => Promise<boolean>) =>
      setUpTopics({ admin: () => admin } as unknown as Kafka, [feedOdds, odds], {
        policy: { ...topicPolicyOf({ partitions: 1 }), prefix: 'p.' },
        setup: 'create',
        namedBrokers: 1,
        isRegistered,
        requireVersions: async () => {},
        logger: { debug() {}, info() {}, warn() {} },
      })
    const error = await inTime(() => start(async (topic) => topic === table))
    expect(error).toBeInstanceOf(LogSetupError)
    expect((error as Error).message).toMatch(/^ {2}p\.odds: it was deleted from a log in use/m)
    expect(made).toEqual([])
    await inTime(() => start(async () => false))
    expect(made).toEqual([feed, table])
  })
})

describe('topics that are read', () => {
  const { plans } = planned({})
  const [meta, feed, table] = plans.map(({ name }) => name) as [string, string, string]

  /** A cluster that shows the settings of all topics but `hidden`. */
  function createCluster({ partitions = 8, hidden = '' } = {}) {
    const asked: string[] = []
    const admin: Partial<Admin> = {
      listTopics: async () => [meta, feed, table],
      fetchTopicMetadata: async ({ topics } = { topics: [] }) => ({
        topics: topics.map((name) => ({
          name,
          partitions: Array.from({ length: name === meta ? 1 : partitions }, () => ({
            replicas: [1, 2, 3],
          })) as never,
        })),
      }),
      // kafkajs refuses the answer about all because of one.
      async describeConfigs({ resources }) {
        if (resources.some(({ name }) => name === hidden)) {
          throw Object.assign(new Error('denied'), { type: 'TOPIC_AUTHORIZATION_FAILED' })
        }
        const described = resources.map(({ name }) => ({
          resourceName: name,
          configEntries: [{ configName: 'cleanup.policy', configValue: 'delete' }],
        }))
        return { resources: described, throttleTime: 0 } as never
      },
      async fetchTopicOffsets(topic) {
        asked.push(topic)
        const ends = topic === feed ? ['7', '0', '0'] : ['0', '0', '4']
        return ends.map((high, partition) => ({ partition, offset: high, low: '0', high }))
      },
    }
    return { admin: admin as Admin, asked }
  }

  it('are compared though the settings of one of them are not shown', async () => {
    const { admin } = createCluster({ hidden: feed })
    const facts = await readPlanned(admin, plans)
    const found = compareTopics(plans, facts, cluster()).map(
      ({ topic, setting, gravity }) => `${gravity} ${setting} of ${topic}`,
    )
    expect(found.filter((text) => !text.includes('min.insync'))).toEqual([
      'refused cleanup.policy of p.meta',
      'warned DescribeConfigs of p.feed.odds',
      'refused cleanup.policy of p.odds',
    ])
  })

  it('are asked for records where they have more partitions than planned', async () => {
    expect((await readPlanned(createCluster().admin, plans)).get(feed)).not.toHaveProperty(
      'partitionsInUse',
    )
    const { admin, asked } = createCluster({ partitions: 9 })
    const facts = await readPlanned(admin, plans)
    expect(asked).toEqual([feed, table])
    expect([feed, table].map((name) => facts.get(name)?.partitionsInUse)).toEqual([1, 3])
  })
})
