/**
 * Fills the directory of an embedded log with a board of about a million live prices, through the pipeline.
 *
 *     node build/benchmarks/million-rows.js <directory> [rows]
 */

import { sizeFor } from '../pipeline/feeds/simulator/load.ts'
import { createSimulation } from '../pipeline/feeds/simulator/simulation.ts'
import { createSink } from '../pipeline/feeds/sink.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import { serviceProcessor } from '../pipeline/processors/service-processor.ts'
import { sharpChain } from '../pipeline/rules/odds/sharp-books.ts'
import { run } from '../pipeline/run/run.ts'

const [, , path, wanted] = process.argv
if (!path) throw new Error('usage: million-rows.js <directory> [rows]')
const rows = Number(wanted ?? 1_000_000)

const log = await openEmbeddedLog({ path })
const sink = createSink(log, Date.now)
const stop = new AbortController()
const size = sizeFor(rows)
const startAt = Date.now() - size.openingMs
const simulation = createSimulation({ seed: 1, startAt, changesPerSecond: 10, ...size })
let processed = 0
let published = 0
const running = run(serviceProcessor(sharpChain('pinnacle')), log, {
  signal: stop.signal,
  onCommit({ records }) {
    processed += records
  },
})
for (let elapsed = 0; elapsed <= size.openingMs; elapsed += 100) {
  const records = simulation.step(startAt + elapsed)
  for (let from = 0; from < records.length; from += 1_000) {
    const batch = records.slice(from, from + 1_000)
    await sink.publish(batch)
    published += batch.filter(({ type }) => type !== 'game_state' && type !== 'splits').length
  }
  while (processed < published - 5_000) await new Promise((resolve) => setTimeout(resolve, 1))
  if (elapsed % 1_000 === 0)
    process.stderr.write(`\r${elapsed / 1_000} of ${size.openingMs / 1_000} s`)
}
while (processed < published) await new Promise((resolve) => setTimeout(resolve, 5))
process.stderr.write('\n')
stop.abort()
await running
await log.close()
process.exit(0)
