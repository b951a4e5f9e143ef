/**
 * The meaning of a failure at the brokers for users of the log: an outage, which passes, or a fault that an operator
 * has to fix. Its message says what to do, because the brokers' own words seldom do.
 */

import { LogSetupError, LogUnavailableError } from '../log.ts'
import { typeOf, withCauses } from './internals.ts'

/** The resource that a right is missing on, by Kafka's name of the error. */
const denials: Readonly<Record<string, string>> = {
  GROUP_AUTHORIZATION_FAILED: 'the group',
  TOPIC_AUTHORIZATION_FAILED: 'a topic',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'the transactional id',
  CLUSTER_AUTHORIZATION_FAILED: 'the cluster',
}

/** @param what the attempted action, as in "join group board" */
export function failureOf(what: string, cause: unknown): LogSetupError | LogUnavailableError {
  const denied = denials[typeOf(cause) ?? '']
  if (denied !== undefined) {
    return new LogSetupError(
      `${what}: this user lacks a right on ${denied}; overround topics apply --principal gives each role its rights`,
      { cause },
    )
  }
  if (isOutOfTime(cause)) return new LogSetupError(`${what}: ${clockAdvice()}`, { cause })
  return new LogUnavailableError(what, { cause })
}

/** Returns whether the brokers refuse the time of our records. */
export const isOutOfTime = (cause: unknown) => typeOf(cause) === 'INVALID_TIMESTAMP'

/** Returns advice for records that are refused because of their time. */
export const clockAdvice = () =>
  `the brokers refuse the time of our records: the clock of this machine says ${new Date().toISOString()}, far from theirs. Set it, by NTP for example`

/** Returns why no connection is established: the error's own words, and the settings that may be wrong. */
export function connectionReason(error: Error): string {
  const { message } = error
  for (const { name, message: inner } of withCauses(error)) {
    if (/certificate|altname/i.test(inner)) {
      return `${message}: the broker's certificate is not trusted, or not for this address; OVERROUND_KAFKA_TLS_CA_FILE names the authority that signed it`
    }
    if (/wrong version number|packet length too long|before secure TLS/i.test(inner)) {
      return `${message}: the port speaks no TLS, or another; unset OVERROUND_KAFKA_TLS and its files, or name another port`
    }
    if (name === 'KafkaJSConnectionClosedError') {
      return `${message}: the broker ends the connection. It may want TLS (OVERROUND_KAFKA_TLS, OVERROUND_KAFKA_TLS_CA_FILE), our certificate (OVERROUND_KAFKA_TLS_CERT_FILE) or a login (OVERROUND_KAFKA_SASL_MECHANISM, _USERNAME, _PASSWORD) other than what is set`
    }
  }
  return message
}
