import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { createRefusedKeys } from '../../api/access/refused-keys.ts'
import { refusedPerMinute } from '../../api/access/tiers.ts'
import { ApiError } from '../../api/errors.ts'
import {
  adminToken,
  type InProcess,
  ingestToken,
  keys,
  startInProcess,
} from './service-in-process.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const unknownKey = new ApiError('invalid_api_key', 'The API key is not known.')

function createRefused(perMinute: number) {
  const lines: object[] = []
  const refused = createRefusedKeys(perMinute, {
    warn: (fields: object, message: string) => lines.push({ ...fields, message }),
  } as unknown as Parameters<typeof createRefusedKeys>[1])
  const codes = (count: number, address = '10.0.0.1', now = noon, error: unknown = unknownKey) =>
    Array.from({ length: count }, () => {
      const answer = refused.answer(error, () => address, now) as ApiError
      return answer.code
    })
  return { lines, codes }
}

describe('refused keys', () => {
  it('get so many responses a minute from one address, then one that says to wait', () => {
    const { codes } = createRefused(3)
    const [is, waits] = ['invalid_api_key', 'rate_limited']
    expect(codes(5)).toEqual([is, is, is, waits, waits])
    expect(codes(4, '10.0.0.2')).toEqual([is, is, is, waits])
    expect(codes(1, '10.0.0.1', noon + 60_000)).toEqual([is])
    // An IPv6 /64 counts as one address.
    expect(codes(2, '2001:db8::1:0:0:0:1')).toEqual([is, is])
  })

  it('are logged when they begin and when they are too many, never with the value', () => {
    const { codes, lines } = createRefused(3)
    codes(50)
    const fields = { address: '10.0.0.1', code: 'invalid_api_key' }
    expect(lines).toEqual([
      { ...fields, message: 'key refused' },
      { ...fields, perMinute: 3, message: 'too many refused keys' },
    ])
    codes(1, '10.0.0.1', noon + 60_000)
    expect(lines).toHaveLength(3)
    for (let i = 0; i < 500; i++) codes(5, `10.0.1.${i}`, noon + 60_000)
    expect(lines).toHaveLength(62)
  })

  it('do not count other errors', () => {
    const { codes, lines } = createRefused(1)
    for (const code of ['missing_api_key', 'service_unavailable', 'tier_restricted'] as const) {
      expect(new Set(codes(5, '10.0.0.1', noon, new ApiError(code, '')))).toEqual(new Set([code]))
    }
    expect(lines).toEqual([])
  })
})

describe('over the wire', () => {
  let service: InProcess
  beforeEach(async () => {
    service = await startInProcess()
  })
  afterEach(() => service.close())

  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await service.request(path, { headers })).status

  it('every way to present a key counts, and a valid one is still accepted', async () => {
    for (let i = 0; i < refusedPerMinute / 3; i++) {
      expect(await statusOf('/odds', { 'X-API-Key': `sk_live_${i}` })).toBe(401)
      expect(await statusOf('/account', { Authorization: `Bearer sk_live_${i}` })).toBe(401)
      expect(await statusOf('/admin/accounts', { Authorization: `Bearer ${i}` })).toBe(401)
    }
    const wrong = { 'X-API-Key': 'sk_live_one_more' }
    for (const path of [
      '/odds',
      '/account',
      '/sports',
      '/stream?channel=odds',
      '/deeplinks?id=1',
    ]) {
      const { status, headers, body } = await service.request(path, { headers: wrong })
      expect([path, status, body.code]).toEqual([path, 429, 'rate_limited'])
      expect(body.retry_after).toBeGreaterThan(0)
      if (!path.startsWith('/stream')) expect(headers.get('retry-after')).toMatch(/^[1-9]/)
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const headers = { ...wrong, 'Content-Type': 'application/json' }
    const tools = await service.request('/mcp', { method: 'POST', headers, body })
    expect([tools.status, tools.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^[1-9]/),
    ])
    expect(await statusOf('/sources', { Authorization: 'Bearer one-more' })).toBe(429)
    // A request without a key is no attempt.
    expect(await statusOf('/odds', {})).toBe(401)
    expect((await service.get('/odds')).status).toBe(200)
    expect(await statusOf('/odds', { 'X-API-Key': keys.pro })).toBe(200)
    const socket = new WebSocket(`ws://127.0.0.1:${service.port}/ws?api_key=sk_live_again`)
    const warned = await new Promise<string>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data))
        if (frame.type === 'error') resolve(frame.code)
      })
    })
    socket.close()
    expect(warned).toBe('rate_limited')
    service.advance(60_000)
    expect(await statusOf('/odds', wrong)).toBe(401)
  })

  it('the right token of the operator on an unknown path is no attempt', async () => {
    for (const token of [adminToken, ingestToken]) {
      for (let i = 0; i <= refusedPerMinute; i++) {
        expect(await statusOf('/nothing', { Authorization: `Bearer ${token}` })).toBe(404)
      }
    }
    expect(await statusOf('/odds', { 'X-API-Key': 'sk_live_wrong' })).toBe(401)
  })

  it('so do those on paths that need none, and those that a socket is refreshed with', async () => {
    const wrong = { 'X-API-Key': 'sk_live_wrong' }
    for (let i = 1; i < refusedPerMinute; i += 2) {
      expect(await statusOf('/nothing?api_key=sk_live_wrong', {})).toBe(404)
      expect(await statusOf('/schedule', wrong)).toBe(410)
    }
    const socket = new WebSocket(`ws://127.0.0.1:${service.port}/ws?api_key=${keys.sharp}`)
    const frames = new Set<string>()
    const closed = new Promise<number>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('close', resolve)
      socket.on('message', (data) => {
        const { type, code } = JSON.parse(String(data))
        frames.add(code ?? type)
        if (type !== 'connected') return
        socket.send(JSON.stringify({ type: 'refresh_token', token: 'sk_live_wrong' }))
      })
    })
    expect(await closed).toBe(1013)
    expect(frames).toContain('rate_limited')
    expect(await statusOf('/odds', wrong)).toBe(429)
    // They are counted, but no path says more than that there is nothing.
    expect(await statusOf('/nothing?api_key=sk_live_wrong', {})).toBe(404)
    const named = await service.request('/nothing', { headers: { 'X-API-Key': keys.pro } })
    expect([named.status, named.headers.has('x-ratelimit-limit')]).toEqual([404, true])
  })
})
