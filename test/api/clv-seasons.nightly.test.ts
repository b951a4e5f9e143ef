/**
 * Seasons of football through the processor, the log, the archiver and the engine, read over HTTP and
 * compared with a computation from the files alone.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { runArchive } from '../../pipeline/archive/run-archive.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import { sharpChain } from '../../pipeline/rules/odds/sharp-books.ts'
import { clvGroup } from '../../schemas/http/historical.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { mainMarketType } from '../../schemas/reference/markets.ts'
import { topics } from '../../schemas/topics.ts'
import { type EngineArchive, startEngineArchive } from '../pipeline/archive/engine-archive.ts'
import { capturedCloses } from './captured-closes.ts'
import { readSeason, type Sample, type Season } from './season-clv.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'
import { eventually } from './stream-reader.ts'

const data = join(projectRoot, '../shared/data')
const isThere = existsSync(data)
const dayMs = 86_400_000

/** Our league id by file. In the second season the sharp book ends half-way. */
const seasons = {
  'I1_2425.csv': 'italy_-_serie_a',
  'E1_2526.csv': 'england_-_championship',
  'D1_2021.csv': 'germany_-_bundesliga',
} as const
type File = keyof typeof seasons

const marketOf = (market: string) =>
  market === 'moneyline'
    ? market
    : mainMarketType('soccer', market === 'total_goals' ? 'total' : 'spread')!

interface Window {
  readonly from: string
  readonly to: string
  readonly samples: readonly Sample[]
}

/** Splits the season into windows that one query may span. */
function windowsOf({ starts, samples }: Season): Window[] {
  const windows: Window[] = []
  const first = Math.floor(starts[0]! / dayMs) * dayMs
  for (let from = first; from <= starts.at(-1)!; from += 30 * dayMs) {
    const to = from + 30 * dayMs
    windows.push({
      from: dayOf(from),
      to: dayOf(to - dayMs),
      samples: samples.filter(({ startsAt }) => startsAt >= from && startsAt < to),
    })
  }
  return windows
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Computes samples, events and means by group, the slow way. */
function groupsOf(samples: readonly Sample[], keyOf: (sample: Sample) => string) {
  const groups = new Map<string, Sample[]>()
  for (const sample of samples) {
    const key = keyOf(sample)
    groups.set(key, [...(groups.get(key) ?? []), sample])
  }
  return new Map(
    [...groups].map(([key, all]) => [
      key,
      {
        samples: all.length,
        events: new Set(all.map(({ match, startsAt }) => match + startsAt)).size,
        books: new Set(all.map(({ sportsbook }) => sportsbook)).size,
        mean: mean(all.map(({ value }) => value)),
        meanAbs: mean(all.map(({ value }) => Math.abs(value))),
      },
    ]),
  )
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

describe.skipIf(!isThere)('closing-line value of seasons (needs ../shared)', () => {
  let engine: EngineArchive
  let service: InProcess
  const files = Object.fromEntries(
    (Object.keys(seasons) as File[]).map((file) => [
      file,
      isThere ? readSeason(join(data, 'football-data', file), marketOf) : null,
    ]),
  ) as Record<File, Season>

  beforeAll(async () => {
    engine = await startEngineArchive()
    const log = await openEmbeddedLog({ path: join(engine.directory, 'log') })
    for (const file of Object.keys(seasons)) {
      const changes = await capturedCloses(join(data, 'football-data', file))
      for (let at = 0; at < changes.length; at += 5_000)
        await log.append(changes.slice(at, at + 5_000))
    }
    const stop = new AbortController()
    const placement = { database: 'overround', cluster: null, keptDays: 10_000 }
    const address = { url: 'http://embedded', socket: engine.engine.socket }
    const warnings: unknown[] = []
    const logger = { error() {}, info() {}, warn: (of: unknown) => warnings.push(of) }
    const chain = sharpChain('pinnacle')
    const prices = { origin: 'live', mayFollowOthers: false, archive: '', setting: '' } as const
    const running = runArchive(address, placement, prices, log, chain, logger, stop.signal)
    const all = [topics.events, topics.closingLines]
    const isDone = async () => warnings.length > 0 || (await log.lag(all, 'archive')) === 0
    await eventually('the archive to have taken all', isDone)
    stop.abort()
    await running
    expect(warnings).toEqual([])
    await log.close()
    service = await startInProcess({ archive: createArchiveAccess(engine.archive) })
  })
  afterAll(async () => {
    await service?.close()
    await engine?.close()
  })

  async function ask(file: File, { from, to }: Window, groupBy = 'sportsbook') {
    const league = seasons[file]
    const query = `from=${from}&to=${to}&league=${league}&group_by=${groupBy}`
    const { status, body } = await service.get(
      `/historical/clv?${query}&fields=${Object.keys(clvGroup.shape)}`,
    )
    expect([status, body.code]).toEqual([200, undefined])
    return body
  }

  it.each(Object.keys(seasons) as File[])('of %s equals that of the file to 1e-6', async (file) => {
    let compared = 0
    for (const window of windowsOf(files[file])) {
      const { data: answer } = await ask(file, window)
      const expected = groupsOf(window.samples, ({ sportsbook }) => sportsbook)
      expect(new Set(answer.groups.map((group: { group_key: string }) => group.group_key))).toEqual(
        new Set(expected.keys()),
      )
      for (const group of answer.groups) {
        const own = expected.get(group.group_key)!
        expect([window.from, group.group_key, group.samples, group.events]).toEqual([
          window.from,
          group.group_key,
          own.samples,
          own.events,
        ])
        expect(Math.abs(group.avg_clv_percent - own.mean)).toBeLessThan(1e-6)
        expect(Math.abs(group.avg_abs_clv_percent - own.meanAbs)).toBeLessThan(1e-6)
        compared += group.samples
      }
    }
    expect(compared).toBe(files[file].samples.length)
    expect(compared).toBeGreaterThan(5_000)
  })

  it('equals that of the file by every grouping', async () => {
    const file = 'I1_2425.csv'
    const window = windowsOf(files[file])[2]!
    const keys: Record<string, (sample: Sample) => string> = {
      sport: () => 'soccer',
      league: () => seasons[file],
      market: ({ market }) => market,
      day: ({ startsAt }) => dayOf(startsAt),
    }
    for (const [groupBy, keyOf] of Object.entries(keys)) {
      const { data: answer } = await ask(file, window, groupBy)
      const expected = groupsOf(window.samples, keyOf)
      expect([groupBy, answer.groups.length]).toEqual([groupBy, expected.size])
      for (const group of answer.groups) {
        const own = expected.get(group.group_key)!
        expect([group.samples, group.events, group.distinct_books]).toEqual([
          own.samples,
          own.events,
          own.books,
        ])
        expect(Math.abs(group.avg_clv_percent - own.mean)).toBeLessThan(1e-6)
      }
    }
  })

  it('names its reference, also where the sharp book ends half-way', async () => {
    const file = 'E1_2526.csv'
    const byBook = new Map<string, { samples: number; last: number }>()
    let others = 0
    for (const window of windowsOf(files[file])) {
      const { data: answer } = await ask(file, window)
      const expected = groupsOf(window.samples, ({ reference }) => reference)
      for (const { sportsbook, samples, from, to } of answer.references) {
        const own = window.samples.filter(({ reference }) => reference === sportsbook)
        expect([samples, Date.parse(from), Date.parse(to)]).toEqual([
          expected.get(sportsbook)!.samples,
          Math.min(...own.map(({ startsAt }) => startsAt)),
          Math.max(...own.map(({ startsAt }) => startsAt)),
        ])
        byBook.set(sportsbook, {
          samples: samples + (byBook.get(sportsbook)?.samples ?? 0),
          last: Date.parse(to),
        })
      }
      expect(answer.sharp_reference).toBe(answer.references[0]?.sportsbook ?? 'pinnacle')
      if (answer.sharp_reference !== 'pinnacle') others++
    }
    // Pinnacle's prices end in the winter, and the exchange is the reference from then on.
    expect(others).toBeGreaterThan(1)
    expect(byBook.get('pinnacle')!.last).toBeLessThan(byBook.get('betfair')!.last - 30 * dayMs)
    expect(byBook.get('pinnacle')!.samples).toBeGreaterThan(1_000)
  })

  it('is compared with figures computed elsewhere', () => {
    const published = JSON.parse(
      readFileSync(join(data, 'opportunities/football_I1_2425.json'), 'utf8'),
    ).clv.markets['1x2_closing'] as Record<string, { samples: number; avg_clv_percent: number }>
    const own = groupsOf(
      files['I1_2425.csv'].samples.filter(({ market }) => market === 'moneyline'),
      ({ sportsbook }) => sportsbook,
    )
    const names = { B365: 'bet365', BW: 'bwin', WH: 'williamhill', BF: 'betfair_sportsbook' }
    for (const [name, sportsbook] of Object.entries(names)) {
      const { samples, avg_clv_percent: average } = published[name]!
      expect([name, own.get(sportsbook)!.samples]).toEqual([name, samples])
      expect(own.get(sportsbook)!.mean).toBeCloseTo(average, 6)
    }
  })

  it('has the intervals of a bootstrap over events', async () => {
    const file = 'I1_2425.csv'
    const window = windowsOf(files[file])[2]!
    const { data: answer } = await ask(file, window)
    const random = createRandom(20_270_502)
    for (const group of answer.groups) {
      const own = window.samples.filter(({ sportsbook }) => sportsbook === group.group_key)
      const { low, high } = group.avg_clv_interval
      const drawn = bootstrapInterval(own, random)
      const width = high - low
      expect(Math.abs(drawn.high - drawn.low - width) / width).toBeLessThan(0.25)
      expect(low).toBeLessThan(group.avg_clv_percent)
      expect(high).toBeGreaterThan(group.avg_clv_percent)
    }
  })
})

/** Returns the middle 95 percent of the means of as many events, drawn with repetition. */
function bootstrapInterval(samples: readonly Sample[], random: () => number) {
  const events = [...groupsOf(samples, ({ match }) => match).values()].map((of) => ({
    count: of.samples,
    total: of.samples * of.mean,
  }))
  const means = Array.from({ length: 2_000 }, () => {
    let count = 0
    let total = 0
    for (let i = 0; i < events.length; i++) {
      const event = events[Math.floor(random() * events.length)]!
      count += event.count
      total += event.total
    }
    return total / count
  }).sort((a, b) => a - b)
  return { low: means[50]!, high: means[1_949]! }
}

/** Draws numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
