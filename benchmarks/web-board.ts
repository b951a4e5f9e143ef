/**
 * The odds board in a browser while some 300 cells in sight change a second: how busy the page's main thread
 * is, whether its heap grows, and how long frames take. Needs Chromium.
 *
 *     node build/benchmarks/web-board.js [seconds, 60]
 *
 * The main thread and the heap are measured in one part and frames in another: to count frames a script has
 * to ask for each of them, which costs a page that draws ten times a second more than its prices do.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { type Service, startService } from '../test/service.ts'
import { ascending, percentile, printResults, rounded } from './measure.ts'

const seconds = Number(process.argv[2] ?? 60)
/** What frames take is known after a minute; whether the heap grows may take longer. */
const frameSeconds = Math.min(seconds, 60)
const wantedRate = 300
/** Changes a second of all prices while it is found out how many of them are in sight. */
const firstRate = 3_000
const warmUpSeconds = 30
const mostTries = 4

/** Cells in sight whose text has changed, and those of them that are a price at a sportsbook. */
interface Seen {
  readonly cells: number
  readonly prices: number
}

/**
 * Runs in the page. Games out of sight have elements too, and columns that are scrolled away. What is in sight
 * is found out once: an observer that goes on looking costs more than the board.
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

/** Runs in the page: milliseconds from frame to frame. */
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
  // Of what changes twice before it is drawn, one change is seen: the next try comes nearer.
  rate *= wantedRate / cells
  await service.stop()
  service = await start(rate)
  await page.waitForSelector('.badge:not([data-state=live])').catch(() => null)
  await live()
}
await page.waitForTimeout(warmUpSeconds * 1_000)

const client = await page.context().newCDPSession(page)
// By the thread's own time: what others of the machine take is not the page's.
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

/** One that nobody has now: the page goes on at the service that is started anew. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
