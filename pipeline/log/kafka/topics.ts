/**
 * The planned topics of a cluster, the actual ones, and the changes between them.
 *
 * `planTopics` is the one plan: a start creates topics from it, the check compares with it, and the command
 * `overround topics` prints it. A start changes no existing topic. A difference that would lose records or stop every
 * write refuses the start; a lesser one is logged.
 */

// kafkajs is CommonJS, and Node finds only some of its names.
import kafkajs, { type Admin, type ConfigResourceTypes, type Kafka } from 'kafkajs'
import type { Topic } from '../../../schemas/topics.ts'
import type { TopicPolicy } from '../../settings/kafka-settings.ts'
import { LogSetupError, LogUnavailableError } from '../log.ts'
import type { KafkaLogger } from './connection.ts'
import { connectionReason } from './failures.ts'
import { clientRetry } from './group.ts'
import { typeOf } from './internals.ts'

const { ConfigResourceTypes: resourceTypes } = kafkajs

/** Facts about a cluster that the plan depends on. */
export interface ClusterFacts {
  readonly brokers: number
  /** The cluster's own `default.replication.factor` and `min.insync.replicas`; null where it does not report them. */
  readonly replicationFactor: number | null
  readonly minInsyncReplicas: number | null
}

/** The facts assumed for a plan made without a cluster. */
export const usualCluster: ClusterFacts = {
  brokers: 3,
  replicationFactor: null,
  minInsyncReplicas: null,
}

export interface TopicPlan {
  readonly name: string
  readonly partitions: number
  readonly replicationFactor: number
  /** Kafka's settings of the topic, by name. */
  readonly settings: Readonly<Record<string, string>>
}

/**
 * A difference of a topic from the plan. `refused`: records would be lost, or none could be written. `warned`: it is
 * weaker than promised. `noted`: another choice.
 */
export interface TopicDifference {
  readonly topic: string
  /**
   * A setting's name, `partitions` or `replication.factor`; `topic` where the topic is missing; `Describe` where we
   * lack that right.
   */
  readonly setting: string
  readonly is: string | null
  readonly wanted: string
  readonly gravity: 'refused' | 'warned' | 'noted'
  readonly why: string
}

/** The largest record of a topic, in bytes; one feed record can be as large as one ingest request. */
const maxRecordBytes = 10 * 1024 * 1024

/** The topic of the log itself: its epoch. */
export const metaTopicName = 'meta'

/** Returns all topics of a log on a cluster, `topics` and that of the log itself. */
export function planTopics(
  topics: readonly Topic[],
  policy: TopicPolicy & { readonly prefix: string },
  cluster: ClusterFacts,
): TopicPlan[] {
  const replicationFactor = policy.replicationFactor ?? copiesOn(cluster)
  const durable = durability(policy, cluster, replicationFactor)
  const plan = (name: string, partitions: number, settings: Record<string, string | number>) => ({
    name: `${policy.prefix}${name}`,
    partitions,
    replicationFactor,
    settings: Object.fromEntries(
      Object.entries({ ...settings, ...durable }).map(([key, value]) => [key, String(value)]),
    ),
  })
  return [
    plan(metaTopicName, 1, { 'cleanup.policy': 'compact' }),
    ...topics.map((topic) => plan(topic.name, policy.partitions, keptAs(topic, policy))),
  ]
}

/** Returns the number of copies: never one on a cluster of several, unless the operator sets it. */
function copiesOn({ brokers, replicationFactor }: ClusterFacts): number {
  return replicationFactor !== null && replicationFactor > 1
    ? replicationFactor
    : Math.min(brokers, 3)
}

function durability(
  { minInsyncReplicas, compression }: TopicPolicy,
  cluster: ClusterFacts,
  copies: number,
): Record<string, string | number> {
  // With two copies both would be required, so that losing one broker would stop every write.
  const isOneEnough = copies > 2 && (cluster.minInsyncReplicas ?? 1) < 2
  const inSync = minInsyncReplicas ?? (isOneEnough ? 2 : null)
  return {
    ...(inSync !== null && { 'min.insync.replicas': inSync }),
    // Some managed clusters elect a copy that has not caught up: acknowledged records would be lost.
    'unclean.leader.election.enable': 'false',
    ...(compression !== null && { 'compression.type': compression }),
  }
}

function keptAs({ retention }: Topic, { retentionMs, tombstonesKeptMs }: TopicPolicy) {
  const sized = { 'max.message.bytes': maxRecordBytes }
  if (retention !== 'compacted') {
    return { ...sized, 'cleanup.policy': 'delete', 'retention.ms': retentionMs ?? retention.forMs }
  }
  return {
    ...sized,
    'cleanup.policy': 'compact',
    // Only closed segments are compacted: they are closed often enough that a restore stays short.
    'segment.ms': 30 * 60_000,
    'segment.bytes': 16 * 1024 * 1024,
    'min.cleanable.dirty.ratio': 0.2,
    'delete.retention.ms': tombstonesKeptMs,
  }
}

/** An actual topic of the cluster. */
export interface TopicFacts {
  readonly partitions: number
  /** The fewest copies that a partition of it has. */
  readonly replicationFactor: number
  /** By name; null where we may not read them. */
  readonly settings: Readonly<Record<string, string>> | null
}

/** Topics of Kafka itself that commits go through, and the broker's setting of how many copies they get. */
const ownTopics = new Map([
  ['__consumer_offsets', 'offsets.topic.replication.factor'],
  ['__transaction_state', 'transaction.state.log.replication.factor'],
])

/** Returns the names of all topics that are checked. */
export const lookedAt = (plans: readonly TopicPlan[]): string[] => [
  ...plans.map(({ name }) => name),
  ...ownTopics.keys(),
]

/** Facts by name; null for a topic that we may not describe, and no entry for one that does not exist. */
export type FactsByTopic = ReadonlyMap<string, TopicFacts | null>

/** Returns the differences of `facts` from the plan. */
export function compareTopics(
  plans: readonly TopicPlan[],
  facts: FactsByTopic,
  { brokers }: Pick<ClusterFacts, 'brokers'>,
): TopicDifference[] {
  const ours = plans.flatMap((plan) => {
    const topic = facts.get(plan.name)
    if (topic === null) return [hidden(plan)]
    return topic ? compareTopic(plan, topic, brokers) : [missing(plan)]
  })
  const own = [...ownTopics].flatMap(([topic, setting]): TopicDifference[] => {
    const copies = facts.get(topic)?.replicationFactor
    if (copies !== 1 || brokers === 1) return []
    const why = `a single copy: the loss of its broker stops commits (${setting} of the brokers)`
    const wanted = String(Math.min(brokers, 3))
    return [{ topic, setting: 'replication.factor', is: '1', wanted, gravity: 'warned', why }]
  })
  return [...ours, ...own]
}

const missing = ({ name, partitions, replicationFactor }: TopicPlan): TopicDifference => ({
  topic: name,
  setting: 'topic',
  is: null,
  wanted: `${partitions} partitions, ${replicationFactor} copies`,
  gravity: 'refused',
  why: 'there is no such topic',
})

const describeRight = 'Describe'

const hidden = ({ name }: TopicPlan): TopicDifference => ({
  topic: name,
  setting: describeRight,
  is: null,
  wanted: 'Allow',
  gravity: 'refused',
  why: 'it may not be described: this user lacks the right Describe',
})

/**
 * The error for hidden topics. Their schemas are not registered, because there may be records that were written with
 * others.
 */
export const hiddenTopicsError = (topics: readonly string[], cause?: unknown) =>
  new LogSetupError(
    `this user lacks the right Describe on these topics, so it cannot tell whether they hold records: ${topics.join(', ')}`,
    { cause },
  )

function compareTopic(plan: TopicPlan, facts: TopicFacts, brokers: number): TopicDifference[] {
  const differences: TopicDifference[] = []
  const tell = (
    setting: string,
    is: string | number,
    wanted: string | number,
    [gravity, why]: readonly [TopicDifference['gravity'], string],
  ) => {
    const texts = { is: String(is), wanted: String(wanted) }
    differences.push({ topic: plan.name, setting, ...texts, gravity, why })
  }
  const { partitions, replicationFactor: copies, settings } = facts
  if (partitions !== plan.partitions) {
    tell('partitions', partitions, plan.partitions, ['refused', keysWouldMove])
  }
  if (copies !== plan.replicationFactor) {
    const isAlone = copies === 1 && brokers > 1
    const isFewer = copies < plan.replicationFactor
    const warning = isAlone ? oneCopy : fewerCopies
    const gravity = isAlone || isFewer ? (['warned', warning] as const) : otherChoice
    tell('replication.factor', copies, plan.replicationFactor, gravity)
  }
  if (settings === null) return differences
  const inSync = Number(settings['min.insync.replicas'] ?? 1)
  if (inSync > copies) {
    const why = 'more than there are copies: no write succeeds'
    tell('min.insync.replicas', inSync, Math.min(copies, 2), ['refused', why])
  } else {
    // Where the plan leaves it to the cluster, two of three are still wanted, and more are no fault.
    const planned = plan.settings['min.insync.replicas']
    const wanted = Number(planned ?? (copies > 2 ? 2 : 1))
    const why = 'what is acknowledged may be on fewer brokers'
    if (inSync < wanted) tell('min.insync.replicas', inSync, wanted, ['warned', why])
    else if (planned !== undefined && inSync > wanted) {
      tell('min.insync.replicas', inSync, wanted, otherChoice)
    }
  }
  for (const [setting, wanted] of Object.entries(plan.settings)) {
    const is = settings[setting]
    if (setting === 'min.insync.replicas' || is === undefined || is === wanted) continue
    tell(setting, is, wanted, gravityOf(setting, is, wanted))
  }
  return differences
}

const keysWouldMove = 'the number cannot change, since a key would move to another partition'
const oneCopy = 'a single copy: the loss of one broker stops the service'
const fewerCopies = 'fewer brokers may be lost'
const otherChoice = ['noted', 'another choice than ours'] as const

function gravityOf(
  setting: string,
  is: string,
  wanted: string,
): readonly [TopicDifference['gravity'], string] {
  const isLess = Number(is) >= 0 && Number(is) < Number(wanted)
  switch (setting) {
    case 'cleanup.policy':
      return [
        'refused',
        wanted === 'compact'
          ? 'rows that do not change would be deleted by age'
          : 'records of one key would be taken for each other',
      ]
    case 'unclean.leader.election.enable':
      return ['warned', 'a copy that is behind may lead: what was acknowledged would be lost']
    case 'max.message.bytes':
      return isLess ? ['warned', 'a large ingest request cannot be written'] : otherChoice
    case 'delete.retention.ms':
      return isLess ? ['warned', 'streams resume from positions no older than this'] : otherChoice
    case 'retention.ms':
      return isLess
        ? ['warned', 'what waits for the archive longer than this is lost']
        : otherChoice
    default:
      return otherChoice
  }
}

export interface TopicsInUse {
  /** The settings on the cluster, not those of the plan. */
  readonly tombstonesKeptMs: number
}

/**
 * Makes the topics usable: creates missing ones, or with `setup: 'check'` none, and compares existing ones with the
 * plan.
 * @throws LogSetupError naming every topic that cannot be used; LogUnavailableError
 */
export async function setUpTopics(
  kafka: Kafka,
  topics: readonly Topic[],
  options: {
    readonly policy: TopicPolicy & { readonly prefix: string }
    readonly setup: 'create' | 'check'
    /** The number of brokers in the settings: a starting cluster may report fewer. */
    readonly namedBrokers: number
    readonly logger: KafkaLogger
  },
): Promise<TopicsInUse> {
  const { policy, setup, namedBrokers, logger } = options
  return withAdmin(kafka, 'set up topics on Kafka', async (admin) => {
    const cluster = await readCluster(admin, namedBrokers)
    const plans = planTopics(topics, policy, cluster)
    let facts = await readTopics(admin, lookedAt(plans))
    const absent = plans.filter(({ name }) => !facts.has(name))
    if (absent.length > 0 && setup === 'create') {
      await createTopics(admin, absent)
      const { replicationFactor, settings } = absent[0]!
      const durability = {
        copies: replicationFactor,
        inSync: settings['min.insync.replicas'] ?? null,
      }
      facts = await untilKnown(admin, plans)
      logger.info({ topics: absent.length, ...durability }, 'topics created')
    }
    const differences = compareTopics(plans, facts, cluster)
    tellDifferences(differences, logger)
    return { tombstonesKeptMs: Math.min(policy.tombstonesKeptMs, ...keptOn(plans, facts)) }
  })
}

/** Returns how long each table keeps its tombstones, where we may read it. */
const keptOn = (plans: readonly TopicPlan[], facts: FactsByTopic) =>
  plans.flatMap(({ name, settings }) => {
    const kept = facts.get(name)?.settings?.['delete.retention.ms']
    return kept !== undefined && 'delete.retention.ms' in settings ? [Number(kept)] : []
  })

/** Logs the differences. @throws LogSetupError for a difference that refuses the start */
function tellDifferences(differences: readonly TopicDifference[], logger: KafkaLogger) {
  const by = (gravity: string) => differences.filter((each) => each.gravity === gravity)
  const refused = by('refused')
  if (refused.length > 0) {
    const lines = refused.map(({ topic, setting, is, wanted, why }) =>
      is === null ? `  ${topic}: ${why}` : `  ${topic}: ${setting} is ${is}, not ${wanted}: ${why}`,
    )
    throw new LogSetupError(
      `these topics cannot be used (overround topics diff shows all, overround topics apply mends what can be mended):\n${lines.join('\n')}`,
    )
  }
  // One line a setting: all topics mostly differ in the same way.
  for (const [key, alike] of groupAlike(by('warned'))) {
    const { setting, is, wanted, why } = alike[0]!
    const names = alike.map(({ topic }) => topic)
    logger.warn({ setting, is, wanted, topics: names, why }, `topics are not as wanted: ${key}`)
  }
  const noted = [...groupAlike(by('noted')).keys()]
  if (noted.length > 0) logger.info({ settings: noted }, 'topics are set otherwise than by default')
}

function groupAlike(differences: readonly TopicDifference[]) {
  const groups = new Map<string, TopicDifference[]>()
  for (const difference of differences) {
    const { setting, is } = difference
    const key = `${setting}=${is}`
    groups.set(key, [...(groups.get(key) ?? []), difference])
  }
  return groups
}

/**
 * Runs `work` with an administrator's connection.
 * @throws LogSetupError when the cluster does not know us, LogUnavailableError for other errors of kafkajs
 */
export async function withAdmin<T>(
  kafka: Kafka,
  what: string,
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  const admin = kafka.admin({ retry: clientRetry })
  try {
    await admin.connect()
    return await work(admin)
  } catch (error) {
    const { name, message } = error as Error
    if (!name.startsWith('KafkaJS')) throw error
    if (name === 'KafkaJSSASLAuthenticationError') {
      throw new LogSetupError(`the cluster does not let us in: ${message}`, { cause: error })
    }
    throw new LogUnavailableError(`${what}: ${connectionReason(error as Error)}`, { cause: error })
  } finally {
    await admin.disconnect().catch(() => {})
  }
}

export async function readCluster(admin: Admin, namedBrokers: number): Promise<ClusterFacts> {
  const { brokers, controller } = await admin.describeCluster()
  const id = String(controller ?? brokers[0]?.nodeId ?? '')
  const settings = await readSettings(admin, resourceTypes.BROKER, [id])
  const own = settings?.get(id)
  const number = (name: string) => (own?.[name] === undefined ? null : Number(own[name]))
  return {
    brokers: Math.max(brokers.length, namedBrokers),
    replicationFactor: number('default.replication.factor'),
    minInsyncReplicas: number('min.insync.replicas'),
  }
}

export async function readTopics(admin: Admin, wanted: readonly string[]): Promise<FactsByTopic> {
  const listed = new Set(await admin.listTopics())
  const names = wanted.filter((name) => listed.has(name))
  const facts = new Map<string, TopicFacts | null>()
  // The list leaves out topics that we may not describe; a request by name is refused. We need no right to see
  // Kafka's own.
  for (const name of wanted.filter((each) => !listed.has(each) && !ownTopics.has(each))) {
    if (await isHidden(admin, name)) facts.set(name, null)
  }
  if (names.length === 0) return facts
  const { topics } = await admin.fetchTopicMetadata({ topics: names })
  const settings = await readSettings(admin, resourceTypes.TOPIC, names)
  for (const { name, partitions } of topics) {
    facts.set(name, {
      partitions: partitions.length,
      replicationFactor: Math.min(...partitions.map(({ replicas }) => replicas.length)),
      settings: settings?.get(name) ?? null,
    })
  }
  return facts
}

async function isHidden(admin: Admin, topic: string) {
  try {
    await admin.fetchTopicMetadata({ topics: [topic] })
    return false
  } catch (error) {
    const type = typeOf(error)
    if (type === 'TOPIC_AUTHORIZATION_FAILED') return true
    // A name that no topic can have is refused when it is to be created.
    if (notYetKnown.has(type) || type === 'INVALID_TOPIC_EXCEPTION') return false
    throw error
  }
}

/** Returns settings by name of the resource; null where we may not read them. */
async function readSettings(admin: Admin, type: ConfigResourceTypes, names: readonly string[]) {
  const resources = names.map((name) => ({ type, name }))
  try {
    const answer = await admin.describeConfigs({ resources, includeSynonyms: false })
    return new Map(
      answer.resources.map(({ resourceName, configEntries }) => [
        resourceName,
        Object.fromEntries(
          configEntries.map(({ configName, configValue }) => [configName, configValue]),
        ),
      ]),
    )
  } catch (error) {
    if (isDenied(error)) return null
    throw error
  }
}

const isDenied = (error: unknown) =>
  String((error as { type?: string }).type).endsWith('_AUTHORIZATION_FAILED')

/**
 * @returns whether all of them are new; where one existed already, kafkajs does not say which
 * @throws LogSetupError; kafkajs's own error where the fault may pass
 */
export async function createTopics(admin: Admin, plans: readonly TopicPlan[]): Promise<boolean> {
  try {
    return await admin.createTopics({
      // kafkajs would wait for leaders, but ends at a broker that does not know the topics yet: `untilKnown` waits.
      waitForLeaders: false,
      topics: plans.map(({ name, partitions, replicationFactor, settings }) => ({
        topic: name,
        numPartitions: partitions,
        replicationFactor,
        configEntries: Object.entries(settings).map(([setting, value]) => ({
          name: setting,
          value,
        })),
      })),
    })
  } catch (error) {
    const failures = (error as { errors?: readonly (Error & { type?: string; topic?: string })[] })
      .errors
    const first = failures?.find(({ type }) => type !== 'TOPIC_ALREADY_EXISTS') ?? (error as Error)
    const { type, topic, message } = first as Error & { type?: string; topic?: string }
    if (type === 'INVALID_REPLICATION_FACTOR') {
      throw new LogUnavailableError(
        `create topics: ${plans[0]!.replicationFactor} copies are required, and fewer brokers answer ` +
          '(OVERROUND_KAFKA_REPLICATION_FACTOR sets another number)',
        { cause: error },
      )
    }
    if (type === undefined || !willNotPass.has(type)) throw error
    throw new LogSetupError(`${topic} cannot be created: ${message}`, { cause: error })
  }
}

const willNotPass: ReadonlySet<string> = new Set([
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'POLICY_VIOLATION',
  'INVALID_CONFIG',
  'INVALID_TOPIC_EXCEPTION',
])

const notYetKnown: ReadonlySet<string | undefined> = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
])
const knownWithinMs = 30_000

/**
 * Waits until the topics are known: just after its creation a topic may be unknown to a broker, or have no leader.
 * @throws LogUnavailableError where that goes on
 */
async function untilKnown(admin: Admin, plans: readonly TopicPlan[]) {
  const until = performance.now() + knownWithinMs
  for (;;) {
    const facts = await readTopics(admin, lookedAt(plans)).catch((error) => {
      if (!notYetKnown.has((error as { type?: string }).type)) throw error
      return new Map<string, TopicFacts>()
    })
    const unknown = plans.filter(({ name }) => !facts.has(name))
    if (unknown.length === 0) return facts
    if (performance.now() > until) {
      const names = unknown.map(({ name }) => name).join(', ')
      throw new LogUnavailableError(
        `the brokers took these topics and do not show them yet: ${names}`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Returns whether a difference can be fixed: a missing topic, or one of its own settings. */
export const isMendable = (difference: TopicDifference) =>
  difference.setting === 'topic' || isSettable(difference)

/** Returns whether a difference is in one of a topic's own settings, which can be set. */
const isSettable = ({ setting }: TopicDifference) =>
  !['topic', describeRight, 'partitions', 'replication.factor'].includes(setting)

/**
 * Creates missing topics and changes settings that differ, as far as that is possible.
 * @returns the topics that are certainly new, and empty
 * @throws LogSetupError, with nothing changed, where a topic may not be described; errors of `createTopics`
 */
export async function mendTopics(
  admin: Admin,
  plans: readonly TopicPlan[],
  differences: readonly TopicDifference[],
): Promise<ReadonlySet<string>> {
  const ofSetting = (wanted: string) =>
    differences.flatMap(({ topic, setting }) => (setting === wanted ? [topic] : []))
  const unseen = ofSetting(describeRight)
  if (unseen.length > 0) throw hiddenTopicsError(unseen)
  const absent = new Set(ofSetting('topic'))
  let areNew = false
  if (absent.size > 0) {
    const missing = plans.filter(({ name }) => absent.has(name))
    areNew = await createTopics(admin, missing)
    await untilKnown(admin, missing)
  }
  await setSettings(admin, differences)
  return areNew ? absent : new Set()
}

async function setSettings(admin: Admin, differences: readonly TopicDifference[]) {
  const changes = differences.filter(isSettable)
  const changed = [...new Set(changes.map(({ topic }) => topic))]
  if (changed.length === 0) return
  // kafkajs sets all of a topic's settings at once: those set by an operator are sent along.
  const own = await readOwnSettings(admin, changed)
  await admin.alterConfigs({
    validateOnly: false,
    resources: changed.map((name) => {
      const wanted = changes
        .filter(({ topic }) => topic === name)
        .map((change): [string, string] => [change.setting, change.wanted])
      const entries = { ...own.get(name), ...Object.fromEntries(wanted) }
      return {
        type: resourceTypes.TOPIC,
        name,
        configEntries: Object.entries(entries).map(([name, value]) => ({ name, value })),
      }
    }),
  })
}

/** Returns the settings of the topics themselves, without those inherited from the cluster. */
async function readOwnSettings(admin: Admin, names: readonly string[]) {
  const resources = names.map((name) => ({ type: resourceTypes.TOPIC, name }))
  const answer = await admin.describeConfigs({ resources, includeSynonyms: false })
  return new Map(
    answer.resources.map(({ resourceName, configEntries }) => [
      resourceName,
      Object.fromEntries(
        configEntries
          .filter(({ configSource }) => configSource === setOnTopic)
          .map(({ configName, configValue }) => [configName, configValue]),
      ),
    ]),
  )
}

/** Kafka's `DYNAMIC_TOPIC_CONFIG`. */
const setOnTopic = 1
