import { describe, expect, it } from 'vitest'
import { parseLeague, versionsOf } from '../../../../pipeline/feeds/pinnacle/parse.ts'
import {
  countObjects,
  hasPayloads,
  loadPayload,
  oddsOf,
  reasonsOf,
  selectionsOf,
  typesOf,
} from '../payloads.ts'

const receivedAt = Date.parse('2025-07-15T18:11:00Z')
const isPrice = (item: object) => 'price' in item
const folder = 'feeds/pinnacle-arcadia'

const matchup = (sport: string, more: object = {}) => ({
  id: 1,
  type: 'matchup',
  parentId: null,
  parent: null,
  participants: [
    { alignment: 'home', name: 'Home' },
    { alignment: 'away', name: 'Away' },
  ],
  league: { name: 'League', sport: { name: sport } },
  startTime: '2026-01-01T00:00:00Z',
  isLive: false,
  units: 'Regular',
  ...more,
})
const market = (type: string, prices: object[], more: object = {}) => ({
  matchupId: 1,
  type,
  period: 0,
  key: `s;0;${type}`,
  prices,
  ...more,
})
const twoWay = [
  { designation: 'home', price: -110 },
  { designation: 'away', price: 100 },
]
const overUnder = [
  { designation: 'over', points: 2.5, price: -110 },
  { designation: 'under', points: 2.5, price: 100 },
]
const read = (matchups: unknown, markets: unknown) => parseLeague(matchups, markets, receivedAt)

describe.skipIf(!hasPayloads)('recorded answers of Pinnacle (needs ../shared)', () => {
  const nfl = () => ({
    matchups: loadPayload(`${folder}/nfl_2025w1_matchups.json`),
    markets: loadPayload(`${folder}/nfl_2025w1_markets_straight.json`),
  })

  it('places or names every price of an NFL week', () => {
    const { matchups, markets } = nfl()
    const parsed = read(matchups, markets)
    expect(parsed.records).toHaveLength(16)
    expect(typesOf(parsed)).toEqual({
      moneyline: 32,
      point_spread: 352,
      total_points: 352,
      team_total: 64,
    })
    expect(reasonsOf(parsed)).toEqual({ special: 958 })
    expect(selectionsOf(parsed).length + parsed.skipped.length).toBe(countObjects(markets, isPrice))
  })

  it('reads prices, signed lines and limits', () => {
    const { matchups, markets } = nfl()
    const record = oddsOf(read(matchups, markets)).find(
      ({ event }) => event.externalId === '1610163849',
    )
    expect(record).toMatchObject({
      sportsbook: 'pinnacle',
      mode: 'snapshot',
      observedAt: receivedAt,
    })
    expect(record?.event).toMatchObject({ sport: 'football', league: 'NFL', isLive: false })
    const byKey = (key: string) =>
      record?.markets.find(({ externalId }) => externalId === `1610163849/${key}`)
    expect(byKey('s;0;m')).toMatchObject({
      marketType: 'moneyline',
      line: null,
      suspended: false,
      selections: [
        { selectionType: 'home', price: 1 + 100 / 149, maxBet: 2000 },
        { selectionType: 'away', price: 2.34, maxBet: 2000 },
      ],
    })
    expect(byKey('s;0;s;-2.5')).toMatchObject({
      marketType: 'point_spread',
      line: null,
      selections: [
        { selectionType: 'home', line: -2.5, price: 1 + 100 / 115, maxBet: 3000 },
        { selectionType: 'away', line: 2.5, price: 2.04, maxBet: 3000 },
      ],
    })
    expect(byKey('s;0;ou;46.0')).toMatchObject({
      marketType: 'total_points',
      line: 46,
      selections: [
        { selectionType: 'over', line: null, price: 1 + 100 / 106 },
        { selectionType: 'under', line: null, price: 1 + 100 / 106 },
      ],
    })
    expect(byKey('s;0;tt;23.5;home')).toMatchObject({
      marketType: 'team_total',
      line: 23.5,
      selections: [
        { selectionType: 'home_over', price: 1 + 100 / 126 },
        { selectionType: 'home_under', price: 2.08 },
      ],
    })
  })

  it('reads halves and quarters of college football', () => {
    const markets = loadPayload(`${folder}/ncaaf_2024-10-05_markets_straight.json`)
    const game = matchup('Football', { id: 1597997515 })
    const parsed = read([game], markets)
    expect(reasonsOf(parsed)).toEqual({})
    expect(selectionsOf(parsed)).toHaveLength(countObjects(markets, isPrice))
    expect(typesOf(parsed)).toEqual({
      moneyline: 2,
      point_spread: 18,
      total_points: 18,
      team_total: 4,
      '1st_half_moneyline': 2,
      '1st_half_point_spread': 18,
      '1st_half_total_points': 2,
      '1st_half_team_total': 4,
      '1st_quarter_moneyline': 2,
      '1st_quarter_point_spread': 2,
      '1st_quarter_total_points': 2,
      '1st_quarter_team_total': 4,
    })
    // If a period number meant another part of the game, such totals would not result.
    const lineOf = (type: string) =>
      oddsOf(parsed)[0]?.markets.find(({ marketType }) => marketType === type)?.line ?? Number.NaN
    expect(lineOf('1st_half_total_points')).toBeLessThan(lineOf('total_points') * 0.6)
    expect(lineOf('1st_quarter_total_points')).toBeLessThan(lineOf('1st_half_total_points') * 0.6)
  })

  it('tells the first inning and the first five innings of baseball apart', () => {
    const markets = loadPayload(
      'feeds/crossbook/mlb_allstar_2025-07-16/20250715T1811Z/pinnacle_markets_straight.json',
    )
    const parsed = read([matchup('Baseball', { id: 1611653732 })], markets)
    expect(reasonsOf(parsed)).toEqual({ unknown_matchup: 2 })
    expect(typesOf(parsed)).toEqual({
      moneyline: 2,
      run_line: 2,
      total_runs: 10,
      team_total_runs: 4,
      '1st_5_innings_run_line': 10,
      '1st_5_innings_total_runs': 10,
      '1st_5_innings_team_total_runs': 4,
      '1st_inning_moneyline_3-way': 3,
      '1st_inning_run_line': 2,
      '1st_inning_total_runs': 2,
    })
    const level = selectionsOf(parsed).filter(({ line }) => line === 0)
    expect(level.every(({ line }) => Object.is(line, 0))).toBe(true)
  })

  it('reads soccer matchups, which alone have no prices', () => {
    const matchups = loadPayload(`${folder}/soccer_scotland_matchups.json`)
    expect(read(matchups, [])).toEqual({ records: [], skipped: [] })
    const threeWay = [...twoWay, { designation: 'draw', price: 250 }]
    const half = { period: 1, key: 's;1;m', matchupId: 1605727629 }
    const parsed = read(matchups, [
      market('moneyline', threeWay, { matchupId: 1605727629 }),
      market('moneyline', threeWay, half),
      market('total', overUnder, { matchupId: 1605727629 }),
    ])
    expect(typesOf(parsed)).toEqual({ moneyline: 3, '1st_half_moneyline': 3, total_goals: 2 })
    expect(oddsOf(parsed)[0]?.event).toMatchObject({
      sport: 'soccer',
      league: 'Scotland - Premiership',
      homeTeam: 'Motherwell',
      awayTeam: 'St Mirren',
      startsAt: Date.parse('2025-03-15T15:00:00Z'),
    })
  })
})

describe('the parser of Pinnacle', () => {
  it('never takes corners for goals', () => {
    const corners = matchup('Soccer', { id: 2, parentId: 1, units: 'Corners' })
    const parsed = read(
      [matchup('Soccer'), corners],
      [
        market('total', overUnder),
        market('total', overUnder, { matchupId: 2 }),
        market('spread', overUnder, { matchupId: 2 }),
      ],
    )
    expect(parsed.records).toHaveLength(1)
    expect(typesOf(parsed)).toEqual({ total_goals: 2, total_corners: 2 })
    expect(reasonsOf(parsed)).toEqual({ unmapped_units: 2 })
  })

  it('leaves out other units, periods and kinds by name', () => {
    const parsed = read(
      [matchup('Soccer'), matchup('Soccer', { id: 2, parentId: 1, units: 'Bookings' })],
      [
        market('moneyline', twoWay, { matchupId: 2 }),
        market('moneyline', twoWay, { period: 6 }),
        market('exotic', twoWay),
        market('moneyline', twoWay, { status: 'settled' }),
      ],
    )
    expect(parsed.records).toEqual([])
    expect(reasonsOf(parsed)).toEqual({
      unmapped_units: 2,
      unmapped_period: 2,
      unmapped_market: 2,
      closed: 2,
    })
  })

  it('takes sixty minutes of hockey for a result with a draw, and for nothing else', () => {
    const draw = { designation: 'draw', price: 300 }
    const parsed = read(
      [matchup('Hockey')],
      [
        market('moneyline', [...twoWay, draw], { period: 6, key: 's;6;m' }),
        market('moneyline', twoWay, { key: 's;0;m' }),
        market('total', overUnder, { period: 6, key: 's;6;ou;5.5' }),
      ],
    )
    expect(typesOf(parsed)).toEqual({ 'moneyline_3-way': 3, moneyline: 2 })
    expect(reasonsOf(parsed)).toEqual({ unmapped_period: 2 })
    expect(parsed.skipped[0]).toMatchObject({ label: 'total of period 6' })
  })

  it('counts tennis handicaps and totals in the unit of their matchup', () => {
    const spread = [
      { designation: 'home', points: -1.5, price: 150 },
      { designation: 'away', points: 1.5, price: -180 },
    ]
    const parsed = read(
      [
        matchup('Tennis', { units: 'Sets' }),
        matchup('Tennis', { id: 2, parentId: 1, units: 'Games' }),
      ],
      [
        market('spread', spread),
        market('spread', spread, { matchupId: 2 }),
        market('total', overUnder, { matchupId: 2 }),
        market('moneyline', twoWay),
      ],
    )
    expect(typesOf(parsed)).toEqual({
      set_handicap: 2,
      game_handicap: 2,
      total_games: 2,
      moneyline: 2,
    })
    expect(reasonsOf(parsed)).toEqual({})
  })

  it('keeps a suspended market, with its price or without', () => {
    const parsed = read(
      [matchup('Football')],
      [
        market('moneyline', [{ designation: 'home' }, { designation: 'away', price: 100 }], {
          status: 'suspended',
        }),
      ],
    )
    expect(oddsOf(parsed)[0]?.markets[0]).toMatchObject({ suspended: true })
    expect(selectionsOf(parsed)).toMatchObject([
      { selectionType: 'home', price: null, suspended: true },
      { selectionType: 'away', price: 2, suspended: true },
    ])
  })

  it('takes the live matchup of a game in place of the one before it', () => {
    const parent = { id: 1, participants: matchup('Football').participants }
    const live = matchup('Football', { id: 2, parentId: 1, parent, isLive: true })
    const parsed = read(
      [matchup('Football'), live],
      [market('moneyline', twoWay), market('moneyline', twoWay, { matchupId: 2 })],
    )
    expect(oddsOf(parsed)).toMatchObject([{ event: { externalId: '1', isLive: true } }])
    expect(reasonsOf(parsed)).toEqual({ superseded_by_live: 2 })
  })

  it('leaves out a side and a sport that it does not know, whatever their names', () => {
    const odd = market('moneyline', [...twoWay, { designation: 'constructor', price: 150 }])
    expect(reasonsOf(read([matchup('Football')], [odd]))).toEqual({ unknown_participant: 1 })
    const twoSides = market('moneyline', twoWay)
    expect(reasonsOf(read([matchup('constructor')], [twoSides]))).toEqual({ unsupported_sport: 2 })
  })

  it('names unbelievable prices', () => {
    const parsed = read(
      [matchup('Football')],
      [
        market('moneyline', [
          { designation: 'home', price: 99 },
          { designation: 'away', price: 150.5 },
          { designation: 'nobody', price: 150 },
          { designation: 'draw', price: '150' },
        ]),
        market('spread', [{ designation: 'home', price: 120 }]),
        market('total', [{ designation: 'home', points: 2, price: 120 }]),
        market('team_total', overUnder, { side: null }),
      ],
    )
    expect(parsed.records).toEqual([])
    expect(reasonsOf(parsed)).toEqual({
      bad_price: 3,
      unknown_participant: 3,
      no_line: 1,
      unknown_selection: 1,
    })
  })

  it.each([[null], [{ title: 'FORBIDDEN' }], ['<html>']])(
    'returns reasons for %j instead of throwing',
    (payload) => {
      expect(reasonsOf(read(payload, payload))).toEqual({ malformed: 2 })
      expect(versionsOf(payload).size).toBe(0)
    },
  )
})
