import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'

/** Time of work (ms), and what each look at it adds. */
const work = { ms: 0, msALook: 0 }

let service: InProcess
beforeAll(async () => {
  service = await startInProcess({
    workTimer: () => {
      work.ms += work.msALook
      return work.ms
    },
  })
})
beforeEach(() => {
  work.ms += 3_600_000
  work.msALook = 3_000
})
afterAll(() => service.close())

async function post(body: unknown, key: string) {
  const headers = { 'Content-Type': 'application/json', ...(key !== '' && { 'X-API-Key': key }) }
  return service.request('/mcp', { method: 'POST', headers, body: JSON.stringify(body) })
}

const message = (method: string) => ({ jsonrpc: '2.0', id: 'x', method })

it.each([
  ['pings', Array.from({ length: 20 }, () => message('ping'))],
  ['unknown methods', Array.from({ length: 20 }, () => message('nothing'))],
  ['unreadable bodies', []],
])('the processing time of an account bounds its %s', async (_, body) => {
  const first = await post(body, keys.free)
  expect(first.body.code).not.toBe('work_limited')
  work.msALook = 0
  const { status, body: refusal } = await post(body, keys.free)
  expect([status, refusal.code]).toEqual([429, 'work_limited'])
})

it('a long body of a refused caller is not read', async () => {
  const long = { ...message('ping'), params: { long: 'x'.repeat(5_000) } }
  expect((await post(message('ping'), '')).body).toMatchObject({ jsonrpc: '2.0', id: 'x' })
  const { status, body } = await post(long, '')
  expect([status, body.code, body.jsonrpc]).toEqual([401, 'missing_api_key', undefined])
})
