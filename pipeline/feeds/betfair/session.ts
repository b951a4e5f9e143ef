/**
 * A session at Betfair: signs in with user name and password, and the account's client certificate
 * if there is one (Betfair expects it from programs). Keeps the session alive, and signs in again
 * if it has ended. One request at a time is in progress.
 *
 * According to "Login & Session Management", sessions end after some hours (in Italy and Spain
 * after 20 minutes), even if they are used, unless `keepAlive` is called.
 */

import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { z } from 'zod'
import { createMutex } from '../../async/mutex.ts'
import { FetchError } from '../kit/http-source.ts'

/** Both are PEM. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

export interface BetfairLogin {
  readonly appKey: string
  readonly username: string
  readonly password: string
  /** Returns the client certificate and its key; if absent, the interactive login is used. */
  readonly certificate?: () => Promise<ClientCertificate>
  /** Default `https://identitysso.betfair.com`; `.it`, `.es` and others have their own. */
  readonly loginUrl?: string
  /** Default `https://identitysso-cert.betfair.com`. */
  readonly certificateLoginUrl?: string
  /** Default 10 minutes. */
  readonly keepAliveMs?: number
  readonly timeoutMs?: number
  /** For tests. */
  readonly now?: () => number
}

/** The ban of an account that has signed in too often. */
const banMs = 20 * 60_000

/** Statuses that say nothing about our name and password. */
const passing: ReadonlySet<string> = new Set(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'FAIL'])

const interactiveAnswer = z.object({
  token: z.string().nullish(),
  status: z.string(),
  error: z.string().nullish(),
})
const certificateAnswer = z.object({
  sessionToken: z.string().nullish(),
  loginStatus: z.string(),
})

export function createBetfairSession(login: BetfairLogin) {
  const { appKey, username, password, certificate, keepAliveMs = 10 * 60_000 } = login
  const { loginUrl = 'https://identitysso.betfair.com', timeoutMs = 10_000, now = Date.now } = login
  const { certificateLoginUrl = 'https://identitysso-cert.betfair.com' } = login
  const exclusively = createMutex()
  const headers = { accept: 'application/json', 'x-application': appKey }
  let token: string | null = null
  let aliveAt = 0

  async function signIn(): Promise<string> {
    const form = new URLSearchParams({ username, password }).toString()
    const url = certificate ? `${certificateLoginUrl}/api/certlogin` : `${loginUrl}/api/login`
    const body = await post(url, { ...headers, 'content-type': formType }, form, {
      timeoutMs,
      ...(await certificate?.()),
    })
    const read = certificate ? certificateAnswer.safeParse(body) : interactiveAnswer.safeParse(body)
    if (!read.success) throw new FetchError('network', 'the answer is no login answer')
    const { data } = read
    const signedIn = 'loginStatus' in data ? data.sessionToken : data.token
    const status = 'loginStatus' in data ? data.loginStatus : data.error || data.status
    if (signedIn && (status === 'SUCCESS' || status === 'LIMITED_ACCESS')) return signedIn
    if (status === 'TEMPORARY_BAN_TOO_MANY_REQUESTS') {
      throw new FetchError('http_429', status, { notBefore: now() + banMs })
    }
    throw new FetchError(passing.has(status) ? 'network' : 'login_refused', status)
  }

  async function renew() {
    const kept = await post(
      `${loginUrl}/api/keepAlive`,
      { ...headers, 'x-authentication': token ?? '' },
      '',
      { timeoutMs },
    )
    const read = interactiveAnswer.safeParse(kept)
    if (!read.success || read.data.status !== 'SUCCESS') {
      // A session that has ended cannot be kept alive.
      token = null
      return
    }
    token = read.data.token || token
    aliveAt = now()
  }

  return {
    /**
     * Returns a valid token.
     * @throws FetchError `login_refused` if another try would be refused too, `http_429` after too
     * many tries, or `network`
     */
    token: () =>
      exclusively(async () => {
        if (token !== null && now() - aliveAt > keepAliveMs) await renew()
        if (token !== null) return token
        const fresh = await signIn()
        token = fresh
        aliveAt = now()
        return fresh
      }),
    /** Drops a refused token: the next token is from a new session. */
    forget() {
      token = null
    },
    /** Keeps the session alive; to be called every `keepAliveMs` while it is used. */
    keepAlive: () =>
      exclusively(async () => {
        if (token !== null) await renew()
      }),
  }
}

const formType = 'application/x-www-form-urlencoded'
const answerMaxLength = 64 * 1024

/**
 * Sends a POST and returns the parsed JSON. Does not use `fetch`, which does not support client
 * certificates.
 */
function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: { readonly timeoutMs: number } & Partial<ClientCertificate>,
): Promise<unknown> {
  const { timeoutMs, ...certificate } = options
  const send = url.startsWith('http:') ? requestHttp : requestHttps
  return new Promise((resolve, reject) => {
    const fail = (detail: string, cause?: unknown) =>
      reject(new FetchError('network', detail, { cause }))
    const length = String(Buffer.byteLength(body))
    const request = send(
      url,
      { method: 'POST', headers: { ...headers, 'content-length': length }, ...certificate },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          if (text.length > answerMaxLength) request.destroy(new Error('the answer is too long'))
        })
        response.on('end', () => {
          const { statusCode = 0 } = response
          if (statusCode === 401 || statusCode === 403) {
            return reject(new FetchError('login_refused', `http ${statusCode}`))
          }
          // Redirects are refused too: only this host may get the password.
          if (statusCode >= 300) return fail(`http ${statusCode}`)
          try {
            resolve(JSON.parse(text))
          } catch (cause) {
            fail('the answer is not JSON', cause)
          }
        })
        response.on('error', (cause) => fail('the answer was cut', cause))
      },
    )
    const timer = setTimeout(() => {
      request.destroy(new Error(`nothing within ${timeoutMs} ms`))
    }, timeoutMs)
    request.on('close', () => clearTimeout(timer))
    request.on('error', (cause) => fail(new URL(url).host, cause))
    request.end(body)
  })
}
