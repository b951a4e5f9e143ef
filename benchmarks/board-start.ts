/**
 * The cost of building an API's boards from the embedded log: CPU time, elapsed time, and memory afterwards.
 *
 *     node build/benchmarks/board-start.js <directory made by million-rows.js>
 */

import { readFileSync } from 'node:fs'
import { createBoards } from '../api/boards.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import { rounded } from './measure.ts'

const [, , path] = process.argv
if (!path) throw new Error('usage: board-start.js <directory>')

const log = await openEmbeddedLog({ path })
const boards = createBoards(log, () => log.lastWrittenAt + 120_000)
const stop = new AbortController()
const before = performance.now()
const cpuBefore = process.cpuUsage()
const following = boards.follow(stop.signal)
await boards.ready
const cpu = process.cpuUsage(cpuBefore)
const ms = performance.now() - before
const status = readFileSync('/proc/self/status', 'utf8')
const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1])
process.stdout.write(
  `${JSON.stringify({
    rows: boards.live.rows.size,
    delayedRows: boards.delayed.rows.size,
    seconds: rounded(ms / 1_000, 2),
    cpuSeconds: rounded((cpu.user + cpu.system) / 1e6, 2),
    userSeconds: rounded(cpu.user / 1e6, 2),
    anonymousMegabytes: rounded(kilobytes('RssAnon') / 1_024),
    peakMegabytes: rounded(kilobytes('VmHWM') / 1_024),
  })}\n`,
)
stop.abort()
await following
await log.close()
process.exit(0)
