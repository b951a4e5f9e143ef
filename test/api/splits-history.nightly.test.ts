/**
 * Splits through the whole service with its archive: the NFL files as pushes and as a recording, each
 * share compared with the file by an independent reader, and the simulator.
 */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { findTeam } from '../../schemas/reference/teams.ts'
import { type Service, startService } from '../service.ts'
import { ingestToken } from './service-in-process.ts'

const shared = new URL('../../../shared/data/us-odds/', import.meta.url)
const hasData = existsSync(shared)
const absent = hasData ? '' : ' (skipped: no recorded data)'

type Row = Readonly<Record<string, string>>
// biome-ignore lint/suspicious/noExplicitAny: bodies of the service
type Body = any

/** Parses a file, none of whose cells is quoted. */
function csv(path: string): Row[] {
  const bytes = readFileSync(new URL(path, shared))
  const [head = '', ...lines] = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString('utf8')
    .trim()
    .split(/\r?\n/)
  const names = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']))
  })
}

let service: Service | undefined
const directories: string[] = []

async function start(env: Readonly<Record<string, string>>): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), 'overround-splits-'))
  directories.push(directory)
  service = await startService({
    env: {
      OVERROUND_DATA_DIR: directory,
      OVERROUND_INGEST_TOKEN: ingestToken,
      OVERROUND_SANDBOX: 'true',
      ...env,
    },
  })
  return service
}

afterEach(async () => {
  await service?.stop()
  service = undefined
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

async function get(path: string): Promise<Body> {
  const response = await fetch(`${service!.address}${path}`, {
    headers: { 'X-API-Key': 'sk_test_sandbox_sharp' },
  })
  return response.json()
}

/** Returns all splits, page by page. */
async function allSplits(): Promise<Body[]> {
  const items: Body[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const { data, pagination } = await get(`/splits?limit=200&offset=${offset}`)
    items.push(...data)
    offset = pagination.next_offset
  }
  return items
}

/** Writes even money as 100, which may also be -100. */
const positiveEven = (odds: number) => (odds === -100 ? 100 : odds)

const eventually = (ask: () => Promise<unknown>) => expect.poll(ask, { interval: 100 })

describe(`splits of the season 2023${absent}`, () => {
  const file = 'nfl-actionnetwork/nfl_2023_lines_and_splits.csv.gz'

  it.skipIf(!hasData)('pushed splits come back unchanged, now and from the archive', async () => {
    const games = new Map<string, Row[]>()
    for (const row of csv(file)) {
      if (row.book_id !== '15' || row.line_type?.startsWith('core')) continue
      games.set(row.event_id!, [...(games.get(row.event_id!) ?? []), row])
    }
    expect(games.size).toBe(285)
    const now = Date.now()
    const found = (rows: Row[], type: string, side: string) =>
      rows.find((row) => row.line_type === type && row.side === side)
    const pushed = [...games].map(([id, rows], i) => {
      const pair = (type: string, column: string, sides: readonly [string, string]) =>
        Object.fromEntries(
          sides.map((side) => [side, Number(found(rows, type, side)?.[column] ?? 0)]),
        )
      const shares = (type: string, sides: readonly [string, string]) => ({
        handle_pct: pair(type, 'money_percent', sides),
        bets_pct: pair(type, 'tickets_percent', sides),
      })
      const number = (type: string, side: string, column: string) =>
        Number(found(rows, type, side)?.[column])
      const teams = ['away', 'home'].map((side) => found(rows, 'moneyline', side)?.team ?? '')
      const [away = '', home = ''] = teams.map((team) => (team === 'LA' ? 'LAR' : team))
      // The file has no start times, so each game gets its own hour.
      const start_time = new Date(now + (i + 24) * 3_600_000).toISOString()
      return {
        type: 'splits',
        sportsbook: 'draftkings',
        observed_at: new Date(now).toISOString(),
        event: {
          external_id: id,
          sport: 'football',
          league: 'NFL',
          away_team: away,
          home_team: home,
          start_time,
        },
        splits: {
          moneyline: {
            away_odds: number('moneyline', 'away', 'odds'),
            home_odds: number('moneyline', 'home', 'odds'),
            ...shares('moneyline', ['away', 'home']),
          },
          spread: {
            away_line: number('spread', 'away', 'value'),
            home_line: number('spread', 'home', 'value'),
            ...shares('spread', ['away', 'home']),
          },
          total: { line: number('total', 'over', 'value'), ...shares('total', ['over', 'under']) },
        },
      }
    })
    await start({ OVERROUND_FEEDS: 'none' })
    const answer = await fetch(`${service!.address}/ingest`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ingestToken}` },
      body: pushed.map((record) => JSON.stringify(record)).join('\n'),
    })
    expect(await answer.json()).toMatchObject({ data: { accepted: 285, rejected: [] } })
    await eventually(async () => (await get('/splits')).pagination.total).toBe(285)
    const items = await allSplits()

    /** Returns the shares of the file; null for two zeros, which mean unknown. */
    const given = (rows: Row[], type: string, column: string, sides: readonly [string, string]) => {
      const [first = 0, second = 0] = sides.map((side) => Number(found(rows, type, side)?.[column]))
      return first + second === 0 ? null : [first, second]
    }
    const shown = (pair: Record<string, number> | null | undefined, sides: readonly string[]) =>
      pair ? sides.map((side) => Math.round(1e9 * pair[side]! * 100) / 1e9) : null
    let known = 0
    // Sorted by start, which is the order of the file.
    for (const [i, [, rows]] of [...games].entries()) {
      const item = items[i]
      const { away_team, home_team } = item
      expect([
        findTeam(pushed[i]!.event.away_team, 'nfl')?.name,
        findTeam(pushed[i]!.event.home_team, 'nfl')?.name,
      ]).toEqual([away_team, home_team])
      for (const [type, sides] of [
        ['moneyline', ['away', 'home']],
        ['spread', ['away', 'home']],
        ['total', ['over', 'under']],
      ] as const) {
        for (const [member, column] of [
          ['handle_pct', 'money_percent'],
          ['bets_pct', 'tickets_percent'],
        ] as const) {
          const expected = given(rows, type, column, sides)
          if (expected) known++
          expect([i, type, member, shown(item[type][member], sides)]).toEqual([
            i,
            type,
            member,
            expected,
          ])
        }
      }
      expect([item.moneyline.away_odds, item.moneyline.home_odds]).toEqual([
        positiveEven(pushed[i]!.splits.moneyline.away_odds),
        positiveEven(pushed[i]!.splits.moneyline.home_odds),
      ])
      expect([item.spread.away_odds, item.spread.home_odds, item.total.line]).toEqual([
        pushed[i]!.splits.spread.away_line,
        pushed[i]!.splits.spread.home_line,
        pushed[i]!.splits.total.line,
      ])
    }
    expect(known).toBe(2 * 663)

    for (const item of [items[0], items.at(-1)]) {
      const path = `/splits/history?event_id=${item.event_id}`
      await eventually(async () => (await get(path)).meta?.total).toBe(1)
      const { data, meta } = await get(path)
      const { away_odds, home_odds, ...spread } = item.spread
      expect(data).toEqual([
        {
          book: 'draftkings',
          ts: item.fetched_at,
          timestamp: now / 1_000,
          event_id: item.event_id,
          spread: { away_line: away_odds, home_line: home_odds, ...spread },
          total: item.total,
          moneyline: item.moneyline,
        },
      ])
      expect(meta).toMatchObject({ books: ['draftkings'], oldest: item.fetched_at })
      const later = `${path}&start_time=${(now + 1) / 1_000}`
      expect((await get(later)).data).toEqual([])
      const at = `${path}&start_time=${now / 1_000}&end_time=${item.fetched_at}`
      expect((await get(at)).meta.total).toBe(1)
    }
  })
})

describe(`splits of a season that is replayed${absent}`, () => {
  const file = 'nfl-multibook/nfl_2022.csv'

  it.skipIf(!hasData)('are in the archive as in the file', async () => {
    const games = new Map<string, Row[]>()
    for (const row of csv(file)) games.set(row.game_id!, [...(games.get(row.game_id!) ?? []), row])
    await start({
      OVERROUND_ARCHIVE_DAYS: '10000',
      OVERROUND_FEEDS: `replay:${fileURLToPath(new URL(file, shared))}?speed=0`,
    })
    let known = 0
    for (const rows of games.values()) {
      const [visitor, home] = rows.sort((a, b) => Number(a.rotation) - Number(b.rotation))
      const id = eventIdOf(visitor!, home!)
      const path = `/splits/history?event_id=${id}&start_time=1`
      await eventually(async () => (await get(path)).meta?.total).toBe(1)
      const [entry] = (await get(path)).data
      expect(entry.book).toBe('consensus')
      for (const [type, first, second] of [
        ['moneyline', 'away', 'home'],
        ['spread', 'away', 'home'],
        ['total', 'over', 'under'],
      ] as const) {
        const { bets_pct: shown, handle_pct } = entry[type]
        const given = [visitor, home].map((row) => Number(row![`${type}_bet_pct`]))
        known++
        expect([id, type, handle_pct, 100 * shown[first], 100 * shown[second]]).toEqual([
          id,
          type,
          null,
          expect.closeTo(given[0]!, 9),
          expect.closeTo(given[1]!, 9),
        ])
      }
    }
    expect([games.size, known]).toEqual([285, 855])
  })
})

/** Returns the event id by the teams' names and the file's hour, which is Eastern. */
function eventIdOf(visitor: Row, home: Row): string {
  const [first, second] = [visitor, home].map(({ team }) => findTeam(team!, 'nfl')!.mascot!).sort()
  const [, month = '', day = ''] = /(\d+)\/(\d+)/.exec(home.date!)!
  const [, hour = '', half = ''] = /^(\d+):\d\d ([AP])M$/.exec(home.time!)!
  const year = Number(home.season) + (Number(month) < 8 ? 1 : 0)
  const quarter = Math.floor(((Number(hour) % 12) + (half === 'P' ? 12 : 0)) / 6)
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return `nfl_${first!.toLowerCase()}_${second!.toLowerCase()}_${date}_b${quarter}`
}

describe('splits of the simulator', () => {
  it('are of two source books, at once and every five minutes', async () => {
    await start({ OVERROUND_FEEDS: 'simulator' })
    await eventually(async () => {
      const items = await allSplits()
      return [...new Set(items.map(({ sportsbook }) => sportsbook))].sort()
    }).toEqual(['betmgm', 'draftkings'])
    const [{ event_id }] = await allSplits()
    await eventually(
      async () => (await get(`/splits/history?event_id=${event_id}`)).meta?.total,
    ).toBeGreaterThan(0)
  })
})
