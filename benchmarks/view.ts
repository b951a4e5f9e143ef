/**
 * The board's view with a million live prices: time of a warm start, memory per row, pause of a full garbage collection,
 * and the rate at which changes are applied.
 *
 *     node --expose-gc build/benchmarks/view.js <directory made by million-rows.js>
 */

import { readFileSync } from 'node:fs'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import type { LogRecord, Position } from '../pipeline/log/log.ts'
import { createBoardView } from '../pipeline/views/board/board-view.ts'
import type { OddsRow } from '../schemas/odds.ts'
import { topics } from '../schemas/topics.ts'
import { median, printResults, rounded } from './measure.ts'

const [, , path] = process.argv
if (!path) throw new Error('usage: view.js <directory>')
const collect = globalThis.gc
if (!collect) throw new Error('run with --expose-gc')

collect()
const emptyRss = anonymousBytes()
const log = await openEmbeddedLog({ path })
const view = createBoardView()
const tables = [topics.events, topics.sightings, topics.odds]
const stop = new AbortController()
const startedAt = performance.now()
for await (const chunk of log.follow(tables, { signal: stop.signal })) {
  view.apply(chunk.records, chunk.position, Date.now())
  if (chunk.caughtUp) break
}
const warmStartMs = performance.now() - startedAt
const textsFrom = performance.now()
while (view.doDeferred?.()) {}
const textsMs = performance.now() - textsFrom
const { size } = view.rows

const pauses: number[] = []
for (let i = 0; i < 5; i++) {
  const before = performance.now()
  collect()
  pauses.push(performance.now() - before)
}
const rss = anonymousBytes() - emptyRss

// Price changes of random rows, encoded as on the log.
const moves = 300_000
const rates: number[] = []
const sample = await sampleRows(20_000)
for (let round = 0; round < 5; round++) {
  const encoded: { key: string; bytes: Buffer }[] = []
  for (let i = 0; i < moves; i++) {
    const row = sample[Math.floor(Math.random() * sample.length)]!
    const price = Math.round((1.05 + 8 * Math.random()) * 100) / 100
    const moved: OddsRow = { ...row, price, observedAt: Date.now(), changedAt: Date.now() }
    encoded.push({ key: String(row.id), bytes: topics.odds.encode(moved) })
  }
  const position: Position = { epoch: 'bench', offsets: {} }
  const before = performance.now()
  for (let from = 0; from < moves; from += 1_000) {
    const records: LogRecord[] = []
    for (let i = from; i < from + 1_000; i++) {
      const { key, bytes } = encoded[i]!
      records.push({
        topic: topics.odds,
        partition: 0,
        offset: i,
        key,
        value: topics.odds.decode(bytes),
      })
    }
    view.apply(records, position, Date.now())
  }
  rates.push(moves / ((performance.now() - before) / 1_000))
}
stop.abort()
await log.close()

printResults([
  {
    name: `warm start of the view, ${size.toLocaleString('en')} rows`,
    unit: 's',
    value: rounded(warmStartMs / 1_000, 1),
    figures: {
      'rows/s': rounded(size / (warmStartMs / 1_000)),
      'texts afterwards, s': rounded(textsMs / 1_000, 1),
    },
    goal: '< 20',
  },
  {
    name: 'memory of a live row, ready-to-send bytes included',
    unit: 'bytes',
    value: rounded(rss / size),
    figures: { 'text bytes': rounded(view.rows.heldTextBytes / size) },
    goal: '<= 1,200',
  },
  {
    name: 'forced full collection with the view in memory',
    unit: 'ms',
    value: rounded(median(pauses)),
    figures: { 'min..max': `${rounded(Math.min(...pauses))}..${rounded(Math.max(...pauses))}` },
    goal: '< 250',
  },
  {
    name: 'changelog to view: decode, apply; the bytes are rewritten when they are read',
    unit: 'changes/s',
    value: rounded(median(rates)),
    figures: { 'min..max': `${rounded(Math.min(...rates))}..${rounded(Math.max(...rates))}` },
    goal: '>= 150,000',
  },
])
process.exit(0)

/** Returns the process's own resident memory, without pages of the log's files. */
function anonymousBytes(): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024
}

async function sampleRows(count: number): Promise<OddsRow[]> {
  const rows: OddsRow[] = []
  const signal = AbortSignal.timeout(60_000)
  for await (const records of log.replay([topics.odds], { partitions: [0], signal })) {
    for (const { value } of records) if (value && Math.random() < 0.05) rows.push(value as OddsRow)
    if (rows.length >= count) break
  }
  return rows
}
