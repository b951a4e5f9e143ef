import { describe, expect, it } from 'vitest'
import { parseDraftKings } from '../../../../pipeline/feeds/draftkings/parse.ts'
import {
  countObjects,
  countReasons,
  hasSample,
  oddsOf,
  readJsonSample,
  repeatedSelections,
  selectionsOf,
} from '../feed-samples.ts'

const observedAt = Date.parse('2025-07-13T16:00:00Z')

/** Returns a payload of one game with one market. `parts` sets the fields under test. */
function payload(parts: {
  event?: Record<string, unknown>
  market?: Record<string, unknown>
  selections: readonly Record<string, unknown>[]
  sport?: string
}) {
  return {
    sports: [{ id: '7', name: parts.sport ?? 'Baseball' }],
    leagues: [{ id: '1', name: 'MLB' }],
    events: [
      {
        id: 'e1',
        sportId: '7',
        leagueId: '1',
        name: 'A @ H',
        startEventDate: '2025-07-13T17:35:00.0000000Z',
        status: 'NOT_STARTED',
        participants: [
          { id: 'h', name: 'H', venueRole: 'Home', type: 'Team' },
          { id: 'a', name: 'A', venueRole: 'Away', type: 'Team' },
        ],
        ...parts.event,
      },
    ],
    markets: [
      {
        id: 'm1',
        eventId: 'e1',
        name: 'Run Line',
        marketType: { name: 'Run Line' },
        ...parts.market,
      },
    ],
    selections: parts.selections.map((selection, index) => ({
      id: `s${index}`,
      marketId: 'm1',
      label: 'label',
      ...selection,
    })),
  }
}

describe('DraftKings parser', () => {
  it('signs a spread from each side by the points, and uses the sport’s own type', () => {
    const { records, skipped } = parseDraftKings(
      payload({
        selections: [
          { outcomeType: 'Home', points: -1.5, trueOdds: 2.4 },
          { outcomeType: 'Away', points: 1.5, trueOdds: 1.6 },
        ],
      }),
      observedAt,
    )
    expect(skipped).toEqual([])
    expect(oddsOf(records)[0]?.markets).toMatchObject([
      {
        marketType: 'run_line',
        line: null,
        selections: [
          { selectionType: 'home', line: -1.5, price: 2.4 },
          { selectionType: 'away', line: 1.5, price: 1.6 },
        ],
      },
    ])
  })

  it('reads American odds with the typographic minus where the decimal is missing', () => {
    const { records } = parseDraftKings(
      payload({
        market: { name: 'Moneyline', marketType: { name: 'Moneyline' } },
        selections: [
          { outcomeType: 'Home', displayOdds: { american: '\u2212125' } },
          { outcomeType: 'Away', displayOdds: { american: '+105' } },
        ],
      }),
      observedAt,
    )
    expect(selectionsOf(records).map(({ price }) => price)).toEqual([1.8, 2.05])
  })

  it('takes the line of a total from its label if there are no points', () => {
    const { records, skipped } = parseDraftKings(
      payload({
        market: { name: 'Total', marketType: { name: 'Total' } },
        selections: [
          { outcomeType: 'Over', label: 'Over 8.5', trueOdds: 1.9 },
          { outcomeType: 'Under', label: 'Under', trueOdds: 1.9 },
        ],
      }),
      observedAt,
    )
    expect(selectionsOf(records)).toMatchObject([{ marketType: 'total_runs', line: 8.5 }])
    expect(countReasons(skipped)).toEqual({ no_line: 1 })
  })

  it('keeps a suspended selection without a price or with a placeholder, and names an open one', () => {
    const selections = [{ outcomeType: 'Home' }, { outcomeType: 'Away', trueOdds: 1 }]
    const market = { name: 'Moneyline', marketType: { name: 'Moneyline' } }
    const open = parseDraftKings(payload({ market, selections }), observedAt)
    expect(countReasons(open.skipped)).toEqual({ no_price: 1, bad_price: 1 })
    const suspended = parseDraftKings(
      payload({ market: { ...market, isSuspended: true }, selections }),
      observedAt,
    )
    expect(selectionsOf(suspended.records)).toMatchObject([
      { selectionType: 'home', price: null, suspended: true },
      { selectionType: 'away', price: null, suspended: true },
    ])
  })

  it('takes a moneyline with a draw for the result of regulation time, but in soccer', () => {
    const parts = {
      market: { name: 'Moneyline', marketType: { name: 'Moneyline' } },
      selections: [{ outcomeType: 'Tie', trueOdds: 3.2 }],
    }
    expect(
      selectionsOf(parseDraftKings(payload({ ...parts, sport: 'Soccer' }), observedAt).records),
    ).toMatchObject([{ selectionType: 'draw' }])
    expect(selectionsOf(parseDraftKings(payload(parts), observedAt).records)).toMatchObject([
      { marketType: 'moneyline_3-way', selectionType: 'draw' },
    ])
  })

  it.each([
    ['Football', 'Spread', ['Home', 'Away'], 'point_spread'],
    ['Football', '1st Half Spread', ['Home', 'Away'], '1st_half_point_spread'],
    ['Football', 'Total - 1st Quarter', ['Over', 'Under'], '1st_quarter_total_points'],
    ['Basketball', 'Spread Alternate', ['Home', 'Away'], 'point_spread'],
    ['Hockey', 'Puck Line', ['Home', 'Away'], 'puck_line'],
    ['Hockey', 'Total Goals', ['Over', 'Under'], 'total_goals'],
    ['Hockey', '1st Period Total', ['Over', 'Under'], '1st_period_total_goals'],
    ['Soccer', 'Moneyline', ['Home', 'Draw', 'Away'], 'moneyline'],
    ['Soccer', 'Draw No Bet', ['Home', 'Away'], 'draw_no_bet'],
    ['Tennis', 'Total Games', ['Over', 'Under'], 'total_games'],
    ['Baseball', 'Total Runs - 1st 5 Innings', ['Over', 'Under'], '1st_5_innings_total_runs'],
  ] as const)('reads %s %s', (sport, name, outcomes, type) => {
    const selections = outcomes.map((outcomeType, i) => ({
      id: `s${i}`,
      outcomeType,
      points: outcomeType === 'Away' ? 1.5 : outcomeType === 'Home' ? -1.5 : 6.5,
      trueOdds: 1.9,
    }))
    const market = { name, marketType: { name } }
    const { records, skipped } = parseDraftKings(payload({ sport, market, selections }), observedAt)
    expect([selectionsOf(records).map(({ marketType }) => marketType), skipped]).toEqual([
      outcomes.map(() => type),
      [],
    ])
  })

  it('leaves out a tennis spread of unknown unit, with its label', () => {
    const market = { name: 'Spread', marketType: { name: 'Spread' } }
    const selections = [{ outcomeType: 'Home', points: -1.5, trueOdds: 1.9 }]
    const { skipped } = parseDraftKings(
      payload({ sport: 'Tennis', market, selections }),
      observedAt,
    )
    expect(skipped).toMatchObject([{ reason: 'unmapped_market', label: 'Spread' }])
  })

  it('names what it cannot place', () => {
    const one = [{ outcomeType: 'Over', points: 8.5, trueOdds: 1.9 }]
    const reasonOf = (parts: Parameters<typeof payload>[0]) =>
      parseDraftKings(payload(parts), observedAt).skipped[0]?.reason
    expect(reasonOf({ selections: one, market: { marketType: { name: 'Race To 3' } } })).toBe(
      'unmapped_market',
    )
    expect(reasonOf({ selections: one, event: { participants: [] } })).toBe('unknown_participant')
    expect(reasonOf({ selections: one, sport: 'Jai Alai' })).toBe('unknown_sport')
    expect(reasonOf({ selections: [{ ...one[0], marketId: 'else' }] })).toBe('unknown_market')
    expect(reasonOf({ selections: [{ label: 1 }] })).toBe('malformed_selection')
    expect(parseDraftKings('<html>', observedAt).skipped[0]?.reason).toBe('malformed_payload')
  })
})

describe.skipIf(!hasSample('feeds/draftkings'))('DraftKings samples (needs ../shared)', () => {
  const countPrices = (sample: unknown) => countObjects(sample, (object) => 'trueOdds' in object)

  it('reads every team total of the day', () => {
    const sample = readJsonSample('feeds/draftkings/mlb_team_totals_2025-07-13.json')
    const { records, skipped } = parseDraftKings(sample, observedAt)
    const selections = selectionsOf(records)
    expect([records.length, selections.length, skipped.length]).toEqual([14, 56, 0])
    expect(selections.length).toBe(countPrices(sample))
    expect(repeatedSelections(records)).toEqual([])
    expect(new Set(selections.map(({ marketType }) => marketType))).toEqual(
      new Set(['team_total_runs']),
    )
    expect(oddsOf(records).every(({ mode }) => mode === 'delta')).toBe(true)
  })

  it('puts a team total on the side that it counts', () => {
    const sample = readJsonSample('feeds/draftkings/mlb_team_totals_2025-07-13.json')
    const selections = selectionsOf(parseDraftKings(sample, observedAt).records)
    // Colorado plays at Cincinnati, and Detroit at home against Seattle.
    expect(selections.find(({ externalId }) => externalId === '0OU80576355O350_1')).toMatchObject({
      marketId: '3_80576355',
      selectionType: 'away_over',
      line: 3.5,
      price: 1.83333334,
      event: { awayTeam: 'COL Rockies', homeTeam: 'CIN Reds', league: 'MLB', sport: 'baseball' },
    })
    expect(selections.find(({ externalId }) => externalId === '0OU80575988O350_1')).toMatchObject({
      selectionType: 'home_over',
      line: 3.5,
      price: 1.76923077,
      event: { homeTeam: 'DET Tigers', awayTeam: 'SEA Mariners' },
    })
    expect(selections.find(({ event }) => event.externalId === '32520139')?.event).toEqual({
      externalId: '32520139',
      sport: 'baseball',
      league: 'MLB',
      homeTeam: 'NY Yankees',
      awayTeam: 'CHI Cubs',
      startsAt: Date.UTC(2025, 6, 13, 17, 35),
      isLive: false,
    })
  })

  it('reads season props as futures of their players', () => {
    const sample = readJsonSample('feeds/draftkings/nfl_season_props_2025.json')
    const { records, skipped } = parseDraftKings(sample, observedAt)
    expect(skipped).toEqual([])
    expect(countPrices(sample)).toBe(56)
    const futures = records.filter((record) => record.type === 'futures')
    expect([records.length, futures.length]).toEqual([28, 28])
    expect(futures.map(({ prices }) => prices.length)).toEqual(Array(28).fill(2))
    const murray = futures.find(({ future }) => future.subject === 'Kyler Murray')
    expect(murray).toMatchObject({
      mode: 'snapshot',
      future: {
        externalId: '249633797',
        league: 'NFL',
        name: 'Regular Season Passing TDs',
        futureType: 'OVER_UNDER',
        season: 'NFL 2025/26',
        settlesAt: Date.UTC(2026, 1, 10),
      },
    })
    expect(murray?.prices.map(({ selection, line }) => [selection, line]).sort()).toEqual([
      ['Over', 20.5],
      ['Under', 20.5],
    ])
  })

  it.each(['20250715T0328Z', '20250715T1459Z', '20250715T1811Z'])(
    'reads the all-star game at %s',
    (moment) => {
      const sample = readJsonSample(
        `feeds/crossbook/mlb_allstar_2025-07-16/${moment}/draftkings.json`,
      )
      const { records, skipped } = parseDraftKings(sample, observedAt)
      const selections = selectionsOf(records)
      expect([selections.length, skipped.length, countPrices(sample)]).toEqual([4, 0, 4])
      expect(selections.map(({ selectionType }) => selectionType).sort()).toEqual([
        'away_over',
        'away_under',
        'home_over',
        'home_under',
      ])
      expect(records[0]).toMatchObject({
        event: { homeTeam: 'National League', startsAt: Date.UTC(2025, 6, 16) },
      })
    },
  )
})
