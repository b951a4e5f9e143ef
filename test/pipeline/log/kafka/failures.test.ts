import { expect, it } from 'vitest'
import { connectionReason, errorAbout, failureOf } from '../../../../pipeline/log/kafka/failures.ts'
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

it('a refusal that is about a topic names it, the user and the right', () => {
  const attempt = { user: 'User:odds-api', right: 'Write' } as const
  const failure = failureOf('append to feeds', retried(errorAbout(29, 'odds.bets')), attempt)
  expect(failure).toBeInstanceOf(LogSetupError)
  expect(failure.message).toMatch(
    /^append to feeds: User:odds-api lacks the right Write on the topic odds\.bets; overround topics apply/,
  )
  expect(failureOf('join group board', errorOfCode(30), attempt).message).toContain(
    'User:odds-api lacks a right on the group;',
  )
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

const ours = /the broker refuses our certificate \(OVERROUND_KAFKA_TLS_CERT_FILE\).* Restart/
it.each([
  ['C0:error:0A000415:SSL routines:ssl3_read_bytes:sslv3 alert certificate expired', ours],
  ['C0:error:0A000416:SSL routines:ssl3_read_bytes:sslv3 alert certificate unknown', ours],
  ['C0:error:0A000412:SSL routines:ssl3_read_bytes:sslv3 alert bad certificate', ours],
  ['C0:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required', ours],
  ['C0:error:0A000418:SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca', ours],
  [
    'certificate has expired',
    /the broker's certificate has expired .*renew it at the broker.*\dZ$/,
  ],
  ['certificate is not yet valid', /set the clock of this machine, which says \d{4}-/],
])('%s says whose certificate it is', (alert, advice) => {
  const message = `Connection error: ${alert}`
  expect(connectionReason(retried(new Error(message)))).toMatch(advice)
  expect(connectionReason(new Error(message))).not.toContain('OVERROUND_KAFKA_TLS_CA_FILE')
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
