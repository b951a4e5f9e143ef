import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openApp } from '../../api/app.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { testSettings } from './service-in-process.ts'
import { createSteppedTimers } from './stepped-timers.ts'

it('an app closed before it listens leaves nothing pending', async () => {
  const path = await mkdtemp(join(tmpdir(), 'overround-app-'))
  const log = await openEmbeddedLog({ path })
  const timers = createSteppedTimers()
  let ticks = 0
  const later = (ms: number, tick: () => void) => {
    ticks++
    return timers.later(ms, tick)
  }
  const app = openApp({
    log,
    logger: createLogger(testSettings, 'test'),
    settings: testSettings,
    streams: { timers: { ...timers, later } },
  })
  await app.ready
  await app.close()
  const before = ticks
  await timers.pass(10_000)
  expect(ticks).toBe(before)
  await log.close()
  await rm(path, { recursive: true })
})
