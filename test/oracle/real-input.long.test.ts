/** Recorded odds through the board, compared with the recordings at every step. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseCaesars } from '../../pipeline/feeds/caesars/parse.ts'
import { parseDraftKings } from '../../pipeline/feeds/draftkings/parse.ts'
import type { Parsed } from '../../pipeline/feeds/feed.ts'
import { parseLeague } from '../../pipeline/feeds/pinnacle/parse.ts'
import { parseReferenceCsv } from '../../pipeline/feeds/reference-rows/parse.ts'
import { readPriceRows } from '../../pipeline/feeds/replay/odds-api-rows.ts'
import { toAppend } from '../../pipeline/feeds/sink.ts'
import type { BoardRecord } from '../../schemas/feed-record.ts'
import { compareBoards } from './compare-boards.ts'
import { priceKey, readSnapshots } from './price-series.ts'
import { createRealBoard, type FoldedBoard } from './real-board.ts'
import { createSlowBoard } from './slow-board.ts'

const data = new URL('../../../shared/data/', import.meta.url)
const readText = (path: string) => readFileSync(new URL(path, data), 'utf8')
const readJson = (path: string): unknown => JSON.parse(readText(path))

/** Returns the records as on the log, with our names. */
const onLog = ({ records }: Pick<Parsed, 'records'>) =>
  records.map((record) => toAppend(record).value as BoardRecord)

const selectionCount = (records: readonly BoardRecord[]) =>
  records
    .flatMap((record) => (record.type === 'odds' ? record.markets : []))
    .reduce((sum, { selections }) => sum + selections.length, 0)

describe.skipIf(!existsSync(data))('recorded odds on the board (needs ../shared)', () => {
  // Kalshi's start is midnight of the day, and one sportsbook writes the sides in capitals.
  it('puts a World Cup match on one event, with every price of every sportsbook', () => {
    const records = onLog(
      parseReferenceCsv(readText('snapshots/sharpapi-sample/argentina_england_2026-07-15_b3.csv')),
    )
    const game = 'England v Argentina'
    const slow = createSlowBoard(({ event }) => ({
      game,
      isReversed: event.homeTeam.toLowerCase() !== 'england',
    }))
    const real = createRealBoard()
    for (const record of records) {
      slow.take(record)
      real.take([record])
      expect(compareBoards(slow.read(), real.tables, () => game)).toEqual([])
    }
    const { odds, events } = real.tables
    expect([...events.keys()]).toEqual(['fifa_-_world_cup_argentina_england_2026-07-15_b3'])
    expect(odds.size).toBe(selectionCount(records))
    expect(new Set([...odds.values()].map(({ sportsbook }) => sportsbook)).size).toBe(
      records.length,
    )
    report('World Cup', { steps: records.length, rows: odds.size, removals: real.tombstones() })
  })

  it('puts a baseball game of three sportsbooks on one event, at three moments', () => {
    const folder = 'feeds/crossbook/mlb_allstar_2025-07-16'
    const real = createRealBoard()
    const slow = createSlowBoard(({ event }) => ({
      game: 'all-star',
      isReversed: event.homeTeam !== 'National League',
    }))
    // The recording has prices without the list that describes them.
    const matchup = {
      id: 1611653732,
      type: 'matchup',
      parentId: null,
      parent: null,
      participants: [
        { alignment: 'home', name: 'National League' },
        { alignment: 'away', name: 'American League' },
      ],
      league: { name: 'MLB', sport: { name: 'Baseball' } },
      startTime: '2025-07-16T00:00:00Z',
      isLive: false,
      units: 'Regular',
    }
    let rows = 0
    for (const moment of ['20250715T0328Z', '20250715T1459Z', '20250715T1811Z']) {
      const receivedAt = Date.parse(
        moment.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:00Z'),
      )
      const file = (name: string) => readJson(`${folder}/${moment}/${name}.json`)
      const markets = file('pinnacle_markets_straight')
      const records = [
        ...onLog(parseDraftKings(file('draftkings'), receivedAt)),
        ...onLog(parseLeague([matchup], markets, receivedAt)),
        ...onLog(parseCaesars(file('caesars_event'), receivedAt)),
      ]
      for (const record of records) slow.take(record)
      real.take(records)
      expect(compareBoards(slow.read(), real.tables, () => 'all-star')).toEqual([])
      expect(real.tables.odds.size).toBe(selectionCount(records))
      rows += real.tables.odds.size
    }
    expect(real.tables.events.size).toBe(1)
    const books = new Set([...real.tables.odds.values()].map(({ sportsbook }) => sportsbook))
    expect([...books].sort()).toEqual(['caesars', 'draftkings', 'pinnacle'])
    report('All-Star game', { steps: 3, rows, removals: real.tombstones() })
  })

  it.each([
    ['AFL', 'series/afl/afl_game_odds_events_before_2026-03-23.csv.gz', 'afl'],
    ['NBA', 'series/nba-au-books/nba_odds_snapshots_2026-03-03_to_2026-04-14.csv.gz', 'nba'],
  ])('replays a series of %s snapshots price by price', async (name, path, league) => {
    const file = new URL(path, data)
    const snapshots = readSnapshots(file)
    // One board gets ticks and lets prices expire, the other does not.
    const real = createRealBoard()
    const timeless = createRealBoard()
    const slow = createSlowBoard(({ event }) => ({
      game: String(event.externalId),
      isReversed: false,
    }))
    let step = 0
    let rows = 0
    for await (const { at, records } of readPriceRows(fileURLToPath(file), { league })) {
      const snapshot = snapshots[step++]
      expect(at).toBe(snapshot?.at)
      if (!snapshot) return
      const stated = onLog({ records })
      const tick = { type: 'tick', observedAt: snapshot.at } as const
      timeless.take(stated)
      real.take([...stated, tick])
      for (const record of [...stated, tick]) slow.take(record)
      expect(comparePrices(snapshot.prices, pricesOnBoard(timeless.tables))).toEqual([])
      expect(comparePrices(snapshot.fresh, pricesOnBoard(real.tables))).toEqual([])
      expect(
        compareBoards(slow.read(), real.tables, ({ externalId }) => String(externalId)),
      ).toEqual([])
      rows += timeless.tables.odds.size + real.tables.odds.size
    }
    expect(step).toBe(snapshots.length)
    report(`${name} series`, {
      steps: step,
      rows,
      removals: timeless.tombstones() + real.tombstones(),
    })
  })
})

/** Returns prices by `priceKey`, with the recording's own event ids. */
function pricesOnBoard({ odds, sightings }: FoldedBoard): [string, number][] {
  const ids = new Map([...sightings.values()].map((of) => [of.eventId, String(of.externalId)]))
  return [...odds.values()].map((row) => [
    priceKey(
      ids.get(row.eventId) ?? row.eventId,
      row.sportsbook,
      row.marketType,
      row.selectionType,
      row.line,
    ),
    row.price,
  ])
}

/** Returns the keys whose prices differ, are missing, or are on the board twice. */
function comparePrices(expected: ReadonlyMap<string, number>, actual: [string, number][]) {
  const found = new Map(actual)
  const repeated = actual.filter(([key, price]) => found.get(key) !== price)
  return [
    ...repeated.map(([key]) => `${key} twice`),
    ...[...expected].filter(([key, price]) => found.get(key) !== price).map(String),
    ...actual.filter(([key]) => !expected.has(key)).map(String),
    ...(found.size === actual.length ? [] : ['a price twice']),
  ]
}

function report(what: string, counts: { steps: number; rows: number; removals: number }) {
  const { steps, rows, removals } = counts
  console.info(`${what}: ${steps} steps, ${rows} rows and ${removals} removals compared`)
}
