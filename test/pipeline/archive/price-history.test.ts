/** Which close of a price stands where one that was corrected is in the archive twice. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  always,
  type ChangesAsked,
  closesOf,
  pricesOfEvent,
} from '../../../pipeline/archive/price-history.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 30, resultRows: 1e6, readRows: 1e8, memoryBytes: 1e9 }
const starts = '2027-01-14 20:00:00.000'
const listed = '2027-01-14 10:00:00.000'
const sportsbooks = { only: undefined, hidden: [] }
const all: ChangesAsked = {
  period: always,
  sportsbooks,
  eventIds: undefined,
  leagues: undefined,
  sports: undefined,
  marketTypes: undefined,
}

let engine: EngineArchive

/** Two closes of one instant, of which the second on the log is right, in the order of their arrival. */
const arrivals = [
  { odds_id: 1, offsets: [11, 12] },
  { odds_id: 2, offsets: [12, 11] },
]

beforeAll(async () => {
  engine = await startEngineArchive()
  const { archive } = engine
  const of = { event_id: 'e', league: 'nba', log_epoch: 'log', log_partition: 0 }
  await archive.insert('event_changes', 'events', [
    {
      event_id: 'e',
      league: 'nba',
      sport: 'basketball',
      home_team: 'Knicks',
      away_team: 'Nets',
      starts_at: starts,
      updated_at: listed,
      log_epoch: 'log',
      log_offset: 1,
    },
  ])
  const price = { sportsbook: 'a', market_type: 'moneyline', selection: 'Knicks' }
  for (const { odds_id, offsets } of arrivals) {
    const named = { ...of, ...price, odds_id, selection_type: 'home', line: null }
    const { log_epoch: _, log_partition: __, ...listing } = named
    await archive.insert('prices', `prices ${odds_id}`, [{ ...listing, listed_at: listed }])
    await archive.insert('price_changes', `changes ${odds_id}`, [
      { ...of, odds_id, at: listed, price: 1.5, what: 1, is_active: true, log_offset: odds_id },
    ])
    for (const offset of offsets) {
      const close = { starts_at: starts, captured_at: starts, priced_at: listed }
      await archive.insert('closing_lines', `close ${odds_id} ${offset}`, [
        { ...named, ...close, sport: 'basketball', price: offset, log_offset: offset },
      ])
    }
  }
})
afterAll(() => engine.close())

it('is the later on the log, of an event', async () => {
  const { statement, parameters } = pricesOfEvent({
    eventId: 'e',
    sportsbooks,
    marketTypes: undefined,
  })
  const rows = await engine.archive.query(statement, parameters, limits)
  expect(rows).toMatchObject([{ close_price: 12 }, { close_price: 12 }])
})

it('is the later on the log, in a file of closes', async () => {
  const { statement, parameters } = closesOf(all, false)
  const rows = await engine.archive.query(statement, parameters, limits)
  expect(rows).toMatchObject([{ odds_decimal: 12 }, { odds_decimal: 12 }])
})
