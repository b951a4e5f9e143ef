/**
 * Closes that are taken back because the game has not begun and gets another start: no question to the archive has
 * them until they are captured anew, also after it is read again.
 */

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Archive } from '../../../pipeline/archive/archive.ts'
import { createArchiveReads } from '../../../pipeline/archive/archive-reads.ts'
import { archivedTopics, archiveGroup, runArchiver } from '../../../pipeline/archive/archiver.ts'
import { type Ask, readCaptures, readCloses, readMarkets } from '../../../pipeline/archive/bets.ts'
import { askClosingDay } from '../../../pipeline/archive/closing-history.ts'
import { askClv, valueEvents } from '../../../pipeline/archive/clv.ts'
import { always, closesOf, pricesOfEvents } from '../../../pipeline/archive/price-history.ts'
import type { Statement } from '../../../pipeline/archive/shown-prices.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import type { BoardRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'
import { changelogOf } from './filled-archive.ts'

const minute = 60_000
const day = 24 * 60 * minute
const limits = { seconds: 30, resultRows: 1e6, readRows: 1e8, memoryBytes: 1e9 }
const chain = ['pinnacle']
/** The last day of May; the next start is in June, so in another partition of the table. */
const listedAt = noon + 29 * day
const startsAt = listedAt + 60 * minute
const nextStart = startsAt + 2 * day

/** @param at minutes after `listedAt` */
const prices = (book: string, at: number, home: number, start = startsAt) =>
  statement(
    book,
    'Leeds United',
    'Brentford',
    [selection('home', home), selection('draw', 3.2), selection('away', 2.9)],
    { laterMs: listedAt + at * minute - noon, startsLaterMs: start - (noon + 60 * minute) },
  )
const tick = (at: number) => ({ type: 'tick', observedAt: at }) as unknown as BoardRecord

const captured = [
  prices('fanduel', 59, 2.5),
  prices('pinnacle', 59, 2.4),
  tick(startsAt + minute),
  prices('fanduel', 62, 2.5),
]
const movedOn = [
  prices('pinnacle', 70, 2.4, nextStart),
  prices('fanduel', 71, 2.5, nextStart),
  tick(startsAt + 12 * minute),
]
const later = (nextStart - listedAt) / minute - 1
const capturedAnew = [
  prices('fanduel', later, 2.6, nextStart),
  prices('pinnacle', later, 2.3, nextStart),
  tick(nextStart + minute),
]

let engine: EngineArchive
let archive: Archive
beforeAll(async () => {
  engine = await startEngineArchive()
  archive = engine.archive
})
afterAll(() => engine.close())

const query = <Row>({ statement: sql, parameters }: Statement) =>
  archive.query<Row>(sql, parameters, limits)
const ask: Ask = (sql, parameters) => archive.query(sql, parameters, limits)

let logs = 0

/**
 * Fills an empty archive with what becomes of the records, in blocks of few rows.
 * @param readAgain whether it then loses its newest closes, as a restored one, and reads them again
 */
async function fill(records: readonly BoardRecord[], readAgain: boolean) {
  for (const table of ['closing_lines', 'closing_values', 'events', 'event_changes', 'prices'])
    await archive.command(`TRUNCATE TABLE ${table}`)
  await archive.command('TRUNCATE TABLE price_changes')
  const log = await openEmbeddedLog({ path: join(engine.directory, `log${++logs}`) })
  const changelog = changelogOf(records)
  await log.append(changelog)
  const closingLines = changelog.filter(({ topic }) => topic.name === topics.closingLines.name)
  const lastOffset = closingLines.findLastIndex(({ value }) => value !== null)
  const run = async (blockRows: number) => {
    const stop = new AbortController()
    const running = runArchiver(log, archive, {
      ...{ signal: stop.signal, fillMs: 1, blockRows },
      whenClosed: (closes) =>
        valueEvents(
          archive,
          chain,
          closes.map(({ eventId, league }) => ({ eventId, league })),
        ),
    })
    await expect
      .poll(() =>
        archive.query('SELECT toFloat64(max(log_offset)) AS last FROM closing_lines', {}, limits),
      )
      .toEqual([{ last: lastOffset }])
    await expect.poll(() => log.lag(archivedTopics, archiveGroup)).toBe(0)
    stop.abort()
    await running
  }
  await run(7)
  if (readAgain) {
    await archive.command(
      `ALTER TABLE closing_lines DELETE WHERE log_offset >= 4 SETTINGS mutations_sync = 1`,
    )
    await run(10_000)
  }
  await log.close()
}

/** Returns the closes that each question to the archive has. */
async function closes() {
  const [event] = await archive.query<{ id: string; league: string }>(
    'SELECT event_id AS id, league FROM events FINAL',
    {},
    limits,
  )
  const { id: eventId, league } = event!
  const home = { league, eventId, marketType: 'moneyline', selectionType: 'home' }
  const selections = [{ ...home, line: null, playerName: null }]
  const sportsbooks = { only: undefined, hidden: [] }
  const every = { sportsbooks, eventIds: [eventId], marketTypes: undefined }
  const file = { ...every, period: always, leagues: undefined, sports: undefined }
  const reads = createArchiveReads(archive)
  const asking = { caller: 'a', limits }
  const span = { from: startsAt - day, to: nextStart + day, hidden: [] }
  const clv = await askClv(reads, asking, { ...span, groupBy: 'sportsbook', chain })
  const ofDay = await askClosingDay(reads, asking, {
    ...{ ...span, sport: 'soccer', league, eventIds: undefined },
    ...{ marketTypes: undefined, sportsbooks: undefined },
  })
  const history = await query<{ close_price: number | null; is_captured: boolean }>(
    pricesOfEvents(every),
  )
  const { events, comparable } = clv!.summary
  return {
    bets: (await readCloses(ask, selections, ['pinnacle', 'fanduel'])).length,
    markets: (await readMarkets(ask, selections, ['pinnacle'])).length,
    day: ofDay.map(({ captured_at }) => captured_at),
    history: history.filter((price) => price.is_captured).map((price) => price.close_price),
    file: (await query(closesOf(file, false))).length,
    clv: { events, comparable, missing: clv!.missing, samples: clv!.groups[0]?.samples ?? 0 },
    counts: (await readCaptures(ask, selections)).map(({ count }) => count),
  }
}

const none = {
  ...{ bets: 0, markets: 0, day: [], history: [], file: 0, counts: [0] },
  clv: { events: 0, comparable: 0, missing: [], samples: 0 },
}
const all = (at: number) => ({
  ...{ bets: 2, markets: 1, day: Array(6).fill(at), file: 6, counts: [6] },
  history: expect.arrayContaining([2.9, 3.2]),
  clv: { events: 1, comparable: 1, missing: [], samples: 3 },
})

describe.each([false, true])('a close that is taken back (read again: %s)', (readAgain) => {
  it('is in no answer until it is captured anew', async () => {
    await fill(captured, readAgain)
    expect(await closes()).toEqual(all(startsAt))
    await fill([...captured, ...movedOn], readAgain)
    expect(await closes()).toEqual(none)
    await fill([...captured, ...movedOn, ...capturedAnew], readAgain)
    expect(await closes()).toEqual(all(nextStart))
  })

  it('is a reason where the game is called off', async () => {
    const { event } = captured[0] as OddsRecord
    const calledOff = ['fanduel', 'pinnacle'].map(
      (sportsbook, i): BoardRecord => ({
        ...{ type: 'event_status', sportsbook, status: 'postponed' },
        ...{ observedAt: startsAt + (20 + i) * minute },
        event: { ...event, externalId: `${sportsbook} Brentford,Leeds United` },
      }),
    )
    await fill([...captured, ...calledOff, tick(startsAt + 30 * minute)], readAgain)
    expect(await closes()).toMatchObject({
      ...{ bets: 2, day: [], counts: [0] },
      clv: { comparable: 0, missing: [{ reason: 'postponed', count: 6 }] },
    })
  })

  it('stays where its row is dropped two days after the start', async () => {
    const dropped = [tick(startsAt + 2 * day - minute), tick(startsAt + 2 * day + minute)]
    await fill([...captured, ...dropped], readAgain)
    expect(await closes()).toEqual(all(startsAt))
  })
})
