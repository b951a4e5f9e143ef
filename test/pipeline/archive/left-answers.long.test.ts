/** The embedded engine stays responsive, however many callers leave before their results are complete. */

import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 30, resultRows: 1e8, readRows: 1e9, memoryBytes: 1e9 }
/** A query with some megabytes in each part, and pauses between parts. */
const large = `SELECT number, repeat('x', 100) AS text, sleep(0.3) AS slept FROM numbers(1000000)`

let engine: EngineArchive
beforeAll(async () => {
  engine = await startEngineArchive()
})
afterAll(() => engine.close())

it('when they leave while the next part is made', async () => {
  for (let left = 0; left < 3; left++) {
    const file = await engine.archive.export(large, {}, 'ndjson', limits)
    file.on('error', () => {})
    file.resume()
    await once(file, 'data')
    // By then it has read the available part.
    await delay(100)
    file.destroy()
  }
  const ask = (n: number) => engine.archive.query('SELECT {n:UInt8} AS n', { n }, limits)
  expect(await Promise.all([1, 2, 3].map(ask))).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
})
