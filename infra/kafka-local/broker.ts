/** One Kafka node, broker and controller in one process (KRaft), on loopback. */

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Kafka, logLevel } from 'kafkajs'
import { endProcess, findFreePort, type Jvm, startJvm, waitUntilReady } from './jvm.ts'

const run = promisify(execFile)

const startTimeoutMs = 60_000

/** Settings for a single node, where Kafka's defaults are for three, and for a quick start. */
export const singleNodeSettings: Readonly<Record<string, string>> = {
  'process.roles': 'broker,controller',
  'node.id': '1',
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '4',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'transaction.state.log.num.partitions': '4',
  'group.initial.rebalance.delay.ms': '0',
  // Lets a test ask for a short session, so that a consumer that died is missed within a second.
  'group.min.session.timeout.ms': '1000',
  // After a crash the controller lets the broker back in only once its old session has run out.
  'broker.heartbeat.interval.ms': '1000',
  'broker.session.timeout.ms': '4000',
  // A misspelt topic has to fail at once; our own are created with their settings.
  'auto.create.topics.enable': 'false',
}

export type BrokerOptions = {
  java: string
  classpath: string
  dataDir: string
  port: number
  detached: boolean
}

/** Starts the broker on the data it left, formatting the directory the first time; it answers. */
export async function startBroker(options: BrokerOptions): Promise<Jvm> {
  const { java, classpath, dataDir, port, detached } = options
  const logDir = join(dataDir, 'kafka')
  const properties = join(dataDir, 'broker.properties')
  await mkdir(dataDir, { recursive: true })
  // The voters are named in this file only, so the controller may move to any port at each start.
  const controllerPort = await findFreePort()
  const settings = {
    ...singleNodeSettings,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'log.dirs': logDir,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(properties, lines.join(''))

  if (!existsSync(join(logDir, 'meta.properties'))) {
    const tool = ['-cp', classpath, 'kafka.tools.StorageTool']
    await run(java, [...tool, 'format', '-t', createClusterId(), '-c', properties])
  }
  const broker = await startJvm({
    java,
    args: [
      '-Xmx512m',
      '-Dorg.slf4j.simpleLogger.showDateTime=true',
      '-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS',
      '-cp',
      classpath,
      'kafka.Kafka',
      properties,
    ],
    dataDir,
    logFile: join(dataDir, 'broker.log'),
    detached,
  })
  const isReady = () => brokerAnswers(`127.0.0.1:${port}`)
  await waitUntilReady('broker', broker, isReady, startTimeoutMs).catch(async (error) => {
    await endProcess(broker.pid)
    throw error
  })
  return broker
}

/** Whether the broker there is up, has a controller, and has been let into its own cluster. */
export async function brokerAnswers(brokers: string): Promise<boolean> {
  const client = new Kafka({
    brokers: [brokers],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1000,
    requestTimeout: 2000,
    retry: { retries: 0 },
  })
  const admin = client.admin()
  try {
    await admin.connect()
    const { brokers, controller } = await admin.describeCluster()
    return brokers.length > 0 && controller !== null
  } catch {
    return false
  } finally {
    await admin.disconnect()
  }
}

/** Kafka's form of a UUID: 16 bytes in base64url. A leading dash would look like an option. */
function createClusterId(): string {
  const id = randomBytes(16).toString('base64url')
  return id.startsWith('-') ? createClusterId() : id
}
