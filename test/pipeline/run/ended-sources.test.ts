/** A live source that ends by itself, which is a fault of ours: it is down, and starts again. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aborted } from '../../../pipeline/async/abort-signals.ts'
import type { Feed, FeedSink } from '../../../pipeline/feeds/feed.ts'
import {
  type Health,
  nextHealth,
  startingHealth,
} from '../../../pipeline/feeds/kit/source-health.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { type Log, LogUnavailableError } from '../../../pipeline/log/log.ts'
import { createSources } from '../../../pipeline/run/sources.ts'
import type { SourceRow } from '../../../schemas/source.ts'
import { topics } from '../../../schemas/topics.ts'

let path: string
let log: Log
let stop: AbortController
let keeping: Promise<void>
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'overround-ended-'))
  log = await openEmbeddedLog({ path })
  stop = new AbortController()
})
afterEach(async () => {
  stop.abort()
  await keeping
  await log.close()
  await rm(path, { recursive: true })
})

const policy = { downAfter: 3, retryMs: 1_000 }
const up = nextHealth(startingHealth(1), { kind: 'answered', nextAt: null }, 1, policy)

/** Runs a source whose first runs end as `ends` says, one after another, and whose last goes on. */
function runEnding(
  ends: readonly (() => Promise<void>)[],
  {
    endedRetryMs = 1,
    publish = async () => {},
    begun = () => up,
  }: Partial<FeedSink> & { endedRetryMs?: number; begun?: () => Health } = {},
) {
  const lines: { readonly msg: string; readonly err?: { readonly message: string } }[] = []
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const sources = createSources({ log, logger, self: 'here', clock: Date.now, endedRetryMs })
  keeping = sources.keep(stop.signal)
  let runs = 0
  const begunAt: number[] = []
  const feed: Feed = {
    name: 'test',
    source: { audience: 'all', isExperimental: false, passesOn: false },
    async run(to, signal) {
      const end = ends[runs++]
      begunAt.push(Date.now())
      to.report?.(begun(), null, null)
      await to.publish([{ type: 'tick', observedAt: 1 }])
      await (end ? end() : aborted(signal))
    },
  }
  const holder = { append: log.append, sink: { publish, skipped() {} } }
  return { lines, runs: () => runs, begunAt, done: sources.run(feed, holder, stop.signal) }
}

/** Returns all rows of the source that were written, as `state reason`. */
async function states(): Promise<string[]> {
  const options = { partitions: [0], signal: stop.signal }
  const rows: SourceRow[] = []
  for await (const records of log.replay([topics.sources], options)) {
    rows.push(...records.map(({ value }) => value as SourceRow))
  }
  return rows.map(({ state, reason }) => `${state} ${reason}`)
}

const fault = async () => {
  throw new TypeError('a fault of ours')
}

test.each([
  ['throws', fault, 'a fault of ours'],
  ['returns', async () => {}, undefined],
])('a source that %s starts again, and is up again', async (_, end, message) => {
  const { lines, runs, done } = runEnding([end])
  await expect.poll(runs).toBe(2)
  await expect.poll(async () => (await states()).at(-1)).toBe('up null')
  stop.abort()
  await done
  const told = lines.filter(({ msg }) => msg === 'source ended by itself; it starts again')
  expect(told.map(({ err }) => err?.message)).toEqual([message])
})

test('a source that ended is down until it starts again, with advice', async () => {
  const { lines, runs, done } = runEnding([fault], { endedRetryMs: 3_600_000 })
  await expect.poll(async () => (await states()).at(-1)).toBe('down ended')
  expect(runs()).toBe(1)
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'source is down',
      reason: 'ended',
      advice: expect.stringMatching(/please report it\. We retry automatically/),
    }),
  )
  stop.abort()
  await done
})

test('the wait doubles while runs end without any result', async () => {
  const begun = () => startingHealth(Date.now())
  const ends = [fault, fault, fault]
  const { runs, begunAt, done } = runEnding(ends, { endedRetryMs: 100, begun })
  await expect.poll(runs).toBe(4)
  stop.abort()
  await done
  const waits = begunAt.slice(1).map((at, run) => at - begunAt[run]!)
  expect(waits[0]).toBeGreaterThan(90)
  expect(waits[1]).toBeGreaterThan(190)
  expect(waits[2]).toBeGreaterThan(390)
})

test('a source whose records the log does not take is given up, not started again', async () => {
  const publish = async () => {
    throw new LogUnavailableError('commit')
  }
  const { runs, done } = runEnding([], { publish })
  await expect(done).rejects.toThrow(LogUnavailableError)
  expect(runs()).toBe(1)
})
