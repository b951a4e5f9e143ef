import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClock } from '../../pipeline/clock.ts'
import { readConfig } from '../../pipeline/config.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded.ts'
import { runPipeline } from '../../pipeline/main.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { topics } from '../../schemas/topics.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'overround-pipeline-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const configOf = (environment: Record<string, string>) =>
  readConfig({ OVERROUND_DATA_DIR: dir, OVERROUND_LOG_LEVEL: 'silent', ...environment })

/** Records of `feed.odds` that a pipeline has written by the time it has started. */
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

/** A recording of which nothing is published here. */
function recording(): string {
  const path = join(dir, 'recording.ndjson')
  writeFileSync(path, '\n')
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

describe('the pipeline’s thread', () => {
  const start = (environment: Record<string, string>) => {
    const worker = new Worker(
      `const start = async () => {
         const { register } = await import('tsx/esm/api')
         register()
         await import(${JSON.stringify(`${projectRoot}/pipeline/worker.ts`)})
       }
       start()`,
      { eval: true, workerData: configOf(environment) },
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

  it('fails with the one line of a setting that is wrong', async () => {
    const { ended } = start({ OVERROUND_FEEDS: 'replay:/no/such.csv' })
    expect(await ended).toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('OVERROUND_FEEDS: /no/such.csv does not exist'),
    })
  })
})
