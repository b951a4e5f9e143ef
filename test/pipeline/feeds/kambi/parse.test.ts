import { describe, expect, it } from 'vitest'
import { eventIdsOf, parseKambi } from '../../../../pipeline/feeds/kambi/parse.ts'
import {
  countObjects,
  hasPayloads,
  loadPayload,
  oddsOf,
  reasonsOf,
  selectionsOf,
  typesOf,
} from '../payloads.ts'

const receivedAt = Date.parse('2025-07-13T13:10:00Z')
const read = (payload: unknown) => parseKambi(payload, { sportsbook: 'betrivers', receivedAt })
const isOutcome = (item: object) => 'oddsFractional' in item || 'betOfferId' in item

const folder = 'feeds/kambi'
const board = () => loadPayload(`${folder}/betoffer_event_mlb_phi_sd_2025-07-13.json`)

const event = (more: object = {}) => ({
  id: 1,
  name: 'Home - Away',
  homeName: 'Home',
  awayName: 'Away',
  start: '2026-01-01T00:00:00Z',
  group: 'League',
  path: [{ name: 'Sport' }, { name: 'England' }, { name: 'Premier League' }],
  sport: 'FOOTBALL',
  state: 'NOT_STARTED',
  ...more,
})
const offer = (type: number, label: string, outcomes: object[], more: object = {}) => ({
  id: 10,
  eventId: 1,
  criterion: { id: 1, label },
  betOfferType: { id: type },
  outcomes: outcomes.map((outcome, index) => ({ id: 100 + index, ...outcome })),
  ...more,
})
const sides = [
  { type: 'OT_ONE', odds: 2100 },
  { type: 'OT_CROSS', odds: 3400 },
  { type: 'OT_TWO', odds: 3500 },
]
const ofEvent = (betOffers: unknown[], more: object = {}) =>
  read({ betOffers, events: [event(more)], prePacks: [] })

describe.skipIf(!hasPayloads)('recorded answers of Kambi (needs ../shared)', () => {
  it('places or names every outcome of a full board', () => {
    const payload = board() as { betOffers: unknown[] }
    const parsed = read(payload)
    expect(oddsOf(parsed)).toHaveLength(1)
    expect(selectionsOf(parsed)).toHaveLength(352)
    expect(reasonsOf(parsed)).toEqual({ conditional: 6, unmapped_market: 22 })
    expect(352 + 28).toBe(countObjects(payload.betOffers, isOutcome))
    expect(typesOf(parsed)).toEqual({
      moneyline: 2,
      run_line: 14,
      total_runs: 22,
      odd_even: 2,
      most_hits: 3,
      team_total_runs: 4,
      '1st_inning_moneyline_3-way': 3,
      '1st_inning_total_runs': 2,
      '1st_3_innings_moneyline_3-way': 3,
      '1st_3_innings_draw_no_bet': 2,
      '1st_3_innings_run_line': 2,
      '1st_3_innings_total_runs': 2,
      '1st_5_innings_moneyline_3-way': 3,
      '1st_5_innings_draw_no_bet': 2,
      '1st_5_innings_run_line': 6,
      '1st_5_innings_total_runs': 2,
      player_strikeouts: 16,
      player_outs_recorded: 4,
      player_hits: 56,
      player_doubles: 28,
      player_total_bases: 28,
      player_home_runs: 82,
      player_rbis: 28,
      player_runs: 28,
      player_stolen_bases: 8,
    })
  })

  it('reads the event, whose home side is right although its name has it last', () => {
    expect(oddsOf(read(board()))[0]).toMatchObject({
      sportsbook: 'betrivers',
      mode: 'snapshot',
      observedAt: receivedAt,
      event: {
        externalId: '1022036491',
        sport: 'baseball',
        league: 'MLB',
        homeTeam: 'San Diego Padres',
        awayTeam: 'Philadelphia Phillies',
        startsAt: Date.parse('2025-07-13T20:10:00Z'),
        isLive: false,
      },
    })
  })

  it('reads prices and lines out of thousandths', () => {
    const markets = oddsOf(read(board()))[0]?.markets ?? []
    const pricesOf = (type: string, has: number) =>
      markets
        .find(
          ({ marketType, line, selections }) =>
            marketType === type && (line === has || selections[0]?.line === has),
        )
        ?.selections.map(({ selectionType, line, price }) => [selectionType, line, price])
    expect(pricesOf('run_line', 1.5)).toEqual([
      ['home', 1.5, 1.62],
      ['away', -1.5, 2.32],
    ])
    expect(pricesOf('total_runs', 8)).toEqual([
      ['over', null, 2.1],
      ['under', null, 1.75],
    ])
    const team = markets.filter(({ marketType }) => marketType === 'team_total_runs')
    expect(team.flatMap(({ selections }) => selections.map((s) => s.selectionType)).sort()).toEqual(
      ['away_over', 'away_under', 'home_over', 'home_under'],
    )
    const homeRun = markets.find(
      ({ marketType, playerName, line }) =>
        marketType === 'player_home_runs' && playerName === 'Xander Bogaerts' && line === 0.5,
    )
    expect(homeRun).toMatchObject({
      statCategory: 'home_runs',
      selections: [
        { selectionType: 'over', selection: 'Xander Bogaerts Over', price: 11.5 },
        { selectionType: 'under', price: 1.03 },
      ],
    })
    const odd = selectionsOf(read(board())).find(({ selectionType }) => selectionType === 'odd')
    expect(odd).toMatchObject({
      externalId: '3804611478',
      price: 1.6,
      changedAt: Date.parse('2025-07-13T13:03:56Z'),
    })
  })

  it('keeps suspended outcomes without a price', () => {
    const suspended = selectionsOf(read(board())).filter((selection) => selection.suspended)
    expect(suspended).toHaveLength(28)
    expect(suspended.every(({ price }) => price === null)).toBe(true)
  })

  it('reads tennis, given names first', () => {
    const [record] = oddsOf(read(loadPayload(`${folder}/betoffer_event_tennis_2024-01-10.json`)))
    expect(record).toMatchObject({
      event: {
        sport: 'tennis',
        league: 'Challenger - Oeiras',
        homeTeam: 'Alejandro Moro Canas',
        awayTeam: 'August Holmgren',
      },
      markets: [
        {
          marketType: 'moneyline',
          selections: [
            { selectionType: 'home', price: 1.85, externalId: '3363712953' },
            { selectionType: 'away', price: 1.92, externalId: '3363712955' },
          ],
        },
      ],
    })
  })

  it('finds nothing in an empty list', () => {
    const payload = loadPayload(`${folder}/listview_empty_mlb_2025-07-14.json`)
    expect(read(payload)).toEqual({ records: [], skipped: [] })
    expect(eventIdsOf(payload)).toEqual({ ids: [], skipped: [] })
  })

  it('reads games in play: main price, status, score and clock', () => {
    const payload = loadPayload(`${folder}/event_live_open_2019-02-11.json`)
    const parsed = read(payload)
    expect(parsed.skipped).toEqual([])
    expect(selectionsOf(parsed)).toHaveLength(15)
    expect(countObjects(payload, isOutcome)).toBe(15)
    const about = parsed.records.filter(
      (record) => 'event' in record && record.event.externalId === '1005236841',
    )
    expect(about).toMatchObject([
      {
        type: 'odds',
        mode: 'delta',
        event: {
          sport: 'soccer',
          league: 'Italy - Campionato Primavera U19',
          startsAt: Date.parse('2019-02-11T13:28:00Z'),
          isLive: true,
        },
        markets: [
          {
            marketType: 'moneyline',
            selections: [{ price: 1.06 }, { selectionType: 'draw', price: 9.5 }, { price: 91 }],
          },
        ],
      },
      { type: 'event_status', status: 'live' },
      {
        type: 'game_state',
        state: {
          home_score: 1,
          away_score: 0,
          game_period: '2nd half',
          game_clock: '88:17',
          corners_home: 5,
          corners_away: 5,
          yellow_cards_home: 1,
          yellow_cards_away: 2,
          red_cards_home: 0,
          red_cards_away: 0,
        },
      },
    ])
    const paused = oddsOf(parsed).find(({ event }) => event.homeTeam === 'Maribor')
    expect(paused?.markets[0]).toMatchObject({
      suspended: true,
      selections: [{ price: 12, suspended: true }, { price: 6.5 }, { price: 1.17 }],
    })
  })
})

describe('the parser of Kambi', () => {
  it.each([
    ['ICE_HOCKEY', { minutesLeftInPeriod: 9, secondsLeftInMinute: 5 }, '9:05'],
    // The time played does not give a clock that counts down.
    ['BASKETBALL', { minute: 4, second: 30 }, undefined],
    ['FOOTBALL', { minute: 63, second: 7, minutesLeftInPeriod: 27 }, '63:07'],
    ['FOOTBALL', { minute: 63, second: 7, disabled: true }, undefined],
    ['BASEBALL', { minute: 63, second: 7 }, undefined],
  ])('reads the clock of %s as it runs: %j', (sport, matchClock, clock) => {
    const listed = {
      event: event({ sport, state: 'STARTED' }),
      liveData: { matchClock, score: { home: '3', away: '2' } },
    }
    const states = read({ liveEvents: [listed] }).records.flatMap((record) =>
      record.type === 'game_state' ? [record.state] : [],
    )
    expect(states).toEqual([
      { home_score: 3, away_score: 2, ...(clock !== undefined && { game_clock: clock }) },
    ])
  })

  it('leaves out a sport that it does not know, whatever its name', () => {
    const listed = { event: event({ sport: 'constructor', state: 'STARTED' }) }
    expect(read({ liveEvents: [listed] }).records).toEqual([])
  })

  it('leaves out an outcome of a type that it does not know, whatever its name', () => {
    const odd = { type: 'constructor', odds: 2000 }
    const parsed = ofEvent([offer(2, 'Full Time', [...sides, odd])])
    expect(reasonsOf(parsed)).toEqual({ unknown_selection: 1 })
    expect(selectionsOf(parsed)).toHaveLength(3)
  })

  it('reads soccer under its country and league', () => {
    const parsed = ofEvent([offer(2, 'Full Time', sides)])
    expect(oddsOf(parsed)[0]?.event).toMatchObject({
      sport: 'soccer',
      league: 'England - Premier League',
    })
    expect(typesOf(parsed)).toEqual({ moneyline: 3 })
  })

  const teams = (one: object = {}, two: object = {}) => [
    { type: 'OT_ONE', odds: 1900, ...one },
    { type: 'OT_TWO', odds: 1900, ...two },
  ]
  const lined = (line: number) => teams({ line }, { line: -line })
  const threeWays = [...teams(), { type: 'OT_CROSS', odds: 4000 }]
  const counts = (line: number) => [
    { type: 'OT_OVER', odds: 1900, line },
    { type: 'OT_UNDER', odds: 1900, line },
  ]
  it('takes ninety minutes of another sport as a result with a draw, not as the game', () => {
    const parsed = ofEvent([offer(2, 'Full Time', sides)], { sport: 'ICE_HOCKEY' })
    expect(typesOf(parsed)).toEqual({ 'moneyline_3-way': 3 })
    const twoWays = ofEvent([offer(2, 'Full Time', teams())], { sport: 'ICE_HOCKEY' })
    expect(selectionsOf(twoWays)).toEqual([])
  })

  it.each([
    ['AMERICAN_FOOTBALL', 2, 'Moneyline - Including Overtime', teams(), 'moneyline'],
    ['AMERICAN_FOOTBALL', 2, 'Including Overtime', teams(), 'moneyline'],
    ['BASKETBALL', 2, 'Including Overtime', teams(), 'moneyline'],
    ['BASEBALL', 2, 'Including Extra Innings', teams(), 'moneyline'],
    ['ICE_HOCKEY', 2, 'Including Overtime', teams(), 'moneyline'],
    ['ICE_HOCKEY', 2, 'Including Overtime and Penalty Shootout', teams(), 'moneyline'],
    ['ICE_HOCKEY', 2, 'Regular Time', threeWays, 'moneyline_3-way'],
    ['AMERICAN_FOOTBALL', 1, 'Point Spread - Including Overtime', lined(-6500), 'point_spread'],
    ['AMERICAN_FOOTBALL', 6, 'Total Points - Including Overtime', counts(45500), 'total_points'],
    [
      'AMERICAN_FOOTBALL',
      6,
      'Total Points by Home - Including Overtime',
      counts(24500),
      'team_total',
    ],
    ['AMERICAN_FOOTBALL', 1, 'Handicap - 1st Half', lined(-3500), '1st_half_point_spread'],
    ['AMERICAN_FOOTBALL', 6, 'Total Points - Quarter 1', counts(9500), '1st_quarter_total_points'],
    ['BASKETBALL', 2, 'Moneyline - Including Overtime', teams(), 'moneyline'],
    ['BASKETBALL', 1, 'Point Spread - Including Overtime', lined(-4500), 'point_spread'],
    ['BASKETBALL', 2, '1st Half', threeWays, '1st_half_moneyline_3-way'],
    ['ICE_HOCKEY', 2, 'Moneyline - Including Overtime and penalty shootout', teams(), 'moneyline'],
    [
      'ICE_HOCKEY',
      1,
      'Puck Line - Including Overtime and Penalty Shootout',
      lined(-1500),
      'puck_line',
    ],
    ['ICE_HOCKEY', 1, 'Puck Line - Including Overtime', lined(-1500), 'puck_line'],
    [
      'ICE_HOCKEY',
      6,
      'Total Goals - Including Overtime and Penalty Shootout',
      counts(6500),
      'total_goals',
    ],
    ['ICE_HOCKEY', 2, 'Match Odds - Regular Time', threeWays, 'moneyline_3-way'],
    ['ICE_HOCKEY', 6, 'Total Goals - Period 1', counts(1500), '1st_period_total_goals'],
    ['ICE_HOCKEY', 2, 'Period 2', threeWays, '2nd_period_moneyline_3-way'],
    [
      'BASKETBALL',
      6,
      'Total Points - 2nd Half - Including Overtime',
      counts(110500),
      '2nd_half_total_points',
    ],
    ['BASKETBALL', 2, '2nd Half', threeWays, '2nd_half_moneyline_3-way'],
    ['FOOTBALL', 1, 'Handicap - 2nd Half', lined(-500), '2nd_half_point_spread'],
    ['TENNIS', 2, 'Match Odds', teams(), 'moneyline'],
    ['TENNIS', 1, 'Game Handicap', lined(-3500), 'game_handicap'],
    ['TENNIS', 1, 'Set Handicap', lined(-1500), 'set_handicap'],
    ['TENNIS', 1, 'Game Handicap - Set 1', lined(-1500), '1st_set_game_handicap'],
    ['TENNIS', 2, 'Set 1', teams(), '1st_set_moneyline'],
    ['TENNIS', 6, 'Total Games', counts(22500), 'total_games'],
    ['TENNIS', 6, 'Total Sets', counts(2500), 'total_sets'],
    ['FOOTBALL', 2, 'Full Time', threeWays, 'moneyline'],
    ['FOOTBALL', 1, 'Handicap', lined(-500), 'point_spread'],
    ['FOOTBALL', 6, 'Total Goals - 1st Half', counts(1500), '1st_half_total_goals'],
    [
      'FOOTBALL',
      18,
      'Both Teams To Score',
      [
        { type: 'OT_YES', odds: 1700 },
        { type: 'OT_NO', odds: 2100 },
      ],
      'both_teams_to_score',
    ],
    [
      'BASKETBALL',
      127,
      'Points scored by the Player - Including Overtime',
      counts(22500).map((of) => ({ ...of, participant: 'Doe, John' })),
      'player_points',
    ],
  ] as const)('reads %s %s %s', (sport, kind, label, outcomes, marketType) => {
    const parsed = ofEvent([offer(kind, label, [...outcomes])], { sport })
    expect([typesOf(parsed), reasonsOf(parsed)]).toEqual([{ [marketType]: outcomes.length }, {}])
  })

  it.each([
    ['ICE_HOCKEY', 1, 'Puck Line - Regular Time', lined(-1500), 'unmapped_period'],
    ['ICE_HOCKEY', 6, 'Total Goals - Regular Time', counts(5500), 'unmapped_period'],
    ['ICE_HOCKEY', 6, 'Total Goals', counts(5500), 'unmapped_period'],
    ['FOOTBALL', 6, 'Total Goals - Including Extra Time', counts(2500), 'unmapped_period'],
    [
      'FOOTBALL',
      1,
      '3-Way Handicap',
      [...lined(-1000), { type: 'OT_CROSS', odds: 3500, line: -1000 }],
      'unmapped_market',
    ],
    ['TENNIS', 1, 'Handicap', lined(-1500), 'unmapped_market'],
    ['BASKETBALL', 2, '1st Half', teams(), 'unmapped_market'],
    ['ICE_HOCKEY', 6, 'Total Shots on Goal - Including Overtime', counts(55500), 'unmapped_market'],
    ['ICE_HOCKEY', 6, 'Including Overtime', counts(5500), 'unmapped_market'],
    ['AMERICAN_FOOTBALL', 2, 'Including Overtime', threeWays, 'unmapped_period'],
    ['FOOTBALL', 2, 'Including Extra Time', teams(), 'unmapped_market'],
    ['BASKETBALL', 6, 'Total Points - 2nd Half', counts(110500), 'unmapped_period'],
    ['AMERICAN_FOOTBALL', 1, 'Handicap - 2nd Half', lined(-2500), 'unmapped_period'],
    ['AMERICAN_FOOTBALL', 2, '2nd Half - Including Overtime', threeWays, 'unmapped_period'],
  ] as const)('leaves out %s %s %s, with its label', (sport, kind, label, outcomes, reason) => {
    const parsed = ofEvent([offer(kind, label, [...outcomes])], { sport })
    expect(selectionsOf(parsed)).toEqual([])
    for (const skip of parsed.skipped) expect(skip).toMatchObject({ reason, label })
  })

  it('ignores a side that names the other participant', () => {
    const parsed = ofEvent([
      offer(2, 'Draw No Bet', [
        { type: 'OT_ONE', odds: 2100, participant: 'Away' },
        { type: 'OT_TWO', odds: 3500, participant: 'Away' },
      ]),
    ])
    expect(selectionsOf(parsed)).toMatchObject([{ selectionType: 'away', price: 3.5 }])
    expect(reasonsOf(parsed)).toEqual({ unknown_participant: 1 })
  })

  it('names every outcome it does not place', () => {
    const parsed = ofEvent(
      [
        offer(2, 'Moneyline', [{ type: 'OT_ONE' }, { type: 'OT_TWO', odds: 1000 }]),
        offer(1, 'Run Line', [{ type: 'OT_ONE', odds: 1900 }]),
        offer(6, 'Total Runs', [{ type: 'OT_YES', odds: 1900, line: 8500 }]),
        offer(6, 'Total Runs by Nobody', [{ type: 'OT_OVER', odds: 1900, line: 8500 }]),
        offer(6, 'Total Runs - First 4 Innings', [{ type: 'OT_OVER', odds: 1900, line: 8500 }]),
        offer(127, 'Total Hits by the Player', [{ type: 'OT_OVER', odds: 1900, line: 500 }]),
        offer(127, 'Player to hit 2 or more Home Runs', [
          { type: 'OT_YES', odds: 1900, line: 3000, participant: 'Doe, John' },
        ]),
        { eventId: 1, outcomes: [{}, {}] },
        offer(2, 'Moneyline', [{ type: 'OT_ONE', odds: 1900 }], { eventId: 2 }),
      ],
      { sport: 'BASEBALL' },
    )
    expect(parsed.records).toEqual([])
    expect(reasonsOf(parsed)).toEqual({
      no_price: 1,
      bad_price: 1,
      no_line: 1,
      unknown_selection: 1,
      unmapped_market: 1,
      unmapped_period: 1,
      no_player: 1,
      unknown_line: 1,
      malformed_offer: 2,
      unknown_event: 1,
    })
  })

  it('leaves out sports and events that are not games', () => {
    expect(reasonsOf(ofEvent([offer(2, 'Winner', sides)], { sport: 'GALLOPS' }))).toEqual({
      unsupported_sport: 3,
    })
    expect(reasonsOf(ofEvent([offer(2, 'Winner', sides)], { homeName: null }))).toEqual({
      outright: 3,
    })
  })

  it.each([[null], [{ error: { status: 404 } }], ['<html>'], [[]]])(
    'answers %j with a reason instead of throwing',
    (payload) => {
      expect(reasonsOf(read(payload))).toEqual({ malformed: 1 })
    },
  )
})
