import { describe, expect, it } from 'vitest'
import {
  mergeEvents,
  type OddsFormat,
  parseOdds,
  parseScores,
} from '../../../../pipeline/feeds/the-odds-api/parse.ts'
import { identifyFuture } from '../../../../pipeline/rules/odds/futures.ts'
import type { FuturesRecord } from '../../../../schemas/feed-record.ts'
import {
  countObjects,
  hasPayloads,
  loadPayload,
  oddsOf,
  reasonsOf,
  selectionsOf,
  typesOf,
} from '../payloads.ts'

const receivedAt = Date.parse('2026-07-30T00:00:00Z')
/** Removes the second copy that one file has in a field `odds`, added by its keeper. */
const ownPart = (payload: unknown): unknown =>
  JSON.parse(JSON.stringify(payload, (key, value) => (key === 'odds' ? undefined : value)))
const isOutcome = (item: object) => 'price' in item && 'name' in item

interface Outcome {
  name: string
  price: unknown
  point?: number
  description?: string
}

const eventWith = (markets: { key: string; outcomes: Outcome[] }[], more: object = {}) => ({
  id: 'e1',
  sport_key: 'basketball_nba',
  sport_title: 'NBA',
  commence_time: '2026-11-20T00:00:00Z',
  home_team: 'New York Knicks',
  away_team: 'Chicago Bulls',
  bookmakers: [{ key: 'fanduel', title: 'FanDuel', last_update: '2026-07-29T00:00:00Z', markets }],
  ...more,
})
const read = (event: unknown, oddsFormat: OddsFormat = 'decimal') =>
  parseOdds([event], { oddsFormat, receivedAt })

describe.skipIf(!hasPayloads)('recorded answers of The Odds API (needs ../shared)', () => {
  it.each([
    ['odds_baseball_mlb_2023-08-23_decimal', 'decimal', 193, 386, {}],
    ['odds_nba_2022-11-23_american_part1', 'american', 81, 408, { lay_side: 10 }],
    ['wnba_odds_api_current_odds', 'american', 4, 24, {}],
    ['wnba_odds_api_historical_odds', 'american', 2, 12, {}],
    ['wnba_odds_api_player_props', 'american', 2, 40, {}],
  ] as const)('places or names every price of %s', (file, oddsFormat, records, prices, reasons) => {
    const payload = loadPayload(`feeds/the-odds-api/${file}.json`)
    const parsed = parseOdds(payload, { oddsFormat, receivedAt })
    expect(parsed.records).toHaveLength(records)
    expect(selectionsOf(parsed)).toHaveLength(prices)
    expect(reasonsOf(parsed)).toEqual(reasons)
    expect(prices + parsed.skipped.length).toBe(countObjects(ownPart(payload), isOutcome))
  })

  it('reads a decimal moneyline', () => {
    const payload = loadPayload('feeds/the-odds-api/odds_baseball_mlb_2023-08-23_decimal.json')
    const answeredAt = Date.parse('2023-08-23T05:05:00Z')
    const options = { oddsFormat: 'decimal', receivedAt: answeredAt } as const
    const record = oddsOf(parseOdds(payload, options)).find(
      ({ sportsbook, event }) =>
        sportsbook === 'draftkings' && event.externalId === '3da2cc1a7386f81a7b633d7be9e2424a',
    )
    expect(record).toMatchObject({
      mode: 'snapshot',
      observedAt: Date.parse('2023-08-23T05:04:45Z'),
      event: {
        sport: 'baseball',
        league: 'mlb',
        homeTeam: 'Pittsburgh Pirates',
        awayTeam: 'St. Louis Cardinals',
        startsAt: Date.parse('2023-08-23T16:35:00Z'),
        isLive: false,
      },
      markets: [
        {
          marketType: 'moneyline',
          selections: [
            { selectionType: 'home', selection: 'Pittsburgh Pirates', price: 2.02 },
            { selectionType: 'away', selection: 'St. Louis Cardinals', price: 1.82 },
          ],
        },
      ],
    })
  })

  it('reads American prices, signed lines and a game in play', () => {
    const payload = loadPayload('feeds/the-odds-api/odds_nba_2022-11-23_american_part1.json')
    const parsed = parseOdds(payload, { oddsFormat: 'american', receivedAt })
    expect(typesOf(parsed)).toEqual({ moneyline: 130, point_spread: 150, total_points: 128 })
    const record = oddsOf(parsed).find(
      ({ sportsbook, event }) =>
        sportsbook === 'fanduel' && event.externalId === '63330b334dfcd7aa56e69624617bc273',
    )
    expect(record?.event).toMatchObject({ homeTeam: 'Philadelphia 76ers', isLive: true })
    const [moneyline, spread, total] = record?.markets ?? []
    expect(moneyline?.selections).toMatchObject([
      { selectionType: 'away', price: 1 + 100 / 140 },
      { selectionType: 'home', price: 2.1 },
    ])
    expect(spread).toMatchObject({ marketType: 'point_spread', line: null })
    expect(spread?.selections).toMatchObject([
      { selectionType: 'away', line: -2.5, price: 1 + 100 / 110 },
      { selectionType: 'home', line: 2.5, price: 1 + 100 / 118 },
    ])
    expect(total).toMatchObject({
      marketType: 'total_points',
      line: 219.5,
      selections: [
        { selectionType: 'over', line: null, price: 1 + 100 / 115 },
        { selectionType: 'under', line: null, price: 1 + 100 / 113 },
      ],
    })
  })

  it('reads player props, a market per player and line', () => {
    const payload = loadPayload('feeds/the-odds-api/wnba_odds_api_player_props.json')
    const parsed = parseOdds(payload, { oddsFormat: 'american', receivedAt })
    expect(typesOf(parsed)).toEqual({
      player_assists: 8,
      player_points: 8,
      player_points_rebounds_assists: 8,
      player_rebounds: 8,
      player_threes: 8,
    })
    expect(
      oddsOf(parsed).find(({ sportsbook }) => sportsbook === 'fanduel')?.markets[0],
    ).toMatchObject({
      marketType: 'player_assists',
      playerName: 'Jessica Shepard',
      statCategory: 'assists',
      line: 4.5,
      selections: [
        { selectionType: 'over', selection: 'Jessica Shepard Over', price: 1 + 100 / 162 },
        {
          selectionType: 'under',
          selection: 'Jessica Shepard Under',
          price: expect.closeTo(2.22, 12),
        },
      ],
    })
  })

  it('takes a historical response as of the times at which its sportsbooks were read', () => {
    const payload = loadPayload('feeds/the-odds-api/wnba_odds_api_historical_odds.json')
    const parsed = parseOdds(payload, { oddsFormat: 'american', receivedAt })
    const books = oddsOf(parsed).map(({ sportsbook, observedAt }) => [sportsbook, observedAt])
    expect(books).toEqual([
      ['lowvig', Date.parse('2023-06-01T11:53:33Z')],
      ['caesars', Date.parse('2023-06-01T11:54:50Z')],
    ])
  })

  it('refuses a response in the other odds format', () => {
    const american = loadPayload('feeds/the-odds-api/wnba_odds_api_current_odds.json')
    const decimal = loadPayload('feeds/the-odds-api/odds_baseball_mlb_2023-08-23_decimal.json')
    expect(reasonsOf(parseOdds(american, { oddsFormat: 'decimal', receivedAt }))).toEqual({
      wrong_odds_format: 24,
    })
    expect(reasonsOf(parseOdds(decimal, { oddsFormat: 'american', receivedAt }))).toEqual({
      wrong_odds_format: 386,
    })
  })

  it('refuses version 3', () => {
    const payload = loadPayload('feeds/the-odds-api/legacy_v3_sports_2021-03.json')
    const parsed = parseOdds(payload, { oddsFormat: 'decimal', receivedAt })
    expect(reasonsOf(parsed)).toEqual({ unsupported_version: 1 })
  })

  it('reads which games are over', () => {
    const payload = loadPayload('feeds/the-odds-api/wnba_odds_api_scores.json')
    const { records, skipped } = parseScores(payload, {
      receivedAt: Date.parse('2026-07-09T20:40:00Z'),
    })
    expect(skipped).toEqual([])
    expect(records.filter(({ type }) => type === 'event_status')).toMatchObject([
      { status: 'final', event: { homeTeam: 'Washington Mystics', isLive: false } },
      { status: 'final', event: { homeTeam: 'Minnesota Lynx' } },
      { status: 'final', event: { homeTeam: 'Los Angeles Sparks' } },
      { status: 'upcoming', event: { homeTeam: 'Atlanta Dream' } },
    ])
  })
})

describe('scores of The Odds API', () => {
  const game = (scores: unknown, more: object = {}) => ({
    id: 'e1',
    sport_key: 'basketball_nba',
    sport_title: 'NBA',
    commence_time: '2026-07-29T23:00:00Z',
    completed: false,
    home_team: 'New York Knicks',
    away_team: 'Chicago Bulls',
    last_update: '2026-07-29T23:59:00Z',
    scores,
    ...more,
  })
  const sides = (home: unknown, away: unknown) => [
    { name: 'Chicago Bulls', score: away },
    { name: 'New York Knicks', score: home },
  ]
  const statesOf = (payload: unknown) =>
    parseScores(payload, { receivedAt }).records.flatMap((record) =>
      record.type === 'game_state' ? [record] : [],
    )

  it('are reported for games in play, by the names of the sides', () => {
    expect(statesOf([game(sides('63', '58'))])).toMatchObject([
      {
        sportsbook: 'the_odds_api',
        observedAt: Date.parse('2026-07-29T23:59:00Z'),
        event: { homeTeam: 'New York Knicks', isLive: true },
        state: { home_score: 63, away_score: 58 },
      },
    ])
  })

  it('are final once the game is over', () => {
    expect(statesOf([game(sides('63', '58'), { completed: true })])).toMatchObject([
      { state: { home_score: 63, away_score: 58, game_period: 'final' } },
    ])
  })

  it.each([
    ['of a game without any', game(null)],
    ['of one side alone', game(sides('63', '58').slice(1))],
    [
      'of other names',
      game([
        { name: 'Knicks', score: '1' },
        { name: 'Bulls', score: '2' },
      ]),
    ],
    ['that are no whole number', game(sides('152/3', '58'))],
    ['that are no text', game(sides(63, 58))],
    ['in another form', game({ home: '1', away: '2' })],
  ])('are not reported %s', (_, item) => {
    expect(statesOf([item])).toEqual([])
  })

  it('that cannot be read say nothing of the odds', () => {
    const { records, skipped } = parseScores([game(null, { completed: 'no' })], { receivedAt })
    expect(records).toEqual([])
    expect(skipped.map(({ reason }) => reason)).toEqual(['malformed_score'])
  })
})

describe('the parser of The Odds API', () => {
  it('keeps a period in the market type and leaves out one it does not know', () => {
    const outcomes = [
      { name: 'Over', price: 1.9, point: 110.5 },
      { name: 'Under', price: 1.9, point: 110.5 },
    ]
    const parsed = read(
      eventWith([
        { key: 'totals_h1', outcomes },
        { key: 'alternate_totals_q1', outcomes },
        { key: 'totals_x9', outcomes },
      ]),
    )
    expect(typesOf(parsed)).toEqual({ '1st_half_total_points': 2, '1st_quarter_total_points': 2 })
    expect(reasonsOf(parsed)).toEqual({ unmapped_market: 2 })
    expect(parsed.skipped[0]).toMatchObject({ label: 'totals_x9' })
  })

  it('gives team totals their side', () => {
    const parsed = read(
      eventWith([
        {
          key: 'team_totals',
          outcomes: [
            { name: 'Over', description: 'Chicago Bulls', price: 1.8, point: 108.5 },
            { name: 'Under', description: 'Chicago Bulls', price: 2, point: 108.5 },
            { name: 'Over', description: 'Somebody Else', price: 1.8, point: 108.5 },
          ],
        },
      ]),
    )
    expect(oddsOf(parsed)[0]?.markets).toMatchObject([
      {
        marketType: 'team_total',
        line: 108.5,
        selections: [{ selectionType: 'away_over' }, { selectionType: 'away_under' }],
      },
    ])
    expect(reasonsOf(parsed)).toEqual({ unknown_participant: 1 })
  })

  it('puts both sides of an alternate handicap into one market', () => {
    const parsed = read(
      eventWith([
        {
          key: 'alternate_spreads',
          outcomes: [
            { name: 'New York Knicks', price: 1.7, point: -1.5 },
            { name: 'New York Knicks', price: 2.4, point: -5.5 },
            { name: 'Chicago Bulls', price: 2.2, point: 1.5 },
            { name: 'Chicago Bulls', price: 1.6, point: 5.5 },
            { name: 'Chicago Bulls', price: 1.5, point: 5.5 },
          ],
        },
      ]),
    )
    const lines = oddsOf(parsed)[0]?.markets.map(({ selections }) =>
      selections.map(({ line }) => line),
    )
    expect(lines).toEqual([
      [-1.5, 1.5],
      [-5.5, 5.5],
    ])
    expect(reasonsOf(parsed)).toEqual({ duplicate_selection: 1 })
  })

  it('names every price it does not place', () => {
    const parsed = read(
      eventWith([
        { key: 'h2h_lay', outcomes: [{ name: 'Chicago Bulls', price: 2 }] },
        { key: 'outrights', outcomes: [{ name: 'Chicago Bulls', price: 21 }] },
        { key: 'player_mystery', outcomes: [{ name: 'Over', price: 2, point: 1.5 }] },
        {
          key: 'h2h',
          outcomes: [
            { name: 'Boston Celtics', price: 2 },
            { name: 'Chicago Bulls', price: 1 },
            { name: 'New York Knicks', price: null },
          ],
        },
        { key: 'totals', outcomes: [{ name: 'Over', price: 2 }] },
      ]),
    )
    expect(parsed.records).toEqual([])
    expect(reasonsOf(parsed)).toEqual({
      lay_side: 1,
      outright: 1,
      unmapped_market: 1,
      unknown_participant: 1,
      bad_price: 1,
      no_price: 1,
      no_line: 1,
    })
  })

  it('takes a draw outside soccer for another question than the winner', () => {
    const outcomes = [
      { name: 'New York Knicks', price: 1.9 },
      { name: 'Chicago Bulls', price: 2 },
      { name: 'Draw', price: 15 },
    ]
    const hockey = read(eventWith([{ key: 'h2h_3_way', outcomes }], { sport_key: 'icehockey_nhl' }))
    const soccer = read(eventWith([{ key: 'h2h', outcomes }], { sport_key: 'soccer_epl' }))
    expect(typesOf(hockey)).toEqual({ 'moneyline_3-way': 3 })
    expect(typesOf(soccer)).toEqual({ moneyline: 3 })
    expect(oddsOf(soccer)[0]?.event.league).toBe('england_-_premier_league')
  })

  it('lets one of two regional keys speak for a sportsbook', () => {
    const markets = [{ key: 'h2h', outcomes: [{ name: 'Chicago Bulls', price: 2 }] }]
    const parsed = read({
      ...eventWith([]),
      bookmakers: [
        { key: 'betfair_ex_uk', markets },
        { key: 'betfair_ex_eu', markets },
      ],
    })
    expect(oddsOf(parsed).map(({ sportsbook }) => sportsbook)).toEqual(['betfair'])
    expect(reasonsOf(parsed)).toEqual({ duplicate_sportsbook: 1 })
  })

  describe('the time of a price', () => {
    const h2h = { key: 'h2h', outcomes: [{ name: 'Chicago Bulls', price: 2 }] }
    const totals = { key: 'totals', outcomes: [{ name: 'Over', point: 220.5, price: 1.9 }] }
    const readBook = (last_update: unknown, commence_time: string, markets: object[] = [h2h]) =>
      read({
        ...eventWith([], { commence_time }),
        bookmakers: [{ key: 'fanduel', last_update, markets }],
      })
    const later = '2026-11-20T00:00:00Z'

    it('is when the source read the sportsbook, at the latest when the response arrived', () => {
      const observedAt = (lastUpdate: unknown) => oddsOf(readBook(lastUpdate, later))[0]?.observedAt
      expect(observedAt('2026-07-29T23:58:00Z')).toBe(Date.parse('2026-07-29T23:58:00Z'))
      expect(observedAt('2031-01-01T00:00:00Z')).toBe(receivedAt)
      expect(observedAt(undefined)).toBe(receivedAt)
    })

    it('is in play only if the sportsbook was read from the start on', () => {
      const isLive = (lastUpdate: unknown) =>
        oddsOf(readBook(lastUpdate, '2026-07-29T23:58:00Z'))[0]?.event.isLive
      expect(isLive('2026-07-29T23:57:59Z')).toBe(false)
      expect(isLive('2026-07-29T23:58:00Z')).toBe(true)
      expect(isLive(undefined)).toBe(true)
    })

    it('is that of the newest market; one read much earlier is left out', () => {
      const parsed = readBook(undefined, later, [
        { ...h2h, last_update: '2026-07-29T23:53:59Z' },
        { ...totals, last_update: '2026-07-29T23:59:00Z' },
      ])
      expect(oddsOf(parsed)).toMatchObject([
        { observedAt: Date.parse('2026-07-29T23:59:00Z'), markets: [{ line: 220.5 }] },
      ])
      expect(reasonsOf(parsed)).toEqual({ outdated_market: 1 })
      const together = readBook('2026-07-29T23:59:00Z', later, [
        { ...h2h, last_update: '2026-07-29T23:54:00Z' },
        totals,
      ])
      expect(oddsOf(together)[0]?.markets).toHaveLength(2)
    })

    it('leaves out a market that was read before play while another was read in play', () => {
      const parsed = readBook(undefined, '2026-07-29T23:58:50Z', [
        { ...h2h, last_update: '2026-07-29T23:58:49Z' },
        { ...totals, last_update: '2026-07-29T23:59:00Z' },
      ])
      expect(oddsOf(parsed)).toMatchObject([
        { event: { isLive: true }, markets: [{ line: 220.5 }] },
      ])
      expect(reasonsOf(parsed)).toEqual({ outdated_market: 1 })
    })

    it('is that of the sportsbook where a competition is won', () => {
      const { records } = read({
        ...eventWith([], { sport_key: 'golf_masters_tournament_winner', home_team: null }),
        away_team: null,
        bookmakers: [
          {
            key: 'fanduel',
            last_update: '2026-07-29T23:58:00Z',
            markets: [{ key: 'outrights', outcomes: [{ name: 'Rory McIlroy', price: 9 }] }],
          },
        ],
      })
      expect(records).toMatchObject([{ observedAt: Date.parse('2026-07-29T23:58:00Z') }])
    })
  })

  it('ignores a fraction of a second as a time', () => {
    const markets = [{ key: 'h2h', outcomes: [{ name: 'Chicago Bulls', price: 2 }] }]
    const at = (commence_time: number) => read(eventWith(markets, { commence_time }))
    expect(oddsOf(at(1_795_132_800))[0]?.event.startsAt).toBe(1_795_132_800_000)
    expect(reasonsOf(at(1_795_132_800.000_4))).toEqual({ bad_start: 1 })
  })

  it('leaves out a sportsbook with a later known state, by the source’s time', () => {
    const markets = [{ key: 'h2h', outcomes: [{ name: 'Chicago Bulls', price: 2 }] }]
    const questions: unknown[] = []
    const parsed = parseOdds(
      [
        {
          ...eventWith([]),
          bookmakers: [
            { key: 'bovada', markets },
            { key: 'draftkings', last_update: '2031-01-01T00:00:00Z', markets },
            { key: 'fanduel', last_update: '2026-07-29T00:00:00Z', markets },
          ],
        },
      ],
      {
        oddsFormat: 'decimal',
        receivedAt,
        isOutdated(...question) {
          questions.push(question)
          return question[1] === 'fanduel'
        },
      },
    )
    expect(oddsOf(parsed).map(({ sportsbook }) => sportsbook)).toEqual(['bovada', 'draftkings'])
    expect(reasonsOf(parsed)).toEqual({ outdated_answer: 1 })
    expect(questions).toEqual([
      ['e1', 'draftkings', receivedAt],
      ['e1', 'fanduel', Date.parse('2026-07-29T00:00:00Z')],
    ])
  })

  it('reads who wins a competition as futures, one market a sportsbook', () => {
    const outcomes = [
      { name: 'Scottie Scheffler', price: 5.5, link: 'https://example.com/1' },
      { name: 'Rory McIlroy', price: 9 },
      { name: 'Jon Rahm' },
      { name: 'Tom Kim', price: 101 },
      { name: 'Tom Kim', price: 81 },
    ]
    const parsed = parseOdds(
      [
        {
          id: 'masters',
          sport_key: 'golf_masters_tournament_winner',
          sport_title: 'Masters Tournament Winner',
          commence_time: '2027-04-08T11:00:00Z',
          home_team: null,
          away_team: null,
          bookmakers: [
            {
              key: 'draftkings',
              markets: [
                { key: 'outrights', outcomes },
                { key: 'outrights_lay', outcomes: [{ name: 'Rory McIlroy', price: 9.4 }] },
              ],
            },
            { key: 'fanduel', markets: [{ key: 'outrights', outcomes: outcomes.slice(0, 2) }] },
          ],
        },
      ],
      { oddsFormat: 'decimal', receivedAt },
    )
    expect(reasonsOf(parsed)).toEqual({ no_price: 1, lay_side: 1, duplicate_selection: 2 })
    const [first, second] = parsed.records as readonly FuturesRecord[]
    expect(first).toMatchObject({
      type: 'futures',
      sportsbook: 'draftkings',
      mode: 'snapshot',
      observedAt: receivedAt,
      future: {
        externalId: 'masters',
        sport: 'golf',
        league: 'golf_-_masters',
        name: 'Masters Tournament Winner',
        futureType: 'PLAYER',
        settlesAt: Date.parse('2027-04-08T11:00:00Z'),
      },
      prices: [
        { selection: 'Scottie Scheffler', price: 5.5, deepLink: 'https://example.com/1' },
        { selection: 'Rory McIlroy', price: 9, deepLink: null },
      ],
    })
    expect([second?.sportsbook, second?.prices.length]).toEqual(['fanduel', 2])
    const ids = parsed.records.map((record) => {
      const { future, sportsbook } = record as FuturesRecord
      return identifyFuture(future, sportsbook, receivedAt).marketId
    })
    expect(ids).toEqual(['golf_-_masters_champion_2027', 'golf_-_masters_champion_2027'])
  })

  it('leaves out sports and events that are not games', () => {
    const markets = [{ key: 'h2h', outcomes: [{ name: 'Chicago Bulls', price: 2 }] }]
    const parsed = parseOdds(
      [
        eventWith(markets, { sport_key: 'politics_us' }),
        eventWith(markets, { home_team: null, away_team: null }),
        { id: 7 },
      ],
      { oddsFormat: 'decimal', receivedAt },
    )
    expect(reasonsOf(parsed)).toEqual({ malformed: 1, unsupported_sport: 1, unmapped_market: 1 })
  })

  it.each([[null], ['<html>'], [42], [{ message: 'Unknown sport' }]])(
    'answers %j with a reason instead of throwing',
    (payload) => {
      const parsed = parseOdds(payload, { oddsFormat: 'decimal', receivedAt })
      expect(parsed.records).toEqual([])
      expect(parsed.skipped).toHaveLength(1)
    },
  )

  it('merges the props of an event into its listed markets', () => {
    const listed = eventWith([{ key: 'h2h', outcomes: [{ name: 'Chicago Bulls', price: 2 }] }])
    const own = eventWith([
      {
        key: 'player_points',
        outcomes: [{ name: 'Over', description: 'Sample Guard', price: 1.9, point: 20.5 }],
      },
    ])
    const parsed = read(mergeEvents(listed, own))
    expect(parsed.records).toHaveLength(1)
    expect(typesOf(parsed)).toEqual({ moneyline: 1, player_points: 1 })
  })
})
