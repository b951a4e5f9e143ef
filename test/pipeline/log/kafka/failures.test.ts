import { expect, it } from 'vitest'
import { connectionReason, failureOf } from '../../../../pipeline/log/kafka/failures.ts'
import { errorOfCode } from '../../../../pipeline/log/kafka/internals.ts'
import { LogSetupError, LogUnavailableError } from '../../../../pipeline/log/log.ts'

/** Wraps an error as kafkajs wraps that of its last attempt. */
const retried = (cause: Error) => new Error(cause.message, { cause })

// Codes of org.apache.kafka.common.protocol.Errors.
it.each([
  [
    'a group',
    30,
    /^join: this user lacks a right on the group; overround topics apply --principal/,
  ],
  ['a topic', 29, /lacks a right on a topic/],
  ['a transactional id', 53, /lacks a right on the transactional id/],
  ['the cluster', 31, /lacks a right on the cluster/],
  ['the time of records', 32, /the clock of this machine says \d{4}-.*Z, far from theirs/],
])('a refusal of %s is the operator’s to mend, with advice', (_what, code, message) => {
  const failure = failureOf('join', retried(errorOfCode(code)))
  expect(failure).toBeInstanceOf(LogSetupError)
  expect(failure.message).toMatch(message)
})

it.each([
  ['a leader that moves', errorOfCode(6)],
  ['a lost connection', new Error('Closed connection')],
])('%s is an outage', (_what, cause) => {
  const failure = failureOf('read', retried(cause))
  expect(failure).toBeInstanceOf(LogUnavailableError)
  expect([failure.message, failure.cause]).toEqual(['read', expect.any(Error)])
})

it.each([
  ['Connection error: self-signed certificate in certificate chain', 'OVERROUND_KAFKA_TLS_CA_FILE'],
  ["Connection error: Hostname/IP does not match certificate's altnames", 'for this address'],
  ['Connection error: C0F:error:0A00010B:SSL routines::wrong version number', 'speaks no TLS'],
  ['Client network socket disconnected before secure TLS connection was established', 'unset'],
])('%s names the setting', (message, setting) => {
  expect(connectionReason(retried(new Error(message)))).toContain(setting)
})

it('a connection that the broker ends names what it may want, and other errors keep their text', () => {
  const closed = Object.assign(new Error('Closed connection'), {
    name: 'KafkaJSConnectionClosedError',
  })
  expect(connectionReason(retried(closed))).toMatch(
    /^Closed connection: the broker ends the connection\. It may want TLS \(OVERROUND_KAFKA_TLS, .* login \(OVERROUND_KAFKA_SASL_MECHANISM/,
  )
  expect(connectionReason(new Error('connect ECONNREFUSED'))).toBe('connect ECONNREFUSED')
})
