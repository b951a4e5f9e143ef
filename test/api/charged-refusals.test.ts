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
})
afterAll(() => service.close())

const post = (path: string, body: string) =>
  service.request(path, {
    method: 'POST',
    headers: { 'X-API-Key': keys.sharp, 'Content-Type': 'application/json' },
    body,
  })

const strangers = Array.from({ length: 1_000 }, (_, i) => `zq${i}=1`).join('&')

it.each<[string, () => ReturnType<InProcess['get']>]>([
  ['unknown parameters of a read', () => service.get(`/odds?${strangers}`)],
  ['unknown parameters of an action', () => post(`/account/bets?${strangers}`, '[]')],
  ['unknown sportsbooks', () => service.get('/odds?books=zq1,zq2')],
  ['a body that is not JSON', () => post('/odds/batch', '[[[')],
  ['a body of another shape', () => post('/odds/batch', '3')],
])('an account pays for %s', async (_, ask) => {
  work.msALook = 20_000
  const refused = await ask()
  expect(refused.status).toBe(400)
  work.msALook = 0
  expect((await ask()).body.code).toBe('work_limited')
})

it('a refusal names ten unknown parameters at most', async () => {
  const { body } = await service.get(`/odds?${strangers}`)
  const first = Array.from({ length: 10 }, (_, i) => `zq${i}`)
  expect(body.error.parameters).toEqual(first)
  expect(body.error.message).toContain('zq9 is not a parameter of this route')
  expect(body.error.message).not.toContain('zq10')
})
