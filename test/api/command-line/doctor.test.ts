/** `doctor` on a ClickHouse server: it asks as the service does, so that what stops the service stops it too. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskChecks, examine } from '../../../api/command-line/doctor.ts'

/** A server with a user and a password, which answers a ping to everybody. */
const server = createServer((request, response) => {
  request.resume()
  if (request.url === '/ping') return response.end('Ok.\n')
  const { authorization } = request.headers
  if (authorization === `Basic ${Buffer.from('desk:right').toString('base64')}`) {
    return response.end('{"1":1}\n')
  }
  const said = 'Code: 516. DB::Exception: desk: Authentication failed. (AUTHENTICATION_FAILED)'
  return response.writeHead(403, { 'x-clickhouse-exception-code': '516' }).end(said)
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  port = (server.address() as AddressInfo).port
})
afterAll(() => new Promise((closed) => server.close(closed)))

async function archiveAt(address: string) {
  const checks = await examine({ OVERROUND_CLICKHOUSE_URL: address, OVERROUND_PORT: '0' }, null)
  return checks.find(({ name }) => name === 'archive')
}

test('takes a server that answers a query', async () => {
  expect(await archiveAt(`http://desk:right@127.0.0.1:${port}`)).toMatchObject({
    state: 'ok',
    found: `ClickHouse answers at http://127.0.0.1:${port}`,
  })
})

test.each([
  ['desk:wrong@', 'Authentication failed'],
  ['', 'Authentication failed'],
])('takes no server that refuses the user: %s', async (user, why) => {
  const check = await archiveAt(`http://${user}127.0.0.1:${port}`)
  expect(check).toMatchObject({
    state: 'fail',
    found: expect.stringContaining(why),
    next: expect.stringContaining('OVERROUND_CLICKHOUSE_URL'),
  })
  expect(check?.found).not.toContain('wrong')
})

test('says why no server answers', async () => {
  const { found } = (await archiveAt('http://127.0.0.1:2'))!
  expect(found).toContain('connect ECONNREFUSED 127.0.0.1:2')
})

test('warns of links in alerts that lead nowhere', async () => {
  const linksOf = async (environment: Record<string, string>) => {
    const checks = await examine({ OVERROUND_PORT: '0', ...environment }, null)
    return checks.find(({ name }) => name === 'links')
  }
  const host = { OVERROUND_HOST: '0.0.0.0' }
  expect(await linksOf(host)).toMatchObject({
    state: 'warn',
    next: expect.stringContaining('OVERROUND_PUBLIC_URL'),
  })
  expect(await linksOf({ ...host, OVERROUND_PUBLIC_URL: 'https://a.example' })).toBeUndefined()
  expect(await linksOf({})).toBeUndefined()
})

test('warns of a data directory on a file system of other machines, as a start does', async () => {
  const on = async (type: number) => {
    const checks = await diskChecks('/', () => ({ bavail: 100, bsize: 1_024 ** 3, type }))
    return checks.map(({ state, found }) => [state, found])
  }
  const roomy = ['ok', '100.0 GiB free for /']
  expect(await on(0xef53)).toEqual([roomy])
  expect(await on(0x6969)).toEqual([
    roomy,
    [
      'warn',
      '/ is on NFS: the data directory may be on another machine: its locks may not keep a second service out, nor a power cut its records',
    ],
  ])
})

test('says why no service responds', async () => {
  const checks = await examine({ OVERROUND_PORT: '0' }, 'http://127.0.0.1:2/api/v1')
  expect(checks.find(({ name }) => name === 'service')).toMatchObject({
    state: 'warn',
    found: expect.stringContaining('connect ECONNREFUSED 127.0.0.1:2'),
  })
})

test('a service that is down, or a part of it, is a fault, and one that is degraded a warning', async () => {
  let health = {}
  const service = createServer((_, response) => response.end(JSON.stringify(health)))
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening))
  const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}/api/v1`
  const stateOf = async (status: string, name: string) => {
    const checks = { log: { status, message: 'full' } }
    health = { status, timestamp: new Date().toISOString(), checks }
    const found = await examine({ OVERROUND_PORT: '0' }, base)
    return found.find((check) => check.name === name)?.state
  }
  try {
    expect(await stateOf('ok', 'service')).toBe('ok')
    expect(await stateOf('ok', 'log')).toBeUndefined()
    expect(await stateOf('degraded', 'service')).toBe('ok')
    expect(await stateOf('degraded', 'log')).toBe('warn')
    expect(await stateOf('down', 'service')).toBe('fail')
    expect(await stateOf('down', 'log')).toBe('fail')
  } finally {
    await new Promise((closed) => service.close(closed))
  }
})

describe('a program that is not overround', () => {
  /** Serves what each path is said to answer; a 404 in JSON for all others. */
  async function answering(bodies: Record<string, string>, work: (port: number) => Promise<void>) {
    const other = createServer(({ url = '' }, response) => {
      const body = bodies[url]
      response.writeHead(body === undefined ? 404 : 200)
      response.end(body ?? '{"message":"Not found"}')
    })
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    try {
      await work((other.address() as AddressInfo).port)
    } finally {
      await new Promise((closed) => other.close(closed))
    }
  }
  const portOf = async (port: number, base: string) => {
    const checks = await examine({ OVERROUND_PORT: String(port) }, base)
    return checks.find(({ name }) => name === 'port')
  }
  const timestamp = new Date().toISOString()
  const health = JSON.stringify({ status: 'ok', timestamp, checks: {} })

  test.each([
    ['JSON of another form', {}],
    ['a page', { '/api/v1/health': '<html>', '/api/v1/readyz': '<html>' }],
    ['null', { '/api/v1/health': 'null' }],
    ['a status that is none of ours', { '/api/v1/health': health.replace('ok', 'UP') }],
    ['no time', { '/api/v1/health': '{"status":"ok","checks":{}}' }],
  ])('is a fault at the address of the service: %s', async (_, bodies) => {
    await answering(bodies as Record<string, string>, async (port) => {
      const base = `http://127.0.0.1:${port}/api/v1`
      const checks = await examine({ OVERROUND_PORT: String(port) }, base)
      expect(checks.filter(({ name }) => ['service', 'clock', 'sources'].includes(name))).toEqual([
        {
          name: 'service',
          state: 'fail',
          found: `another program answers at ${base}`,
          next: expect.stringContaining('--url'),
        },
      ])
      expect(checks.find(({ name }) => name === 'port')).toMatchObject({ state: 'fail' })
    })
  })

  test('is no service that runs here, though one answers at another address', async () => {
    await answering({ '/api/v1/health': health }, async (there) => {
      const base = `http://127.0.0.1:${there}/api/v1`
      await answering({}, async (port) => {
        expect(await portOf(port, base)).toMatchObject({
          state: 'fail',
          found: expect.stringContaining('EADDRINUSE'),
        })
      })
      const found = `overround listens on 127.0.0.1:${there}`
      expect(await portOf(there, base)).toMatchObject({ state: 'ok', found })
    })
  })
})
