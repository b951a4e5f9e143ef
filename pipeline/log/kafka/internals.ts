/**
 * All parts of kafkajs that we use beyond its public interface.
 *
 * kafkajs has no `assign`, makes objects of all that it fetches, and needs ten round trips for a
 * transaction. But below that it has connections, their security, metadata and the encoding of
 * every request. It passes its cluster to a partition assigner. The version is pinned, and
 * `test/pipeline/log/kafka/internals.test.ts` checks for each part by name, so that another version
 * fails there first.
 *
 * To replace kafkajs: `reader.ts`, `appender.ts` and `transactions.ts` need a client that sends a
 * request to a broker, to a partition's leader or to a coordinator, and names errors as Kafka does.
 * That is this file. Membership of groups (`group.ts`) and topics (`topics.ts`) use the public
 * interface, which other clients have as well. The replacement is complete when
 * `test/contracts/log.ts` and `test/crash/*.kafka.test.ts` pass.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster, Kafka } from 'kafkajs'
import Broker from 'kafkajs/src/broker/index.js'
import ClusterOfKafkajs from 'kafkajs/src/cluster/index.js'
import Connection from 'kafkajs/src/network/connection.js'
import { createErrorFromCode } from 'kafkajs/src/protocol/error.js'
import metadataRequests from 'kafkajs/src/protocol/requests/metadata/index.js'
import {
  decodeMetadata,
  encodeMetadataRequest,
  metadataVersion,
  type PartitionMetadata,
} from './metadata.ts'

/** A transactional producer's id, and the identity that the brokers assigned to it. */
export interface ProducerIdentity {
  readonly transactionalId: string
  /** A decimal string. */
  readonly producerId: string
  readonly producerEpoch: number
}

interface OffsetsOf {
  readonly topic: string
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
}

/** Methods of a broker that its type in kafkajs leaves out. All reject with a `KafkaError`. */
export interface LowLevelBroker {
  /**
   * Leaves out topics that the broker refuses.
   * @param topics names; empty: all topics
   */
  metadata(topics: readonly string[]): Promise<{
    topicMetadata: readonly {
      readonly topic: string
      readonly partitionMetadata: readonly PartitionMetadata[]
    }[]
  }>
  findGroupCoordinator(request: { groupId: string; coordinatorType: number }): Promise<{
    readonly coordinator: { readonly nodeId: number }
  }>
  listOffsets(request: object): Promise<{
    responses: { topic: string; partitions: { partition: number; offset: string }[] }[]
  }>
  initProducerId(request: {
    /** Undefined for a producer without transactions. */
    transactionalId: string | undefined
    transactionTimeout: number
  }): Promise<Omit<ProducerIdentity, 'transactionalId'>>
  addOffsetsToTxn(request: ProducerIdentity & { groupId: string }): Promise<unknown>
  txnOffsetCommit(
    request: ProducerIdentity & { groupId: string; topics: readonly OffsetsOf[] },
  ): Promise<unknown>
  endTxn(request: ProducerIdentity & { transactionResult: boolean }): Promise<unknown>
  /** Returns the requests that this broker itself knows, by their number. */
  apiVersions(): Promise<
    Readonly<Record<number, { readonly minVersion: number; readonly maxVersion: number }>>
  >
  connectionPool: { send(exchange: object): Promise<unknown> }
}

/** The cause in kafkajs's errors: Kafka's own name for it, or the name of the class. */
export interface KafkaError extends Error {
  readonly type?: string
  readonly retriable?: boolean
  /** The host of a lost connection. */
  readonly host?: string
  readonly port?: number
  /** The broker, as host:port, that did not answer in time. */
  readonly broker?: string
}

const { connect } = Connection.prototype
/** The length in front of each response. */
const lengthBytes = 4

const connecting = new WeakMap<Connection, Promise<unknown>>()

/**
 * Requests that wait for a connection share one. kafkajs opens a socket for each and keeps the
 * last; when one of the others ends, it ends that one too.
 */
Connection.prototype.connect = function () {
  let made = connecting.get(this)
  if (!made) {
    made = connectAnew(this).finally(() => connecting.delete(this))
    connecting.set(this, made)
  }
  return made
}

/**
 * A new connection begins with a new response. kafkajs keeps the part of a response that had
 * arrived when the old connection was lost, and takes the next bytes for the rest of it. It then
 * waits for more, or throws an error that nobody catches, which ends the process.
 */
async function connectAnew(connection: Connection) {
  if (!connection.isConnected()) {
    connection.socket?.removeAllListeners('data')
    Object.assign(connection, { chunks: [], bytesBuffered: 0, bytesNeeded: lengthBytes })
  }
  return connect.call(connection)
}

const { isConnected } = Broker.prototype

/**
 * A broker counts as connected once it has said which requests it knows. In kafkajs it counts as
 * connected before, and for ever if that response is late: then each request to it fails with an
 * error that is not retried.
 */
Broker.prototype.isConnected = function () {
  return this.lookupRequest.name !== 'notInitializedLookup' && isConnected.call(this)
}

const { protocol } = metadataRequests
metadataRequests.versions.push(String(metadataVersion))

/**
 * kafkajs asks for metadata with epochs and ids (`metadata.ts`) of brokers that know that version.
 * Metadata also list partitions without a leader, and leave out topics that the broker refuses,
 * such as a deleted one. kafkajs rejects all metadata because of one topic or partition: then new
 * leaders of the others stay unknown, and no process can start.
 */
metadataRequests.protocol = (choice) => (options) => {
  const isOurs = choice.version === metadataVersion
  // Brokers before Kafka 2.8 know versions in between, which nobody here encodes.
  const version = Math.min(choice.version, lastOfKafkajs)
  const { request, response } = protocol({ version })(options)
  const parse: typeof response.parse = async (answer) => {
    const told = answer.topicMetadata.filter(({ topicErrorCode }) => topicErrorCode === 0)
    const refusals = answer.topicMetadata.filter((topic) => !told.includes(topic)).map(refusalOf)
    if (refusals.length === 0) return answer
    if (told.length === 0) throw refusals[0]!.error
    return { ...answer, topicMetadata: told, refusals }
  }
  if (!isOurs) return { request, response: { ...response, parse } }
  const body = encodeMetadataRequest(options.topics, options.allowAutoTopicCreation)
  return {
    request: { ...request, apiVersion: metadataVersion, ...encodedAs(body) },
    response: { decode: async (payload) => decodeMetadata(payload), parse },
  }
}

const lastOfKafkajs = 6

/** A topic that a broker refuses to describe, with its reason. */
interface Refusal {
  readonly topic: string
  readonly error: KafkaError
}

function refusalOf(told: { readonly topic: string; readonly topicErrorCode: number }): Refusal {
  const { topic, topicErrorCode } = told
  const error = errorOfCode(topicErrorCode)
  error.message = `${topic}: ${error.message}`
  return { topic, error }
}

/** Returns the topics that the metadata of a cluster leave out. */
const refusalsOf = (cluster: object): readonly Refusal[] =>
  (cluster as { brokerPool: BrokerPool }).brokerPool.metadata?.refusals ?? []

/** Returns the names of known topics that the brokers refuse now. */
export const refusedTopics = (cluster: Cluster): ReadonlySet<string> =>
  new Set(refusalsOf(cluster).map(({ topic }) => topic))

const { addMultipleTargetTopics } = ClusterOfKafkajs.prototype

/** Rejects if a topic that is new to the cluster is refused; other topics do not matter. */
ClusterOfKafkajs.prototype.addMultipleTargetTopics = async function (topics) {
  const known = new Set(this.targetTopics)
  await addMultipleTargetTopics.call(this, topics)
  const refused = refusalsOf(this).filter(
    ({ topic }) => topics.includes(topic) && !known.has(topic),
  )
  for (const { topic } of refused) this.targetTopics.delete(topic)
  if (refused[0]) throw refused[0].error
}

/** Returns a request body in the form of kafkajs's encoders. */
const encodedAs = (body: Buffer) => ({ encode: async () => ({ buf: body, buffer: body }) })

/** Returns the cluster. kafkajs passes it only to partition assigners; this consumer never joins its group. */
export function clusterOf(kafka: Kafka): Cluster {
  let found: Cluster | undefined
  kafka.consumer({
    groupId: 'reads without a group',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      ({ cluster }) => {
        found = cluster
        return {
          name: 'none',
          version: 0,
          assign: async () => [],
          protocol: () => ({ name: 'none', metadata: Buffer.alloc(0) }),
        }
      },
    ],
  })
  return found!
}

export async function brokerOf(cluster: Cluster, nodeId: string): Promise<LowLevelBroker> {
  return (await cluster.findBroker({ nodeId })) as unknown as LowLevelBroker
}

/** Returns the topics whose metadata the cluster keeps. */
export const knownTopics = (cluster: Cluster): readonly string[] => [
  ...(cluster as unknown as { targetTopics: ReadonlySet<string> }).targetTopics,
]

const disconnectingMs = 1_000

/** Ends the connections. kafkajs waits for responses, which a hung broker never sends. */
export async function disconnect(cluster: Cluster) {
  const disconnected = cluster.disconnect().catch(() => {})
  await Promise.race([disconnected, delay(disconnectingMs, undefined, { ref: false })])
}

/** Returns the milliseconds to wait after so many failures of a request in a row. */
export const pauseAfter = (failures: number) => Math.min(10 * 2 ** failures, 250)

/**
 * Returns the coordinator of a consumer group or of a transactional id, looked up anew each time.
 * With three or more brokers, the majority decides: a broker that is cut off from the others names
 * a former one.
 * @throws the error of a broker that refuses us, which kafkajs drops
 */
export async function coordinatorOf(
  cluster: Cluster,
  kind: 'group' | 'transaction',
  id: string,
): Promise<LowLevelBroker> {
  const wanted = { groupId: id, coordinatorType: kind === 'group' ? 0 : 1 }
  const elected = await coordinatorByMajority(cluster, wanted)
  if (elected !== null) return await brokerOf(cluster, elected)
  try {
    return (await cluster.findGroupCoordinator(wanted)) as unknown as LowLevelBroker
  } catch (error) {
    const [node] = cluster.getNodeIds()
    if (typeOf(error) === undefined && node !== undefined) {
      await (await brokerOf(cluster, String(node))).findGroupCoordinator(wanted)
    }
    throw error
  }
}

/** Returns the id of the broker that a majority names; null if too few respond. */
async function coordinatorByMajority(
  cluster: Cluster,
  wanted: Parameters<LowLevelBroker['findGroupCoordinator']>[0],
): Promise<string | null> {
  const nodes = cluster.getNodeIds().map(String)
  if (nodes.length < 3) return null
  const votes = new Map<string, number>()
  return await new Promise((resolve) => {
    const asked = nodes.map(async (node) => {
      const { coordinator } = await (await brokerOf(cluster, node)).findGroupCoordinator(wanted)
      const named = String(coordinator.nodeId)
      votes.set(named, (votes.get(named) ?? 0) + 1)
      if (2 * votes.get(named)! > nodes.length) resolve(named)
    })
    void Promise.allSettled(asked).then(() => resolve(null))
  })
}

/** A request that kafkajs does not have, or not in the form we need. */
export interface Request<Answer> {
  readonly apiKey: number
  readonly apiVersion: number
  readonly apiName: string
  /** The bytes after the header. In newer requests they begin with the end of the header. */
  readonly body: Buffer
  readonly decode: (payload: Buffer) => Answer
}

export async function exchange<Answer>(
  { connectionPool }: LowLevelBroker,
  { body, decode, ...request }: Request<Answer>,
): Promise<Answer> {
  const answer = await connectionPool.send({
    request: { ...request, ...encodedAs(body) },
    response: {
      decode: async (payload: Buffer) => decode(payload),
      parse: async (decoded: Answer) => decoded,
    },
  })
  return answer as Answer
}

/** Returns the error for Kafka's error code. */
export const errorOfCode = (code: number): KafkaError => createErrorFromCode(code)

/** Returns the response if it has no error. @throws KafkaError */
export function withoutError<Answer extends { readonly errorCode: number }>(
  answer: Answer,
): Answer {
  if (answer.errorCode !== 0) throw errorOfCode(answer.errorCode)
  return answer
}

/** Returns the broker's name of an error, or of its cause. */
export function typeOf(error: unknown): string | undefined {
  for (const { type } of withCauses(error)) if (type !== undefined) return type
  return undefined
}

/** Returns whether an error, or a cause of it, has one of these names that brokers give. */
export const hasType = (error: unknown, types: ReadonlySet<string>): boolean =>
  [...withCauses(error)].some(({ type }) => type !== undefined && types.has(type))

/** JavaScript's own errors, by name: bugs of ours. */
const mistakes = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'])

export const isMistake = ({ name }: Error): boolean => mistakes.has(name)

/** Makes the cluster look up anew the address of a broker whose connection was lost. */
export function forgetLost(cluster: Cluster, error: unknown) {
  for (const { name, host, port } of withCauses(error)) {
    if (name === 'KafkaJSConnectionClosedError' && host !== undefined && port !== undefined) {
      cluster.removeBroker({ host, port })
    }
  }
}

/**
 * Drops the connection to a broker that did not respond in time. So another broker is asked for
 * metadata, and this one on a new connection. Not for the steps of a transaction: they must keep
 * their order on one connection, because the broker may still process them.
 */
export function forgetHung(cluster: Cluster, error: unknown) {
  for (const { name, broker: address } of withCauses(error)) {
    if (name !== 'KafkaJSRequestTimeoutError') continue
    const { brokers } = (cluster as unknown as { brokerPool: BrokerPool }).brokerPool
    for (const broker of Object.values(brokers)) {
      const { host, port } = broker.connectionPool
      if (`${host}:${port}` !== address) continue
      cluster.removeBroker({ host, port })
      // It waits for requests in progress.
      broker.disconnect().catch(() => {})
    }
  }
}

interface BrokerPool {
  /** Null before the first answer. */
  readonly metadata: { readonly refusals?: readonly Refusal[] } | null
  /** The brokers that a cluster knows, by id. */
  readonly brokers: Readonly<
    Record<
      string,
      {
        readonly connectionPool: { readonly host: string; readonly port: number }
        disconnect(): Promise<void>
      }
    >
  >
}

/** Yields an error and its causes: kafkajs wraps errors to count tries or to stop retries. */
export function* withCauses(error: unknown): Generator<KafkaError> {
  for (let at = error; at instanceof Error; at = at.cause) yield at
}
