/**
 * Full reads of the recordings outside the tree. A count of the file that is independent of the
 * readers checks that nothing is lost (it splits lines at commas; no cell is quoted). Records and
 * withdrawals of the two series were counted by a script in another language.
 */

import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { openRecording } from '../../../../pipeline/feeds/replay/open-recording.ts'
import type { Step } from '../../../../pipeline/feeds/replay/recording.ts'
import { openReplay } from '../../../../pipeline/feeds/replay/replay.ts'
import type { OddsRecord } from '../../../../schemas/feed-record.ts'
import { tally } from '../payloads.ts'
import { iso, oddsOf, priceCount, readSteps } from './written.ts'

const root = new URL('../../../../../shared/data/', import.meta.url).pathname
const afl = 'series/afl/afl_game_odds_events_before_2026-03-23.csv.gz'
const nba = 'series/nba-au-books/nba_odds_snapshots_2026-03-03_to_2026-04-14.csv.gz'

interface Counts {
  readonly shape: string
  /** Counts the prices of the file independently. */
  readonly stated: (table: Table) => number
  readonly steps: number
  readonly odds: number
  readonly prices: number
  readonly skips: Readonly<Record<string, number>>
}

interface Table {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

function readTable(path: string): Table {
  const bytes = readFileSync(root + path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const [header = [], ...rows] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.split(','))
  return { header, rows }
}

const rowCount = ({ rows }: Table) => rows.length
const filledCells =
  (isPrice: (name: string) => boolean) =>
  ({ header, rows }: Table) =>
    rows.reduce(
      (sum, row) =>
        sum + row.filter((cell, column) => cell !== '' && isPrice(header[column] ?? '')).length,
      0,
    )

const results = new Set(['FTHG', 'FTAG', 'HTHG', 'HTAG'])
const inMatches = filledCells(
  (name) => /([HDA]|[<>]2\.5)$/.test(name) && name.length > 2 && !results.has(name),
)
const inGames = filledCells((name) => /^ml_|_odds$/.test(name))
const inTeamRows = filledCells((name) =>
  /^(opening|\d+)_(moneyline|spread_odds|total_odds)$/.test(name),
)

const series = { shape: 'odds series', stated: rowCount }
const games = { shape: 'game lines', stated: inGames }
const season = { shape: 'football-data season', stated: inMatches }
const fixtures = { shape: 'football-data fixtures', stated: inMatches }
const teamRows = { shape: 'multibook season', stated: inTeamRows }
// This file has quoted cells, so the number of rows is its publisher's.
const reference = { shape: 'reference rows', stated: () => 2932 }

const expected: Readonly<Record<string, Counts>> = {
  [afl]: {
    ...series,
    steps: 96,
    odds: 7406,
    prices: 28_525,
    skips: { lay_side: 1260, bad_price: 1 },
  },
  [nba]: { ...series, steps: 43, odds: 4540, prices: 12_740, skips: { lay_side: 744 } },
  'us-odds/nhl-oddsapi/nhl_2023-24_and_2024-25_daily_2books.csv.gz': {
    ...games,
    steps: 510,
    odds: 6774,
    prices: 40_282,
    skips: {},
  },
  'us-odds/nhl-oddsapi/nhl_2026_intraday_4books.csv.gz': {
    ...games,
    steps: 457,
    odds: 6106,
    prices: 36_536,
    skips: { no_time: 1422 },
  },
  'us-odds/nba-oddsapi/nba_2026-01_daily_1book.csv': {
    ...games,
    steps: 1,
    odds: 0,
    prices: 0,
    skips: { no_time: 1824 },
  },
  'us-odds/nfl-multibook/nfl_2021.csv': {
    ...teamRows,
    steps: 253,
    odds: 2999,
    prices: 17_933,
    // One game has the rotation number 0 twice, so its home side is unknown.
    skips: { unknown_participant: 60, unknown_sportsbook: 1594 },
  },
  'us-odds/nfl-multibook/nfl_2023.csv': {
    ...teamRows,
    steps: 272,
    odds: 3926,
    prices: 23_552,
    skips: { unknown_sportsbook: 1710 },
  },
  'football-data/I1_2425.csv': {
    ...season,
    steps: 954,
    odds: 4847,
    prices: 23_644,
    skips: { not_a_sportsbook: 10_640 },
  },
  'football-data/E1_2526.csv': {
    ...season,
    steps: 543,
    odds: 8888,
    prices: 36_812,
    skips: { not_a_sportsbook: 15_456 },
  },
  'football-data/D1_1920.csv': {
    ...season,
    steps: 497,
    odds: 3672,
    prices: 15_885,
    skips: { not_a_sportsbook: 8568 },
  },
  'football-data/fixtures-snapshots/fixtures_20260324T134123Z.csv': {
    ...fixtures,
    steps: 1,
    odds: 102,
    prices: 442,
    skips: { not_a_sportsbook: 238, already_started: 15_327 },
  },
  'snapshots/sharpapi-sample/argentina_england_2026-07-15_b3.csv': {
    ...reference,
    steps: 16,
    odds: 17,
    prices: 2702,
    skips: {
      mixed_market: 132,
      unmapped_selection: 30,
      ambiguous_market: 27,
      outright: 23,
      unknown_participant: 8,
      ambiguous_selection: 3,
      lay_side: 3,
      not_three_way: 2,
      no_line: 2,
    },
  },
}

const eventKeyOf = ({ sportsbook, event }: OddsRecord) =>
  [sportsbook, event.externalId ?? [event.homeTeam, event.awayTeam, event.startsAt]].join('|')

describe.skipIf(!existsSync(root))('recorded data (needs ../shared)', () => {
  let aflSteps: Step[]
  beforeAll(async () => {
    aflSteps = await readSteps(root + afl)
  })

  describe.each(Object.entries(expected))('%s', (path, counts) => {
    let steps: Step[]
    beforeAll(async () => {
      steps = await readSteps(root + path)
    })

    it('has the counted steps, records, prices and skips', async () => {
      const odds = oddsOf(steps)
      expect((await openRecording(root + path)).shape).toBe(counts.shape)
      expect({
        steps: steps.length,
        odds: odds.length,
        prices: priceCount(odds),
        skips: tally(steps.flatMap(({ skipped }) => skipped.map(({ reason }) => reason))),
      }).toEqual({
        steps: counts.steps,
        odds: counts.odds,
        prices: counts.prices,
        skips: counts.skips,
      })
    })

    it('places or skips every price of the file', () => {
      const skipCount = steps.reduce((sum, { skipped }) => sum + skipped.length, 0)
      const placed = priceCount(oddsOf(steps)) + skipCount
      expect(placed).toBe(counts.stated(readTable(path)))
    })

    it('never goes back in time, also by sportsbook and event', () => {
      const times = steps.flatMap(({ at }) => at ?? [])
      expect([...new Set(times)].sort((a, b) => a - b)).toEqual(times)
      const last = new Map<string, number>()
      const backwards: string[] = []
      for (const step of steps) {
        for (const record of oddsOf([step])) {
          const key = eventKeyOf(record)
          const isForward = record.observedAt > (last.get(key) ?? 0)
          if (!isForward || record.observedAt !== step.at) backwards.push(key)
          last.set(key, record.observedAt)
        }
      }
      expect(backwards).toEqual([])
    })
  })

  it('withdraws on the AFL recording a sportsbook missing from an event, and only then', () => {
    const gone = oddsOf(aflSteps).filter(({ markets }) => markets.length === 0)
    expect(gone).toHaveLength(76)
    // Sydney and Carlton go into play: 12 sportsbooks have them at 07:50, 5 of these are missing at 08:52.
    const inPlay = gone.filter(({ observedAt }) => iso(observedAt) === '2026-03-05T08:52:02.000Z')
    expect(inPlay.map(({ sportsbook }) => sportsbook).sort()).toEqual([
      'betr_au',
      'betright',
      'dabble_au',
      'ladbrokes_au',
      'neds',
      'playup',
      'sportsbet',
    ])
    expect(inPlay[0]?.event).toMatchObject({
      externalId: '8fee12c4bd7c35137e148aca80ea659a',
      homeTeam: 'Sydney Swans',
      league: 'afl',
      isLive: true,
    })
    // Sportsbet is missing at 04:21 the next day, on the four games of that round only.
    const missing = gone.filter(({ observedAt }) => iso(observedAt) === '2026-03-06T04:21:50.000Z')
    expect(missing.map(({ sportsbook }) => sportsbook)).toEqual(Array(4).fill('sportsbet'))
    // Six games of the next round are not listed at 06:00 on the 7th, which does not count as a withdrawal.
    const unread = gone.filter(({ observedAt }) => iso(observedAt) === '2026-03-07T06:00:21.000Z')
    expect(unread.every(({ event }) => event.homeTeam.startsWith('Greater Western'))).toBe(true)
  })

  it('keeps the games of the AFL recording live from their start on', () => {
    const odds = oddsOf(aflSteps)
    expect(
      odds.every(({ event, observedAt }) => event.isLive === observedAt >= event.startsAt),
    ).toBe(true)
    expect(odds.some(({ event }) => event.isLive)).toBe(true)
  })

  it('reads a match in summer time and one in winter correctly', async () => {
    const odds = oddsOf(await readSteps(`${root}football-data/E1_2425.csv`))
    const startOf = (home: string, away: string) =>
      iso(odds.find(({ event: e }) => e.homeTeam === home && e.awayTeam === away)?.event.startsAt)
    expect(startOf('Blackburn', 'Derby')).toBe('2024-08-09T19:00:00.000Z')
    expect(startOf('Derby', 'Blackburn')).toBe('2025-03-08T15:00:00.000Z')
  })

  it('publishes the whole AFL recording through the feed, moved to now', async () => {
    const published: OddsRecord[] = []
    let skipCount = 0
    const now = Date.parse('2026-06-01T12:00:00Z')
    const clock = { now: () => now, sleep: () => Promise.reject(new Error('never sleeps')) }
    await openReplay({ path: root + afl, retime: true }, clock).run(
      {
        publish: async (records) => {
          for (const record of records) if (record.type === 'odds') published.push(record)
        },
        skipped: (_, skips) => {
          skipCount += skips.length
        },
      },
      new AbortController().signal,
    )
    expect(published).toHaveLength(7406)
    expect(skipCount).toBe(1261)
    const recorded = oddsOf(aflSteps)
    const shiftMs = now - (recorded[0]?.observedAt ?? 0)
    expect(published.map(({ observedAt }) => observedAt - shiftMs)).toEqual(
      recorded.map(({ observedAt }) => observedAt),
    )
    expect(published.map(({ event }) => event.startsAt - shiftMs)).toEqual(
      recorded.map(({ event }) => event.startsAt),
    )
  })
})
