/** While a sportsbook is for the owner alone, the first price of another changes nothing for those who page through a list. */

import { afterEach, expect, it } from 'vitest'
import { topics } from '../../schemas/topics.ts'
import { type InProcess, keys, oddsRecord, startInProcess } from './service-in-process.ts'

let service: InProcess
afterEach(() => service.close())

const push = async (sportsbook: string, home = 'New York Knicks') => {
  const record = oddsRecord(service.clock(), { sportsbook, home })
  expect((await service.ingest([record])).status).toBe(202)
  await service.settled()
}

const ask = (path: string, headers: Record<string, string> = {}) =>
  service.request(path, { headers: { 'X-API-Key': keys.sharp, ...headers } })

it.each(['/odds?limit=1', '/events?limit=1'])('walks through %s', async (path) => {
  service = await startInProcess()
  await push('draftkings')
  await push('draftkings', 'Boston Celtics')
  for (const sportsbook of ['our_desk', 'their_desk']) {
    const value = { sportsbook, status: 'up', since: service.clock(), audience: 'owner' } as const
    await service.log.append([
      { topic: topics.sportsbookStatus, partitionKey: sportsbook, key: sportsbook, value },
    ])
  }
  await expect.poll(() => service.boards.sources.ownersOnly.size).toBe(2)
  const first = await ask(path)
  const tag = first.headers.get('etag')!
  const cursor = `${path}&cursor=${first.body.pagination.next_cursor}`
  const next = await ask(cursor)
  expect([first.status, next.status, next.body.data.length]).toEqual([200, 200, 1])
  // Nobody but the owner sees it: the same rows, the same tag.
  await push('our_desk')
  expect((await ask(path, { 'If-None-Match': tag })).status).toBe(304)
  expect((await ask(cursor)).body.data).toEqual(next.body.data)
  // All see it: other rows, but the walk goes on.
  await push('fanduel')
  expect((await ask(cursor)).status).toBe(200)
})
