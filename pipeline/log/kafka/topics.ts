/**
 * The topics of a cluster: reads them, creates those of the plan (`topic-plan.ts`) that are missing, and mends those
 * that differ. A start changes no existing topic. A difference that would lose records or stop every write refuses the
 * start; a lesser one is logged.
 *
 * A topic that existed before is not created again: it would be empty, and its accounts, keys or
 * bets lost silently. A registered schema shows that it existed, because schemas are registered
 * after topics are created.
 */

import { setTimeout as delay } from 'node:timers/promises'
// kafkajs is CommonJS, and Node finds only some of its names.
import kafkajs, { type Admin, type ConfigResourceTypes, type Kafka } from 'kafkajs'
import { groupBy } from '../../../schemas/grouping.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { TopicPolicy } from '../../settings/kafka-settings.ts'
import { LogSetupError, LogUnavailableError } from '../log.ts'
import type { KafkaLogger } from './connection.ts'
import { connectionReason } from './failures.ts'
import { clientRetry } from './group.ts'
import { errorOfCode, typeOf } from './internals.ts'
import {
  absentTopic,
  type ClusterFacts,
  compareTopics,
  describeRight,
  type FactsByTopic,
  goneTopic,
  isSettable,
  lookedAt,
  ownTopics,
  planTopics,
  type TopicDifference,
  type TopicFacts,
  type TopicPlan,
} from './topic-plan.ts'

const { ConfigResourceTypes: resourceTypes } = kafkajs

/** Returns whether a schema of the topic's values is registered. @param topic its name on the cluster */
export type IsRegistered = (topic: string) => Promise<boolean>

export interface SetUpOptions {
  readonly policy: TopicPolicy & { readonly prefix: string }
  /** The number of brokers in the settings: a starting cluster may report fewer. */
  readonly namedBrokers: number
}

export interface TopicsInUse {
  /** The settings on the cluster, not those of the plan. */
  readonly tombstonesKeptMs: number
}

/**
 * Creates missing topics (unless `setup` is `check`), and compares existing ones with the plan.
 * @throws LogSetupError naming every topic that cannot be used; LogUnavailableError
 */
export async function setUpTopics(
  kafka: Kafka,
  topics: readonly Topic[],
  options: SetUpOptions & {
    readonly setup: 'create' | 'check'
    readonly isRegistered: IsRegistered
    /** Throws a LogSetupError for brokers that cannot be used; nothing is created then. */
    readonly requireVersions: () => Promise<void>
    readonly logger: KafkaLogger
  },
): Promise<TopicsInUse> {
  const { policy, setup, namedBrokers, isRegistered, requireVersions, logger } = options
  return withAdmin(kafka, 'set up topics on Kafka', async (admin) => {
    await requireVersions()
    const cluster = await readCluster(admin, namedBrokers)
    const plans = planTopics(topics, policy, cluster)
    let facts = await readPlanned(admin, plans)
    const gone = await goneTopics(admin, plans, facts, isRegistered)
    const absent = plans.filter(({ name }) => !facts.has(name))
    if (absent.length > 0 && gone.size === 0 && setup === 'create') {
      await createTopics(admin, absent)
      const { replicationFactor, settings } = absent[0]!
      const durability = {
        copies: replicationFactor,
        inSync: settings['min.insync.replicas'] ?? null,
      }
      facts = await withUse(admin, plans, await untilKnown(admin, plans, absent))
      logger.info({ topics: absent.map(({ name }) => name), ...durability }, 'topics created')
    }
    const differences = compareTopics(plans, facts, cluster, gone)
    tellDifferences(differences, logger)
    return { tombstonesKeptMs: Math.min(policy.tombstonesKeptMs, ...keptOn(plans, facts)) }
  })
}

/**
 * Returns how the topics of an open log, which all existed, differ from the plan now.
 * @throws LogSetupError when the cluster does not know us, LogUnavailableError
 */
export const differencesNow = (
  kafka: Kafka,
  topics: readonly Topic[],
  { policy, namedBrokers }: SetUpOptions,
): Promise<readonly TopicDifference[]> =>
  withAdmin(kafka, 'look at the topics', async (admin) => {
    const cluster = await readCluster(admin, namedBrokers)
    const plans = planTopics(topics, policy, cluster)
    const facts = await readPlanned(admin, plans)
    const gone = plans.map(({ name }) => name).filter((name) => !facts.has(name))
    return compareTopics(plans, facts, cluster, new Set(gone))
  })

/** Returns how long each table keeps its tombstones, if we may read its settings. */
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
  // One line per setting, because topics mostly differ in the same way.
  for (const [key, alike] of groupAlike(by('warned'))) {
    const { setting, is, wanted, why } = alike[0]!
    const names = alike.map(({ topic }) => topic)
    logger.warn({ setting, is, wanted, topics: names, why }, `topics are not as wanted: ${key}`)
  }
  const noted = [...groupAlike(by('noted')).keys()]
  if (noted.length > 0) logger.info({ settings: noted }, 'some topics have other settings')
}

const groupAlike = (differences: readonly TopicDifference[]) =>
  groupBy(differences, ({ setting, is }) => `${setting}=${is}`)

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
  const own = (await readSettings(admin, resourceTypes.BROKER, [id])).get(id)
  const number = (name: string) => (own?.[name] === undefined ? null : Number(own[name]))
  return {
    brokers: Math.max(brokers.length, namedBrokers),
    replicationFactor: number('default.replication.factor'),
    minInsyncReplicas: number('min.insync.replicas'),
  }
}

/** @param awaitsLeaders whether a topic counts as missing while one of its partitions has no leader */
export async function readTopics(
  admin: Admin,
  wanted: readonly string[],
  awaitsLeaders: (topic: string) => boolean = () => false,
): Promise<FactsByTopic> {
  const listed = new Set(await admin.listTopics())
  const names = wanted.filter((name) => listed.has(name))
  const facts = new Map<string, TopicFacts | null>()
  // The list leaves out topics that we may not describe; a request by name is refused. Kafka's own
  // topics are not asked for: we need no right to them.
  for (const name of wanted.filter((each) => !listed.has(each) && !ownTopics.has(each))) {
    if ((await askFor(admin, name)) === 'hidden') facts.set(name, null)
  }
  if (names.length === 0) return facts
  const { topics } = await admin.fetchTopicMetadata({ topics: names })
  // A topic that is listed but not described exists; this broker does not know it yet, or any more.
  const told = new Set(topics.map(({ name }) => name))
  if (names.some((name) => !told.has(name))) throw errorOfCode(leaderNotAvailable)
  const settings = await readSettings(admin, resourceTypes.TOPIC, names)
  for (const { name, partitions } of topics) {
    if (awaitsLeaders(name) && partitions.some(({ leader }) => leader < 0)) continue
    facts.set(name, {
      partitions: partitions.length,
      replicationFactor: Math.min(...partitions.map(({ replicas }) => replicas.length)),
      settings: settings.get(name) ?? null,
    })
  }
  return facts
}

/**
 * Reads the topics of the plans; if one has more partitions than planned, also how many are in use.
 */
export const readPlanned = async (admin: Admin, plans: readonly TopicPlan[]) =>
  withUse(admin, plans, await readTopics(admin, lookedAt(plans)))

async function withUse(
  admin: Admin,
  plans: readonly TopicPlan[],
  facts: FactsByTopic,
): Promise<FactsByTopic> {
  const completed = new Map(facts)
  for (const { name, partitions } of plans) {
    const topic = facts.get(name)
    if (!topic || topic.partitions <= partitions) continue
    completed.set(name, { ...topic, partitionsInUse: await partitionsInUse(admin, name) })
  }
  return completed
}

/** Returns the number of partitions up to the last that has ever had a record. */
async function partitionsInUse(admin: Admin, topic: string) {
  const offsets = await admin.fetchTopicOffsets(topic)
  const used = offsets.filter(({ high }) => Number(high) > 0)
  return Math.max(0, ...used.map(({ partition }) => partition + 1))
}

/** How long brokers may take to show topics that another process has just created. */
const shownWithinMs = 5_000

/**
 * Returns the missing topics that existed before: those with a registered schema, if the log has
 * its identity.
 * @param plans of all topics of the log
 */
export async function goneTopics(
  admin: Admin,
  plans: readonly TopicPlan[],
  facts: FactsByTopic,
  isRegistered: IsRegistered,
): Promise<ReadonlySet<string>> {
  const names = plans.map(({ name }) => name)
  const [meta] = names
  const absent = names.filter((name) => !facts.has(name))
  const isUsed = facts.get(meta!) && absent.length > 0 && (await partitionsInUse(admin, meta!)) > 0
  if (!isUsed) return new Set()
  const registered = await Promise.all(absent.map(isRegistered))
  let gone = absent.filter((_, index) => registered[index])
  // Another process may have just created them and registered their schemas.
  for (const until = performance.now() + shownWithinMs; gone.length > 0; await delay(100)) {
    const answers = await Promise.all(gone.map((name) => askFor(admin, name)))
    gone = gone.filter((_, index) => answers[index] === 'unknown')
    if (performance.now() > until) break
  }
  return new Set(gone)
}

/** Asks for a topic by its name. */
async function askFor(admin: Admin, topic: string): Promise<'told' | 'hidden' | 'unknown'> {
  try {
    await admin.fetchTopicMetadata({ topics: [topic] })
    return 'told'
  } catch (error) {
    const type = typeOf(error)
    if (type === 'TOPIC_AUTHORIZATION_FAILED') return 'hidden'
    // An impossible name is refused later, when the topic is created.
    if (notYetKnown.has(type) || type === 'INVALID_TOPIC_EXCEPTION') return 'unknown'
    throw error
  }
}

type ConfigEntry = Awaited<
  ReturnType<Admin['describeConfigs']>
>['resources'][number]['configEntries'][number]

/** Returns the settings for which `isWanted` is true, by name of the resource. */
async function describeConfigs(
  admin: Admin,
  type: ConfigResourceTypes,
  names: readonly string[],
  isWanted: (entry: ConfigEntry) => boolean = () => true,
) {
  const resources = names.map((name) => ({ type, name }))
  const described = await admin.describeConfigs({ resources, includeSynonyms: false })
  return new Map(
    described.resources.map(({ resourceName, configEntries }) => [
      resourceName,
      Object.fromEntries(
        configEntries
          .filter(isWanted)
          .map(({ configName, configValue }) => [configName, configValue]),
      ),
    ]),
  )
}

/** Returns settings by name of the resource. Resources that we may not read are left out. */
async function readSettings(
  admin: Admin,
  type: ConfigResourceTypes,
  names: readonly string[],
): Promise<Awaited<ReturnType<typeof describeConfigs>>> {
  try {
    return await describeConfigs(admin, type, names)
  } catch (error) {
    if (!isDenied(error)) throw error
    if (names.length === 1) return new Map()
    // kafkajs rejects the whole response because of one resource.
    const each = await Promise.all(names.map((name) => readSettings(admin, type, [name])))
    return new Map(each.flatMap((read) => [...read]))
  }
}

const isDenied = (error: unknown) =>
  String((error as { type?: string }).type).endsWith('_AUTHORIZATION_FAILED')

/**
 * @returns whether all of them are new; where one existed already, kafkajs does not say which
 * @throws LogSetupError; kafkajs's own error if the failure may be temporary
 */
async function createTopics(admin: Admin, plans: readonly TopicPlan[]): Promise<boolean> {
  try {
    return await admin.createTopics({
      // kafkajs fails at a broker that does not know the topics yet, so `untilKnown` waits for
      // leaders.
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
/** Kafka's code of LEADER_NOT_AVAILABLE. */
const leaderNotAvailable = 5
const knownWithinMs = 30_000

/**
 * Waits until the topics are known. Just after its creation, a broker may not know a topic, or the
 * topic has no leader.
 * @param created the topics that must have leaders
 * @throws LogUnavailableError if that takes too long
 */
async function untilKnown(
  admin: Admin,
  plans: readonly TopicPlan[],
  created: readonly TopicPlan[],
) {
  const isCreated = (topic: string) => created.some(({ name }) => name === topic)
  const until = performance.now() + knownWithinMs
  for (;;) {
    const facts = await readTopics(admin, lookedAt(plans), isCreated).catch((error) => {
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
    await delay(100)
  }
}

/**
 * The error for topics that we may not describe. Their schemas are not registered: the topics may
 * have records with other schemas.
 */
export const hiddenTopicsError = (topics: readonly string[], cause?: unknown) =>
  new LogSetupError(
    `this user lacks the right Describe on these topics, so it cannot tell whether they hold records: ${topics.join(', ')}`,
    { cause },
  )

/**
 * Creates missing topics and changes settings that differ, as far as that is possible.
 * @returns the topics that are certainly new, and empty
 * @throws LogSetupError, with nothing changed, if we may not describe a topic, or one that existed
 * is gone; errors of `createTopics`
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
  const gone = ofSetting(goneTopic)
  if (gone.length > 0) {
    throw new LogSetupError(
      `these topics were deleted from a log in use, and their records with them: ${gone.join(', ')}. Nothing was changed. docs/kafka.md, "A topic was deleted", says how to go on, and when --anew may make them, empty. Where they are new, and another cluster at this registry, or a tool, has registered their schemas before, run overround topics apply --anew`,
    )
  }
  const absent = new Set(ofSetting(absentTopic))
  let areNew = false
  if (absent.size > 0) {
    const missing = plans.filter(({ name }) => absent.has(name))
    areNew = await createTopics(admin, missing)
    await untilKnown(admin, missing, missing)
  }
  await setSettings(admin, differences)
  return areNew ? absent : new Set()
}

async function setSettings(admin: Admin, differences: readonly TopicDifference[]) {
  const changes = differences.filter(isSettable)
  const changed = [...new Set(changes.map(({ topic }) => topic))]
  if (changed.length === 0) return
  // kafkajs replaces all settings of a topic, so those that an operator has set are sent too.
  const own = await describeConfigs(admin, resourceTypes.TOPIC, changed, isSetOnTopic)
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

/** Returns whether a setting is the topic's own, not inherited from the cluster: Kafka's `DYNAMIC_TOPIC_CONFIG`. */
const isSetOnTopic = ({ configSource }: ConfigEntry) => configSource === 1
