/** Withheld closes in the archive: from the log's record to each question, and in a table from before the column. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createArchiveAccess } from '../../../api/archive-access.ts'
import type { ArchiveRow } from '../../../pipeline/archive/archive.ts'
import { createArchiveReads } from '../../../pipeline/archive/archive-reads.ts'
import { archivedTables } from '../../../pipeline/archive/archived-tables.ts'
import { readCloses } from '../../../pipeline/archive/bets.ts'
import { askClv, valueEvents } from '../../../pipeline/archive/clv.ts'
import { migrate } from '../../../pipeline/archive/migrations.ts'
import type { ClosingLine } from '../../../schemas/closing-line.ts'
import { topics } from '../../../schemas/topics.ts'
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
    'ALTER TABLE migrations DELETE WHERE number = 9 SETTINGS mutations_sync = 1',
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
