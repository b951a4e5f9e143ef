/**
 * The set-up of a cluster: topics, schemas and rights that the log needs, how a cluster differs from them, and the
 * changes that fix it. For the command `overround topics` and for infrastructure as code.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Kafka } from 'kafkajs'
import { topics as ourTopics, type Topic } from '../../../schemas/topics.ts'
import {
  type KafkaSettings,
  type TopicPolicy,
  topicPolicyOf,
} from '../../settings/kafka-settings.ts'
import { LogSetupError, LogUnavailableError, type Role } from '../log.ts'
import { requireVersions } from './broker-versions.ts'
import { connectionsTo } from './connection.ts'
import { readPartitions } from './identity.ts'
import { openReader } from './reader.ts'
import { entryOf, isAllowed, isDenied, type Right, readAccess, rightsOf } from './rights.ts'
import { registerSchemas, subjectOf } from './schema-registration.ts'
import { openRegistry, startPatienceMs } from './schema-registry.ts'
import {
  compareTopics,
  isMendable,
  metaTopicName,
  planTopics,
  type TopicPlan,
  usualCluster,
} from './topic-plan.ts'
import {
  goneTopics,
  hiddenTopicsError,
  type IsRegistered,
  mendTopics,
  readCluster,
  readPlanned,
  readTopics,
  withAdmin,
} from './topics.ts'

/** The compatibility policy of our schemas: compacted topics still have records of every older one. */
const compatibility = 'BACKWARD_TRANSITIVE'

export interface SchemaPlan {
  readonly subject: string
  readonly compatibility: string
  readonly schema: object
}

export interface Manifest {
  readonly topics: readonly TopicPlan[]
  readonly schemas: readonly SchemaPlan[]
  readonly rights: readonly Right[]
}

export interface Difference {
  readonly kind: 'topic' | 'schema' | 'right'
  readonly name: string
  readonly setting: string
  /** Null if there is none. */
  readonly is: string | null
  readonly wanted: string
  /** As with topics: `refused` prevents the service's start. */
  readonly gravity: 'refused' | 'warned' | 'noted'
  readonly why: string
}

export type SetupSettings = TopicPolicy & { readonly topicPrefix: string }

/** @param cluster default: one of three brokers with Kafka's own defaults */
export function manifestOf(
  settings: Partial<SetupSettings>,
  roles: readonly Role[],
  topics: readonly Topic[] = Object.values(ourTopics),
  cluster = usualCluster,
): Manifest {
  const { topicPrefix: prefix = '' } = settings
  return {
    topics: planTopics(topics, { ...topicPolicyOf(settings), prefix }, cluster),
    schemas: topics.map(({ name, schema }) => ({
      subject: subjectOf(`${prefix}${name}`),
      compatibility,
      schema: schema as object,
    })),
    rights: roles.flatMap((role) => rightsOf(role, { topics, metaTopic: metaTopicName, prefix })),
  }
}

export interface ClusterOptions {
  readonly kafka: KafkaSettings
  readonly roles: readonly Role[]
  /** The principal of each role, such as `User:odds-api`; rights of a role without one are not compared. */
  readonly principals: ReadonlyMap<string, string>
  readonly topics?: readonly Topic[]
  /** Whether to create topics again (empty) that were deleted from a log in use; default no. */
  readonly anew?: boolean
  /** Called with what an operator should know about a change that was made. */
  readonly note?: (text: string) => void
}

/** How long a cluster may take to show changes that it has accepted. */
const visibleWithinMs = 60_000

/**
 * @param mend whether to fix the cluster first, as far as that is possible
 * @returns how the cluster differs (then)
 * @throws LogUnavailableError when brokers or registry do not respond, LogSetupError when they refuse us
 */
export async function compareCluster(
  options: ClusterOptions,
  mend: boolean,
): Promise<readonly Difference[]> {
  const { kafka: settings } = options
  const kafka = connectionsTo({ ...settings, clientId: 'overround-topics' })()
  return withAdmin(kafka, 'look at the cluster', async (admin) => {
    await requireVersions(kafka)
    const { roles, principals, topics = Object.values(ourTopics) } = options
    const { anew = false, note = () => {} } = options
    const cluster = await readCluster(admin, settings.brokers.length)
    const manifest = manifestOf(settings, roles, topics, cluster)
    const registry = openRegistry(settings)

    const isRegistered: IsRegistered = (topic) => registry.isKnown(subjectOf(topic))
    const ofNone: IsRegistered = async () => false

    /** @param wasMade returns whether a missing topic existed before */
    async function compare(wasMade: IsRegistered) {
      const entries = principals.size === 0 ? null : await readAccess(admin)
      const facts = await readPlanned(admin, manifest.topics)
      const gone = await goneTopics(admin, manifest.topics, facts, wasMade)
      return {
        topics: compareTopics(manifest.topics, facts, cluster, gone),
        schemas: (await Promise.all(manifest.schemas.map(compareSchema))).flat(),
        asksNobody: principals.size > 0 && entries === null,
        missing:
          entries === null
            ? []
            : manifest.rights.flatMap((right) => {
                const principal = principals.get(right.role)
                const isMissing = principal !== undefined && !isAllowed(entries, right, principal)
                return isMissing ? [{ right, principal }] : []
              }),
      }
    }

    async function compareSchema({ subject, schema }: SchemaPlan): Promise<Difference[]> {
      const about = { kind: 'schema', name: subject } as const
      if ((await registry.find(subject, schema, startPatienceMs)) === null) {
        const why = 'ours is not registered'
        const wanted = 'registered'
        return [{ ...about, setting: 'schema', is: null, wanted, gravity: 'refused', why }]
      }
      if (!(await registry.takesAnything(subject))) return []
      const why = 'the registry checks no compatibility'
      const difference = { setting: 'compatibility', is: 'NONE', wanted: compatibility }
      return [{ ...about, ...difference, gravity: 'warned', why }]
    }

    /** Compares the number of partitions with the one that the log keeps, as a start does. */
    async function compareKept(): Promise<Difference[]> {
      const [{ name }] = manifest.topics as [TopicPlan, ...TopicPlan[]]
      if (!(await readTopics(admin, [name])).get(name)) return []
      const about = { kind: 'topic', name } as const
      const kept = await readKept(kafka, name)
      if (kept === 'unread') {
        const why = 'the number of partitions that the log keeps is not compared'
        return [{ ...about, setting: 'Read', is: null, wanted: 'Allow', gravity: 'warned', why }]
      }
      const { partitions } = topicPolicyOf(settings)
      if (kept === null || kept === partitions) return []
      const why = 'the keys of this log are spread over this number'
      const difference = { setting: 'kept partitions', is: `${kept}`, wanted: `${partitions}` }
      return [{ ...about, ...difference, gravity: 'refused', why }]
    }

    async function hasRecords(topic: string) {
      const offsets = await admin.fetchTopicOffsets(topic).catch((error: Error) => {
        throw isDenied(error) ? hiddenTopicsError([topic], error) : error
      })
      return offsets.some(({ low, high }) => Number(high) > Number(low))
    }

    async function mendAll({
      topics: found,
      schemas,
      missing,
    }: Awaited<ReturnType<typeof compare>>) {
      const made = await mendTopics(admin, manifest.topics, found)
      for (const { topic, setting, is, why } of found) {
        if (setting === 'cleanup.policy') note(`${topic}: ${setting} was ${is}: ${why}`)
      }
      const unregistered = new Set(
        schemas.flatMap(({ name, setting }) => (setting === 'schema' ? [name] : [])),
      )
      await registerSchemas(
        registry,
        topics
          .map(({ name, schema }) => ({
            topic: `${settings.topicPrefix}${name}`,
            schema: schema as object,
          }))
          .filter(({ topic }) => unregistered.has(subjectOf(topic))),
        // A topic created a moment ago has no records, and some brokers may not know it yet.
        async (topic) => !made.has(topic) && (await hasRecords(topic)),
      )
      for (const { name } of schemas) {
        if (await registry.takesAnything(name)) await registry.setPolicy(name, compatibility)
      }
      const acl = missing.map(({ right, principal }) => entryOf(right, principal))
      if (acl.length > 0) await admin.createAcls({ acl })
    }

    /**
     * Compares until changes are visible: brokers show new topics, settings and rights a moment after they have
     * accepted them; a busy cluster, much later.
     */
    async function compareOnceVisible() {
      const deadline = performance.now() + visibleWithinMs
      for (;;) {
        // Missing topics are not gone: they were created just now.
        const found = await compare(ofNone)
        const isVisible = found.missing.length === 0 && !found.topics.some(isMendable)
        if (isVisible || performance.now() > deadline) return found
        await delay(100)
      }
    }

    if (mend) await mendAll(await compare(anew ? ofNone : isRegistered))
    const {
      topics: topicDifferences,
      schemas,
      asksNobody,
      missing,
    } = mend ? await compareOnceVisible() : await compare(isRegistered)
    return [
      ...topicDifferences.map(
        ({ topic, ...rest }): Difference => ({ kind: 'topic', name: topic, ...rest }),
      ),
      ...(await compareKept()),
      ...schemas,
      ...(asksNobody ? [noAuthorizer] : []),
      ...missing.map(
        ({ right: { role, resource, name, operation }, principal }): Difference => ({
          kind: 'right',
          name: principal,
          setting: `${operation} ${resource} ${name}`,
          is: null,
          wanted: 'Allow',
          gravity: 'refused',
          why: `role ${role}`,
        }),
      ),
    ]
  })
}

/** @returns as `readPartitions`; `unread` for a user who may not read the topic */
async function readKept(kafka: Kafka, metaTopic: string): Promise<number | null | 'unread'> {
  const reader = await openReader(kafka, [metaTopic])
  try {
    return await readPartitions(reader, metaTopic)
  } catch (error) {
    if (error instanceof LogSetupError) return 'unread'
    throw error
  } finally {
    await reader.close()
  }
}

/** How long a cluster may take to accept a connection and list its brokers. */
const reachedWithinMs = 10_000

/**
 * Lists the brokers, and changes nothing.
 * @returns how many brokers there are
 * @throws LogUnavailableError when they do not respond, LogSetupError when they refuse us
 */
export async function reachBrokers(settings: KafkaSettings): Promise<number> {
  const connect = connectionsTo({ ...settings, clientId: 'overround-doctor' })
  const kafka = connect(reachedWithinMs)
  const answer = withAdmin(kafka, 'reach the brokers', async (admin) => {
    await requireVersions(kafka)
    return await admin.describeCluster()
  })
  return (await inTime(answer, 'the brokers')).brokers.length
}

/** @throws LogUnavailableError when it does not respond, RegistryRefusedError when it refuses us */
export async function reachRegistry(settings: KafkaSettings): Promise<void> {
  const { name, schema } = ourTopics.feedOdds
  const subject = subjectOf(`${settings.topicPrefix}${name}`)
  await inTime(openRegistry(settings).find(subject, schema as object), 'the schema registry')
}

function inTime<Answer>(answer: Promise<Answer>, who: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const seconds = reachedWithinMs / 1e3
    const late = () => reject(new LogUnavailableError(`${who}: no answer within ${seconds} s`))
    const timer = setTimeout(late, reachedWithinMs)
    void answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

const noAuthorizer: Difference = {
  kind: 'right',
  name: 'cluster',
  setting: 'authorizer.class.name',
  is: null,
  wanted: 'an authorizer',
  gravity: 'warned',
  why: 'everybody may do everything',
}
