import { describe, expect, it } from 'vitest'
import { parseFanDuel } from '../../../../pipeline/feeds/fanduel/parse.ts'
import {
  countObjects,
  hasSample,
  oddsOf,
  readJsonSample,
  repeatedSelections,
  selectionsOf,
} from '../feed-samples.ts'

const observedAt = Date.parse('2023-10-13T12:00:00Z')

const runner = (type: string, parts: Record<string, unknown> = {}) => ({
  selectionId: 1,
  runnerName: type,
  handicap: 0,
  runnerStatus: 'ACTIVE',
  result: { type },
  winRunnerOdds: { trueOdds: { decimalOdds: { decimalOdds: 1.9 } } },
  ...parts,
})

const payload = (
  market: Record<string, unknown>,
  { name = 'A @ H', sport = 'American Football' } = {},
) => ({
  attachments: {
    eventTypes: { 1: { name: sport } },
    competitions: { 2: { name: 'NFL' } },
    events: {
      3: {
        eventId: 3,
        name,
        openDate: '2023-10-14T02:00:00.000Z',
        inPlay: false,
        competitionId: 2,
        eventTypeId: 1,
      },
    },
    markets: {
      m: {
        marketId: 'm',
        eventId: 3,
        marketName: 'Moneyline',
        marketType: 'MONEY_LINE',
        marketStatus: 'OPEN',
        runners: [],
        ...market,
      },
    },
  },
})

const eventNamed = (name: string, sport = 'American Football') =>
  oddsOf(
    parseFanDuel(payload({ runners: [runner('HOME')] }, { name, sport }), observedAt).records,
  )[0]?.event

describe('FanDuel parser', () => {
  it('leaves out a game’s total whose runner is a player’s', () => {
    const total = (type: string, selectionId: number, runnerName: string) =>
      runner(type, { selectionId, runnerName, handicap: 27.5 })
    const runners = [
      total('OVER', 1, 'Jayson Tatum Over'),
      total('UNDER', 2, 'Tatum Under (27.5)'),
      total('OVER', 3, 'Over (27.5)'),
    ]
    const { records, skipped } = parseFanDuel(
      payload({ marketType: 'TOTAL_POINTS_(OVER/UNDER)', runners }, { sport: 'Basketball' }),
      observedAt,
    )
    expect(selectionsOf(records).map(({ selectionType }) => selectionType)).toEqual(['over'])
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'unknown_participant',
      'unknown_participant',
    ])
  })

  it.each([
    ['American Football', 'MATCH_HANDICAP_(2-WAY)', ['HOME', 'AWAY'], 'point_spread'],
    ['American Football', '1ST_HALF_TOTAL', ['OVER', 'UNDER'], '1st_half_total_points'],
    ['American Football', '1ST_QUARTER_MONEY_LINE', ['HOME', 'AWAY'], '1st_quarter_moneyline'],
    ['Basketball', 'TOTAL_POINTS_(OVER/UNDER)', ['OVER', 'UNDER'], 'total_points'],
    ['Ice Hockey', 'MATCH_HANDICAP_(2-WAY)', ['HOME', 'AWAY'], 'puck_line'],
    ['Ice Hockey', 'MONEY_LINE', ['HOME', 'AWAY', 'DRAW'], 'moneyline_3-way'],
    ['Baseball', 'MATCH_HANDICAP_(2-WAY)', ['HOME', 'AWAY'], 'run_line'],
    ['Soccer', 'WIN-DRAW-WIN', ['HOME', 'AWAY', 'DRAW'], 'moneyline'],
    ['Tennis', 'MATCH_BETTING', ['HOME', 'AWAY'], 'moneyline'],
  ] as const)('reads %s %s', (sport, marketType, types, expected) => {
    const runners = types.map((type, i) => runner(type, { selectionId: i, handicap: 1.5 }))
    const { records, skipped } = parseFanDuel(
      payload({ marketType, runners }, { sport }),
      observedAt,
    )
    expect([selectionsOf(records).map((row) => row.marketType), skipped]).toEqual([
      types.map(() => expected),
      [],
    ])
  })

  it('leaves out a tennis handicap of unknown unit, with its label', () => {
    const market = { marketType: 'MATCH_HANDICAP_(2-WAY)', runners: [runner('HOME')] }
    const { skipped } = parseFanDuel(payload(market, { sport: 'Tennis' }), observedAt)
    expect(skipped).toMatchObject([{ reason: 'unmapped_market', label: 'MATCH_HANDICAP_(2-WAY)' }])
  })

  it('reads the away side before "@" and the home side before "v"', () => {
    expect(eventNamed('Stanford @ Colorado')).toMatchObject({ homeTeam: 'Colorado' })
    expect(eventNamed('Leeds v Brentford')).toMatchObject({
      homeTeam: 'Leeds',
      awayTeam: 'Brentford',
    })
  })

  it.each([
    [
      'Boston Red Sox (L Giolito)',
      'New York Yankees (W Warren)',
      'Boston Red Sox',
      'New York Yankees',
    ],
    ['Rays (J.P. Sears)', 'Mets (TBD)', 'Rays', 'Mets'],
    ['Pirates (Game 2)', 'Cubs (G2)', 'Pirates (Game 2)', 'Cubs (G2)'],
  ])(
    'takes starting pitchers off baseball teams, and no other brackets: %s',
    (away, home, awayTeam, homeTeam) => {
      expect(eventNamed(`${away} @ ${home}`, 'Baseball')).toMatchObject({ homeTeam, awayTeam })
    },
  )

  it.each(['(W)', '(U21)', '(Bo3)', '(W Warren)'])('keeps %s outside baseball', (label) => {
    expect(eventNamed(`Arsenal ${label} v Chelsea ${label}`, 'Football')).toMatchObject({
      homeTeam: `Arsenal ${label}`,
      awayTeam: `Chelsea ${label}`,
    })
  })

  it('keeps a suspended market with its frozen price, and one without', () => {
    const { records } = parseFanDuel(
      payload({
        marketStatus: 'SUSPENDED',
        runners: [runner('HOME'), runner('AWAY', { winRunnerOdds: undefined })],
      }),
      observedAt,
    )
    expect(selectionsOf(records)).toMatchObject([
      { selectionType: 'home', price: 1.9, suspended: true },
      { selectionType: 'away', price: null, suspended: true },
    ])
    expect(oddsOf(records)[0]?.markets[0]?.suspended).toBe(true)
  })

  it('names what it cannot place', () => {
    const reasonOf = (market: Record<string, unknown>, event?: { name?: string; sport?: string }) =>
      parseFanDuel(payload(market, event), observedAt).skipped[0]?.reason
    const total = { marketType: 'TOTAL_POINTS_(OVER/UNDER)' }
    expect(reasonOf({ ...total, runners: [runner('OVER')] })).toBe('no_line')
    expect(reasonOf({ marketType: 'ALTERNATE_TOTAL', runners: [runner('OVER')] })).toBe('no_line')
    expect(reasonOf({ marketType: 'RACE_TO_10', runners: [runner('HOME')] })).toBe(
      'unmapped_market',
    )
    expect(reasonOf({ marketStatus: 'CLOSED', runners: [runner('HOME')] })).toBe('closed')
    expect(reasonOf({ runners: [runner('HOME', { runnerName: 'A' })] })).toBe('unknown_participant')
    expect(reasonOf({ runners: [runner('HOME')] }, { name: 'NFL Draft' })).toBe(
      'unknown_participant',
    )
    expect(reasonOf({ runners: [runner('HOME', { winRunnerOdds: undefined })] })).toBe('no_price')
    expect(parseFanDuel([], observedAt).skipped[0]?.reason).toBe('malformed_payload')
  })

  it('accepts a spread of 0 as a line, and none without a handicap', () => {
    const spreadOf = (parts: Record<string, unknown>) => {
      const market = {
        marketType: 'MATCH_HANDICAP_(2-WAY)',
        runners: [runner('HOME', parts)],
      }
      const { records, skipped } = parseFanDuel(payload(market), observedAt)
      return selectionsOf(records)[0]?.line ?? skipped[0]?.reason
    }
    expect(spreadOf({ handicap: 0 })).toBe(0)
    expect(spreadOf({ handicap: -2.5 })).toBe(-2.5)
    expect(spreadOf({ handicap: undefined })).toBe('no_line')
  })

  it.each([
    ['American Football', 'ALTERNATE_HANDICAP', 'point_spread', '(-20.5)', '(+20.5)'],
    ['American Football', 'ALTERNATE_HANDICAP', 'point_spread', '-20.5', '+20.5'],
    [
      'American Football',
      'ALTERNATE_HANDICAP_-_FIRST_HALF',
      '1st_half_point_spread',
      '(-20.5)',
      '(+20.5)',
    ],
    ['Ice Hockey', 'ALTERNATE_PUCK_LINE', 'puck_line', '(-20.5)', '(+20.5)'],
    ['Baseball', 'ALTERNATE_RUN_LINE', 'run_line', '-20.5', '+20.5'],
  ])('reads the line of an alternate handicap from the name: %s %s', (...row) => {
    const [sport, marketType, expected, home, away] = row
    const read = (names: readonly (readonly [string, string])[]) => {
      const runners = names.map(([type, runnerName]) => runner(type, { runnerName }))
      const market = { marketType, runners }
      const { records, skipped } = parseFanDuel(payload(market, { sport }), observedAt)
      return [
        selectionsOf(records).map((row) => [row.marketType, row.selectionType, row.line]),
        skipped.map(({ reason }) => reason),
      ]
    }
    const both = [['HOME', `H ${home}`] as const, ['AWAY', `A ${away}`] as const]
    const rows = [
      [expected, 'home', -20.5],
      [expected, 'away', 20.5],
    ]
    expect(read(both)).toEqual([rows, []])
    expect(read([['HOME', 'H'] as const, ['AWAY', 'A (20.5)'] as const])).toEqual([
      [],
      ['no_line', 'no_line'],
    ])
    // The name without its line is the other side's.
    expect(read([['HOME', `A ${home}`] as const])).toEqual([[], ['unknown_participant']])
  })

  it.each([
    ['ALTERNATE_TOTAL', 'OVER', 'Over (44.5)', 0, 44.5],
    ['ALTERNATE_TOTAL', 'OVER', 'Over 44.5', 0, 44.5],
    ['ALTERNATE_TOTAL', 'UNDER', 'Under 44', undefined, 44],
    ['ALTERNATE_TOTAL', 'OVER', 'Over 44.5', 41.5, 44.5],
    ['ALTERNATE_TOTAL', 'OVER', 'Over', 44.5, 44.5],
    ['ALTERNATE_TOTAL', 'OVER', 'Over', 0, 'no_line'],
    ['ALTERNATE_TOTAL', 'OVER', 'Over', undefined, 'no_line'],
    ['ALTERNATE_HANDICAP', 'HOME', 'H', -3.5, -3.5],
    ['ALTERNATE_HANDICAP', 'HOME', 'H', 0, 'no_line'],
    ['ALTERNATE_HANDICAP', 'HOME', 'H -2.5', -3.5, -2.5],
  ] as const)('has the line of %s %s in the name %s, else in the handicap %s', (...row) => {
    const [marketType, type, runnerName, handicap, expected] = row
    const market = { marketType, runners: [runner(type, { runnerName, handicap })] }
    const { records, skipped } = parseFanDuel(payload(market), observedAt)
    expect(selectionsOf(records)[0]?.line ?? skipped[0]?.reason).toBe(expected)
  })

  it('takes three ways as the moneyline in soccer, and as another question elsewhere', () => {
    const market = { marketType: 'WIN-DRAW-WIN', runners: [runner('DRAW')] }
    const typeIn = (sport: string) =>
      selectionsOf(parseFanDuel(payload(market, { sport }), observedAt).records)[0]?.marketType
    expect(typeIn('Soccer')).toBe('moneyline')
    expect(typeIn('Ice Hockey')).toBe('moneyline_3-way')
  })
})

describe.skipIf(!hasSample('feeds/fanduel'))('FanDuel sample (needs ../shared)', () => {
  const sample = () => readJsonSample('feeds/fanduel/ncaaf_event_stanford_colorado_2023-10-14.json')

  it('reads every price once', () => {
    const payload = sample()
    const { records, skipped } = parseFanDuel(payload, observedAt)
    const selections = selectionsOf(records)
    expect([records.length, selections.length, skipped.length]).toEqual([1, 26, 0])
    // A runner's earlier price is in a differently named object and is not on offer.
    expect(countObjects(payload, (object) => 'winRunnerOdds' in object)).toBe(26)
    expect(repeatedSelections(records)).toEqual([])
  })

  it('has the teams, the lines and the prices of the file', () => {
    const { records } = parseFanDuel(sample(), observedAt)
    expect(oddsOf(records)[0]).toMatchObject({
      mode: 'delta',
      event: {
        externalId: '32700294',
        sport: 'football',
        league: 'NCAA Football Games',
        homeTeam: 'Colorado',
        awayTeam: 'Stanford',
        startsAt: Date.UTC(2023, 9, 14, 2),
      },
    })
    const selections = selectionsOf(records)
    const find = (marketType: string, selectionType: string, line: number | null) =>
      selections.find(
        (selection) =>
          selection.marketType === marketType &&
          selection.selectionType === selectionType &&
          selection.line === line,
      )
    expect(find('moneyline', 'away', null)).toMatchObject({ price: 4.65, externalId: '975028' })
    expect(find('point_spread', 'away', 12.5)?.price).toBeCloseTo(1 + 100 / 110, 10)
    expect(find('point_spread', 'home', -12.5)).toMatchObject({ marketId: '726.75162855' })
    expect(find('total_points', 'over', 59.5)?.price).toBeCloseTo(1 + 100 / 105, 10)
    // The alternate total has its line only in the name.
    expect(find('total_points', 'under', 50.5)).toMatchObject({
      price: 3,
      marketId: '726.75230983',
      externalId: '12194309',
    })
  })
})
