/**
 * The planned topics of a cluster, and how actual ones differ from them. `planTopics` is the one plan: a start creates
 * topics from it, the check compares with it, and the command `overround topics` prints it.
 */

import type { Topic } from '../../../schemas/topics.ts'
import type { TopicPolicy } from '../../settings/kafka-settings.ts'

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
 * A difference of a topic from the plan. `refused`: records would be lost, or none could be
 * written. `warned`: records are less safe than we promise. `noted`: another choice.
 */
export interface TopicDifference {
  readonly topic: string
  /**
   * A setting's name, `partitions` or `replication.factor`; `topic` if the topic is missing, `gone
   * topic` if it existed before; `Describe` or `DescribeConfigs` if we lack that right.
   */
  readonly setting: string
  readonly is: string | null
  readonly wanted: string
  readonly gravity: 'refused' | 'warned' | 'noted'
  readonly why: string
}

/** The largest record of a topic, in bytes; one feed record can be as large as one ingest request. */
const maxRecordBytes = 10 * 1024 * 1024

/** The topic of the log itself: its identity. */
export const metaTopicName = 'meta'

/** Returns all topics of a log on a cluster: first `meta`, the log's own, then `topics`. */
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
    // Some managed clusters elect a replica that has not caught up: acknowledged records would be
    // lost.
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
    // Only closed segments are compacted, so they are closed often: that keeps restores short.
    'segment.ms': 30 * 60_000,
    'segment.bytes': 16 * 1024 * 1024,
    'min.cleanable.dirty.ratio': 0.2,
    'delete.retention.ms': tombstonesKeptMs,
  }
}

/** An actual topic of the cluster. */
export interface TopicFacts {
  readonly partitions: number
  /** The number of partitions up to the last that has ever had a record; absent where that was not asked for. */
  readonly partitionsInUse?: number
  /** The fewest copies that a partition of it has. */
  readonly replicationFactor: number
  /** By name; null where we may not read them. */
  readonly settings: Readonly<Record<string, string>> | null
}

/** Topics of Kafka itself that commits go through, and the broker's setting of how many copies they get. */
export const ownTopics = new Map([
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

/**
 * Returns the differences of `facts` from the plan.
 * @param gone missing topics that were there before
 */
export function compareTopics(
  plans: readonly TopicPlan[],
  facts: FactsByTopic,
  { brokers }: Pick<ClusterFacts, 'brokers'>,
  gone: ReadonlySet<string> = new Set(),
): TopicDifference[] {
  const ours = plans.flatMap((plan) => {
    const topic = facts.get(plan.name)
    if (topic === null) return [hidden(plan)]
    return topic ? compareTopic(plan, topic, brokers) : [missing(plan, gone.has(plan.name))]
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

const missing = (
  { name, partitions, replicationFactor }: TopicPlan,
  isGone: boolean,
): TopicDifference => ({
  topic: name,
  setting: isGone ? goneTopic : absentTopic,
  is: null,
  wanted: `${partitions} partitions, ${replicationFactor} copies`,
  gravity: 'refused',
  why: isGone ? wasDeleted : 'there is no such topic',
})

export const goneTopic = 'gone topic'
export const absentTopic = 'topic'
export const describeRight = 'Describe'
const describeConfigsRight = 'DescribeConfigs'

const hidden = ({ name }: TopicPlan): TopicDifference => ({
  topic: name,
  setting: describeRight,
  is: null,
  wanted: 'Allow',
  gravity: 'refused',
  why: 'it may not be described: this user lacks the right Describe',
})

const unread = ({ name }: TopicPlan): TopicDifference => ({
  topic: name,
  setting: describeConfigsRight,
  is: null,
  wanted: 'Allow',
  gravity: 'warned',
  why: 'its settings are not compared: this user lacks the right DescribeConfigs',
})

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
  const { partitions, partitionsInUse = partitions, replicationFactor: copies, settings } = facts
  if (partitions < plan.partitions) {
    tell('partitions', partitions, plan.partitions, ['refused', tooFewPartitions])
  } else if (partitions > plan.partitions) {
    const isSpare = partitionsInUse <= plan.partitions
    const judgement = isSpare ? (['warned', sparePartitions] as const) : keysWouldMove
    tell('partitions', partitions, plan.partitions, judgement)
  }
  if (copies !== plan.replicationFactor) {
    const isAlone = copies === 1 && brokers > 1
    const isFewer = copies < plan.replicationFactor
    const warning = isAlone ? oneCopy : fewerCopies
    const gravity = isAlone || isFewer ? (['warned', warning] as const) : otherChoice
    tell('replication.factor', copies, plan.replicationFactor, gravity)
  }
  if (settings === null) return [...differences, unread(plan)]
  const inSync = Number(settings['min.insync.replicas'] ?? 1)
  if (inSync > copies) {
    const why = 'more than there are copies: no write succeeds'
    tell('min.insync.replicas', inSync, Math.min(copies, 2), ['refused', why])
  } else {
    // If the plan leaves this to the cluster, two of three copies are still wanted; more are fine.
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

const wasDeleted =
  'it was deleted from a log in use, and its records with it (its schema is registered): docs/kafka.md, "A topic was deleted", says how to go on. Or it is new, and another cluster at this registry, or a tool, has registered its schema before: then run overround topics apply --anew'
const tooFewPartitions =
  'records could not be written to the missing ones; OVERROUND_KAFKA_PARTITIONS of a log in use cannot be raised, since a key would move to another partition'
const sparePartitions =
  'the others are empty and are never used, since keys go by OVERROUND_KAFKA_PARTITIONS, which stays as it is'
const keysWouldMove = [
  'refused',
  'the others have had records; OVERROUND_KAFKA_PARTITIONS of a log in use cannot be lowered, since a key would move to another partition',
] as const
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
          ? 'rows that do not change are deleted by age, and do not come back when it is set back'
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

/** Returns whether a difference can be fixed: a missing topic, or one of its own settings. */
export const isMendable = (difference: TopicDifference) =>
  difference.setting === absentTopic || isSettable(difference)

/** Returns whether a difference is in one of a topic's own settings, which can be set. */
export const isSettable = ({ setting }: TopicDifference) => !notSettable.has(setting)

const notSettable: ReadonlySet<string> = new Set([
  absentTopic,
  goneTopic,
  describeRight,
  describeConfigsRight,
  'partitions',
  'replication.factor',
])
