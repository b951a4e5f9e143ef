/**
 * Kafka nodes on loopback, each a broker and a controller in one process (KRaft). Several nodes form a cluster, which
 * survives the loss of fewer than half.
 */

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Kafka, logLevel } from 'kafkajs'
import { endProcess, type Jvm, shortLived, startJvm, waitUntilReady } from './jvm.ts'

const run = promisify(execFile)

const startTimeoutMs = 600_000

/** Returns settings for the number of nodes (Kafka's defaults are for three) and for a quick start. */
export function nodeSettings(nodeCount: number): Record<string, string> {
  const copies = String(Math.min(nodeCount, 3))
  // With three copies, acknowledged records are on two brokers, so one may be lost.
  const inSync = nodeCount > 2 ? '2' : '1'
  return {
    'process.roles': 'broker,controller',
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'default.replication.factor': copies,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': '4',
    'group.initial.rebalance.delay.ms': '0',
    // Allows tests to have short sessions, so that a dead consumer is noticed within a second.
    'group.min.session.timeout.ms': '1000',
    // A dead broker is replaced after this time (Kafka's default: 9 s), later if it led the controllers. A single
    // broker cannot be replaced.
    'broker.heartbeat.interval.ms': nodeCount > 1 ? '500' : '1000',
    'broker.session.timeout.ms': nodeCount > 1 ? '3000' : '4000',
    // A misspelt topic must fail at once; our topics are created with their settings.
    'auto.create.topics.enable': 'false',
  }
}

/** The ports of a node, fixed for the life of a cluster. */
export type Node = {
  id: number
  port: number
  /** The port that clients get; differs from `port` when a proxy is in between. */
  advertisedPort: number
  controllerPort: number
  /** Present when proxies are between it and the others. */
  among?: {
    /** Its port for the others, and that of the proxy, which they use. */
    port: number
    advertisedPort: number
    /** The port of the proxy to its controller. */
    controllerPort: number
  }
}

/** A second, secured listener for clients; only for a single node. */
export type SecuredListener = {
  protocol: 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL'
  port: number
  /** Passwords by user, for PLAIN and SCRAM. Fixed when the data directory is created. */
  users?: Readonly<Record<string, string>>
}

export type BrokerOptions = {
  java: string
  classpath: string
  /** The directory of the whole cluster; each node has a directory inside. */
  dataDir: string
  node: Node
  /** All nodes, including this one. */
  nodes: readonly Node[]
  clusterId: string
  /** Override the usual settings. */
  settings?: Readonly<Record<string, string>>
  securedListener?: SecuredListener
  jvmOptions?: readonly string[]
  detached: boolean
}

/**
 * Starts a node on its data, formats its directory the first time, and waits until it responds. A node of several
 * responds only once more than half of them run.
 */
export async function startBroker(options: BrokerOptions): Promise<Jvm> {
  const { java, classpath, dataDir, node, clusterId, detached } = options
  const nodeDir = nodeDirectory(dataDir, node.id)
  const properties = join(nodeDir, 'broker.properties')
  await mkdir(nodeDir, { recursive: true })
  const lines = Object.entries(settingsOf(options)).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(properties, lines.join(''))

  if (!existsSync(join(nodeDir, 'kafka', 'meta.properties'))) {
    const tool = [...shortLived, '-cp', classpath, 'kafka.tools.StorageTool']
    const users = Object.entries(options.securedListener?.users ?? {}).flatMap(scramArguments)
    await run(java, [...tool, 'format', '-t', clusterId, '-c', properties, ...users])
  }
  const broker = await startJvm({
    java,
    args: [
      '-Xmx512m',
      ...(options.jvmOptions ?? []),
      '-Dorg.slf4j.simpleLogger.showDateTime=true',
      '-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS',
      '-cp',
      classpath,
      'kafka.Kafka',
      properties,
    ],
    dataDir,
    logFile: join(nodeDir, 'broker.log'),
    detached,
  })
  const isReady = () => brokerAnswers(`127.0.0.1:${node.port}`, `127.0.0.1:${node.advertisedPort}`)
  await waitUntilReady(`broker ${node.id}`, broker, isReady, startTimeoutMs).catch(
    async (error) => {
      await endProcess(broker.pid)
      throw error
    },
  )
  return broker
}

function settingsOf({ dataDir, node, nodes, settings, securedListener }: BrokerOptions) {
  const listeners = [`PLAINTEXT://127.0.0.1:${node.port}`]
  const advertised = [`PLAINTEXT://127.0.0.1:${node.advertisedPort}`]
  const usual = nodeSettings(nodes.length)
  if (securedListener) {
    const { protocol, port } = securedListener
    listeners.push(`SECURED://127.0.0.1:${port}`)
    advertised.push(`SECURED://127.0.0.1:${port}`)
    usual['listener.security.protocol.map'] += `,SECURED:${protocol}`
    Object.assign(usual, saslSettings(securedListener))
  }
  if (node.among) {
    listeners.push(`AMONG://127.0.0.1:${node.among.port}`)
    advertised.push(`AMONG://127.0.0.1:${node.among.advertisedPort}`)
    // The controllers tell each other this one once they have met.
    advertised.push(`CONTROLLER://127.0.0.1:${node.among.controllerPort}`)
    usual['listener.security.protocol.map'] += ',AMONG:PLAINTEXT'
    usual['inter.broker.listener.name'] = 'AMONG'
  }
  return {
    ...usual,
    'node.id': String(node.id),
    listeners: [...listeners, `CONTROLLER://127.0.0.1:${node.controllerPort}`].join(','),
    'advertised.listeners': advertised.join(','),
    'controller.quorum.voters': nodes
      .map(({ id, controllerPort, among }) => {
        return `${id}@127.0.0.1:${among?.controllerPort ?? controllerPort}`
      })
      .join(','),
    'log.dirs': join(nodeDirectory(dataDir, node.id), 'kafka'),
    ...settings,
  }
}

/** Returns the SASL settings of the secured listener. Certificates or a token server are in `settings`. */
function saslSettings({ protocol, users = {} }: SecuredListener): Record<string, string> {
  if (protocol === 'SSL') return {}
  const login = (mechanism: string, module: string, more = '') => ({
    [`listener.name.secured.${mechanism}.sasl.jaas.config`]: `org.apache.kafka.common.security.${module} required${more};`,
  })
  const passwords = Object.entries(users).map(([user, password]) => ` user_${user}="${password}"`)
  return {
    'listener.name.secured.sasl.enabled.mechanisms':
      'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    ...login('plain', 'plain.PlainLoginModule', passwords.join('')),
    ...login('scram-sha-256', 'scram.ScramLoginModule'),
    ...login('scram-sha-512', 'scram.ScramLoginModule'),
    ...login('oauthbearer', 'oauthbearer.OAuthBearerLoginModule'),
  }
}

const scramArguments = ([user, password]: [string, string]) =>
  ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${user},password=${password}]`,
  ])

const nodeDirectory = (dataDir: string, id: number) => join(dataDir, `broker-${id}`)

/**
 * Returns the id of the cluster whose data is in `dataDir`, or a new one.
 * @throws Error if the data is of another number of nodes
 */
export async function clusterIdOf(dataDir: string, nodeCount: number): Promise<string> {
  const ids = []
  for (let id = 1; existsSync(nodeDirectory(dataDir, id)); id++) {
    const path = join(nodeDirectory(dataDir, id), 'kafka', 'meta.properties')
    const text = await readFile(path, 'utf8').catch(() => '')
    const clusterId = /^cluster\.id=(.+)$/m.exec(text)?.[1]
    if (clusterId) ids.push(clusterId)
  }
  if (ids.length > 0 && ids.length !== nodeCount) {
    throw new Error(
      `the data in ${dataDir} is of ${ids.length} broker(s), not ${nodeCount}: ` +
        'start as many, or remove the data with stop --purge',
    )
  }
  return ids[0] ?? createClusterId()
}

/**
 * Returns whether the broker runs, has a controller, and has joined its cluster.
 * @param advertised the address that it gives its clients
 */
export async function brokerAnswers(address: string, advertised = address): Promise<boolean> {
  const client = new Kafka({
    brokers: [address],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1000,
    requestTimeout: 2000,
    retry: { retries: 0 },
  })
  const admin = client.admin()
  try {
    await admin.connect()
    const { brokers, controller } = await admin.describeCluster()
    const isIn = brokers.some(({ host, port }) => `${host}:${port}` === advertised)
    return isIn && controller !== null
  } catch {
    return false
  } finally {
    await admin.disconnect()
  }
}

/** Returns a UUID in Kafka's form: 16 bytes in base64url. A leading dash would look like an option. */
function createClusterId(): string {
  const id = randomBytes(16).toString('base64url')
  return id.startsWith('-') ? createClusterId() : id
}
