/** Withheld closes in the archive: from the log's record to each question, and in a table from before the column. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createArchiveAccess } from '../../../api/archive-access.ts'
import type { ArchiveRow } from '../../../pipeline/archive/archive.ts'
import { createArchiveReads } from '../../../pipeline/archive/archive-reads.ts'
import { archivedTables, archiveTime } from '../../../pipeline/archive/archived-tables.ts'
import { readCloses } from '../../../pipeline/archive/bets.ts'
import { askClosingDay } from '../../../pipeline/archive/closing-history.ts'
import { askClv, valueEvents } from '../../../pipeline/archive/clv.ts'
import { migrate } from '../../../pipeline/archive/migrations.ts'
import { always, closesOf, pricesOfEvents } from '../../../pipeline/archive/price-history.ts'
import type { Statement } from '../../../pipeline/archive/shown-prices.ts'
import type { ClosingLine } from '../../../schemas/closing-line.ts'
import { topics } from '../../../schemas/topics.ts'
import type { GuardReason } from '../../../schemas/withheld-price.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 30, resultRows: 1e6, readRows: 1e8, memoryBytes: 1e9 }
const placement = { database: 'overround', cluster: null, keptDays: 10_000 }
const startsAt = Date.parse('2027-01-14T20:00:00Z')
const chain = ['pinnacle', 'circa']
const eventId = 'nba_bulls_knicks_2027-01-14_b3'
const league = 'nba'

let engine: EngineArchive
beforeAll(async () => {
  engine = await startEngineArchive()
})
afterAll(() => engine.close())

let lastId = 0
const close = (sportsbook: string, of: Partial<ClosingLine> = {}): ClosingLine => ({
  ...{ oddsId: ++lastId, eventId, sport: 'basketball', league, sportsbook },
  ...{ marketType: 'moneyline', selection: 'New York Knicks', selectionType: 'home' },
  ...{ line: null, playerName: null, statCategory: null },
  ...{ startsAt, capturedAt: startsAt, pricedAt: startsAt - 60_000, price: 1.9, noVig: 0.5 },
  ...{ withheld: null, missing: null, missingSince: null },
  ...of,
})

const { columns } = archivedTables.find(({ table }) => table === 'closing_lines')!

/** Returns the archive's row of a close that was read from the log. */
const rowOf = (line: ClosingLine) => ({
  ...columns(topics.closingLines.decode(topics.closingLines.encode(line)) as never),
  ...{ log_epoch: 'e', log_partition: 0, log_offset: line.oddsId },
})

const withheldIn = () =>
  engine.archive.query<{ sportsbook: string; withheld: string | null }>(
    'SELECT sportsbook, withheld FROM closing_lines ORDER BY sportsbook',
    {},
    limits,
  )

it('a table from before has the column after the start, and its closes are not withheld', async () => {
  const { archive } = engine
  await archive.command('ALTER TABLE closing_lines DROP COLUMN withheld')
  await archive.command(
    'ALTER TABLE migrations DELETE WHERE number >= 9 SETTINGS mutations_sync = 1',
  )
  const { withheld: _, ...row } = rowOf(close('fanduel')) as ArchiveRow
  await archive.insert('closing_lines', 'old', [row])

  const statement = 'SELECT withheld FROM closing_lines'
  const question = { caller: 'a', statement, parameters: {}, limits }
  const { reads } = createArchiveAccess(archive)
  await expect(reads.rows(question)).rejects.toMatchObject({ code: 'not_ready' })
  await migrate(archive, placement)
  expect(await withheldIn()).toEqual([{ sportsbook: 'fanduel', withheld: null }])
  await migrate(archive, placement)
})

it('keeps why a close is withheld, for bets and closing-line values', async () => {
  const closes = [
    close('pinnacle', { price: 3.4, noVig: null, withheld: 'market_mismatch' }),
    close('circa'),
    close('betmgm', { noVig: null }),
  ]
  await engine.archive.insert('closing_lines', 'new', closes.map(rowOf))
  await valueEvents(engine.archive, chain, [{ eventId, league }])
  expect(await withheldIn()).toEqual([
    { sportsbook: 'betmgm', withheld: null },
    { sportsbook: 'circa', withheld: null },
    { sportsbook: 'fanduel', withheld: null },
    { sportsbook: 'pinnacle', withheld: 'market_mismatch' },
  ])
  const selection = { league, eventId, marketType: 'moneyline', selectionType: 'home' }
  const ask = <Row>(statement: string, parameters: Parameters<typeof engine.archive.query>[1]) =>
    engine.archive.query<Row>(statement, parameters, limits)
  const [read] = await readCloses(
    ask,
    [{ ...selection, line: null, playerName: null }],
    ['pinnacle'],
  )
  expect(read).toMatchObject({
    price: 3.4,
    noVig: null,
    withheld: 'market_mismatch',
    missing: null,
  })
  const asking = { caller: 'a', limits }
  const question = { from: startsAt - 1, to: startsAt + 1, groupBy: 'sportsbook' } as const
  const answer = await askClv(createArchiveReads(engine.archive), asking, {
    ...{ ...question, hidden: [], chain },
  })
  expect(answer!.missing).toEqual([
    { reason: 'incomplete', count: 1 },
    { reason: 'withheld', count: 1 },
  ])
  expect(answer!.references.map(({ sportsbook }) => sportsbook)).toEqual(['circa'])
})

it('shows a reason of a newer pipeline as unknown, in each question', async () => {
  const { archive } = engine
  const reasons = [null, 'swapped', 'of_a_newer_version'] as GuardReason[]
  const closes = reasons.map((withheld, i) =>
    close(`book_${i}`, { eventId: 'newer', startsAt, withheld, noVig: null }),
  )
  const log = { log_epoch: 'log', log_partition: 0 }
  await archive.insert('closing_lines', 'of a newer version', closes.map(rowOf))
  const named = { event_id: 'newer', league, sport: 'basketball' }
  const teams = { home_team: 'New York Knicks', away_team: 'Chicago Bulls' }
  const times = { starts_at: archiveTime(startsAt), updated_at: archiveTime(startsAt - 60_000) }
  for (const table of ['events', 'event_changes']) {
    await archive.insert(table, `newer ${table}`, [
      { ...named, ...teams, ...times, ...log, log_offset: 1 },
    ])
  }
  for (const { oddsId, sportsbook } of closes) {
    const at = archiveTime(startsAt - 60_000)
    const of = { event_id: 'newer', league, odds_id: oddsId }
    await archive.insert('prices', `newer prices ${oddsId}`, [
      {
        ...{ ...of, sportsbook, market_type: 'moneyline', selection: 'New York Knicks' },
        ...{ selection_type: 'home', line: null, listed_at: at },
      },
    ])
    await archive.insert('price_changes', `newer changes ${oddsId}`, [
      { ...of, ...log, at, price: 1.9, what: 1, is_active: true, log_offset: oddsId },
    ])
  }
  await valueEvents(archive, chain, [{ eventId: 'newer', league }])
  const query = <Row>({ statement, parameters }: Statement) =>
    archive.query<Row>(statement, parameters, limits)
  const sportsbooks = { only: undefined, hidden: [] }
  const every = { sportsbooks, eventIds: ['newer'], marketTypes: undefined }
  const file = { ...every, period: always, leagues: undefined, sports: undefined }
  const answers = {
    bets: await readCloses(
      (statement, parameters) => archive.query(statement, parameters, limits),
      [{ ...{ league, eventId: 'newer', marketType: 'moneyline' }, ...ofHome }],
      ['book_0', 'book_1', 'book_2'],
    ),
    day: await askClosingDay(
      createArchiveReads(archive),
      { caller: 'a', limits },
      {
        ...{ sport: 'basketball', league, from: startsAt, to: startsAt + 1, hidden: [] },
        ...{ eventIds: ['newer'], marketTypes: undefined, sportsbooks: undefined },
      },
    ),
    history: (
      await query<{ sportsbook: string; close_withheld: string | null }>(pricesOfEvents(every))
    ).map((row) => ({ ...row, withheld: row.close_withheld })),
    file: await query<{ sportsbook: string; withheld: string | null }>(closesOf(file, false)),
  }
  for (const [name, rows] of Object.entries(answers)) {
    const shown = rows.map(({ sportsbook, withheld }) => [sportsbook, withheld]).sort()
    expect([name, ...shown]).toEqual([
      ...[name, ['book_0', null], ['book_1', 'swapped']],
      ['book_2', 'unknown'],
    ])
  }
})

const ofHome = { selectionType: 'home', line: null, playerName: null }
