/**
 * The odds board in a browser while about 300 visible cells change per second: load of the main thread, growth of the
 * heap, and frame times. Needs Chromium.
 *
 *     node build/benchmarks/web-board.js [seconds, 60]
 *
 * Frames are measured separately, because counting them costs more than drawing the prices.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { type Service, startService } from '../test/service.ts'
import { ascending, percentile, printResults, rounded } from './measure.ts'

const seconds = Number(process.argv[2] ?? 60)
/** A minute is enough for frames; growth of the heap may need longer. */
const frameSeconds = Math.min(seconds, 60)
const wantedRate = 300
/** Changes per second while it counts how many of them are visible. */
const firstRate = 3_000
const warmUpSeconds = 30
const mostTries = 4

/** Changed visible cells, and those of them that are prices of sportsbooks. */
interface Seen {
  readonly cells: number
  readonly prices: number
}

/**
 * Runs in the page. Some elements are out of sight, so it finds the visible ones, once: a running observer would cost
 * more than the board.
 */
const countFor = (duration: number) => `(async () => {
  const canvas = document.querySelector('.canvas')
  const inSight = new Set()
  const sights = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) inSight.add(target)
  }, { root: document.querySelector('.grid') })
  for (const cell of canvas.querySelectorAll('.cell')) sights.observe(cell)
  await new Promise((resolve) => setTimeout(resolve, 500))
  sights.disconnect()
  let cells = 0
  let prices = 0
  const texts = new MutationObserver((records) => {
    const changed = new Set()
    for (const { target } of records) changed.add(target.parentElement?.parentElement)
    for (const cell of changed) {
      if (!inSight.has(cell)) continue
      cells++
      if (!/ (best|hold|fair|open|move)/.test(cell.className)) prices++
    }
  })
  texts.observe(canvas, { characterData: true, subtree: true })
  await new Promise((resolve) => setTimeout(resolve, ${duration * 1_000}))
  texts.disconnect()
  return { cells: cells / ${duration}, prices: prices / ${duration} }
})()`

/** Runs in the page: milliseconds between frames. */
const frameTimes = `(async () => {
  const frames = []
  const endsAt = performance.now() + ${frameSeconds * 1_000}
  let before = performance.now()
  while (before < endsAt) {
    const now = await new Promise(requestAnimationFrame)
    frames.push(now - before)
    before = now
  }
  return frames
})()`

const dataDir = mkdtempSync(join(tmpdir(), 'overround-web-'))
const port = await freePort()
const start = (rate: number): Promise<Service> =>
  startService({
    env: {
      OVERROUND_DATA_DIR: dataDir,
      OVERROUND_PORT: String(port),
      OVERROUND_SIMULATOR_RATE: String(Math.round(rate)),
      OVERROUND_ARCHIVE: 'off',
    },
  })

let service = await start(firstRate)
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
page.setDefaultTimeout(120_000)
await page.goto(`http://127.0.0.1:${port}/`)
const live = () => page.waitForSelector('.badge[data-state=live]')
await page.waitForSelector('.grid-host[data-ready=true] .game .price')
let rate = firstRate
for (let tries = 0; tries < mostTries; tries++) {
  await page.waitForTimeout(10_000)
  const { cells } = await page.evaluate<Seen>(countFor(15))
  if (cells > 0.9 * wantedRate && cells < 1.1 * wantedRate) break
  // Cells that change twice before they are drawn count once, so the wanted rate is approached in steps.
  rate *= wantedRate / cells
  await service.stop()
  service = await start(rate)
  await page.waitForSelector('.badge:not([data-state=live])').catch(() => null)
  await live()
}
await page.waitForTimeout(warmUpSeconds * 1_000)

const client = await page.context().newCDPSession(page)
// The thread's own CPU time, independent of other work on the machine.
await client.send('Performance.enable', { timeDomain: 'threadTicks' })
const metrics = async () => {
  await client.send('HeapProfiler.collectGarbage')
  const { metrics } = await client.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}
const before = await metrics()
const began = performance.now()
const seen = await page.evaluate<Seen>(countFor(seconds))
const measuredSeconds = (performance.now() - began) / 1_000
const after = await metrics()
const frames = await page.evaluate<number[]>(frameTimes)
await browser.close()
await service.stop()
rmSync(dataDir, { recursive: true })

const rise = (name: string) => after.get(name)! - before.get(name)!
const share = (name: string) => rounded((rise(name) / measuredSeconds) * 100, 1)
const sorted = ascending(frames)
printResults([
  {
    name: `the odds board in Chromium, ${rounded(seen.cells)} cells in sight change a second`,
    unit: '% (main thread)',
    value: share('TaskDuration'),
    figures: {
      'script %': share('ScriptDuration'),
      'style %': share('RecalcStyleDuration'),
      'layout %': share('LayoutDuration'),
      'prices/s among them': rounded(seen.prices),
      'changes/s of the service': rounded(rate),
      [`heap MB in ${rounded(measuredSeconds)} s`]: rounded(rise('JSHeapUsedSize') / 2 ** 20, 2),
      'p50 frame ms': rounded(percentile(sorted, 0.5), 1),
      'p99 frame ms': rounded(percentile(sorted, 0.99), 1),
      'load of the machine': rounded(loadavg()[0]!, 1),
    },
    goal: '<= 15, p99 frame <= 20',
  },
])

/** Returns a free port, kept so that the page reconnects to the restarted service. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
