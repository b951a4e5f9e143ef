import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import {
  type Append,
  type Lease,
  type Log,
  LogUnavailableError,
  NotHolderError,
} from '../../pipeline/log/log.ts'
import { runPipeline } from '../../pipeline/main.ts'
import { createClock } from '../../pipeline/process/clock.ts'
import { readConfig } from '../../pipeline/settings/config.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import type { SourceRow } from '../../schemas/source.ts'
import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import { openLiveSource } from '../live-source.ts'
import { answerJson, openSource } from './feeds/loopback-source.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'overround-pipeline-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const configOf = (environment: Record<string, string>) =>
  readConfig({ OVERROUND_DATA_DIR: dir, OVERROUND_LOG_LEVEL: 'silent', ...environment })

/** Returns the number of records on `feed.odds` once a pipeline has started. */
async function recordsAtStart(environment: Record<string, string>): Promise<number> {
  const config = configOf(environment)
  const log = await openEmbeddedLog({ path: join(config.dataDir, 'log') })
  try {
    const stop = new AbortController()
    await runPipeline(config, log, pino({ level: 'silent' }), createClock(), stop.signal, [
      { started: () => stop.abort() },
    ])
    return await log.lag([topics.feedOdds], 'nobody')
  } finally {
    await log.close()
  }
}

/** Writes a recording without a price. */
function recording(): string {
  const path = join(dir, 'recording.csv')
  const columns = 'event_id,sport_key,home_team,away_team,commence_time,bookmaker,market'
  writeFileSync(path, `${columns},outcome_name,price,point,snapshot_utc\n`)
  return path
}

describe('the pipeline’s clock', () => {
  it('runs where prices can be pushed', async () => {
    expect(await recordsAtStart({ OVERROUND_FEEDS: 'none' })).toBeGreaterThan(0)
  })

  it('stands still beside a recording, whose time is another', async () => {
    expect(await recordsAtStart({ OVERROUND_FEEDS: `replay:${recording()}` })).toBe(0)
  })

  it('stands still beside a recording when prices can be pushed too', async () => {
    const environment = {
      OVERROUND_FEEDS: `replay:${recording()}`,
      OVERROUND_INGEST_TOKEN: 'a-token-of-some-length',
    }
    expect(await recordsAtStart(environment)).toBe(0)
  })
})

/**
 * Wraps a log that can fail for holders of leases, as Kafka does: a holder's append is refused and ends
 * its lease, and the name is leased again. Reading the sources' last state fails too.
 */
function withOutages(log: Log) {
  const refused = new Set<string>()
  let isAway = false
  const refuse = (what: string) => {
    refused.add(what)
    throw new LogUnavailableError(what)
  }

  async function* lease(
    names: readonly string[],
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<Lease, void> {
    const given: string[] = [...names]
    let wake = () => {}
    signal.addEventListener('abort', () => wake(), { once: true })
    while (!signal.aborted) {
      const name = given.shift()
      if (name === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const ending = new AbortController()
      yield {
        name,
        ended: ending.signal,
        async append(records) {
          if (ending.signal.aborted) throw new NotHolderError(`${name} was given up`)
          if (!isAway) return log.append(records)
          ending.abort()
          given.push(name)
          wake()
          refuse(`append as ${name}`)
        },
      }
    }
  }

  async function* replay(...[tables, options]: Parameters<Log['replay']>) {
    if (isAway && tables.includes(topics.sources)) refuse('replay')
    yield* log.replay(tables, options)
  }

  return {
    log: { ...log, lease, replay } satisfies Log,
    refused,
    goAway() {
      isAway = true
    },
    comeBack() {
      isAway = false
    },
  }
}

describe('a live source', () => {
  const often = { interval: 20 }
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  /** Starts a pipeline with one source, polled every half second, over a log that may fail. */
  async function startWithSource({ isAway = false } = {}) {
    const source = await openLiveSource(dir)
    const config = configOf({
      OVERROUND_FEEDS: source.name,
      OVERROUND_FEEDS_FILE: source.file,
      OVERROUND_ARCHIVE: 'off',
    })
    const log = await openEmbeddedLog({ path: join(config.dataDir, 'log') })
    const outages = withOutages(log)
    if (isAway) outages.goAway()
    const stop = new AbortController()
    let outcome: unknown = null
    const logger = pino({ level: 'silent' })
    const running = runPipeline(config, outages.log, logger, createClock(), stop.signal).then(
      () => {
        outcome = 'stopped'
      },
      (error) => {
        outcome = error
      },
    )
    async function end() {
      stop.abort()
      await running
      await log.close()
      await source.close()
    }
    closing.push(end)
    return {
      ...outages,
      calls: source.calls,
      /** Its error or end; null while it runs. */
      outcome: () => outcome,
      async state() {
        const options = { partitions: [0], signal: stop.signal }
        for await (const rows of log.replay([topics.sources], options)) {
          return (rows[0]!.value as SourceRow).state
        }
        return null
      },
      pause: (isPaused: boolean) =>
        log.append([
          {
            topic: topics.sourcePauses,
            partitionKey: 0,
            key: source.name,
            value: { source: source.name, isPaused, at: Date.now() },
          },
        ]),
      async stop() {
        stop.abort()
        await running
      },
    }
  }

  it('continues, and its state is written, after the log has been away', async () => {
    const pipeline = await startWithSource()
    await expect.poll(pipeline.state, often).toBe('up')
    pipeline.goAway()
    // Its row is to be written at once, and then by the next holder.
    await pipeline.pause(true)
    await expect.poll(() => pipeline.refused, often).toContain('append as bovada')
    await expect.poll(() => pipeline.refused, often).toContain('replay')
    expect(await pipeline.state()).toBe('up')
    pipeline.comeBack()
    await expect
      .poll(async () => pipeline.outcome() ?? (await pipeline.state()), often)
      .toBe('paused')
    const calls = pipeline.calls()
    await pipeline.pause(false)
    await expect.poll(pipeline.state, often).toBe('up')
    await expect.poll(() => pipeline.calls(), often).toBeGreaterThan(calls + 1)
    await pipeline.stop()
    expect(pipeline.outcome()).toBe('stopped')
  })

  it('is polled once its last state is read, however often that failed', async () => {
    const pipeline = await startWithSource({ isAway: true })
    await expect.poll(() => pipeline.refused, often).toContain('replay')
    expect(pipeline.calls()).toBe(0)
    pipeline.comeBack()
    await expect.poll(() => pipeline.calls(), often).toBeGreaterThan(0)
    await expect.poll(pipeline.state, often).toBe('up')
    await pipeline.stop()
    expect(pipeline.outcome()).toBe('stopped')
  })
})

describe('a source that is added while the pipeline runs', () => {
  const often = { interval: 20 }

  it('is read, read anew by other settings, read after a restart, and down once it is removed', async () => {
    const paths = new Set<string>()
    const source = await openSource((path, response, request) => {
      paths.add(path)
      answerJson([])(path, response, request)
    })
    const config = configOf({ OVERROUND_FEEDS: 'none', OVERROUND_ARCHIVE: 'off' })
    const log = await openEmbeddedLog({ path: join(config.dataDir, 'log') })
    const logger = pino({ level: 'silent' })
    const name = 'bovada'

    const add = (leagues: readonly string[] | null) => {
      const settings = JSON.stringify({ baseUrl: source.baseUrl, leagues, intervalMs: 500 })
      const value = leagues && { source: name, settings, at: Date.now() }
      return log.append([
        { topic: topics.addedSources, partitionKey: 0, key: name, value } as Append,
      ])
    }
    const start = () => {
      const stop = new AbortController()
      const running = runPipeline(config, log, logger, createClock(), stop.signal)
      return async () => {
        stop.abort()
        await running
      }
    }
    async function newest<Row>(topic: Topic, key: string): Promise<Row | null> {
      let row: Row | null = null
      const signal = AbortSignal.timeout(2 ** 31 - 1)
      for await (const records of log.replay([topic], { partitions: [0], signal })) {
        for (const one of records) if (one.key === key) row = one.value as Row
      }
      return row
    }
    const state = async () => (await newest<SourceRow>(topics.sources, name))?.state ?? null
    const sportsbook = async () =>
      (await newest<SportsbookStatus>(topics.sportsbookStatus, name))?.status ?? null
    const has = (league: string) => [...paths].some((path) => path.includes(league))

    let stop = start()
    await add(['/soccer'])
    await expect.poll(state, often).toBe('up')
    await expect.poll(sportsbook, often).toBe('up')
    await add(['/tennis'])
    await expect.poll(() => has('/tennis'), often).toBe(true)
    // Settings that do not fit end the former run, and nothing else.
    await add([])
    await stop()
    paths.clear()

    stop = start()
    await add(['/cricket'])
    await expect.poll(() => has('/cricket'), often).toBe(true)
    expect(has('/soccer')).toBe(false)
    await stop()
    paths.clear()

    stop = start()
    await expect.poll(() => has('/cricket'), often).toBe(true)
    await expect.poll(sportsbook, often).toBe('up')
    await add(null)
    await expect.poll(sportsbook, often).toBe('down')
    await expect.poll(state, often).toBe(null)
    await stop()
    await log.close()
    await source.close()
  })

  it('is not read beside simulated prices', async () => {
    const config = configOf({ OVERROUND_FEEDS: 'simulator', OVERROUND_ARCHIVE: 'off' })
    const log = await openEmbeddedLog({ path: join(config.dataDir, 'log') })
    const leased: string[][] = []
    const lease: Log['lease'] = (names, options) => {
      leased.push([...names])
      return log.lease(names, options)
    }
    const stop = new AbortController()
    const logger = pino({ level: 'silent' })
    const running = runPipeline(config, { ...log, lease }, logger, createClock(), stop.signal)
    await expect.poll(() => leased, often).toEqual([['simulator', 'clock']])
    stop.abort()
    await running
    await log.close()
  })
})

describe('the pipeline’s thread', () => {
  const start = (environment: Record<string, string>) => {
    const worker = new Worker(
      join(projectRoot, 'dist', 'pipeline', 'process', 'pipeline-worker.js'),
      {
        workerData: configOf(environment),
      },
    )
    const said: unknown[] = []
    worker.on('message', (message) => said.push(message))
    const ended = new Promise<unknown>((resolve) => {
      let failure: unknown
      worker.once('error', (error) => {
        failure = error
      })
      worker.once('exit', (code) => resolve(failure ?? code))
    })
    return { worker, said, ended }
  }

  it('ends on a stop that comes before it has started', async () => {
    const { worker, said, ended } = start({})
    worker.postMessage('stop')
    expect(await ended).toBe(0)
    expect(said).toEqual([])
  })

  it('ends on a stop in the middle of its start', async () => {
    const { worker, ended } = start({})
    worker.once('message', () => worker.postMessage('stop'))
    expect(await ended).toBe(0)
  })

  it('fails with the error line of an invalid setting', async () => {
    const { ended } = start({ OVERROUND_FEEDS: 'replay:/no/such.csv' })
    expect(await ended).toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('OVERROUND_FEEDS: /no/such.csv does not exist'),
    })
  })
})
