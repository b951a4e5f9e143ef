/**
 * The one fetch of the polled feeds: a GET that returns parsed JSON or throws a `FetchError` whose reason can be
 * counted. It owns timeouts, retries and good conduct towards a source: exponential backoff with full jitter,
 * `Retry-After`, and the rate-limit headers. It follows no redirect. Rounds, `book_status` and withdrawn events are
 * in `polling-feed.ts`.
 */

import { setTimeout as delay } from 'node:timers/promises'
import pRetry, { AbortError } from 'p-retry'

/** One response of a source. */
export interface HttpAnswer {
  readonly body: unknown
  /** When the last byte arrived (epoch ms): `observedAt` of a source that states no time. */
  readonly receivedAt: number
  readonly headers: Headers
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** A body sent as JSON by POST, for the few sources that take calls or logins that way. */
  readonly body?: unknown
  /** The retries instead of the source's. */
  readonly retries?: number
  /** Whether the source charges for the call: it is not tried again once an answer may have been charged. */
  readonly isPaid?: boolean
}

export type GetJson = (url: string | URL, options?: RequestOptions) => Promise<HttpAnswer>

/** A pause that a source demanded and that we shortened. */
export interface PauseCut {
  /** Host and path. */
  readonly place: string
  readonly askedMs: number
  readonly pauseMs: number
}

/** Thrown when a GET failed permanently, after its retries. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  /**
   * `timeout`, `network`, `not_json`, `too_large`, `paused`, `out_of_credits`, or `http_<status>`.
   * Clients also throw `malformed`, `changing`, `unexpected_answer`, `late_answer` and
   * `login_refused`.
   */
  readonly reason: string
  /** The source demands no call before this time (epoch ms); null when it does not. */
  readonly notBefore: number | null

  constructor(
    reason: string,
    detail: string,
    { notBefore = null, ...options }: ErrorOptions & { notBefore?: number | null } = {},
  ) {
    super(`${reason}: ${detail}`, options)
    this.reason = reason
    this.notBefore = notBefore
  }
}

/** Returns the reason of a failed call; empty for any other error. */
export const reasonOf = (error: unknown): string =>
  error instanceof FetchError ? error.reason : ''

export interface HttpSourceOptions {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** For one attempt, body included. Default 10 s. */
  readonly timeoutMs?: number
  /** Attempts after the first. Default 3. */
  readonly retries?: number
  /** The n-th retry waits a random share of `min(backoffMaxMs, backoffMs * 2^(n - 1))`. Default 500 ms. */
  readonly backoffMs?: number
  /** Default 30 s. */
  readonly backoffMaxMs?: number
  /** The longest wait: a longer one that the source demands fails the request instead of holding it. Default 60 s. */
  readonly waitMaxMs?: number
  /** The pause if a header demands more than a day, which is taken for a mistake. Default 1 h. */
  readonly mistakenPauseMs?: number
  /** For the logger: a pause was cut. */
  readonly onPauseCut?: (cut: PauseCut) => void
  /** Called when a call has failed and is tried again. */
  readonly onRetry?: (retry: Retry) => void
  /** The least pause of a source whose allowance is used up. Default 10 min. */
  readonly exhaustedPauseMs?: number
  /** Default 32 MiB. */
  readonly maxBytes?: number
  /** For tests: the network, the clock, chance and waiting. */
  readonly fetch?: typeof fetch
  readonly now?: () => number
  readonly random?: () => number
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** A retry of a call. Times are epoch ms. */
export interface Retry {
  /** The reason of the `FetchError`. */
  readonly reason: string
  /** When it was first called. */
  readonly calledAt: number
  readonly nextAt: number
}

export interface HttpSource {
  /** @throws FetchError, or the signal's reason once it aborts */
  getJson(url: string | URL, signal: AbortSignal, options?: RequestOptions): Promise<HttpAnswer>
}

/** The longest pause that a source may name. */
const longestPauseMs = 86_400_000

/** Creates a source at one host: its requests share one pause, so one 429 holds back all of them. */
export function createHttpSource(options: HttpSourceOptions = {}): HttpSource {
  const {
    headers: ownHeaders = {},
    timeoutMs = 10_000,
    retries = 3,
    backoffMs = 500,
    backoffMaxMs = 30_000,
    waitMaxMs = 60_000,
    mistakenPauseMs = 3_600_000,
    onPauseCut = () => {},
    onRetry = () => {},
    exhaustedPauseMs = 600_000,
    maxBytes = 32 * 1024 * 1024,
    now = Date.now,
    random = Math.random,
    sleep = (ms, signal) => delay(ms, undefined, { signal }),
  } = options
  // Looked up at call time, because a test may replace the global one, and Node loads it lazily.
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))
  let notBefore = 0
  /** The credits left, as last stated. */
  let creditsLeft: number | null = null

  async function attempt(
    url: string,
    headers: Record<string, string>,
    body: unknown,
    signal: AbortSignal,
  ) {
    await untilAllowed(url, signal)
    // One controller per attempt: combined signals of a long-lived one are never collected.
    const controller = new AbortController()
    const stop = () => controller.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      controller.abort()
    }, timeoutMs)
    try {
      const response = await send(url, {
        headers,
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        signal: controller.signal,
        // The request has a key, and a redirect would send it to another host.
        redirect: 'manual',
      })
      const text = await readText(response, maxBytes)
      const receivedAt = now()
      heed(response, url, receivedAt)
      if (isRedirect(response)) throw redirected(response, url)
      if (!response.ok) throw httpError(response.status, url, text, notBefore, receivedAt)
      return { body: parseJson(text, url), receivedAt, headers: response.headers }
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof FetchError || cause instanceof AbortError) throw cause
      if (timedOut)
        throw new FetchError('timeout', `${place(url)} after ${timeoutMs} ms`, { cause })
      throw new FetchError('network', place(url), { cause })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  async function untilAllowed(url: string, signal: AbortSignal) {
    const waitMs = notBefore - now()
    if (waitMs <= 0) return
    if (waitMs > waitMaxMs) {
      const reason = creditsLeft !== null && creditsLeft <= 0 ? 'out_of_credits' : 'paused'
      throw new AbortError(new FetchError(reason, `${place(url)} for ${waitMs} ms`, { notBefore }))
    }
    await sleep(waitMs, signal)
  }

  /** Returns a pause that a response names (ms); one above `mostMs` is a mistake. */
  function believed(askedMs: number | null, mostMs: number, url: string): number {
    if (askedMs === null || askedMs <= mostMs) return askedMs ?? 0
    onPauseCut({ place: place(url), askedMs, pauseMs: mistakenPauseMs })
    return mistakenPauseMs
  }

  /** Notes from a response when the next call is allowed. */
  function heed({ status, headers }: Response, url: string, receivedAt: number) {
    const remaining = numberIn(headers, 'x-requests-remaining')
    creditsLeft = remaining ?? creditsLeft
    const isRefused = status === 429 || status === 503
    const exhaustedMs = remaining !== null && remaining <= 0 ? exhaustedPauseMs : 0
    const pauseMs = Math.max(
      believed(isRefused ? retryAfterMs(headers, receivedAt) : null, longestPauseMs, url),
      // The unit of this header is a guess, so a long pause is taken for a mistake.
      believed(resetMs(headers, receivedAt), mistakenPauseMs, url),
      exhaustedMs,
    )
    if (pauseMs > 0) notBefore = Math.max(notBefore, receivedAt + pauseMs)
  }

  return {
    async getJson(url, signal, request = {}) {
      const { headers = {}, body, retries: ownRetries = retries, isPaid = false } = request
      const sent = {
        ...ownHeaders,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const calledAt = now()
      const call = () => attempt(String(url), sent, body, signal)
      return pRetry(isPaid ? () => call().catch(endIfLost) : call, {
        retries: ownRetries,
        signal,
        // The wait is ours (below): p-retry's own jitter never goes below the full delay.
        minTimeout: 0,
        async onFailedAttempt({ error, attemptNumber, retriesLeft }) {
          if (retriesLeft === 0) return
          const ceilingMs = Math.min(backoffMaxMs, backoffMs * 2 ** (attemptNumber - 1))
          const waitMs = random() * ceilingMs
          const reason = error instanceof FetchError ? error.reason : 'network'
          const nextAt = Math.max(now() + waitMs, notBefore)
          // A pause longer than we wait ends the call instead.
          if (notBefore - now() <= waitMaxMs) onRetry({ reason, calledAt, nextAt })
          await sleep(waitMs, signal)
        },
      })
    },
  }
}

/** Failures after which the source may have answered the call and charged for it. */
export const lostAnswers: ReadonlySet<string> = new Set(['timeout', 'not_json', 'too_large'])

/** @throws AbortError for a lost answer, which ends the retries; else the error itself */
function endIfLost(error: unknown): never {
  throw lostAnswers.has(reasonOf(error)) ? new AbortError(error as FetchError) : error
}

/** Statuses that may go away on their own; with any other, a retry is useless. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524])

function httpError(status: number, url: string, text: string, notBefore: number, at: number) {
  const until = notBefore > at ? notBefore : null
  const reason = status < 500 && sayCreditsAreUsed.test(text) ? 'out_of_credits' : `http_${status}`
  const error = new FetchError(reason, `${place(url)} ${excerpt(text)}`, { notBefore: until })
  return passing.has(status) ? error : new AbortError(error)
}

const isRedirect = ({ status }: Response) => status >= 300 && status < 400

/** Returns an error that names the new host of a source that has moved, for the settings. */
function redirected({ status, headers }: Response, url: string) {
  const target = headers.get('location') ?? ''
  const host = URL.canParse(target, url) ? new URL(target, url).host : 'nowhere'
  const detail = `${place(url)} redirects to ${host}; redirects are not followed`
  return new AbortError(new FetchError(`http_${status}`, detail))
}

/** Matches a body that says that the credits are used up, whatever the status: the key is valid. */
const sayCreditsAreUsed = /"(OUT_OF_USAGE_CREDITS|QUOTA_EXCEEDED|INSUFFICIENT_CREDITS)"/i

/** Reads the body, and no more than `maxBytes` of it. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let sizeBytes = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) {
      throw new AbortError(new FetchError('too_large', `${place(response.url)} over ${maxBytes}`))
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // A cut body and the block page of a content network both end here; a retry may help.
    throw new FetchError('not_json', `${place(url)} ${excerpt(text)}`, { cause })
  }
}

/** Reads `Retry-After`: seconds or an HTTP date. */
function retryAfterMs(headers: Headers, at: number): number | null {
  const value = headers.get('retry-after')?.trim()
  if (!value) return null
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - at)
}

/** Reads the reset of an exhausted allowance: seconds from now, or an epoch in seconds or in ms. */
function resetMs(headers: Headers, at: number): number | null {
  for (const prefix of ['ratelimit', 'x-ratelimit']) {
    const remaining = numberIn(headers, `${prefix}-remaining`)
    const reset = numberIn(headers, `${prefix}-reset`)
    if (remaining === null || remaining > 0 || reset === null) continue
    if (reset <= 1e9) return reset * 1000
    return Math.max(0, (reset > 1e11 ? reset : reset * 1000) - at)
  }
  return null
}

/** Returns the number in a header; null for a header that is absent or no number. */
export function numberIn(headers: Headers, name: string): number | null {
  const value = headers.get(name)?.trim()
  if (!value || !/^-?\d+(\.\d+)?$/.test(value)) return null
  return Number(value)
}

/** Returns host and path: query strings carry keys, and errors go to logs. */
function place(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

const excerpt = (text: string) => text.slice(0, 80).replace(/\s+/g, ' ')
