import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InProcess, ingestToken, keys, startInProcess } from './service-in-process.ts'

/** Returns the status line of the response for a `Host` header. */
async function statusFor(service: InProcess, host: string, path = '/api/v1/odds', more = '') {
  const { text } = await service.raw(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${keys.sharp}\r\n${more}Connection: close\r\n\r\n`,
    (all) => all.includes('\r\n\r\n'),
  )
  return Number(text.split(' ')[1])
}

const upgrade =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

describe('while the sandbox keys work', () => {
  let service: InProcess
  beforeAll(async () => {
    service = await startInProcess({ sandboxHosts: ['odds.example.com'] })
  })
  afterAll(() => service.close())

  it.each([
    'evil.example',
    'evil.example:3000',
    'EVIL.example.',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:127.0.0.1',
    'evil.example]',
    '[::1].evil.example',
    'odds.example.com.evil.example',
    'notodds.example.com',
  ])('a name that somebody elsewhere may own is refused: %s', async (host) => {
    for (const path of [
      '/api/v1/odds',
      '/api/v1/sports',
      '/api/v1/openapi.json',
      '/',
      '/nowhere',
    ]) {
      expect([path, await statusFor(service, host, path)]).toEqual([path, 403])
    }
    expect(await statusFor(service, host, '/api/v1/stream/odds')).toBe(403)
    expect(await statusFor(service, host, '/ws', upgrade)).toBe(403)
  })

  it.each([
    '127.0.0.1',
    '127.0.0.1:3000',
    '192.168.1.5:80',
    '[::1]:3000',
    'localhost',
    'LOCALHOST:3000',
    'api.localhost',
    'overround:3000',
    'odds.example.com',
    'Odds.Example.Com.:443',
  ])('an address or a name of ours is accepted: %s', async (host) => {
    expect(await statusFor(service, host)).toBe(200)
    expect(await statusFor(service, host, '/ws', upgrade)).toBe(101)
  })

  it('the response gives advice, and nothing was done', async () => {
    const body = '{"type":"book_status"'
    const { text } = await service.raw(
      `POST /api/v1/ingest HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${ingestToken}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      (all) => all.includes('"code"'),
    )
    expect(text).toMatch(/^HTTP\/1\.1 403 /)
    expect(text).toContain('OVERROUND_SANDBOX_HOSTS')
  })
})

it('without the sandbox a request may use any host name', async () => {
  const service = await startInProcess({ sandbox: false })
  try {
    expect(await statusFor(service, 'odds.anyone.example', '/api/v1/sports')).toBe(401)
    expect(await statusFor(service, 'odds.anyone.example', '/api/v1/openapi.json')).toBe(200)
  } finally {
    await service.close()
  }
})
