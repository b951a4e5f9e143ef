import { afterEach, describe, expect, it } from 'vitest'
import {
  type BetfairLogin,
  createBetfairSession,
} from '../../../../pipeline/feeds/betfair/session.ts'
import { createBetfairFeed } from '../../../../pipeline/feeds/betfair/source.ts'
import type { Health } from '../../../../pipeline/feeds/kit/source-health.ts'
import { leapingClock, openSource } from '../loopback-source.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface LoginRequest {
  readonly path: string
  readonly token: string | undefined
  readonly appKey: string | undefined
  readonly body: string
}

/** Opens an identity service, which issues a token per login and keeps unexpired ones alive. */
async function openIdentity() {
  const requests: LoginRequest[] = []
  const ended = new Set<string>()
  let logins = 0
  let refusal: object | number | null = null
  const source = await openSource((path, response, request) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { 'x-authentication': token, 'x-application': appKey } = request.headers
      requests.push({ path, token: token as string | undefined, appKey: appKey as string, body })
      if (typeof refusal === 'number') return response.writeHead(refusal).end()
      if (path === '/api/keepAlive') {
        const isAlive = !ended.has(String(token))
        const answer = isAlive
          ? { token, status: 'SUCCESS' }
          : { status: 'FAIL', error: 'NO_SESSION' }
        return response.end(JSON.stringify(answer))
      }
      if (refusal) return response.end(JSON.stringify(refusal))
      const newToken = `token-${++logins}`
      const interactive = { token: newToken, product: 'app', status: 'SUCCESS', error: '' }
      const byCertificate = { sessionToken: newToken, loginStatus: 'SUCCESS' }
      response.end(JSON.stringify(path === '/api/certlogin' ? byCertificate : interactive))
    })
  })
  closing.push(source.close)
  return {
    requests,
    end: (token: string) => ended.add(token),
    refuseWith(next: object | number | null) {
      refusal = next
    },
    logins: () => requests.filter(({ path }) => path !== '/api/keepAlive').length,
    login: (more: Partial<BetfairLogin> = {}): BetfairLogin => ({
      appKey: 'app',
      username: 'me & you',
      password: 'p=1',
      loginUrl: source.baseUrl,
      certificateLoginUrl: source.baseUrl,
      ...more,
    }),
  }
}

describe('a session at Betfair', () => {
  it('signs in once with name and password, and reuses its token', async () => {
    const identity = await openIdentity()
    const session = createBetfairSession(identity.login())
    expect(await Promise.all([session.token(), session.token()])).toEqual(['token-1', 'token-1'])
    expect(identity.requests).toEqual([
      {
        path: '/api/login',
        token: undefined,
        appKey: 'app',
        body: 'username=me+%26+you&password=p%3D1',
      },
    ])
  })

  it('signs in with a certificate when it has one', async () => {
    const identity = await openIdentity()
    const certificate = async () => ({ cert: '', key: '' })
    const session = createBetfairSession(identity.login({ certificate }))
    expect(await session.token()).toBe('token-1')
    expect(identity.requests[0]?.path).toBe('/api/certlogin')
  })

  it('is kept alive, and signs in again when it has ended all the same', async () => {
    const identity = await openIdentity()
    let now = 0
    const session = createBetfairSession(identity.login({ now: () => now, keepAliveMs: 600_000 }))
    await session.token()
    for (let minutes = 0; minutes < 24 * 60; minutes += 10) {
      now += 600_000
      await session.keepAlive()
    }
    expect(await session.token()).toBe('token-1')
    expect(identity.logins()).toBe(1)
    expect(identity.requests.at(-1)).toMatchObject({ path: '/api/keepAlive', token: 'token-1' })
    identity.end('token-1')
    now += 600_001
    expect(await session.token()).toBe('token-2')
    session.forget()
    expect(await session.token()).toBe('token-3')
  })

  it.each([
    [
      'a wrong password',
      { status: 'FAIL', error: 'INVALID_USERNAME_OR_PASSWORD' },
      'login_refused',
    ],
    ['a locked account', { status: 'FAIL', error: 'ACCOUNT_NOW_LOCKED' }, 'login_refused'],
    ['too many logins', { status: 'FAIL', error: 'TEMPORARY_BAN_TOO_MANY_REQUESTS' }, 'http_429'],
    ['an answer of another kind', { maintenance: true }, 'network'],
    ['a server that fails', 500, 'network'],
    ['a forbidden country', 403, 'login_refused'],
  ] as const)('names %s', async (_, refusal, reason) => {
    const identity = await openIdentity()
    identity.refuseWith(refusal)
    const { token } = createBetfairSession(identity.login())
    await expect(token()).rejects.toMatchObject({ name: 'FetchError', reason })
  })
})

describe('the feed of Betfair without a session', () => {
  it('reports at once that it needs a key, and tries at most four times an hour', async () => {
    const identity = await openIdentity()
    identity.refuseWith({ status: 'FAIL', error: 'INVALID_USERNAME_OR_PASSWORD' })
    const session = createBetfairSession(identity.login())
    const clock = leapingClock()
    const beganAt = clock.now()
    const greeting = await openGreeting()
    const reports: Health[] = []
    const statuses: string[] = []
    const stop = new AbortController()
    const running = createBetfairFeed({
      appKey: 'app',
      session: session.token,
      forgetSession: session.forget,
      marketFilter: {},
      connect: greeting.connect,
      now: clock.now,
      sleep: clock.sleep,
    }).run(
      {
        async publish(records) {
          for (const record of records)
            if (record.type === 'book_status') statuses.push(record.status)
        },
        skipped() {},
        report: (health) => void reports.push(health),
      },
      stop.signal,
    )
    await expect.poll(() => reports.length).toBeGreaterThanOrEqual(9)
    const hours = (clock.now() - beganAt) / 3_600_000
    const { length } = reports
    stop.abort()
    await running
    expect(reports[0]).toMatchObject({ state: 'needs_key', reason: 'login_refused' })
    expect(statuses).toEqual(['down'])
    expect(length).toBeLessThanOrEqual(4 * hours + 2)
    expect(identity.logins()).toBe(identity.requests.length)
  })
})

/** Opens a stream endpoint that greets and ignores messages. */
async function openGreeting() {
  const { createServer, connect } = await import('node:net')
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('{"op":"connection","connectionId":"c"}\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(() => resolve())))
  const { port } = server.address() as { port: number }
  return { connect: () => connect({ port, host: '127.0.0.1' }) }
}
