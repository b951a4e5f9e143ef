/** Queries for archived splits, on the embedded engine. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Archive, openArchive } from '../../../pipeline/archive/archive.ts'
import { runArchiver } from '../../../pipeline/archive/archiver.ts'
import { type Engine, startEngine } from '../../../pipeline/archive/engine/supervisor.ts'
import { migrate } from '../../../pipeline/archive/migrations.ts'
import {
  type ArchivedSplits,
  splitHistoryQuery,
  splitsOfArchived,
} from '../../../pipeline/archive/splits.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import type { Log } from '../../../pipeline/log/log.ts'
import type { SplitSnapshot } from '../../../schemas/splits.ts'
import { topics } from '../../../schemas/topics.ts'

const limits = { seconds: 20, resultRows: 1_000, readRows: 1e7, memoryBytes: 1e9 }
const noon = Date.parse('2027-01-31T12:00:00.123Z')
const minute = 60_000

const blocks: readonly Pick<SplitSnapshot, 'moneyline' | 'spread' | 'total'>[] = [
  {
    moneyline: {
      handle: [1 / 3, 2 / 3],
      bets: null,
      awayPrice: 2.5,
      homePrice: 1.5555555555555556,
    },
    spread: null,
    total: { handle: null, bets: [0.5287, 0.4713], line: 228.5 },
  },
  {
    moneyline: null,
    spread: { handle: [0, 1], bets: [0.39, 0.61], awayLine: 4.5, homeLine: -4.5 },
    total: null,
  },
]

/** Every second one is of the other book and has other content. They span the end of a month. */
const snapshots: readonly SplitSnapshot[] = Array.from({ length: 200 }, (_, i) => ({
  eventId: i < 150 ? "nfl_'bears_packers" : 'another',
  league: 'nfl',
  sportsbook: i % 2 === 0 ? 'draftkings' : 'betmgm',
  at: noon + 5 * minute * i,
  flipped: i > 100,
  ...blocks[i % 2]!,
}))
const ofGame = snapshots.slice(0, 150)

/** Three source books, each time at once. */
const tied: readonly SplitSnapshot[] = Array.from({ length: 15 }, (_, i) => ({
  ...snapshots[i]!,
  eventId: 'tied',
  sportsbook: ['draftkings', 'betmgm', 'circa'][i % 3]!,
  at: noon + 5 * minute * Math.floor(i / 3),
}))
const archived = [...snapshots, ...tied]

describe('archived splits', () => {
  const directory = mkdtempSync(join(tmpdir(), 'overround-splits-'))
  let engine: Engine
  let archive: Archive
  let log: Log

  beforeAll(async () => {
    const at = { directory: join(directory, 'archive'), database: 'overround' }
    engine = startEngine(at, pino({ level: 'silent' }))
    await engine.whenDecided()
    archive = openArchive({ url: 'http://embedded', socket: engine.socket }, 'overround')
    await migrate(archive, { database: 'overround', cluster: null, keptDays: 10_000 })
    log = await openEmbeddedLog({ path: join(directory, 'log') })
    await log.append(
      archived.map((value) => ({
        topic: topics.splitSnapshots,
        partitionKey: 'nfl',
        key: 'k',
        value,
      })),
    )
    const stop = new AbortController()
    let left = archived.length
    await runArchiver(log, archive, {
      signal: stop.signal,
      fillMs: 1,
      onInserted(rows) {
        left -= rows
        if (left === 0) stop.abort()
      },
    })
  })
  afterAll(async () => {
    await log.close()
    await archive.close()
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const ask = (of: Partial<Parameters<typeof splitHistoryQuery>[0]> = {}) => {
    const { statement, parameters } = splitHistoryQuery({
      eventId: "nfl_'bears_packers",
      sportsbooks: undefined,
      from: 0,
      to: noon + 1e10,
      limit: 200,
      end: 'oldest',
      ...of,
    })
    return archive.query<ArchivedSplits>(statement, parameters, limits)
  }

  it('come back unchanged, in order', async () => {
    const rows = await ask()
    expect(
      rows.map((row) => ({ book: row.sportsbook, at: row.at_ms, ...splitsOfArchived(row) })),
    ).toEqual(
      ofGame.map(({ sportsbook, at, moneyline, spread, total }) => {
        return { book: sportsbook, at, moneyline, spread, total }
      }),
    )
    expect(rows[0]).toMatchObject({
      total_count: 150,
      sportsbooks: ['betmgm', 'draftkings'],
      oldest_ms: noon,
      newest_ms: ofGame.at(-1)!.at,
      last_flipped: true,
    })
  })

  it('are limited to a time, both ends included, and to sportsbooks', async () => {
    const [from, to] = [ofGame[10]!.at, ofGame[19]!.at]
    const all = await ask({ from, to })
    expect([all.length, all[0]!.at_ms, all.at(-1)!.at_ms]).toEqual([10, from, to])
    const one = await ask({ from, to, sportsbooks: ['betmgm', 'none'] })
    expect(one.map(({ sportsbook }) => sportsbook)).toEqual(Array(5).fill('betmgm'))
    expect(one[0]).toMatchObject({ total_count: 5, sportsbooks: ['betmgm'] })
    expect(await ask({ sportsbooks: [] })).toEqual([])
  })

  it('have the total number, however few are requested', async () => {
    const rows = await ask({ limit: 1 })
    expect(rows).toMatchObject([{ at_ms: noon, total_count: 150, newest_ms: ofGame.at(-1)!.at }])
  })

  it('are the newest of the time on request, still oldest first', async () => {
    const rows = await ask({ limit: 3, to: ofGame[99]!.at, end: 'newest' })
    expect(rows.map(({ at_ms }) => at_ms)).toEqual(ofGame.slice(97, 100).map(({ at }) => at))
    expect(rows[0]).toMatchObject({ total_count: 100, oldest_ms: noon })
  })

  it('of one time stay together, so that pages by time lose none', async () => {
    const book = ({ sportsbook, at_ms }: ArchivedSplits) => `${at_ms} ${sportsbook}`
    const all = await ask({ eventId: 'tied' })
    expect(all).toHaveLength(tied.length)
    for (let limit = 1; limit <= tied.length; limit++) {
      const walked: ArchivedSplits[] = []
      for (let hasMore = true; hasMore; ) {
        const from = (walked.at(-1)?.at_ms ?? 0) + 1
        const page = await ask({ eventId: 'tied', from, limit })
        walked.push(...page)
        hasMore = page.length < (page[0]?.total_count ?? 0)
      }
      expect(walked.map(book)).toEqual(all.map(book))
      const newest = await ask({ eventId: 'tied', limit, end: 'newest' })
      expect(newest.map(book)).toEqual(all.slice(-3 * Math.ceil(limit / 3)).map(book))
    }
  })

  it.each([
    "nfl_'bears_packers' OR 1=1 --",
    "') UNION ALL SELECT * FROM splits --",
    '\\',
    "\\'; DROP TABLE splits",
    '{event_id:String}',
    '\u0000',
    '🏈',
  ])('take %j as an id, not as a statement', async (hostile) => {
    expect(await ask({ eventId: hostile })).toEqual([])
    expect(await ask({ sportsbooks: [hostile, "it's"] })).toEqual([])
    expect(await ask({ limit: 1 })).toHaveLength(1)
  })
})
