/**
 * The odds board in a browser while visible prices change some 300 times a second for a minute: how long
 * frames take, how busy the page's main thread is, and whether its heap grows. Needs Chromium.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { startService } from '../test/service.ts'
import { ascending, percentile, printResults, rounded } from './measure.ts'

const seconds = 60
/** Of which about one in seventeen is in sight. */
const simulatorRate = '2000'

interface Looked {
  /** Milliseconds from frame to frame. */
  readonly frames: readonly number[]
  readonly changes: number
}

/** Runs in the page: what is counted is text that has changed in the cells of sportsbooks. */
const look = `(async () => {
  const frames = []
  let changes = 0
  const seen = new MutationObserver((records) => { changes += records.length })
  seen.observe(document.querySelector('.canvas'), { characterData: true, subtree: true })
  const endsAt = performance.now() + ${seconds * 1_000}
  let before = performance.now()
  while (before < endsAt) {
    const now = await new Promise(requestAnimationFrame)
    frames.push(now - before)
    before = now
  }
  seen.disconnect()
  return { frames, changes }
})()`

const dataDir = mkdtempSync(join(tmpdir(), 'overround-web-'))
const service = await startService({
  env: {
    OVERROUND_DATA_DIR: dataDir,
    OVERROUND_SIMULATOR_RATE: simulatorRate,
    OVERROUND_ARCHIVE: 'off',
  },
})
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await page.goto(new URL('/', service.address).href)
await page.waitForSelector('.grid-host[data-ready=true] .game .price')
const client = await page.context().newCDPSession(page)
// By the thread's own time: what others of the machine take is not the page's.
await client.send('Performance.enable', { timeDomain: 'threadTicks' })

const metrics = async () => {
  await client.send('HeapProfiler.collectGarbage')
  const { metrics } = await client.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}
const before = await metrics()
const { frames, changes } = await page.evaluate<Looked>(look)
const after = await metrics()
await browser.close()
await service.stop()
rmSync(dataDir, { recursive: true })

const rise = (name: string) => after.get(name)! - before.get(name)!
const sorted = ascending(frames)
printResults([
  {
    name: `the odds board in Chromium, ${rounded(changes / seconds)} visible changes/s for ${seconds} s`,
    unit: 'ms (p99 frame)',
    value: rounded(percentile(sorted, 0.99), 1),
    figures: {
      'p50 ms': rounded(percentile(sorted, 0.5), 1),
      'main thread %': rounded((rise('TaskDuration') / seconds) * 100, 1),
      'script %': rounded((rise('ScriptDuration') / seconds) * 100, 1),
      'style %': rounded((rise('RecalcStyleDuration') / seconds) * 100, 1),
      'layout %': rounded((rise('LayoutDuration') / seconds) * 100, 1),
      'heap MB in a minute': rounded(rise('JSHeapUsedSize') / 2 ** 20, 2),
      'load of the machine': rounded(loadavg()[0]!, 1),
    },
    goal: '<= 20, main thread <= 15 %',
  },
])
