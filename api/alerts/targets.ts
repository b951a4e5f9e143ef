/**
 * Sends messages to targets, whose addresses accounts choose: only https to public addresses, unless the operator
 * allows others. A host's resolved address is checked when connecting, so it cannot be swapped afterwards. Redirects
 * are not followed. Responses have a time limit and are read only a little. Mail goes through the operator's server
 * only.
 */

import { lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createTransport } from 'nodemailer'
import { Agent, request } from 'undici'
import { aborted, within } from '../../pipeline/async/abort-signals.ts'

/** Allowed targets: public addresses by https, or any, including the local machine and network. */
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
  /** Id of the message, the same for every attempt, so that receivers can detect repeats. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export type Outgoing = OutgoingRequest | OutgoingMail

export interface MailServer {
  /** `smtp` or `smtps`, with user and password if needed. */
  readonly url: string
  readonly from: string
}

export interface Outcome {
  readonly isDelivered: boolean
  /** Why delivery failed; null if it succeeded. */
  readonly problem: string | null
  /** Whether the target reports that it is gone for good. */
  readonly isGone: boolean
  /** The target will never take this request: trying it again is useless. */
  readonly isRefused: boolean
  /** The body of the response if the request reads it; else ''. */
  readonly reply: string
  /** How long the target wants to be left alone (ms); 0 if it does not say. */
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

/**
 * Returns the wait that a `Retry-After` asks for, in seconds or as a date (ms); 0 if it asks for
 * none.
 */
function askedWait(header: string | string[] | undefined): number {
  const text = String(header ?? '')
  const ms = /^\s*\d/.test(text) ? 1_000 * Number(text) : Date.parse(text) - Date.now()
  return ms > 0 ? Math.min(ms, longestWaitMs) : 0
}

/** Resolves a host to its addresses. */
export type ResolveHost = (
  host: string,
  done: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void

const resolveHost: ResolveHost = (host, done) =>
  lookUp(host, { all: true }, (error, addresses) => done(error, addresses ?? []))

/**
 * The only block of IPv6 that the internet uses so far. Addresses of older schemes, which contain
 * other addresses, are outside it.
 */
const internet6 = ipaddr.IPv6.parseCIDR('2000::/3')

function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(internet6)
}

/** Returns why a target's address is invalid, or null if it is valid. */
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
 * @param mail null if mail is not configured
 * @param resolve replaces the system's resolver in tests
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

  async function post(outgoing: OutgoingRequest, signal: AbortSignal): Promise<Outcome> {
    const problem = targetProblem(outgoing.url, allowed)
    if (problem !== null) return failed(problem)
    const inTime = within(sendWithinMs, signal)
    return await postTo(outgoing, inTime.signal).finally(inTime.forget)
  }

  async function postTo(
    { method = 'POST', url, headers, body, readsReply }: OutgoingRequest,
    inTime: AbortSignal,
  ): Promise<Outcome> {
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
    return {
      ...failed(`it answered ${statusCode}`),
      isGone: statusCode === 410,
      isRefused: statusCode >= 400 && statusCode < 500 && !mayPass.has(statusCode),
      waitMs: askedWait(answer.headers['retry-after']),
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
    // A mail in progress cannot be recalled. The next holder sends it under the same id.
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

/**
 * Statuses from 400 to 499 that ask for another try: request timeout, too early, too many requests.
 */
const mayPass: ReadonlySet<number> = new Set([408, 425, 429])

/** Reads a reply. One that is too long or cut off is read in part. */
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
  /** Status of the mail server's reply. */
  readonly responseCode?: number
}

/** Leaves out the server's own text, which may reveal details of the operator. */
const mailReason = ({ code, name, responseCode }: MailError) =>
  responseCode === undefined
    ? `the mail server cannot be reached (${code ?? name})`
    : `the mail server answered ${responseCode}`

/** Leaves out the address, which may be a secret. */
function reasonOf(error: Error & { readonly code?: string }): string {
  if (error.message === privateAddress) return privateAddress
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return 'it did not answer in time'
  return `it cannot be reached (${error.code ?? error.name})`
}
