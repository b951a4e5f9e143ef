/**
 * Connections to a cluster: addresses, TLS and credentials. Only this file creates a client. PLAIN
 * sends the password and OAUTHBEARER the token unencrypted: without TLS a warning is logged.
 */

import { X509Certificate } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs'
import { type Sasl, type Tls, tlsOptions } from '../../settings/kafka-settings.ts'
import { fetchTokens } from './access-tokens.ts'
import type { Certificates } from './certificates.ts'
import { withCauses } from './internals.ts'

export interface KafkaLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface KafkaConnection {
  /** host:port */
  readonly brokers: readonly string[]
  readonly clientId: string
  /** Null: connections are not encrypted. */
  readonly tls?: Tls | null
  /** Null if no login is needed, or our certificate is the login. */
  readonly sasl?: Sasl | null
  readonly logger?: KafkaLogger
}

export const silent: KafkaLogger = { debug() {}, info() {}, warn() {} }

const users = new WeakMap<Kafka, string>()

/**
 * Returns the principal of a client, as Kafka's access rules name it; undefined for a client that
 * this file did not create. Brokers may map it to another name.
 */
export const userOf = (kafka: Kafka): string | undefined => users.get(kafka)

function principalOf(tls: Tls | null, sasl: Sasl | null): string {
  if (sasl?.mechanism === 'oauthbearer') return `the user of the token of ${sasl.client.clientId}`
  if (sasl) return `User:${sasl.username}`
  if (!tls?.client) return 'User:ANONYMOUS'
  // Brokers write the subject's parts in reverse order. Node returns none for an empty subject.
  const { subject = '' } = new X509Certificate(tls.client.certificate)
  return `User:${subject.split('\n').toReversed().join(',')}`
}

const usualTimeoutMs = 30_000

/**
 * Returns a function that creates clients, which share one login and its access token. Their log
 * lines go to our logger one level lower, because kafkajs retries after its errors. It repeats a
 * single refused request, or throws it to us.
 * @param certificates notes the brokers' certificates
 * @returns a function of the time that a request may wait for its response (ms, default 30 s)
 */
export function connectionsTo(
  connection: KafkaConnection,
  certificates?: Certificates,
): (timeoutMs?: number) => Kafka {
  const { brokers, clientId, tls = null, sasl = null, logger = silent } = connection
  if (sasl && !tls && sasl.mechanism !== 'scram-sha-256' && sasl.mechanism !== 'scram-sha-512') {
    const { mechanism } = sasl
    logger.warn({ mechanism }, 'secrets go to the brokers unencrypted: set OVERROUND_KAFKA_TLS')
  }
  const security: Pick<KafkaConfig, 'ssl' | 'sasl' | 'socketFactory'> = {
    ...(tls && { ssl: tlsOptions(tls) }),
    ...(sasl && { sasl: saslOptions(sasl) }),
    ...(tls && certificates && { socketFactory: certificates.openSocket }),
  }
  const user = principalOf(tls, sasl)
  return (timeoutMs = usualTimeoutMs) => {
    const kafka = new Kafka({
      ...security,
      brokers: [...brokers],
      clientId,
      connectionTimeout: 3_000,
      requestTimeout: timeoutMs,
      retry: connectionRetry,
      logLevel: logLevel.WARN,
      logCreator:
        () =>
        ({ namespace, level, log: { message, timestamp: _, ...fields } }) => {
          const entry = { ...fields, from: `kafkajs ${namespace}` }
          const refused = message.startsWith('Response ')
          if (level === logLevel.ERROR && !refused) logger.warn(entry, message)
          else logger.debug(entry, message)
        },
    })
    users.set(kafka, user)
    return kafka
  }
}

/**
 * Retries of a connection, of metadata and of a coordinator. They are few, because kafkajs tries
 * the same broker again and again, while the others know its replacement. Callers repeat the whole
 * call. Every value is set, because kafkajs has other defaults under NODE_ENV=test.
 */
const connectionRetry = {
  initialRetryTime: 50,
  factor: 0.2,
  multiplier: 2,
  maxRetryTime: 400,
  retries: 3,
} as const

/** How long a first connection is tried, about as long as any request is repeated. */
const connectingMs = 13_000
const connectingPauseMs = 250

/**
 * Connects. kafkajs itself tries for only a third of a second. A refused name and password are not
 * tried again.
 * @param isOver returns whether the result is no longer wanted
 * @throws the last error
 */
export async function connectPatiently(connect: () => Promise<void>, isOver = () => false) {
  const deadline = performance.now() + connectingMs
  for (;;) {
    try {
      return await connect()
    } catch (error) {
      const isRefused = [...withCauses(error)].some(
        ({ name }) => name === 'KafkaJSSASLAuthenticationError',
      )
      if (isRefused || isOver() || performance.now() > deadline) throw error
      await delay(connectingPauseMs)
    }
  }
}

function saslOptions(sasl: Sasl): SASLOptions {
  if (sasl.mechanism !== 'oauthbearer') return sasl
  const token = fetchTokens(sasl.client)
  return { mechanism: 'oauthbearer', oauthBearerProvider: async () => ({ value: await token() }) }
}
