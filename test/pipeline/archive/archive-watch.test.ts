import { describe, expect, it } from 'vitest'
import { ArchiveError } from '../../../pipeline/archive/archive.ts'
import { createArchiveWatch } from '../../../pipeline/archive/archive-watch.ts'
import type { EngineState } from '../../../pipeline/archive/engine/supervisor.ts'
import { LogSetupError, LogUnavailableError } from '../../../pipeline/log/log.ts'

const start = Date.parse('2026-11-20T12:00:00.000Z')
const minute = 60_000

/** Creates a log, an archive and a clock that the test controls. */
function createWatched() {
  const world = {
    now: start,
    /** Records behind; null if the log fails, undefined if it never responds. */
    lag: 0 as number | null | undefined,
    /** Whether the log refuses to be read. */
    refuses: false,
    warnings: [] as string[],
    /** Time of the oldest pending record. */
    waitingSince: null as number | null,
    /** Whether the archive responds. */
    answers: true,
    engine: { state: 'running', version: '26', pid: 1 } as EngineState,
  }
  const watch = createArchiveWatch({
    log: {
      async lag() {
        if (world.lag === null) throw new LogUnavailableError('no broker answers')
        return world.lag ?? new Promise<never>(() => {})
      },
      async waitingSince() {
        if (world.refuses) throw new LogSetupError('this user lacks a right on a topic')
        if (world.lag === null) throw new LogUnavailableError('no broker answers')
        return world.lag === undefined ? new Promise<never>(() => {}) : world.waitingSince
      },
    },
    archive: {
      async query<Row>() {
        if (!world.answers) throw new ArchiveError('unavailable', 'nobody there', null)
        return [] as Row[]
      },
    },
    engine: {
      get state() {
        return world.engine
      },
    },
    clock: () => world.now,
    logger: { warn: (_: unknown, message?: string) => void world.warnings.push(message!) },
  })
  return { world, watch }
}

describe('the watch over the archive', () => {
  it('reports nothing before its first look', () => {
    expect(createWatched().watch.health()).toEqual({
      state: 'starting',
      since: start,
      reason: null,
      behindRecords: null,
      behindMs: null,
    })
  })

  it('reports its lag by the oldest pending record', async () => {
    const { world, watch } = createWatched()
    world.lag = 900
    world.waitingSince = start - 7_000
    await watch.look()
    expect(watch.health()).toMatchObject({
      state: 'answering',
      behindRecords: 900,
      behindMs: 7_000,
    })
  })

  it('is not behind as long as nothing has changed', async () => {
    const { world, watch } = createWatched()
    await watch.look()
    world.now += 30 * minute
    expect(watch.health()).toMatchObject({ behindRecords: 0, behindMs: 0 })
    world.waitingSince = world.now
    world.now += 2_000
    world.lag = 1
    await watch.look()
    expect(watch.health()).toMatchObject({ behindRecords: 1, behindMs: 2_000 })
  })

  it('is never level while records are pending', async () => {
    const { world, watch } = createWatched()
    world.lag = 151_330
    // The oldest record is written just now, by a clock that is ahead, or after the lag was read.
    for (const waitingSince of [start, start + minute, null]) {
      world.waitingSince = waitingSince
      await watch.look()
      expect(watch.health().behindMs).toBeGreaterThan(0)
    }
  })

  it('reports since when the archive has not responded, and falls behind meanwhile', async () => {
    const { world, watch } = createWatched()
    await watch.look()
    world.now += minute
    world.answers = false
    world.lag = 5_000
    world.waitingSince = start
    world.engine = { state: 'starting', reason: 'its process ended (SIGKILL)' }
    await watch.look()
    world.now += 2 * minute
    await watch.look()
    expect(watch.health()).toEqual({
      state: 'unavailable',
      since: start + minute,
      reason: 'its process ended (SIGKILL)',
      behindRecords: 5_000,
      behindMs: 3 * minute,
    })
    world.answers = true
    world.waitingSince = world.now - 500
    await watch.look()
    expect(watch.health()).toMatchObject({ state: 'answering', reason: null, behindMs: 500 })
  })

  it('notices the archive going and coming while the log is away, and keeps the lag from before', async () => {
    const { world, watch } = createWatched()
    world.lag = 3
    world.waitingSince = start - 1_000
    await watch.look()
    world.lag = null
    world.answers = false
    await expect(watch.look()).rejects.toThrow('no broker answers')
    expect(watch.health()).toMatchObject({ state: 'unavailable', behindRecords: 3 })
    world.answers = true
    await expect(watch.look()).rejects.toThrow('no broker answers')
    expect(watch.health()).toMatchObject({ state: 'answering', behindRecords: 3 })
  })

  it('does not know how far it is behind while the log refuses to tell, and says so once', async () => {
    const { world, watch } = createWatched()
    world.lag = 3
    world.waitingSince = start - 1_000
    await watch.look()
    world.refuses = true
    for (let look = 0; look < 2; look++) {
      world.now += minute
      await expect(watch.look()).rejects.toThrow('lacks a right')
      expect(watch.health()).toMatchObject({
        state: 'answering',
        behindRecords: null,
        behindMs: null,
      })
    }
    expect(world.warnings).toEqual(['the log does not tell how far the archive is behind'])
  })

  it('notices the archive while the log hangs', async () => {
    const { world, watch } = createWatched()
    world.lag = undefined
    const stop = new AbortController()
    void watch.run(stop.signal)
    await expect.poll(() => watch.health().state).toBe('answering')
    stop.abort()
  })

  it('queries nothing if the engine is absent', async () => {
    const { world, watch } = createWatched()
    world.engine = { state: 'absent', reason: 'the package chdb does not load: no such module' }
    await watch.look()
    expect(watch.health()).toMatchObject({
      state: 'absent',
      reason: 'the package chdb does not load: no such module',
    })
  })
})
