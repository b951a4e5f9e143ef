/** The order of deciding and committing. Tests of processors cover the decisions and rows. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aborted } from '../../../pipeline/async/abort-signals.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import type { Batch, Log } from '../../../pipeline/log/log.ts'
import type { Processor } from '../../../pipeline/processors/processor.ts'
import { type Assigned, run } from '../../../pipeline/run/run.ts'
import { topics } from '../../../schemas/topics.ts'

const maxRecords = 2

describe('a batch', () => {
  let folder: string
  let log: Log
  let said: string[]
  /** Promises that each commit waits for before it reaches the log. */
  let gates: Promise<void>[]
  /** Keys of the batch that lost its partition before the commit. */
  let leftKeys: string | null
  /** The events reported to the caller. */
  let told: string[]

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'overround-run-'))
    log = await openEmbeddedLog({ path: join(folder, 'log') })
    said = []
    gates = []
    leftKeys = null
    told = []
  })
  afterEach(async () => {
    await log.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const publish = (count: number) =>
    log.append(
      Array.from({ length: count }, (_, at) => ({
        topic: topics.feedRejected,
        partitionKey: 0,
        key: String(at),
        value: { sportsbook: 'pinnacle', code: 'test', message: '', receivedAt: at, text: '' },
      })),
    )

  /** A processor that records its decisions and changes nothing. */
  const processor: Processor = {
    name: 'saying',
    inputs: [topics.feedRejected],
    tables: [],
    create: (counts = new Map()) => ({
      counts,
      restore() {},
      decide(records) {
        said.push(`decided ${records.map(({ key }) => key)}`)
        return []
      },
    }),
  }

  const gated = (batch: Batch): Batch => ({
    records: batch.records,
    async commit(outputs) {
      const keys = batch.records.map(({ key }) => key)
      said.push(`commit of ${keys} begins`)
      await gates.shift()
      const isWritten = await batch.commit(outputs)
      said.push(`commit of ${keys} ends`)
      return isWritten && String(keys) !== leftKeys
    },
  })

  function running(records: number) {
    const stop = new AbortController()
    let committed = 0
    const saying: Log = {
      ...log,
      async *join(...args) {
        for await (const assignment of log.join(...args)) {
          const { batches } = assignment
          yield {
            ...assignment,
            batches: (async function* () {
              for await (const batch of batches) yield gated(batch)
            })(),
          }
        }
      },
    }
    return run(processor, saying, {
      signal: stop.signal,
      maxRecords,
      onLeft: (batch) => told.push(`left ${batch.records} of ${batch.partition}`),
      onCommit(batch) {
        told.push(`committed ${batch.records}`)
        committed += batch.records
        if (committed === records) stop.abort()
      },
    })
  }

  it('that is full is decided after one under way, and committed after its commit', async () => {
    const gate = shutGate()
    gates.push(gate.opened)
    await publish(4)
    const ran = running(4)
    await expect.poll(() => said).toContain('decided 2,3')
    expect(said).toEqual(['decided 0,1', 'commit of 0,1 begins', 'decided 2,3'])
    gate.open()
    await ran
    expect(said.slice(3)).toEqual([
      'commit of 0,1 ends',
      'commit of 2,3 begins',
      'commit of 2,3 ends',
    ])
  })

  it('after one that was not full is decided when that is committed', async () => {
    const gate = shutGate()
    gates.push(gate.opened)
    await publish(1)
    const ran = running(3)
    await expect.poll(() => said).toContain('commit of 0 begins')
    await publish(2)
    gate.open()
    await ran
    expect(said.slice(0, 4)).toEqual([
      'decided 0',
      'commit of 0 begins',
      'commit of 0 ends',
      'decided 0,1',
    ])
  })

  it('left to the partition’s new owner is not reported as committed', async () => {
    leftKeys = '0,1'
    await publish(3)
    await running(1)
    expect(told).toEqual(['left 2 of 0', 'committed 1'])
  })

  it('whose commit fails ends the run, though no other comes', async () => {
    gates.push(Promise.reject(new Error('the log is away')))
    gates[0]!.catch(() => {})
    await publish(maxRecords)
    await expect(running(maxRecords)).rejects.toThrow('the log is away')
  })
})

it('a partition that goes while it is restored and comes back is restored once', async () => {
  const stop = new AbortController()
  const [former, present] = [new AbortController(), new AbortController()]
  const nobody = { async *[Symbol.asyncIterator]() {} }
  const told: string[] = []
  const isRestoring = shutGate()
  let restores = 0
  const log = {
    async *join() {
      yield { partition: 3, ended: former.signal, batches: nobody }
      await isRestoring.opened
      former.abort()
      yield { partition: 3, ended: present.signal, batches: nobody }
    },
    async *replay(_tables: unknown, { signal }: { signal: AbortSignal }) {
      if (restores++ > 0) return
      isRestoring.open()
      await aborted(signal)
      yield []
    },
  } as unknown as Log
  const processor = { name: 'none', inputs: [], tables: [], create: () => ({}) }
  const seen = new Map<object, number>()
  const tell = (what: string) => (assigned: Assigned) => {
    if (!seen.has(assigned)) seen.set(assigned, seen.size + 1)
    told.push(`${what} ${seen.get(assigned)}`)
  }
  await run(processor as unknown as Processor, log, {
    signal: stop.signal,
    onAssigned: tell('assigned'),
    onRestored: ({ assigned }) => tell('restored')(assigned),
    onReleased: tell('released'),
  })
  expect(told.toSorted()).toEqual([
    'assigned 1',
    'assigned 2',
    'released 1',
    'released 2',
    'restored 2',
  ])
})

const place = { topic: topics.feedOdds, partition: 3, oldest: 40 }
const row = { topic: topics.odds, partition: 3, offset: 0, key: 'key', value: {} }
it.each([
  ['tables with rows, and a group without offsets', 2, [null, null], [{ records: 14 }]],
  ['a group that has an offset', 2, [null, 41], []],
  ['a new log', 0, [null, null], []],
])('%s: whether offsets are gone is told', async (_what, rows, committed, told) => {
  const stop = new AbortController()
  const gone: object[] = []
  let isAsked = () => {}
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  const log = {
    async *join() {
      const batches = (async function* () {
        await asked
        // What was asked is told by then.
        await new Promise(setImmediate)
        yield* [] as Batch[]
      })()
      yield { partition: 3, ended: new AbortController().signal, batches }
    },
    async *replay() {
      yield Array.from({ length: rows }, () => row)
    },
    async places() {
      isAsked()
      return committed.map((offset) => ({ ...place, committed: offset, end: 47 }))
    },
  } as unknown as Log
  const processor = { name: 'board', inputs: [], tables: [], create: () => ({ restore() {} }) }
  await run(processor as unknown as Processor, log, {
    signal: stop.signal,
    onOffsetsGone: (offsets) => gone.push(offsets),
  })
  expect(gone).toEqual(told.map((records) => ({ partition: 3, rows, ...records })))
})

function shutGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
