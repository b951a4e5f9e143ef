/** The board opens in a browser and shows the service's prices and opportunities. The rest is a nightly test. */

import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { patienceMs } from '../patience.ts'
import { startService } from '../service.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

// It exists in the page, where the functions passed to `evaluate` run.
// biome-ignore lint/suspicious/noExplicitAny: the tests are not compiled for a browser
declare const document: any

/** Returns the texts that the first cell of a best price would cut, among long names beside long prices. */
const cutBests = (page: Page) =>
  page.evaluate(() => {
    const cell = document.querySelector('.game:not([hidden], .tall) .cell.best')
    const [name, price] = ['.small', '.price'].map((part) => cell.querySelector(part))
    const texts = ['KALSHI', 'B365AU'].flatMap((book) =>
      ['+1050', '+10000', '101.000'].map((odds) => [`${book} &\u00a012`, odds] as const),
    )
    return texts.filter(([names, odds]) => {
      name.firstChild.data = names
      price.firstChild.data = odds
      const { top, bottom } = name.getBoundingClientRect()
      const around = cell.getBoundingClientRect()
      return name.scrollWidth > name.clientWidth || top < around.top || bottom > around.bottom
    })
  })

it.skipIf(!executablePath)(
  'the board opens with prices and no faults (skipped where /usr/bin/chromium is not there)',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'overround-board-'))
    const service = await startService({
      env: { OVERROUND_DATA_DIR: directory, OVERROUND_ARCHIVE: 'off' },
    })
    const browser = await chromium.launch({
      executablePath: executablePath!,
      args: ['--no-sandbox'],
    })
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      page.setDefaultTimeout(patienceMs)
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) faults.push(message.text())
      })
      const root = new URL(service.address).origin
      await page.goto(root)
      await page.waitForSelector('.grid-host[data-ready=true] .game:not([hidden]) .cell.top .price')
      expect(
        await page.locator('.game:not([hidden]) .cell.top .price').first().innerText(),
      ).toMatch(/^[+−-]?\d/)
      expect(await cutBests(page)).toEqual([])
      await page.goto(`${root}/opportunities`)
      await page.waitForSelector('table.bets td button')
      // The widths of common laptops; +EV has the most columns.
      for (const width of [1366, 1280]) {
        await page.setViewportSize({ width, height: 768 })
        await page.goto(`${root}/opportunities?kind=ev`)
        const why = page.locator('table.bets td button').first()
        await why.waitFor()
        const { x, width: own } = (await why.boundingBox())!
        expect(x + own, `why at ${width} px`).toBeLessThanOrEqual(width)
      }
      expect(faults).toEqual([])
    } finally {
      await browser.close()
      await service.stop()
      await rm(directory, { recursive: true })
    }
  },
)
