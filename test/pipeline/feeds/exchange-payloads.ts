/**
 * One game, Los Angeles Lakers at Boston Celtics, in the format of each exchange's documentation: the
 * winner, a spread and a total, and one market unknown to us. Written by hand, nothing recorded.
 */

export const startsAt = Date.parse('2026-12-01T00:30:00Z')
export const receivedAt = startsAt - 3_600_000
const home = 'Boston Celtics'
const away = 'Los Angeles Lakers'

// ---- Kalshi

const contract = (ticker: string, more: object) => ({
  ticker,
  status: 'active',
  market_type: 'binary',
  yes_bid_dollars: '0.5500',
  yes_bid_size_fp: '120.00',
  yes_ask_dollars: '0.5700',
  yes_ask_size_fp: '40.00',
  no_ask_dollars: '0.4500',
  ...more,
})

export const kalshiPage = (kind: string) => ({
  cursor: '',
  milestones: [
    {
      id: 'm1',
      type: 'basketball_game',
      title: 'Los Angeles L at Boston',
      start_date: '2026-12-01T00:30:00Z',
      related_event_tickers: ['GAME', 'SPREAD', 'TOTAL'].map((of) => `KXNBA${of}-26NOV30LALBOS`),
      details: { home_team_id: 'bos', away_team_id: 'lal' },
    },
  ],
  events: [
    {
      event_ticker: `KXNBA${kind}-26NOV30LALBOS`,
      series_ticker: `KXNBA${kind}`,
      title: 'Los Angeles L at Boston',
      markets: {
        GAME: [
          contract('G-BOS', { yes_sub_title: 'Boston', custom_strike: { basketball_team: 'bos' } }),
          contract('G-LAL', {
            yes_sub_title: 'Los Angeles L',
            custom_strike: { basketball_team: 'lal' },
            yes_bid_dollars: '0.4300',
            yes_ask_dollars: '0.4500',
            no_ask_dollars: '0.5700',
          }),
        ],
        SPREAD: [
          contract('S-BOS4', {
            yes_sub_title: 'Boston wins by over 4.5 points',
            custom_strike: { basketball_team: 'bos' },
            strike_type: 'greater',
            floor_strike: 4.5,
          }),
        ],
        TOTAL: [
          contract('T-224', { strike_type: 'greater', floor_strike: 224.5 }),
          // The strike itself may occur, so "no" is not under.
          contract('T-225', { strike_type: 'greater_or_equal', floor_strike: 225 }),
        ],
      }[kind],
    },
  ],
})

export const kalshiBook = {
  orderbook_fp: {
    yes_dollars: [
      ['0.5000', '10.00'],
      ['0.5600', '30.00'],
    ],
    no_dollars: [
      ['0.4000', '500.00'],
      ['0.4200', '80.00'],
    ],
  },
}

// ---- Polymarket

const market = (
  id: string,
  type: string | null,
  outcomes: readonly string[],
  more: object = {},
) => ({
  id,
  question: `${away} vs. ${home}: ${id}`,
  sportsMarketType: type,
  outcomes: JSON.stringify(outcomes),
  clobTokenIds: JSON.stringify([`${id}-1`, `${id}-2`]),
  gameStartTime: '2026-12-01 00:30:00+00',
  active: true,
  closed: false,
  acceptingOrders: true,
  negRisk: false,
  bestBid: 0.43,
  bestAsk: 0.44,
  ...more,
})

const polymarketGame = {
  slug: 'nba-lal-bos-2026-11-30',
  startTime: '2026-12-01T00:30:00Z',
  teams: [
    { name: away, league: 'nba', ordering: 'away' },
    { name: home, league: 'nba', ordering: 'home' },
  ],
}

export const polymarketEvents = [
  {
    ...polymarketGame,
    id: '900',
    title: 'Lakers vs. Celtics',
    markets: [
      market('win', 'moneyline', [away, home]),
      market('spread', 'spreads', [home, away], { line: -4.5 }),
      market('over', 'totals', ['Over', 'Under'], { line: 224.5 }),
    ],
  },
  {
    ...polymarketGame,
    id: '901',
    title: 'Lakers vs. Celtics - More Markets',
    markets: [
      market('over2', 'totals', ['Over', 'Under'], { line: '226.5' }),
      market('half', 'first_half_totals', ['Over', 'Under'], { line: 110.5 }),
      market('whole', 'totals', ['Over', 'Under'], { line: 225 }),
    ],
  },
  {
    id: '902',
    title: 'NBA Champion',
    markets: [market('champion', null, ['Yes', 'No'], { gameStartTime: null })],
  },
]

const inSoccer = (id: string, groupItemTitle: string) =>
  market(id, 'moneyline', ['Yes', 'No'], { groupItemTitle, negRisk: true })

export const polymarketSoccer = [
  {
    id: '910',
    title: 'Arsenal FC vs. Chelsea FC',
    teams: [
      { name: 'Arsenal FC', ordering: 'home' },
      { name: 'Chelsea FC', ordering: 'away' },
    ],
    markets: [
      inSoccer('ars', 'Arsenal FC'),
      inSoccer('draw', 'Draw (Arsenal FC vs. Chelsea FC)'),
      inSoccer('che', 'Chelsea FC'),
    ],
  },
]

export const polymarketTokens = ['win', 'spread', 'over', 'over2'].flatMap((id) => [
  `${id}-1`,
  `${id}-2`,
])

export const polymarketBook = (asset_id: string) => ({
  event_type: 'book',
  asset_id,
  market: '0x1',
  timestamp: '1790000000000',
  bids: [{ price: '0.42', size: '10' }],
  asks: [
    { price: '0.99', size: '500' },
    { price: '0.5', size: '100' },
  ],
})

// ---- SX Bet

const sxMarket = (type: number, one: string, two: string, more: object = {}) => ({
  status: 'ACTIVE',
  marketHash: `0x${type}`,
  outcomeOneName: one,
  outcomeTwoName: two,
  outcomeVoidName: 'NO_CONTEST',
  teamOneName: home,
  teamTwoName: away,
  type,
  gameTime: startsAt / 1_000,
  sportXeventId: 'L1',
  sportLabel: 'Basketball',
  sportId: 1,
  leagueId: 1,
  leagueLabel: 'NBA',
  homeTeamFirst: true,
  ...more,
})

export const sxBetMarkets = {
  status: 'success',
  data: {
    markets: [
      sxMarket(226, home, away),
      sxMarket(342, `${home} -4.5`, `${away} 4.5`, { line: -4.5 }),
      sxMarket(28, 'Over 224.5', 'Under 224.5', { line: 224.5 }),
      sxMarket(63, home, away),
    ],
  },
}

const sxOrder = (type: number, isMakerBettingOutcomeOne: boolean, percentageOdds: string) => ({
  marketHash: `0x${type}`,
  fillAmount: '0',
  totalBetSize: '50000000',
  percentageOdds,
  baseToken: '0x6629Ce1Cf35Cc1329ebB4F63202F3f197b3F050B',
  isMakerBettingOutcomeOne,
  orderStatus: 'ACTIVE',
})

export const sxBetOrders = {
  status: 'success',
  data: [
    sxOrder(226, true, '50000000000000000000'),
    sxOrder(226, true, '56000000000000000000'),
    sxOrder(226, false, '40000000000000000000'),
    sxOrder(342, true, '48000000000000000000'),
    sxOrder(28, false, '48000000000000000000'),
    sxOrder(63, false, '48000000000000000000'),
  ],
}

// ---- Matchbook

const backed = (odds: number, currency = 'USD') => [
  { 'available-amount': 75.5, currency, 'decimal-odds': odds, side: 'back' },
  { 'available-amount': 10, currency, 'decimal-odds': odds + 0.1, side: 'lay' },
]
const runner = (id: number, name: string, odds: number, handicap?: number) => ({
  id,
  name,
  status: 'open',
  withdrawn: false,
  ...(handicap !== undefined && { handicap }),
  prices: backed(odds),
})
const matchbookMarket = (id: number, type: string, name: string, runners: readonly object[]) => ({
  id,
  name,
  status: 'open',
  'market-type': type,
  runners,
})

export const matchbookEvents = {
  total: 1,
  offset: 0,
  'per-page': 100,
  events: [
    {
      id: 395_729,
      name: `${away} at ${home}`,
      start: '2026-12-01T00:30:00.000Z',
      status: 'open',
      'in-running-flag': false,
      'meta-tags': [
        { name: 'Basketball', type: 'SPORT' },
        { name: 'NBA', type: 'COMPETITION' },
      ],
      markets: [
        matchbookMarket(1, 'money_line', 'Moneyline', [
          runner(11, away, 2.3),
          runner(12, home, 1.7),
        ]),
        matchbookMarket(2, 'handicap', 'Handicap', [
          runner(21, `${away} +4.5`, 1.95, 4.5),
          runner(22, `${home} -4.5`, 1.9, -4.5),
        ]),
        matchbookMarket(3, 'total', 'Total', [
          runner(31, 'OVER 224.5', 1.9, 224.5),
          runner(32, 'UNDER 224.5', 1.95, 224.5),
        ]),
        matchbookMarket(4, 'money_line', '1st Half Moneyline', [runner(41, away, 2.3)]),
      ],
    },
  ],
}

// ---- Novig

const novigOutcome = (id: string, description: string, index: number) => ({
  id,
  description,
  index,
})
const novigMarket = (
  id: string,
  type: string,
  first: string,
  second: string,
  strike: number | null,
) => ({
  id,
  description: `${first} or ${second}`,
  status: 'OPEN',
  type,
  eventId: 'n1',
  strike,
  // Out of order: the index identifies an outcome.
  outcomes: [novigOutcome(`${id}-b`, second, 1), novigOutcome(`${id}-a`, first, 0)],
  book: {
    outcomeLadders: [
      {
        outcomeId: `${id}-a`,
        bids: [{ price: 0.55, qty: 10_000, currency: 'CASH', status: 'RESTING' }],
      },
      {
        outcomeId: `${id}-b`,
        bids: [
          { price: 0.43, qty: 20_000, currency: 'CASH', status: 'RESTING' },
          { price: 0.6, qty: 90_000, currency: 'COIN', status: 'RESTING' },
        ],
      },
    ],
  },
})

export const novigEvents = [
  {
    id: 'n1',
    type: 'Game',
    status: 'OPEN_PREGAME',
    league: 'NBA',
    scheduledStart: '2026-12-01T00:30:00.000Z',
    game: { homeTeam: { name: home }, awayTeam: { name: away } },
  },
]

export const novigMarkets = [
  novigMarket('win', 'MONEY', home, away, null),
  novigMarket('spread', 'SPREAD', 'BOS -4.5', 'LAL +4.5', 4.5),
  novigMarket('total', 'TOTAL', 'Over 224.5', 'Under 224.5', 224.5),
  novigMarket('points', 'POINTS', 'Over 20.5', 'Under 20.5', 20.5),
]

// ---- ProphetX

const level = (name: string, price: number, more: object = {}) => ({
  name,
  price,
  quantity: 100,
  ...more,
})

export const prophetXEvents = {
  data: {
    sport_events: [
      {
        event_id: 77,
        tournament_name: 'NBA',
        sport_name: 'Basketball',
        scheduled: '2026-12-01T00:30:00Z',
        status: 'not_started',
        competitors: [
          { id: 1, name: home, side: 'home' },
          { id: 2, name: away, side: 'away' },
        ],
      },
    ],
  },
}

export const prophetXMarkets = {
  data: {
    '77': [
      {
        id: 251,
        name: 'Moneyline',
        type: 'moneyline',
        selections: [
          [level(home, 1.7, { competitor_id: 1 }), level(home, 1.75, { competitor_id: 1 })],
          [level(away, 124, { competitor_id: 2, display_price: '+124' })],
        ],
      },
      {
        id: 256,
        name: 'Spread',
        type: 'spread',
        selections: [
          [level(`${home} -4.5`, 1.9, { competitor_id: 1, strike: -4.5 })],
          // The sign is not that of its own side.
          [level(`${away} +4.5`, 1.95, { competitor_id: 2, strike: -4.5 })],
        ],
      },
      {
        id: 258,
        name: 'Total Points',
        type: 'total',
        selections: [
          [level('Over 224.5', -110, { strike: 224.5 })],
          // Ambiguous: decimal or American.
          [level('Under 224.5', 105, { strike: 224.5 })],
        ],
      },
      { id: 300, name: '1st Half Moneyline', type: 'moneyline', selections: [[level(home, 1.8)]] },
    ],
  },
}
