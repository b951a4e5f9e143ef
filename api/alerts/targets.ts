/**
 * Sends messages to targets, which are addresses that accounts name: only https to public addresses, unless the operator
 * allows others. The address that a name leads to is checked where the connection is made, so that none can be put in
 * its place. Redirects are not followed; an answer has a time limit, and little of it is read. Mail goes by the
 * operator's own server alone.
 */

import { lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createTransport } from 'nodemailer'
import { Agent, request } from 'undici'
import { aborted } from '../../pipeline/async/abort-signals.ts'

/** Which targets are allowed: public ones by https, or any, those of the own machine and network too. */
export type AllowedTargets = 'public' | 'any'

export interface OutgoingRequest {
  /** Default `POST`. */
  readonly method?: 'POST' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The reply names the message, and is wanted whole. */
  readonly readsReply?: boolean
}

export interface OutgoingMail {
  /** The same however often it is sent: whoever gets it twice can tell. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export type Outgoing = OutgoingRequest | OutgoingMail

export interface MailServer {
  /** `smtp` or `smtps`, with user and password where it wants them. */
  readonly url: string
  readonly from: string
}

export interface Outcome {
  readonly isDelivered: boolean
  /** Why it is not; null where it is. */
  readonly problem: string | null
  /** The target says that it will never take messages again. */
  readonly isGone: boolean
  /** The target will never take this request: trying it again is of no use. */
  readonly isRefused: boolean
  /** The body of the response if the request reads it; else ''. */
  readonly reply: string
  /** How long the target wants to be left alone (ms); 0 where it says nothing. */
  readonly waitMs: number
}

export interface Targets {
  /** Never rejects. @param signal ends the attempt */
  send(outgoing: Outgoing, signal: AbortSignal): Promise<Outcome>
  close(): Promise<void>
}

const sendWithinMs = 10_000
const connectWithinMs = 5_000
const readBytes = 4_096
/** Discord replies with the message, which is at most 4,000 characters long here. */
const replyLength = 65_536
const longestWaitMs = 300_000

/** The addresses of a host. */
export type ResolveHost = (
  host: string,
  done: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void

const resolveHost: ResolveHost = (host, done) =>
  lookUp(host, { all: true }, (error, addresses) => done(error, addresses ?? []))

const isPublic = (address: string) =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'

/** What is wrong with the address of a target as it is written; null for nothing. */
export function targetProblem(url: string, allowed: AllowedTargets): string | null {
  const { protocol, hostname, username } = new URL(url)
  if (username !== '') return 'has a user name, which is not sent'
  if (allowed === 'any') return null
  if (protocol !== 'https:') return `is not https${unlessAllowed}`
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublic(host)) return privateAddress + unlessAllowed
  return /^localhost$|\.localhost$/i.test(host) ? privateAddress + unlessAllowed : null
}

const privateAddress = 'leads to a private address'
const unlessAllowed = ', which the operator allows by OVERROUND_ALERT_TARGETS=any'

/**
 * @param mail null where none is sent
 * @param resolve in place of the system's, for tests
 */
export function createTargets(
  allowed: AllowedTargets,
  mail: MailServer | null = null,
  resolve = resolveHost,
): Targets {
  const lookup: LookupFunction = (host, options, done) =>
    resolve(host, (error, addresses) => {
      const refused = allowed === 'public' && addresses.some(({ address }) => !isPublic(address))
      if (error || refused) return done(error ?? new Error(privateAddress), '', 0)
      if (options.all) return done(null, [...addresses])
      const [first] = addresses
      if (first) done(null, first.address, first.family)
      else done(new Error(`${host} has no address`), '', 0)
    })
  const agent = new Agent({
    connect: { lookup, timeout: connectWithinMs },
    headersTimeout: sendWithinMs,
    bodyTimeout: sendWithinMs,
  })

  async function post(
    { method = 'POST', url, headers, body, readsReply }: OutgoingRequest,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const problem = targetProblem(url, allowed)
    if (problem !== null) return failed(problem)
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(sendWithinMs)])
    const answer = await request(url, {
      method,
      dispatcher: agent,
      headers: { 'content-type': 'application/json', 'user-agent': 'overround', ...headers },
      body,
      signal: inTime,
    })
    const { statusCode } = answer
    const isDelivered = statusCode >= 200 && statusCode < 300
    if (isDelivered && readsReply) return { ...delivered, reply: await readText(answer.body) }
    // Read a little, so that the connection can be used again; an answer that goes on is cut off.
    await answer.body.dump({ limit: readBytes, signal: inTime }).catch(() => {})
    if (isDelivered) return delivered
    const seconds = Number(answer.headers['retry-after'])
    return {
      ...failed(`it answered ${statusCode}`),
      isGone: statusCode === 410,
      isRefused: statusCode >= 400 && statusCode < 500 && !mayPass.has(statusCode),
      waitMs: seconds > 0 ? Math.min(1_000 * seconds, longestWaitMs) : 0,
    }
  }

  const times = { connectionTimeout: connectWithinMs, greetingTimeout: connectWithinMs }
  const mailer = mail && createTransport({ url: mail.url, ...times, socketTimeout: sendWithinMs })

  async function sendMail({ id, ...message }: OutgoingMail, signal: AbortSignal): Promise<Outcome> {
    if (!mail || !mailer) return failed('this service sends no mail')
    const messageId = `<${id}@${mail.from.replace(/^.*@/, '')}>`
    const sent = mailer
      .sendMail({ ...message, from: mail.from, messageId })
      .then(() => delivered)
      .catch((error: MailError) => failed(mailReason(error)))
    // A mail that is under way cannot be called back; whoever is next sends it under the same id.
    return Promise.race([sent, aborted(signal).then(() => failed('it was cut off'))])
  }

  return {
    send: (outgoing, signal) =>
      ('to' in outgoing ? sendMail(outgoing, signal) : post(outgoing, signal)).catch(
        (error: Error) => failed(reasonOf(error)),
      ),
    async close() {
      mailer?.close()
      await agent.destroy()
    },
  }
}

/** Statuses from 400 to 499 that say to try again: request timeout, too early, too many requests. */
const mayPass: ReadonlySet<number> = new Set([408, 425, 429])

/** Reads a reply as far as it comes; what is too long or cut off is read in part. */
async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of body) {
      parts.push(part)
      length += part.length
      if (length > replyLength) break
    }
  } catch {
    // The message has arrived all the same.
  }
  return Buffer.concat(parts).toString()
}

export const delivered: Outcome = {
  ...{ isDelivered: true, problem: null, waitMs: 0 },
  ...{ isGone: false, isRefused: false, reply: '' },
}
const failed = (problem: string): Outcome => ({ ...delivered, isDelivered: false, problem })

interface MailError extends Error {
  readonly code?: string
  /** Of the server's answer. */
  readonly responseCode?: number
}

/** Without the server's own words, which may tell of the operator. */
const mailReason = ({ code, name, responseCode }: MailError) =>
  responseCode === undefined
    ? `the mail server cannot be reached (${code ?? name})`
    : `the mail server answered ${responseCode}`

/** Without the address, which may be a secret. */
function reasonOf(error: Error & { readonly code?: string }): string {
  if (error.message === privateAddress) return privateAddress
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return 'it did not answer in time'
  return `it cannot be reached (${error.code ?? error.name})`
}
