import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
  await service.settled()
})
afterAll(() => service.close())

const refusals: readonly (readonly [string, string, number, string])[] = [
  ['GET', '/nosuch', 404, 'not_found'],
  ['GET', '/ev', 410, 'unknown_endpoint'],
  ['POST', '/me', 410, 'unknown_endpoint'],
  ['GET', '/historical/summary', 410, 'gone'],
  ['POST', '/odds', 405, 'method_not_allowed'],
]
const ask = (method: string, path: string, key: string) =>
  service.request(path, { method, headers: { 'X-API-Key': key } })

const named = [
  'x-tier',
  'x-data-delay',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]
const namedIn = ({ headers }: Response | { headers: Headers }) =>
  named.map((name) => headers.get(name))

describe.each(refusals)('%s %s', (method, path, status, code) => {
  it.each(['free', 'sharp'] as const)(
    'has the headers of a %s key, which pays nothing',
    async (tier) => {
      const account = await service.get('/account', tier)
      const refused = await ask(method, path, keys[tier])
      expect([refused.status, refused.body.code]).toEqual([status, code])
      expect(namedIn(refused)).toEqual(namedIn(account))
      expect(namedIn(refused)).not.toContain(null)
      expect(refused.headers.get('x-request-id')).not.toBeNull()
      expect(namedIn(await ask(method, path, keys[tier]))).toEqual(namedIn(refused))
    },
  )

  it.each(['', 'sk_test_not_a_key_of_this_service'])(
    'has none of them for the key %j',
    async (key) => {
      const refused = await ask(method, path, key)
      expect([refused.status, refused.body.code]).toEqual([status, code])
      expect(namedIn(refused)).toEqual(named.map(() => null))
    },
  )
})

it.each(['min', 'max'])('a %s_confidence is from 0 to 100', async (bound) => {
  const statusOf = async (value: number) =>
    (await service.get(`/opportunities/ev?${bound}_confidence=${value}`)).status
  expect(await Promise.all([0, 100, 100.5, 101, -1].map(statusOf))).toEqual([
    200, 200, 400, 400, 400,
  ])
})

it('the account of a sandbox key was last changed when the service started', async () => {
  const { body } = await service.get('/account')
  expect(body.meta.updated_at).toBe('2026-11-20T12:00:00.000Z')
})
