/** How long the archive keeps its rows. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { archiveTime } from '../../../pipeline/archive/archived-tables.ts'
import { type ChangedLifetime, migrate } from '../../../pipeline/archive/migrations.ts'
import { pastPrices } from '../../../pipeline/archive/past-board.ts'
import { closesOf, pricesOfEvents } from '../../../pipeline/archive/price-history.ts'
import { priceChange } from '../../../schemas/price-change.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 30, resultRows: 10_000, readRows: 1e7, memoryBytes: 1e9 }
const dayMs = 86_400_000
const now = Date.now()
const daysAgo = (days: number) => archiveTime(now - days * dayMs)

let engine: EngineArchive
beforeAll(async () => {
  engine = await startEngineArchive()
})
afterAll(() => engine.close())

const placement = { database: 'overround', cluster: null }
const lifetimes = async () => {
  const rows = await engine.archive.query<{ name: string; ttl: string }>(
    `SELECT name, extract(engine_full, 'TTL (.*) SETTINGS') AS ttl FROM system.tables
    WHERE database = 'overround' AND ttl != '' ORDER BY name`,
    {},
    limits,
  )
  return rows.map(({ name, ttl }) => `${name}: ${ttl}`)
}

it('follows the setting of each start that has one', async () => {
  for (const keptDays of [10_000, 30, 400]) {
    await migrate(engine.archive, { ...placement, keptDays })
    expect(await lifetimes()).toEqual([
      `opportunity_lives: toDateTime(detected_at) + toIntervalDay(${keptDays})`,
      `price_changes: toDateTime(at) + toIntervalDay(${keptDays})`,
      `splits: toDateTime(at) + toIntervalDay(${keptDays})`,
      `usage_by_day: day + toIntervalDay(${keptDays})`,
    ])
  }
})

it('stays as it was at a start without the setting', async () => {
  await migrate(engine.archive, { ...placement, keptDays: 10_000 })
  const before = await lifetimes()
  const days = await migrate(engine.archive, { ...placement, keptDays: null })
  expect(await lifetimes()).toEqual(before)
  expect(Object.fromEntries(days)).toEqual({
    ...{ opportunity_lives: 10_000, price_changes: 10_000, splits: 10_000, usage_by_day: 10_000 },
  })
})

it('is that of the default in a table that a start without the setting makes', async () => {
  await engine.archive.command('DROP TABLE splits SYNC')
  await engine.archive.command('DELETE FROM migrations WHERE number = 4')
  await migrate(engine.archive, { ...placement, keptDays: null })
  expect(await lifetimes()).toContain('splits: toDateTime(at) + toIntervalDay(730)')
})

it('is told with the one before where a start changes it', async () => {
  await migrate(engine.archive, { ...placement, keptDays: 500 })
  const changes: ChangedLifetime[] = []
  for (const keptDays of [500, null, 400, 400]) {
    await migrate(engine.archive, { ...placement, keptDays }, (change) => changes.push(change))
  }
  expect(changes.map(({ table }) => table).sort()).toEqual([
    ...['opportunity_lives', 'price_changes', 'splits', 'usage_by_day'],
  ])
  for (const change of changes) expect(change).toMatchObject({ formerDays: 500, keptDays: 400 })
})

it('changes no table whose lifetime is that of the setting', async () => {
  await migrate(engine.archive, { ...placement, keptDays: 400 })
  const commands: string[] = []
  const noting = {
    ...engine.archive,
    async command(statement: string) {
      commands.push(statement)
    },
  }
  await migrate(noting, { ...placement, keptDays: 400 })
  expect(commands.filter((statement) => statement.startsWith('ALTER'))).toEqual([])
})

it('changes the tables of a cluster on all its servers', async () => {
  const commands: string[] = []
  const noting = {
    async query<Row>(statement: string) {
      if (!statement.includes('system.tables')) return [] as Row[]
      return ['splits', 'events'].map((name) => ({ name, days: 730 })) as Row[]
    },
    async command(statement: string) {
      commands.push(statement)
    },
    async insert() {},
  }
  await migrate(noting, { database: 'overround', cluster: 'main', keptDays: 30 })
  expect(commands.at(-1)).toMatch(
    /^ALTER TABLE splits ON CLUSTER `main` MODIFY TTL .* INTERVAL 30 DAY$/,
  )
})

const selection = {
  ...{ odds_id: 7, event_id: 'e', league: 'nba', sportsbook: 'fanduel', market_type: 'moneyline' },
  ...{ selection: 'Knicks', selection_type: 'home', line: null, player_name: null },
  stat_category: null,
}
const event = {
  ...{ event_id: 'e', sport: 'basketball', league: 'nba', league_mapped: true },
  ...{ home_team: 'Knicks', away_team: 'Bulls', listed_home: null, listed_away: null },
  ...{ flipped: false, starts_at: daysAgo(1), status: 'upcoming', is_live: false },
  ...{ updated_at: daysAgo(60), log_epoch: 'l', log_offset: 1 },
}
const change = (days: number, what: number, offset: number) => ({
  ...{ event_id: 'e', odds_id: 7, at: daysAgo(days), price: 1.5 + offset / 10, what },
  ...{ is_live: false, is_active: true, log_epoch: 'l', log_partition: 0, log_offset: offset },
})
const close = {
  ...selection,
  ...{ sport: 'basketball', selection_key: 1, starts_at: daysAgo(1), captured_at: daysAgo(1) },
  ...{ priced_at: daysAgo(2), price: 1.7, no_vig: null, missing: null, missing_since: null },
  ...{ log_epoch: 'l', log_partition: 0, log_offset: 3 },
}

it('keeps the selection of a price that was listed longer ago, and its close', async () => {
  const { archive } = engine
  await migrate(archive, { ...placement, keptDays: 30 })
  await archive.insert('logs', 'log', [{ log_epoch: 'l' }])
  await archive.insert('event_changes', 'event', [event])
  await archive.insert('prices', 'price', [{ ...selection, listed_at: daysAgo(50) }])
  await archive.insert('price_changes', 'listed', [change(50, priceChange.listed, 1)])
  await archive.insert('price_changes', 'moved', [change(2, priceChange.active, 2)])
  await archive.insert('closing_lines', 'close', [close])
  // The engine deletes expired rows when it merges their part.
  await archive.command('OPTIMIZE TABLE price_changes FINAL')
  await archive.command('OPTIMIZE TABLE prices FINAL')
  const ask = async <Row>({ statement, parameters }: ReturnType<typeof pastPrices>) =>
    archive.query<Row>(statement, parameters, limits)
  const changes = await ask<{ n: string }>({
    statement: 'SELECT toString(count()) AS n FROM price_changes',
    parameters: {},
  })
  expect(changes).toEqual([{ n: '1' }])

  const eventIds = ['e']
  const sportsbooks = { only: undefined, hidden: [] }
  const everything = { leagues: undefined, sports: undefined, marketTypes: undefined }
  const then = { at: now - 1.5 * dayMs, eventIds, leagues: undefined, sports: undefined }
  expect(await ask(pastPrices(then, 10))).toMatchObject([
    { selection: 'Knicks', price: 1.7, changed_at: null },
  ])
  const history = pricesOfEvents({ eventIds, sportsbooks, marketTypes: undefined })
  expect(await ask(history)).toMatchObject([
    { shown_selection: 'Knicks', open_at: daysAgo(2), open_price: 1.7, close_price: 1.7 },
  ])
  const period = { from: now - 3 * dayMs, to: now }
  const closes = closesOf({ period, sportsbooks, eventIds, ...everything }, false)
  expect(await ask(closes)).toMatchObject([{ selection: 'Knicks', odds_decimal: 1.7 }])
})
