/**
 * Every polled source with its responses, for the cases that each has to pass (`sources.test.ts`). A new
 * source adds one entry: settings that open it, its responses by path, and the prices in them.
 */

import { bovada } from '../../../pipeline/feeds/bovada/source.ts'
import { caesars } from '../../../pipeline/feeds/caesars/source.ts'
import { draftKings } from '../../../pipeline/feeds/draftkings/source.ts'
import { fanDuel } from '../../../pipeline/feeds/fanduel/source.ts'
import type { Feed } from '../../../pipeline/feeds/feed.ts'
import { kalshi } from '../../../pipeline/feeds/kalshi/source.ts'
import { kambi } from '../../../pipeline/feeds/kambi/source.ts'
import type { LiveSource, Source } from '../../../pipeline/feeds/kit/source.ts'
import { matchbook } from '../../../pipeline/feeds/matchbook/source.ts'
import { novig } from '../../../pipeline/feeds/novig/source.ts'
import { pinnacle } from '../../../pipeline/feeds/pinnacle/source.ts'
import { prophetX } from '../../../pipeline/feeds/prophetx/source.ts'
import { sxBet } from '../../../pipeline/feeds/sx-bet/source.ts'
import { theOddsApi } from '../../../pipeline/feeds/the-odds-api/source.ts'
import {
  kalshiPage,
  matchbookEvents,
  novigEvents,
  novigMarkets,
  prophetXEvents,
  prophetXMarkets,
  sxBetMarkets,
  sxBetOrders,
} from './exchange-payloads.ts'
import { type Answers, hasty } from './loopback-source.ts'

export interface SourceCase {
  readonly source: LiveSource
  /** Settings that are enough to open it. */
  readonly settings: object
  /** Settings among them that it does not need. */
  readonly optional?: readonly string[]
  readonly sportsbook: string
  readonly answers: Answers
  /** The paths of its first requests, in order. */
  readonly asks: readonly string[]
  /** Each price of one reading of the responses: market, side, line, decimal odds. */
  readonly prices: readonly string[]
  /** The responses with markets, with an unreadable one beside them. */
  readonly withJunk: Answers
  /** The responses of a source without any offer. */
  readonly empty: Answers
  /** The reason that JSON of another shape is counted under; default `fetch_malformed`. */
  readonly otherShape?: string
  /** @param http options for the pace of its calls */
  readonly open: (baseUrl: string, http?: object) => Feed
}

const startsAt = '2099-11-21T00:30:00Z'
const junk = null

function caseOf<Settings extends object>(
  source: Source<Settings>,
  settings: Settings,
  of: Omit<SourceCase, 'source' | 'settings' | 'open' | 'sportsbook'> & { sportsbook?: string },
): SourceCase {
  const open = (baseUrl: string, http: object = {}) =>
    source.open({ ...hasty, ...settings, baseUrl, http: { ...hasty.http, ...http } } as never)
  return { sportsbook: source.name.replace('-', '_'), ...of, source, settings, open }
}

const winner = ['moneyline away  2.0500', 'moneyline home  1.8000']

// ---- sportsbooks, each with the winner of one game

const pinnacleMatchups = [
  {
    id: 1,
    type: 'matchup',
    participants: [
      { alignment: 'home', name: 'Home' },
      { alignment: 'away', name: 'Away' },
    ],
    league: { name: 'NFL', sport: { name: 'Football' } },
    startTime: startsAt,
    units: 'Regular',
  },
]
const pinnacleMarkets = [
  {
    matchupId: 1,
    type: 'moneyline',
    period: 0,
    key: 's;0;m',
    status: 'open',
    prices: [
      { designation: 'home', price: -125 },
      { designation: 'away', price: 105 },
    ],
  },
]

const kambiEvent = {
  id: 1,
  name: 'Away @ Home',
  homeName: 'Home',
  awayName: 'Away',
  start: startsAt,
  group: 'MLB',
  sport: 'BASEBALL',
  state: 'NOT_STARTED',
}
const kambiBoard = (...more: readonly unknown[]) => ({
  events: [kambiEvent],
  betOffers: [
    {
      id: 10,
      eventId: 1,
      criterion: { label: 'Moneyline' },
      betOfferType: { id: 2 },
      outcomes: [
        { id: 100, type: 'OT_ONE', odds: 1800 },
        { id: 101, type: 'OT_TWO', odds: 2050 },
      ],
    },
    ...more,
  ],
})
const kambiList = '/offering/v2018/ub/listView/baseball/mlb/all/all/matches.json'
const kambiBoardPath = '/offering/v2018/ub/betoffer/event/1.json'
const kambiAnswers = (board: unknown): Answers => ({
  [kambiList]: () => ({ events: [{ event: kambiEvent }] }),
  [kambiBoardPath]: () => board,
})

const draftKingsPath = '/api/sportscontent/dkusnj/v1/leagues/2/categories/3/subcategories/4'
const draftKingsPage = (markets: readonly unknown[], selections: readonly unknown[]) => ({
  sports: [{ id: '1', name: 'Basketball' }],
  leagues: [{ id: '2', name: 'NBA' }],
  events: [
    {
      id: 'e',
      sportId: '1',
      leagueId: '2',
      name: 'Away @ Home',
      startEventDate: startsAt,
      status: 'NOT_STARTED',
      participants: [
        { name: 'Home', venueRole: 'Home' },
        { name: 'Away', venueRole: 'Away' },
      ],
    },
  ],
  markets,
  selections,
})
const draftKingsMarkets = [
  { id: 'm', eventId: 'e', name: 'Moneyline', marketType: { name: 'Moneyline' } },
]
const draftKingsSelections = [
  { id: 'h', marketId: 'm', label: 'Home', outcomeType: 'Home', trueOdds: 1.8 },
  { id: 'a', marketId: 'm', label: 'Away', outcomeType: 'Away', trueOdds: 2.05 },
]

const fanDuelRunner = (selectionId: number, type: string, decimalOdds: number) => ({
  selectionId,
  runnerName: type === 'HOME' ? 'Home' : 'Away',
  handicap: 0,
  runnerStatus: 'ACTIVE',
  result: { type },
  winRunnerOdds: { trueOdds: { decimalOdds: { decimalOdds } } },
})
const fanDuelMarket = {
  marketId: 'm',
  eventId: 3,
  marketName: 'Moneyline',
  marketType: 'MONEY_LINE',
  marketStatus: 'OPEN',
  runners: [fanDuelRunner(1, 'HOME', 1.8), fanDuelRunner(2, 'AWAY', 2.05)],
}
const fanDuelAnswers = (markets: object): Answers => ({
  '/api/content-managed-page': () => ({ attachments: { events: { 3: {} } } }),
  '/api/event-page': () => ({
    attachments: {
      eventTypes: { 1: { name: 'Basketball' } },
      competitions: { 2: { name: 'NBA' } },
      events: {
        3: {
          eventId: 3,
          name: 'Away @ Home',
          openDate: startsAt,
          inPlay: false,
          competitionId: 2,
          eventTypeId: 1,
        },
      },
      markets,
    },
  }),
})

const bovadaPath = '/services/sports/event/coupon/events/A/description/basketball/nba'
const bovadaOutcome = (type: string, american: string) => ({
  id: type,
  description: type,
  status: 'O',
  type,
  price: { american },
})
const bovadaCoupon = (...more: readonly unknown[]) => [
  {
    path: [
      { description: 'NBA', type: 'LEAGUE' },
      { description: 'Basketball', type: 'SPORT' },
    ],
    events: [
      {
        id: 'e',
        description: 'Away @ Home',
        type: 'GAMEEVENT',
        startTime: Date.parse(startsAt),
        live: false,
        numMarkets: 1,
        competitors: [
          { id: 'h', name: 'Home', home: true },
          { id: 'a', name: 'Away', home: false },
        ],
        displayGroups: [
          {
            markets: [
              {
                id: 'm',
                description: 'Moneyline',
                key: '2W-12',
                status: 'O',
                period: { description: 'Game', abbreviation: 'G' },
                outcomes: [bovadaOutcome('H', '-125'), bovadaOutcome('A', '+105')],
              },
              ...more,
            ],
          },
        ],
      },
    ],
  },
]

const caesarsSite = '/regions/us/locations/nj/brands/czr/sb'
const caesarsSchedule = `${caesarsSite}/v3/sports/baseball/events/schedule`
const caesarsSelection = (type: string, name: string, a: number) => ({
  id: type,
  name: `|${name}|`,
  type,
  active: true,
  price: { a },
})
const caesarsAnswers = (...more: readonly unknown[]): Answers => ({
  [caesarsSchedule]: () => ({ competitions: [{ events: [{ id: 'e' }] }] }),
  [`${caesarsSite}/v4/events/e/tabs/Popular`]: () => ({
    id: 'e',
    name: '|Away| |at| |Home|',
    startTime: startsAt,
    type: 'MATCH',
    sportId: 'baseball',
    competitionName: 'MLB',
    active: true,
    started: false,
    markets: [
      {
        id: 'm',
        name: '|Money Line|',
        active: true,
        selections: [caesarsSelection('home', 'Home', -125), caesarsSelection('away', 'Away', 105)],
      },
      ...more,
    ],
  }),
})

const oddsApiPath = '/v4/sports/basketball_nba/odds'
const oddsApiEvent = {
  id: 'e',
  sport_key: 'basketball_nba',
  sport_title: 'NBA',
  commence_time: startsAt,
  home_team: 'Home',
  away_team: 'Away',
  bookmakers: [
    {
      key: 'fanduel',
      markets: [
        {
          key: 'h2h',
          outcomes: [
            { name: 'Home', price: 1.8 },
            { name: 'Away', price: 2.05 },
          ],
        },
      ],
    },
  ],
}

// ---- exchanges

const [yes, no] = [(1 / 0.57).toFixed(4), (1 / 0.45).toFixed(4)]
const lakers = (home: string, away: string) => [
  `moneyline away  ${away}`,
  `moneyline home  ${home}`,
  `point_spread away 4.5 ${away}`,
  `point_spread home -4.5 ${home}`,
  `total_points over 224.5 ${home}`,
  `total_points under 224.5 ${away}`,
]
const kalshiEvents = '/trade-api/v2/events'
const kalshiTrades = {
  '/trade-api/v2/exchange/status': () => ({ exchange_active: true, trading_active: true }),
}
const kalshiOf = (query: URLSearchParams) =>
  kalshiPage((query.get('series_ticker') ?? '').replace('KXNBA', ''))
const login = { '/bpapi/rest/security/session': () => ({ 'session-token': 'token' }) }
const novigToken = { '/nbx/v1/auth/emm-token': () => ({ access_token: 'token' }) }
const novigListed = (query: URLSearchParams) =>
  query.get('status') === 'OPEN_PREGAME' ? novigEvents : []
const novigAsk = '/nbx/v2/emm/events/getMarketsByEvents'

export const sourceCases: readonly SourceCase[] = [
  caseOf(
    theOddsApi,
    { apiKey: 'secret', sports: ['basketball_nba'], creditsPerMonth: null },
    {
      optional: ['creditsPerMonth'],
      sportsbook: 'fanduel',
      prices: winner,
      answers: { [oddsApiPath]: () => [oddsApiEvent] },
      asks: [
        `${oddsApiPath}?apiKey=secret&regions=us&markets=h2h%2Cspreads%2Ctotals&oddsFormat=decimal&dateFormat=iso`,
      ],
      withJunk: { [oddsApiPath]: () => [junk, oddsApiEvent] },
      empty: { [oddsApiPath]: () => [] },
      otherShape: 'malformed',
    },
  ),
  caseOf(
    pinnacle,
    { apiKey: 'secret', leagues: [889] },
    {
      prices: winner,
      answers: {
        '/0.1/leagues/889/matchups': () => pinnacleMatchups,
        '/0.1/leagues/889/markets/straight': () => pinnacleMarkets,
      },
      asks: ['/0.1/leagues/889/matchups', '/0.1/leagues/889/markets/straight'],
      withJunk: {
        '/0.1/leagues/889/matchups': () => [junk, ...pinnacleMatchups],
        '/0.1/leagues/889/markets/straight': () => [junk, ...pinnacleMarkets],
      },
      empty: {
        '/0.1/leagues/889/matchups': () => [],
        '/0.1/leagues/889/markets/straight': () => [],
      },
      otherShape: 'malformed',
    },
  ),
  caseOf(
    kambi,
    { operator: 'ub', paths: ['baseball/mlb'], live: false },
    {
      optional: ['live'],
      sportsbook: 'unibet',
      prices: winner,
      answers: kambiAnswers(kambiBoard()),
      asks: [`${kambiList}?lang=en_GB&market=GB`, `${kambiBoardPath}?lang=en_GB&market=GB`],
      withJunk: kambiAnswers(kambiBoard(junk, { eventId: 1 })),
      empty: { [kambiList]: () => ({ events: [] }) },
      otherShape: 'fetch_unexpected_answer',
    },
  ),
  caseOf(
    draftKings,
    { state: 'NJ', leagues: [{ leagueId: '2', subcategories: [{ categoryId: '3', id: '4' }] }] },
    {
      prices: winner,
      answers: { [draftKingsPath]: () => draftKingsPage(draftKingsMarkets, draftKingsSelections) },
      asks: [draftKingsPath],
      withJunk: {
        [draftKingsPath]: () =>
          draftKingsPage([junk, ...draftKingsMarkets], [junk, ...draftKingsSelections]),
      },
      empty: { [draftKingsPath]: () => draftKingsPage([], []) },
    },
  ),
  caseOf(
    fanDuel,
    { state: 'NJ', applicationKey: 'secret', pages: ['nba'] },
    {
      prices: winner,
      answers: fanDuelAnswers({ m: fanDuelMarket }),
      asks: [
        '/api/content-managed-page?page=CUSTOM&customPageId=nba&_ak=secret',
        '/api/event-page?eventId=3&tab=popular&_ak=secret',
      ],
      withJunk: fanDuelAnswers({ junk, m: fanDuelMarket }),
      empty: { '/api/content-managed-page': () => ({ attachments: { events: {} } }) },
    },
  ),
  caseOf(
    bovada,
    { leagues: ['/basketball/nba'] },
    {
      prices: winner,
      answers: { [bovadaPath]: () => bovadaCoupon() },
      asks: [`${bovadaPath}?lang=en`],
      withJunk: { [bovadaPath]: () => bovadaCoupon(junk) },
      empty: { [bovadaPath]: () => [] },
    },
  ),
  caseOf(
    caesars,
    { state: 'NJ', competitions: [{ sportId: 'baseball', competitionId: '1' }] },
    {
      prices: winner,
      answers: caesarsAnswers(),
      asks: [`${caesarsSchedule}?competitionIds=1`, `${caesarsSite}/v4/events/e/tabs/Popular`],
      withJunk: caesarsAnswers(junk),
      empty: { [caesarsSchedule]: () => ({ competitions: [] }) },
    },
  ),
  caseOf(
    kalshi,
    { leagues: ['NBA'] },
    {
      prices: lakers((1 / 0.57).toFixed(4), (1 / 0.45).toFixed(4)),
      answers: { ...kalshiTrades, [kalshiEvents]: kalshiOf },
      asks: [
        ...['GAME', 'SPREAD', 'TOTAL'].map(
          (kind) =>
            `${kalshiEvents}?series_ticker=KXNBA${kind}&status=open&with_nested_markets=true&with_milestones=true&limit=200`,
        ),
      ],
      withJunk: {
        ...kalshiTrades,
        [kalshiEvents]: (query) => {
          const page = kalshiOf(query)
          return { ...page, events: [junk, ...page.events] }
        },
      },
      empty: { [kalshiEvents]: () => ({ events: [], milestones: [] }) },
    },
  ),
  caseOf(
    sxBet,
    { leagues: [1] },
    {
      prices: [
        `moneyline away  ${(1 / 0.44).toFixed(4)}`,
        `moneyline home  ${(1 / 0.6).toFixed(4)}`,
        `point_spread away 4.5 ${(1 / 0.52).toFixed(4)}`,
        `total_points over 224.5 ${(1 / 0.52).toFixed(4)}`,
      ],
      answers: { '/markets/active': () => sxBetMarkets, '/orders': () => sxBetOrders },
      asks: ['/markets/active?leagueId=1&onlyMainLine=true&pageSize=50'],
      withJunk: {
        '/markets/active': () => ({ data: { markets: [junk, ...sxBetMarkets.data.markets] } }),
        '/orders': () => ({ data: [junk, ...sxBetOrders.data] }),
      },
      empty: { '/markets/active': () => ({ data: { markets: [] } }) },
    },
  ),
  caseOf(
    matchbook,
    { username: 'me', password: 'secret', sports: [4] },
    {
      prices: [
        'moneyline away  2.3000',
        'moneyline home  1.7000',
        'point_spread away 4.5 1.9500',
        'point_spread home -4.5 1.9000',
        'total_points over 224.5 1.9000',
        'total_points under 224.5 1.9500',
      ],
      answers: { ...login, '/edge/rest/events': () => matchbookEvents },
      asks: [
        '/bpapi/rest/security/session',
        '/edge/rest/events?sport-ids=4&states=open%2Csuspended&exchange-type=back-lay&odds-type=DECIMAL&include-prices=true&price-depth=3&offset=0&per-page=100',
      ],
      withJunk: {
        ...login,
        '/edge/rest/events': () => ({ total: 2, events: [junk, ...matchbookEvents.events] }),
      },
      empty: { ...login, '/edge/rest/events': () => ({ total: 0, events: [] }) },
    },
  ),
  caseOf(
    novig,
    { clientId: 'me', clientSecret: 'secret', leagues: ['NBA'] },
    {
      prices: lakers(yes, no),
      answers: {
        ...novigToken,
        '/nbx/v2/emm/events': novigListed,
        [novigAsk]: () => novigMarkets,
      },
      asks: [
        '/nbx/v1/auth/emm-token',
        ...['OPEN_PREGAME', 'OPEN_INGAME'].map(
          (status) => `/nbx/v2/emm/events?league=NBA&type=Game&status=${status}&limit=100&offset=0`,
        ),
        novigAsk,
      ],
      withJunk: {
        ...novigToken,
        '/nbx/v2/emm/events': novigListed,
        [novigAsk]: () => [junk, ...novigMarkets],
      },
      empty: { ...novigToken, '/nbx/v2/emm/events': () => [] },
    },
  ),
  caseOf(
    prophetX,
    { apiKey: 'secret', tournaments: [3] },
    {
      prices: [
        'moneyline away  2.2400',
        'moneyline home  1.7500',
        'point_spread home -4.5 1.9000',
        'total_points over 224.5 1.9091',
      ],
      answers: {
        '/affiliate/get_sport_events': () => prophetXEvents,
        '/v4/affiliate/get_multiple_markets': () => prophetXMarkets,
      },
      asks: [
        '/affiliate/get_sport_events?tournament_id=3',
        '/v4/affiliate/get_multiple_markets?event_ids=77',
      ],
      withJunk: {
        '/affiliate/get_sport_events': () => ({
          data: { sport_events: [junk, ...prophetXEvents.data.sport_events] },
        }),
        '/v4/affiliate/get_multiple_markets': () => prophetXMarkets,
      },
      empty: { '/affiliate/get_sport_events': () => ({ data: { sport_events: [] } }) },
    },
  ),
]
