/**
 * Turns failures at the brokers into errors of the log: an outage, which ends by itself, or a fault
 * that an operator has to fix. The message says what to do, because the brokers' texts rarely do.
 */

import { LogSetupError, LogUnavailableError } from '../log.ts'
import { errorOfCode, type KafkaError, typeOf, withCauses } from './internals.ts'

/** The kind of resource for which a right is missing, by Kafka's name of the error. */
const denials: Readonly<Record<string, string>> = {
  GROUP_AUTHORIZATION_FAILED: 'the group',
  TOPIC_AUTHORIZATION_FAILED: 'a topic',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'the transactional id',
  CLUSTER_AUTHORIZATION_FAILED: 'the cluster',
}

/** Who attempts something, and what for. */
export interface Attempt {
  /** The principal, as `userOf` returns it; default: `this user`. */
  readonly user?: string | undefined
  /** The right that it needs on a topic. */
  readonly right?: 'Read' | 'Write'
}

/** Returns the error for Kafka's error code in a response about a topic. */
export const errorAbout = (code: number, topic: string | undefined): KafkaError =>
  Object.assign(errorOfCode(code), { topic })

/** Returns the topic that an error is about, if known. */
export function topicOf(cause: unknown): string | undefined {
  for (const { topic } of withCauses(cause) as Iterable<KafkaError & { topic?: string }>) {
    if (topic !== undefined) return topic
  }
  return undefined
}

/**
 * @param what the attempted action, as in "join group board"
 * @returns a LogSetupError if only an operator can fix it, else a LogUnavailableError
 */
export const failureOf = (what: string, cause: unknown, attempt: Attempt = {}) =>
  setupFaultOf(what, cause, attempt) ?? new LogUnavailableError(what, { cause })

/** Returns the error for a permanent refusal (a missing right, a wrong clock); else null. */
export function setupFaultOf(
  what: string,
  cause: unknown,
  { user = 'this user', right }: Attempt = {},
): LogSetupError | null {
  if (isOutOfTime(cause)) return new LogSetupError(`${what}: ${clockAdvice()}`, { cause })
  const denied = denials[typeOf(cause) ?? '']
  if (denied === undefined) return null
  const topic = topicOf(cause)
  const isNamed = topic !== undefined && right !== undefined
  const lacking = isNamed ? `the right ${right} on the topic ${topic}` : `a right on ${denied}`
  return new LogSetupError(
    `${what}: ${user} lacks ${lacking}; overround topics apply --principal gives each role its rights`,
    { cause },
  )
}

/** Returns whether the brokers refuse the time of our records. */
const isOutOfTime = (cause: unknown) => typeOf(cause) === 'INVALID_TIMESTAMP'

/** Returns advice for records that are refused because of their time. */
const clockAdvice = () =>
  `the brokers refuse the time of our records: the clock of this machine says ${new Date().toISOString()}, far from theirs. Set it, by NTP for example`

/** Returns why there is no connection: the error's message, and the settings that may be wrong. */
export function connectionReason(error: Error): string {
  const { message } = error
  const certificate = certificateFault(error)
  if (certificate !== null) return `${message}: ${certificate}`
  for (const { name, message: inner } of withCauses(error)) {
    if (/wrong version number|packet length too long|before secure TLS/i.test(inner)) {
      return `${message}: the port speaks no TLS, or another; unset OVERROUND_KAFKA_TLS and its files, or name another port`
    }
    if (name === 'KafkaJSConnectionClosedError') {
      return `${message}: the broker ends the connection. It may want TLS (OVERROUND_KAFKA_TLS, OVERROUND_KAFKA_TLS_CA_FILE), our certificate (OVERROUND_KAFKA_TLS_CERT_FILE) or a login (OVERROUND_KAFKA_SASL_MECHANISM, _USERNAME, _PASSWORD) other than what is set`
    }
  }
  return message
}

/**
 * Returns the certificate that makes a connection fail, and how to fix it; null for another
 * failure. If the error is a TLS alert, the broker refuses our certificate; otherwise we refuse the
 * broker's.
 */
export function certificateFault(error: unknown): string | null {
  for (const { message } of withCauses(error)) {
    if (/alert.*(certificate|unknown ca)/i.test(message)) {
      return 'the broker refuses our certificate (OVERROUND_KAFKA_TLS_CERT_FILE): it is missing, has expired, or is signed by an authority that the broker does not trust. Restart after you change the file, which is read at the start alone'
    }
    if (/certificate (has expired|is not yet valid)/i.test(message)) {
      return `the broker's certificate has expired or is not valid yet: renew it at the broker, or set the clock of this machine, which says ${new Date().toISOString()}`
    }
    if (/certificate|altname/i.test(message)) {
      return "the broker's certificate is not trusted, or not for this address; OVERROUND_KAFKA_TLS_CA_FILE names the authority that signed it"
    }
  }
  return null
}
