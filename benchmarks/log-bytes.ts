/**
 * The size of a price change on the log: records and bytes by topic, as Kafka stores them uncompressed, and the memory of
 * the pipeline's tables. The figures do not depend on the machine.
 *
 *     node --expose-gc build/benchmarks/log-bytes.js [changes a second] [prices on the board]
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sizeFor } from '../pipeline/feeds/simulator/load.ts'
import { createSimulation } from '../pipeline/feeds/simulator/simulation.ts'
import { createSink } from '../pipeline/feeds/sink.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import { encodeRecordBatch, type RecordBytes } from '../pipeline/log/kafka/record-batch.ts'
import type { Append, Log } from '../pipeline/log/log.ts'
import { serviceProcessor } from '../pipeline/processors/service-processor.ts'
import { sharpChain } from '../pipeline/rules/odds/sharp-books.ts'
import { run } from '../pipeline/run/run.ts'
import { addTo } from '../schemas/grouping.ts'
import { topics } from '../schemas/topics.ts'
import { printResults, rounded } from './measure.ts'

const [changesPerSecond, prices] = [process.argv[2] ?? 1_000, process.argv[3] ?? 100_000].map(
  Number,
) as [number, number]
const seconds = 60
/** Bytes of the schema registry's header. */
const schemaIdBytes = 5

interface Counted {
  records: number
  bytes: number
}
let counted = new Map<string, Counted>()

/** Counts the appends of one write, as one record batch per topic. */
function count(appends: readonly Append[]) {
  const byTopic = new Map<string, RecordBytes[]>()
  for (const { topic, key, value } of appends) {
    const bytes = value === null ? null : Buffer.alloc(schemaIdBytes + topic.encode(value).length)
    addTo(byTopic, topic.name, { key, value: bytes })
  }
  for (const [name, records] of byTopic) {
    const { length } = encodeRecordBatch(records, {
      ...{ producerId: '1', producerEpoch: 0, firstSequence: 0, timestamp: 0 },
      isInTransaction: true,
    })
    const sum = counted.get(name) ?? { records: 0, bytes: 0 }
    sum.records += records.length
    sum.bytes += length
    counted.set(name, sum)
  }
}

const workDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))
const log = await openEmbeddedLog({ path: workDir })
const counting: Log = {
  ...log,
  append(appends) {
    count(appends)
    return log.append(appends)
  },
  async *join(...args) {
    for await (const assignment of log.join(...args)) {
      yield {
        ...assignment,
        batches: (async function* () {
          for await (const batch of assignment.batches) {
            yield {
              ...batch,
              commit(outputs: Parameters<typeof batch.commit>[0]) {
                count(outputs)
                return batch.commit(outputs)
              },
            }
          }
        })(),
      }
    }
  },
}

const heapBytes = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const stop = new AbortController()
let processed = 0
let published = 0
const sink = createSink(counting, Date.now)
const processor = serviceProcessor(sharpChain('pinnacle'), { keepsHistory: true })
const running = run(processor, counting, {
  signal: stop.signal,
  onCommit({ records }) {
    processed += records
  },
})

const size = sizeFor(prices)
const startAt = Date.now() - size.openingMs - seconds * 1_000
const simulation = createSimulation({ seed: 1, startAt, changesPerSecond, ...size })

/** Runs the next simulated records, and a tick every second, through the processor. */
async function step(elapsed: number) {
  const records = [...simulation.step(startAt + elapsed)]
  const ticks =
    elapsed % 1_000 === 0 ? [{ type: 'tick', observedAt: startAt + elapsed } as const] : []
  const all = [...records, ...ticks]
  for (let from = 0; from < all.length; from += 1_000) {
    await sink.publish(all.slice(from, from + 1_000))
  }
  published += all.length
  while (processed < published) await new Promise((resolve) => setTimeout(resolve, 1))
}

for (let elapsed = 0; elapsed <= size.openingMs; elapsed += 100) await step(elapsed)
const { changes } = simulation.counts()
counted = new Map()
for (let elapsed = 100; elapsed <= seconds * 1_000; elapsed += 100) {
  await step(size.openingMs + elapsed)
}
const made = simulation.counts().changes - changes
stop.abort()
await running

// Restores the tables, like a pipeline that takes over the partition.
const before = heapBytes()
const tables = processor.create()
let rows = 0
for await (const records of log.replay(processor.tables, {
  partitions: [0],
  signal: new AbortController().signal,
})) {
  for (const record of records) tables.restore(record)
  rows += records.filter(({ topic }) => topic === topics.odds).length
}
const tableBytes = heapBytes() - before
await log.close()
rmSync(workDir, { recursive: true, force: true })

const total = { records: 0, bytes: 0 }
for (const { records, bytes } of counted.values()) {
  total.records += records
  total.bytes += bytes
}
const each = (of: { readonly bytes: number }) => rounded(of.bytes / made)
const isRead = (name: string) =>
  Object.values(topics).some((topic) => topic.name === name && topic.retention === 'compacted')
const read = [...counted].filter(([name]) => isRead(name))
const readBytes = read.reduce((sum, [, { bytes }]) => sum + bytes, 0)
printResults([
  {
    name: `log, bytes a price change at ${rounded(made / seconds)} changes/s, one copy, uncompressed`,
    unit: 'bytes',
    value: each(total),
    figures: {
      records: rounded(total.records / made, 2),
      'of them read by each API': rounded(readBytes / made),
      ...Object.fromEntries(
        [...counted]
          .filter(([, sum]) => sum.bytes / total.bytes > 0.01)
          .sort(([, a], [, b]) => b.bytes - a.bytes)
          .map(([name, sum]) => [name, each(sum)]),
      ),
    },
    goal: '',
  },
  {
    name: `pipeline, memory of its tables at ${rows.toLocaleString('en')} prices`,
    unit: 'bytes a price',
    value: rounded(tableBytes / rows),
    figures: { MB: rounded(tableBytes / 1e6), codes: tables.counts.size },
    goal: '',
  },
])
process.exit(0)
