/** The log level of a running service, changed by its operator and by a signal, without a restart. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../service.ts'
import { adminToken } from './service-in-process.ts'

/** The number of the level in log lines. */
const debug = 20

let folder: string
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overround-log-level-'))
  service = await startService({
    env: {
      OVERROUND_DATA_DIR: folder,
      OVERROUND_ADMIN_TOKEN: adminToken,
      OVERROUND_LOG_LEVEL: 'info',
      OVERROUND_ARCHIVE: 'off',
    },
  })
})
afterAll(async () => {
  await service.kill()
  await rm(folder, { recursive: true })
})

const ask = async (path: string, init: RequestInit = {}) => {
  const headers = { Authorization: `Bearer ${adminToken}` }
  const response = await fetch(service.address + path, { headers, ...init })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  const body: any = await response.json()
  return { id: response.headers.get('x-request-id'), body }
}
const set = (level: string) =>
  ask('/admin/log-level', { method: 'PATCH', body: JSON.stringify({ level }) })

const lines = () =>
  service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
/** Returns the API's own lines. The pipeline runs in a thread of the same process and writes its own. */
const ownLines = () => lines().filter(({ part }) => part !== 'pipeline')
const changes = () => ownLines().filter(({ msg }) => msg === 'log level changed')

/** Waits for another debug line of the pipeline's thread. */
async function debugOfPipeline() {
  const told = () => lines().filter(({ level, part }) => level === debug && part === 'pipeline')
  const before = told().length
  await expect.poll(() => told().length).toBeGreaterThan(before)
}

it('is changed by the operator, in the thread of the pipeline too', async () => {
  expect((await ask('/admin/log-level')).body.data).toEqual({ level: 'info', configured: 'info' })
  expect((await set('debug')).body.data).toEqual({ level: 'debug', configured: 'info' })
  await debugOfPipeline()
  const { id } = await ask('/livez')
  await expect
    .poll(ownLines)
    .toContainEqual(expect.objectContaining({ requestId: id, status: 200, msg: 'answered' }))

  await set('info')
  await ask('/livez')
  await set('debug')
  await expect.poll(() => changes().length).toBe(3)
  const told = ownLines()
  const [first, second, third] = changes().map((change) =>
    told.findIndex(
      ({ time, msg, to }) => time === change.time && msg === change.msg && to === change.to,
    ),
  )
  expect(told.slice(0, first).filter(({ level }) => level === debug)).toEqual([])
  expect(told.slice(second, third).filter(({ level }) => level === debug)).toEqual([])
  await set('info')
})

it('is toggled by SIGUSR2', async () => {
  const level = async () => (await ask('/admin/log-level')).body.data.level
  const before = await level()
  process.kill(service.pid, 'SIGUSR2')
  await expect.poll(level).toBe('debug')
  await debugOfPipeline()
  process.kill(service.pid, 'SIGUSR2')
  await expect.poll(level).toBe(before)
})

it('accepts only the known levels', async () => {
  expect((await set('loud')).body.error.code).toBe('validation_error')
  expect((await ask('/admin/log-level')).body.data.level).toBe('info')
})
