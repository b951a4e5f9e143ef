import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  oddsColumns,
  shownDecimal,
  shownParameters,
  shownPrices,
  withEpochs,
} from '../../../pipeline/archive/shown-prices.ts'
import {
  decimalToAmerican,
  shownPrice,
  shownProbability,
} from '../../../pipeline/rules/odds/odds.ts'
import { flipLine, flipSelectionType } from '../../../pipeline/rules/odds/questions.ts'
import { shownLabel } from '../../../pipeline/rules/odds/selections.ts'
import { markets } from '../../../schemas/reference/markets.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 30, resultRows: 1e6, readRows: 1e8, memoryBytes: 1e9 }
const types = [
  'home',
  'away',
  'draw',
  'over',
  'home_over',
  'away_draw',
  'home_away',
  'away_home',
  '2_1',
  '0_0',
]

const events = [
  { id: 'plain', flipped: false, listedHome: null, listedAway: null },
  { id: 'flipped', flipped: true, listedHome: null, listedAway: null },
  { id: 'renamed', flipped: false, listedHome: 'Leeds', listedAway: null },
  { id: 'both', flipped: true, listedHome: 'Leeds', listedAway: 'Hull' },
].map((event) => ({ ...event, homeTeam: 'Leeds United', awayTeam: 'Hull City' }))

const cases = events.flatMap((event) =>
  markets.flatMap(({ id: marketType }) =>
    types.map((selectionType) => ({
      event,
      marketType,
      selectionType,
      line: 1.5,
      label: 'Leeds or Hull',
    })),
  ),
)

describe('the archive’s form of a price', () => {
  let engine: EngineArchive
  beforeAll(async () => {
    engine = await startEngineArchive()
  })
  afterAll(() => engine.close())

  it('has sides, lines and labels by the rules, for every market type', async () => {
    await engine.archive.insert(
      'event_changes',
      'events',
      events.map((event, i) => ({
        event_id: event.id,
        sport: 'soccer',
        league: 'epl',
        league_mapped: true,
        home_team: event.homeTeam,
        away_team: event.awayTeam,
        listed_home: event.listedHome,
        listed_away: event.listedAway,
        flipped: event.flipped,
        starts_at: '2027-01-14 20:00:00.000',
        status: 'upcoming',
        is_live: false,
        updated_at: '2027-01-14 10:00:00.000',
        log_epoch: 'e',
        log_offset: i,
      })),
    )
    await engine.archive.insert(
      'prices',
      'prices',
      cases.map(({ event, marketType, selectionType, line, label }, i) => ({
        odds_id: String(100_000_000_000_000 + i),
        event_id: event.id,
        league: 'epl',
        sportsbook: 'pinnacle',
        market_type: marketType,
        selection: label,
        selection_type: selectionType,
        line,
        player_name: null,
        stat_category: null,
        listed_at: '2027-01-14 10:00:00.000',
      })),
    )
    const rows = await engine.archive.query<Record<string, unknown>>(
      `${withEpochs} SELECT shown_type, shown_line, shown_selection FROM ${shownPrices('1', '1')} ORDER BY odds_id`,
      shownParameters,
      limits,
    )
    expect(rows).toEqual(
      cases.map(({ event, marketType, selectionType, line, label }) => ({
        shown_type: event.flipped ? flipSelectionType(selectionType, marketType) : selectionType,
        shown_line: event.flipped ? flipLine(selectionType, line, marketType) : line,
        shown_selection: shownLabel(event, selectionType, label),
      })),
    )
    expect(rows.length).toBeGreaterThan(10_000)
  })

  it('has odds in three formats by the rules', async () => {
    const prices = [
      ...Array.from({ length: 4_000 }, (_, i) => 1.001 + i / 1_000),
      ...Array.from({ length: 400 }, (_, i) => 1 + 100 / (100 + i)),
      ...[1.000001, 1.0004, 1.0005, 1.0049, 1.0055, 1 + 1 / 300, 1.0099996, 1.00999999, 1.01],
      1.9090909090909092,
      1.0000000000000002e3,
      1e6,
    ]
    for (let from = 0; from < prices.length; from += 300) {
      const some = prices.slice(from, from + 300)
      const found = await engine.archive.query(
        `SELECT ${oddsColumns('price')} FROM (SELECT arrayJoin({prices:Array(Float64)}) AS price)`,
        { prices: some },
        limits,
      )
      expect(found).toEqual(
        some.map((price) => ({
          odds_american: decimalToAmerican(price),
          odds_decimal: shownPrice(price),
          odds_probability: shownProbability(price),
        })),
      )
    }
  })

  it('has no odds of a missing price', async () => {
    const statement = `SELECT ${shownDecimal('price')} AS odds FROM
      (SELECT arrayJoin([1.5, NULL, 1.0005]) AS price)`
    const found = await engine.archive.query(statement, {}, limits)
    expect(found).toEqual([{ odds: 1.5 }, { odds: null }, { odds: 1.0005 }])
  })
})
