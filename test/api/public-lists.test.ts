/** The lists of reference data without a key, and where the operator forbids that. */

import { afterEach, expect, it } from 'vitest'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'

const lists = ['sports', 'leagues', 'sportsbooks', 'markets', 'sportsbooks/pinnacle']

let service: InProcess
afterEach(() => service.close())

const statuses = async (headers: Record<string, string>) =>
  Promise.all(lists.map(async (list) => (await service.request(`/${list}`, { headers })).status))

it('can be read without a key', async () => {
  service = await startInProcess()
  expect(await statuses({})).toEqual(lists.map(() => 200))
  const { body } = await service.request('/openapi.json')
  expect(body.paths['/sports'].get.security).toContainEqual({})
})

it('need a key where the setting is off', async () => {
  service = await startInProcess({ publicLists: false })
  expect(await statuses({})).toEqual(lists.map(() => 401))
  expect((await service.request('/sports')).body.code).toBe('missing_api_key')
  expect(await statuses({ 'X-API-Key': keys.free })).toEqual(lists.map(() => 200))
  const { body } = await service.request('/openapi.json')
  expect(body.paths['/sports'].get.security).not.toContainEqual({})
})
