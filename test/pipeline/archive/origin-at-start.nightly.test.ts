/** A process that an archive refuses ends before it serves; one that learns it later serves on without an archiver. */

import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { serve } from '../../../api/serve.ts'
import { requireOriginAtStart } from '../../../pipeline/archive/archive-origin.ts'
import { startArchive } from '../../../pipeline/archive/start-archive.ts'
import { createClock } from '../../../pipeline/process/clock.ts'
import { runWithArchive } from '../../../pipeline/run-with-archive.ts'
import { ConfigError, readConfig } from '../../../pipeline/settings/config.ts'

const runPipeline = vi.hoisted(() => vi.fn())
const workers = vi.hoisted((): EventEmitter[] => [])
vi.mock('../../../pipeline/main.ts', () => ({ runPipeline }))
vi.mock('node:worker_threads', async (original) => ({
  ...(await original<object>()),
  Worker: class extends EventEmitter {
    constructor() {
      super()
      workers.push(this)
    }
    postMessage() {
      this.emit('exit', 0)
    }
  },
}))

let server: Server
let url: string
let dataDir: string
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'overround-origin-'))
  // A ClickHouse server whose archive has live prices of another log.
  server = createServer(async (request, response) => {
    const asked = `${decodeURIComponent(request.url!)} ${await text(request)}`
    if (asked.startsWith('/ping')) return response.end('Ok.\n')
    const row = asked.includes('system.columns')
      ? { hasPrices: 1 }
      : { log_epoch: 'another', prices: 'live', since: '2026-11-30 12:00:00' }
    response.end(`${JSON.stringify(row)}\n`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  workers.length = 0
  runPipeline.mockReset()
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(dataDir, { recursive: true, force: true })
})

const configWith = (environment: Record<string, string> = {}) =>
  readConfig({ OVERROUND_DATA_DIR: dataDir, OVERROUND_PORT: '0', ...environment })
const onServer = () => configWith({ OVERROUND_CLICKHOUSE_URL: url })
const log = { epoch: 'ours', continues: [] }
const quiet = pino({ level: 'silent' })

it('a service is refused before it serves, if the server answers', async () => {
  const onServing = vi.fn()
  const { signal } = new AbortController()
  const serving = serve(onServer(), quiet, createClock(), signal, onServing)
  await expect(serving).rejects.toThrow(ConfigError)
  await expect(serving).rejects.toThrow('has live prices')
  expect(onServing).not.toHaveBeenCalled()
  expect(workers).toEqual([])
})

it('a pipeline is refused before it runs', async () => {
  const { signal } = new AbortController()
  const running = runWithArchive(onServer(), log as never, quiet, createClock(), signal, [])
  await expect(running).rejects.toThrow('has live prices')
  expect(runPipeline).not.toHaveBeenCalled()
})

it('a start does not wait for an archive that is away, or in its directory', async () => {
  await requireOriginAtStart(configWith({ OVERROUND_CLICKHOUSE_URL: 'http://127.0.0.1:1' }), log)
  await requireOriginAtStart(configWith(), log)
})

it('a refusal that is found later ends the archiver alone, with an error in the text log', async () => {
  const stop = new AbortController()
  const errors: object[] = []
  const logger = { error: (fields: object) => void errors.push(fields) }
  const archive = startArchive(onServer(), logger as never, stop.signal)!
  await expect.poll(() => workers.length).toBe(1)
  let hasEnded = false
  const ended = archive.ended.finally(() => {
    hasEnded = true
  })
  // As it arrives from the worker.
  workers[0]!.emit('error', Object.assign(new Error('has live prices'), { name: 'ConfigError' }))
  await expect.poll(() => errors).toEqual([{ reason: 'has live prices' }])
  expect(hasEnded).toBe(false)
  stop.abort()
  await ended
})

it('an archiver that fails otherwise ends the process', async () => {
  const archive = startArchive(onServer(), quiet, new AbortController().signal)!
  const failing = expect(archive.ended).rejects.toThrow('an invariant broke')
  await expect.poll(() => workers.length).toBe(1)
  workers[0]!.emit('error', new Error('an invariant broke'))
  await failing
})

it('a pipeline that its log refuses starts no archiver', async () => {
  const stop = new AbortController()
  const config = configWith({ OVERROUND_CLICKHOUSE_URL: 'http://127.0.0.1:1' })
  const run = () => runWithArchive(config, log as never, quiet, createClock(), stop.signal, [])
  runPipeline.mockImplementationOnce(async () => {
    await new Promise(setImmediate)
    throw new Error('another deployment')
  })
  await expect(run()).rejects.toThrow('another deployment')
  expect(workers).toEqual([])
  runPipeline.mockImplementationOnce(async (...given) => {
    for (const { started } of given[5]) started?.()
    await expect.poll(() => workers.length).toBe(1)
    stop.abort()
  })
  await run()
})
