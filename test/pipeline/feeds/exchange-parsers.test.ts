import { describe, expect, it } from 'vitest'
import type { Parsed } from '../../../pipeline/feeds/feed.ts'
import { eventsPage, parseKalshi } from '../../../pipeline/feeds/kalshi/parse.ts'
import { kalshi as kalshiSource } from '../../../pipeline/feeds/kalshi/source.ts'
import { parseMatchbook } from '../../../pipeline/feeds/matchbook/parse.ts'
import { parseNovig } from '../../../pipeline/feeds/novig/parse.ts'
import { createBooks } from '../../../pipeline/feeds/polymarket/books.ts'
import { parseAsks, parseGames } from '../../../pipeline/feeds/polymarket/parse.ts'
import {
  marketsAnswer,
  marketsByEvent,
  parseProphetX,
} from '../../../pipeline/feeds/prophetx/parse.ts'
import { parseSxBet } from '../../../pipeline/feeds/sx-bet/parse.ts'
import {
  kalshiBook,
  kalshiPage,
  matchbookEvents,
  novigEvents,
  novigMarkets,
  polymarketEvents,
  polymarketSoccer,
  prophetXEvents,
  prophetXMarkets,
  receivedAt,
  startsAt,
  sxBetMarkets,
  sxBetOrders,
} from './exchange-payloads.ts'
import { hasPayloads, loadPayload, oddsOf, reasonsOf } from './payloads.ts'

/** Returns each price as a line: market, side, line, decimal odds, available stake. */
const offered = (parsed: Pick<Parsed, 'records'>) =>
  oddsOf(parsed)
    .flatMap(({ markets }) =>
      markets.flatMap((market) =>
        market.selections.map((selection) =>
          [
            market.marketType,
            selection.selectionType,
            selection.line ?? market.line ?? '',
            selection.price?.toFixed(4),
            selection.maxBet ?? '',
          ].join(' '),
        ),
      ),
    )
    .toSorted()

const eventOf = (parsed: Pick<Parsed, 'records'>) => oddsOf(parsed)[0]?.event
const game = {
  sport: 'basketball',
  homeTeam: 'Boston Celtics',
  awayTeam: 'Los Angeles Lakers',
  startsAt,
  isLive: false,
}

const kalshi = (kinds: readonly string[], books?: ReadonlyMap<string, unknown>) => {
  const pages = kinds.map((kind) => eventsPage.parse(kalshiPage(kind)))
  return parseKalshi(
    {
      events: pages.flatMap((page) => page.events),
      milestones: pages.flatMap((page) => page.milestones ?? []),
      ...(books && { books }),
    },
    { league: 'NBA', receivedAt },
  )
}

describe('Kalshi', () => {
  it('offers a yes at its ask and a no against the best bid for yes, in one record a game', () => {
    const parsed = kalshi(['GAME', 'SPREAD', 'TOTAL'])
    expect(parsed.records).toHaveLength(1)
    expect(eventOf(parsed)).toMatchObject({
      ...game,
      league: 'NBA',
      homeTeam: 'Boston',
      awayTeam: 'Los Angeles L',
    })
    expect(offered(parsed)).toEqual([
      'moneyline away  2.2222 18',
      'moneyline home  1.7544 22.8',
      'point_spread away 4.5 2.2222 54',
      'point_spread home -4.5 1.7544 22.8',
      'total_points over 224.5 1.7544 22.8',
      'total_points under 224.5 2.2222 54',
    ])
    expect(reasonsOf(parsed)).toEqual({ unmapped_line: 1 })
  })

  it('reads a book of bids, in which an ask for yes is 1 minus the best bid for no', () => {
    const parsed = kalshi(['TOTAL'], new Map([['T-224', kalshiBook]]))
    expect(offered(parsed)).toEqual([
      `total_points over 224.5 ${(1 / 0.58).toFixed(4)} 46.4`,
      `total_points under 224.5 ${(1 / 0.44).toFixed(4)} 13.2`,
    ])
  })

  it('reads an event without a title, which nothing needs', () => {
    const { events, milestones } = kalshiPage('TOTAL')
    const untitled = events.map(({ title: _, ...event }) => event)
    const parsed = parseKalshi({ events: untitled, milestones }, { league: 'NBA', receivedAt })
    expect(offered(parsed)).toEqual(offered(kalshi(['TOTAL'])))
  })

  it('reads no series that only ends like one it understands', () => {
    const { events, milestones } = kalshiPage('TOTAL')
    for (const kind of ['TEAMTOTAL', '1HTOTAL', 'TEAMGAME']) {
      const series = events.map((event) => ({ ...event, series_ticker: `KXNBA${kind}` }))
      const parsed = parseKalshi({ events: series, milestones }, { league: 'NBA', receivedAt })
      expect(offered(parsed)).toEqual([])
      expect(reasonsOf(parsed)).toEqual({ unmapped_market: 2 })
    }
    const settings = { leagues: ['NBA'], kinds: ['TEAMTOTAL'] }
    expect(() => kalshiSource.openBy(settings, {})).toThrow(/kinds.*GAME.*TOTAL/)
  })

  it.each([
    ['GAME', { yes_sub_title: 'Boston 1H' }],
    ['SPREAD', { yes_sub_title: 'Boston wins by over 4.5 points in the first half' }],
    ['TOTAL', { title: 'Los Angeles L at Boston: 1st Quarter Total Points' }],
  ])('reads no contract of %s whose words name a part of the game', (kind, words) => {
    const { events, milestones } = kalshiPage(kind)
    const renamed = events.map((event) => ({
      ...event,
      markets: event.markets?.map((market) => ({ ...market, ...words })),
    }))
    const parsed = parseKalshi({ events: renamed, milestones }, { league: 'NBA', receivedAt })
    expect(offered(parsed)).toEqual([])
    expect(Object.keys(reasonsOf(parsed))).toEqual(['unmapped_period'])
  })

  it('believes no quotes that are crossed', () => {
    const { events, milestones } = kalshiPage('SPREAD')
    const at = (no_ask_dollars: string) => {
      const crossed = events.map((event) => ({
        ...event,
        markets: event.markets?.map((market) => ({ ...market, no_ask_dollars })),
      }))
      return parseKalshi({ events: crossed, milestones }, { league: 'NBA', receivedAt })
    }
    expect(offered(at('0.4300'))).toHaveLength(2)
    expect(offered(at('0.4200'))).toEqual([])
    expect(reasonsOf(at('0.4200'))).toEqual({ crossed_quotes: 2 })
  })

  describe('the sides of a contract', () => {
    const contract = (name: string, id: string | null, ask: string) => ({
      ticker: `E-${name}`,
      status: 'active',
      market_type: 'binary',
      yes_sub_title: name,
      ...(id && { custom_strike: { soccer_team: id } }),
      yes_ask_dollars: ask,
    })
    const read = (
      contracts: readonly (readonly [name: string, id: string | null, ask: string])[],
      details: object,
      { title = 'England vs Argentina', type = 'soccer_tournament_multi_leg' } = {},
    ) => {
      const parsed = parseKalshi(
        {
          events: [
            {
              event_ticker: 'E',
              series_ticker: 'KXWCGAME',
              title,
              markets: contracts.map((row) => contract(...row)),
            },
          ],
          milestones: [
            {
              id: 'm',
              type,
              title,
              start_date: '2026-12-01T00:30:00Z',
              related_event_tickers: ['E'],
              details,
            },
          ],
        },
        { league: 'WC', receivedAt },
      )
      const event = eventOf(parsed)
      const teams = { home: event?.homeTeam, away: event?.awayTeam, draw: 'draw' }
      const prices = oddsOf(parsed).flatMap(({ markets }) =>
        markets.flatMap(({ selections }) =>
          selections.map(({ selectionType, price }) => [
            teams[selectionType as keyof typeof teams],
            price,
          ]),
        ),
      )
      return { home: event?.homeTeam, prices, reasons: reasonsOf(parsed) }
    }
    const soccer = [
      ['Reg Time: England', 'eng', '0.5000'],
      ['Reg Time: Argentina', 'arg', '0.2500'],
      ['Reg Time: Tie', 'tie', '0.2000'],
    ] as const
    const prices = [
      ['England', 2],
      ['Argentina', 4],
      ['draw', 5],
    ]

    it.each([
      [{ home_team_id: 'eng', away_team_id: 'arg' }, 'England'],
      [{ home_team_id: 'arg', away_team_id: 'eng' }, 'Argentina'],
      [{ home_team_id: 'other', away_team_id: 'another' }, 'England'],
      [{}, 'England'],
    ])('are those of its name, and the home side is that of the ids: %j', (details, home) => {
      expect(read(soccer, details)).toEqual({ home, prices, reasons: {} })
    })

    it('are those of the ids where another contract says whose these are', () => {
      const [england, , tie] = soccer
      const unnamed = [england, ['Albiceleste', 'arg', '0.2500'], tie] as const
      for (const [home_team_id, away_team_id] of [
        ['arg', 'eng'],
        ['eng', 'arg'],
      ]) {
        const found = read(unnamed, { home_team_id, away_team_id })
        expect([found.prices, found.reasons]).toEqual([prices, {}])
      }
    })

    it('are unknown where nothing says whose the ids are, or where names and ids disagree', () => {
      const details = { home_team_id: 'eng', away_team_id: 'arg' }
      const unnamed = [
        ['Three Lions', 'eng', '0.5000'],
        ['Albiceleste', 'arg', '0.2500'],
        ['Tie', null, '0.2000'],
      ] as const
      expect(read(unnamed, details)).toMatchObject({
        prices: [['draw', 5]],
        reasons: { unknown_participant: 2 },
      })
      const contradictory = [
        ['England', 'eng', '0.5000'],
        ['Argentina', 'eng', '0.2500'],
        ['Tie', null, '0.2000'],
      ] as const
      expect(read(contradictory, details)).toMatchObject({
        prices: [
          ['England', 2],
          ['draw', 5],
        ],
        reasons: { unknown_participant: 1 },
      })
    })
  })

  describe('of several milestones of an event', () => {
    const { events, milestones } = kalshiPage('GAME')
    const [first] = milestones
    const tickers = first!.related_event_tickers
    const own = { primary_event_tickers: tickers }
    const at = (id: string, hour: string, more: object = {}) => ({
      ...first,
      id,
      start_date: `2026-12-01T${hour}:00:00Z`,
      ...more,
    })
    const tournament = at('cup', '05', { type: 'basketball_tournament', title: 'Pro Basketball' })
    const updated = (hour: string) => ({ last_updated_ts: `2026-11-30T${hour}:00:00Z` })

    it.each([
      ['a game, not a tournament', [at('a', '01'), { ...tournament, ...own }], 'a'],
      ['that of the event itself', [at('a', '01', own), at('b', '02', updated('09'))], 'a'],
      ['the newest', [at('a', '01', updated('10')), at('b', '02', updated('09'))], 'a'],
      ['the only one with a time', [at('a', '01', updated('10')), at('b', '02')], 'a'],
      ['any of one start', [at('a', '01'), at('b', '01')], 'a'],
      ['none of two starts', [at('a', '01'), at('b', '02')], undefined],
    ])('takes %s', (_, candidates, id) => {
      for (const inOrder of [candidates, candidates.toReversed()]) {
        const parsed = parseKalshi({ events, milestones: inOrder }, { league: 'NBA', receivedAt })
        const isAny = candidates.every((of) => of.start_date === candidates[0]?.start_date)
        expect(eventOf(parsed)?.externalId).toBe(isAny ? inOrder[0]?.id : id)
        expect(reasonsOf(parsed)).toEqual(id === undefined ? { no_start: 2 } : {})
      }
    })
  })

  it('has no game without a milestone', () => {
    const { events } = kalshiPage('GAME')
    const parsed = parseKalshi({ events, milestones: [] }, { league: 'NBA', receivedAt })
    expect(parsed.records).toEqual([])
    expect(reasonsOf(parsed)).toEqual({ no_start: 2 })
  })

  it.skipIf(!hasPayloads)('reads the recorded WNBA markets (needs ../shared)', () => {
    const { markets } = loadPayload('feeds/kalshi/wnba_game_markets_2026-07-09.json') as {
      markets: { event_ticker: string; title: string }[]
    }
    const tickers = [...new Set(markets.map(({ event_ticker }) => event_ticker))]
    const titleOf = (ticker: string) =>
      markets.find(({ event_ticker }) => event_ticker === ticker)?.title
    const parsed = parseKalshi(
      {
        events: tickers.map((ticker) => ({
          event_ticker: ticker,
          series_ticker: 'KXWNBAGAME',
          title: titleOf(ticker),
          markets: markets.filter(({ event_ticker }) => event_ticker === ticker),
        })),
        milestones: tickers.map((ticker) => ({
          id: ticker,
          type: 'basketball_game',
          title: titleOf(ticker),
          start_date: '2026-07-10T02:00:00Z',
          related_event_tickers: [ticker],
        })),
      },
      { league: 'WNBA', receivedAt },
    )
    expect(parsed.records).toHaveLength(tickers.length)
    const prices = offered(parsed).length
    expect(prices).toBeGreaterThan(0)
    expect(prices + parsed.skipped.length).toBe(markets.length)
  })
})

describe('Polymarket', () => {
  const quoted = (events: readonly unknown[], league: 'nba' | 'epl') => {
    const { games, skipped } = parseGames(events, league)
    const parsed = parseAsks(games, { observedAt: receivedAt })
    return { ...parsed, skipped: [...skipped, ...parsed.skipped] }
  }

  it('is read from JSON inside texts, two events of one game as one record', () => {
    const parsed = quoted(polymarketEvents, 'nba')
    expect(parsed.records).toHaveLength(1)
    expect(eventOf(parsed)).toMatchObject({ ...game, league: 'NBA', externalId: '900' })
    const [ask, against] = [(1 / 0.44).toFixed(4), (1 / 0.57).toFixed(4)]
    expect(offered(parsed)).toEqual([
      `moneyline away  ${ask} `,
      `moneyline home  ${against} `,
      `point_spread away 4.5 ${against} `,
      `point_spread home -4.5 ${ask} `,
      `total_points over 224.5 ${ask} `,
      `total_points over 226.5 ${ask} `,
      `total_points under 224.5 ${against} `,
      `total_points under 226.5 ${against} `,
    ])
    expect(reasonsOf(parsed)).toEqual({ unmapped_market: 1, unmapped_line: 1, outright: 1 })
  })

  it('is read without titles of events, which nothing needs', () => {
    const untitled = polymarketEvents.map(({ title: _, ...event }) => event)
    expect(offered(quoted(untitled, 'nba'))).toEqual(offered(quoted(polymarketEvents, 'nba')))
  })

  it('takes yes of the three markets of a soccer game, and no of none', () => {
    expect(offered(quoted(polymarketSoccer, 'epl'))).toEqual(
      ['away', 'draw', 'home'].map((side) => `moneyline ${side}  ${(1 / 0.44).toFixed(4)} `),
    )
  })

  it('has a maxBet if a book states sizes, and no price if nobody sells', () => {
    const { games } = parseGames(polymarketEvents, 'nba')
    const books = createBooks()
    const asks = [{ price: '0.4', size: '250' }]
    books.take(JSON.stringify({ event_type: 'book', asset_id: 'win-1', asks }))
    const askOf = books.bestAsk
    expect(offered(parseAsks(games, { observedAt: receivedAt, askOf }))).toEqual([
      'moneyline away  2.5000 100',
    ])
  })

  const [polymarketGame] = polymarketEvents
  const [winner, spread, total] = polymarketGame?.markets ?? []
  const only = (market: object | undefined, more: object) =>
    quoted([{ ...polymarketGame, markets: [{ ...market, ...more }] }], 'nba')

  it('believes no quote that is crossed', () => {
    expect(offered(only(winner, { bestBid: 0.44, bestAsk: 0.44 }))).toHaveLength(2)
    const crossed = only(winner, { bestBid: 0.6, bestAsk: 0.4 })
    expect(offered(crossed)).toEqual([])
    expect(reasonsOf(crossed)).toEqual({ crossed_quotes: 2 })
  })

  it.each([
    ['winner', winner, { question: 'Lakers vs. Celtics: 1H Moneyline' }, 'unmapped_period'],
    ['winner', winner, { groupItemTitle: '1H' }, 'unmapped_period'],
    ['total', total, { question: '1H O/U 224.5' }, 'unmapped_period'],
    ['total', total, { groupItemTitle: 'Boston Celtics O/U 224.5' }, 'unmapped_market'],
    ['spread', spread, { question: 'Spread: Los Angeles Lakers (-4.5)' }, 'line_disagrees'],
    ['spread', spread, { question: 'Spread: Boston Celtics (+4.5)' }, 'line_disagrees'],
    ['spread', spread, { question: 'Spread: Boston Celtics (-4.5)' }, null],
    ['spread', spread, { question: 'Spread: Los Angeles Lakers (+4.5)' }, null],
    ['total', total, { question: 'Los Angeles Lakers vs. Boston Celtics: O/U 224.5' }, null],
  ])('holds the type of a %s against its words (case %#)', (_, market, words, reason) => {
    const parsed = only(market, words)
    expect(offered(parsed)).toHaveLength(reason === null ? 2 : 0)
    expect(Object.keys(reasonsOf(parsed))).toEqual(reason === null ? [] : [reason])
  })

  it('has one start per event, that of its winner', () => {
    const later = { gameStartTime: '2026-12-01 01:00:00+00' }
    const starting = (...markets: readonly (object | undefined)[]) => {
      const parsed = quoted([{ ...polymarketGame, markets }], 'nba')
      const starts = oddsOf(parsed).map(({ event }) => event.startsAt)
      const types = oddsOf(parsed).flatMap(({ markets }) => markets.map((of) => of.marketType))
      return [starts, types, reasonsOf(parsed)]
    }
    const disagree = { start_disagrees: 1 }
    for (const markets of [
      [winner, { ...total, ...later }],
      [{ ...total, ...later }, winner],
    ]) {
      expect(starting(...markets)).toEqual([[startsAt], ['moneyline'], disagree])
    }
    expect(starting({ ...winner, ...later }, spread)).toEqual([
      [startsAt + 30 * 60_000],
      ['moneyline'],
      disagree,
    ])
    expect(starting(winner, { ...winner, ...later })).toEqual([[], [], { start_disagrees: 2 }])
    expect(starting(spread, { ...total, ...later })).toEqual([[], [], { start_disagrees: 2 }])
    expect(starting(spread, total)).toEqual([[startsAt], ['point_spread', 'total_points'], {}])
    // A pause of its orders leaves the winner's start as it is.
    expect(starting({ ...winner, ...later, acceptingOrders: false }, total)).toEqual([
      [],
      [],
      { closed: 1, ...disagree },
    ])
    expect(starting(winner, { ...total, gameStartTime: null })).toEqual([
      [startsAt],
      ['moneyline'],
      { no_start: 1 },
    ])
  })

  it.skipIf(!hasPayloads)('has no game in the recorded champion markets (needs ../shared)', () => {
    const events = loadPayload('feeds/polymarket/gamma_events_wnba_2026.json') as unknown[]
    const { games, skipped } = parseGames(events, 'wnba')
    expect(games).toEqual([])
    expect(reasonsOf({ records: [], skipped })).toEqual({ outright: 6 })
  })
})

describe('SX Bet', () => {
  const parse = (orders: readonly unknown[] = sxBetOrders.data) =>
    parseSxBet(sxBetMarkets.data.markets, orders, receivedAt)

  it('leaves a taker the other outcome at 1 minus the odds of the best maker', () => {
    const parsed = parse()
    expect(eventOf(parsed)).toMatchObject({ ...game, league: 'NBA' })
    expect(offered(parsed)).toEqual([
      // Against 50 staked at 0.56, a taker can stake 50 / 0.56 - 50.
      `moneyline away  ${(1 / 0.44).toFixed(4)} 39.28`,
      `moneyline home  ${(1 / 0.6).toFixed(4)} 75`,
      `point_spread away 4.5 ${(1 / 0.52).toFixed(4)} 54.16`,
      `total_points over 224.5 ${(1 / 0.52).toFixed(4)} 54.16`,
    ])
    expect(reasonsOf(parsed)).toEqual({ unmapped_market: 1 })
  })

  it('ignores an order from the time on at which it expires', () => {
    const [order] = sxBetOrders.data
    const expiring = (inMs: number) => [{ ...order, apiExpiry: (receivedAt + inMs) / 1_000 }]
    expect(offered(parse(expiring(0)))).toEqual([])
    expect(offered(parse(expiring(1_000)))).toHaveLength(1)
  })

  it('ignores filled orders, and those in a token that is no dollar', () => {
    const [order] = sxBetOrders.data
    const parsed = parse([
      { ...order, fillAmount: '50000000' },
      { ...order, pendingFillAmount: '50000000' },
      { ...order, baseToken: '0xa173954cc4b1810c0dbdb007522adbc182dab380' },
    ])
    expect(offered(parsed)).toEqual([])
    expect(reasonsOf(parsed)).toEqual({ other_token: 1 })
  })
})

describe('Matchbook', () => {
  it('has the back prices, never the lay ones', () => {
    const parsed = parseMatchbook(matchbookEvents.events, receivedAt)
    expect(eventOf(parsed)).toMatchObject({ ...game, league: 'NBA' })
    expect(offered(parsed)).toEqual([
      'moneyline away  2.3000 75.5',
      'moneyline home  1.7000 75.5',
      'point_spread away 4.5 1.9500 75.5',
      'point_spread home -4.5 1.9000 75.5',
      'total_points over 224.5 1.9000 75.5',
      'total_points under 224.5 1.9500 75.5',
    ])
    expect(reasonsOf(parsed)).toEqual({ unmapped_period: 1 })
  })

  it('has the middle of back and lay as a sportsbook of its own, if that is asked for', () => {
    const parsed = parseMatchbook(matchbookEvents.events, receivedAt, true)
    expect(parsed.records).toHaveLength(2)
    const alone = parseMatchbook(matchbookEvents.events, receivedAt)
    expect(parsed.records[0]).toEqual(alone.records[0])
    expect(parsed.skipped).toEqual(alone.skipped)
    const mid = { ...parsed, records: parsed.records.slice(1) }
    expect(mid.records).toMatchObject([{ sportsbook: 'matchbook_mid', mode: 'snapshot' }])
    // 1.7 and 1.8: (1 / 1.7 + 1 / 1.8) / 2 = 0.571895; 2.3 and 2.4 likewise.
    expect(offered(mid).slice(0, 2)).toEqual(['moneyline away  2.3489 ', 'moneyline home  1.7486 '])
  })

  describe('in soccer', () => {
    const [template] = matchbookEvents.events
    const priced = template!.markets[0]!.runners[0] as { readonly name: string; prices: unknown }
    const runnerNamed = (name: string, more: object = {}) => ({ ...priced, name, ...more })
    const read = (type: string, name: string, runners: readonly object[], sport = 'Soccer') => {
      const market = { id: 1, name, status: 'open', 'market-type': type, runners }
      const tags = [
        { name: sport, type: 'SPORT' },
        { name: 'EPL', type: 'COMPETITION' },
      ]
      const event = { ...template, name: 'Leeds vs Hull', 'meta-tags': tags, markets: [market] }
      const parsed = parseMatchbook([event], receivedAt)
      const rows = offered(parsed).map((row) => row.split(' ').slice(0, 3).join(' ').trim())
      return rows.length > 0 ? rows : Object.keys(reasonsOf(parsed))
    }
    const sides = [runnerNamed('Leeds'), runnerNamed('Hull')]
    const totals = [runnerNamed('OVER 2.5'), runnerNamed('UNDER 2.5')]

    it('takes no question of two sides for the result', () => {
      const unpriced = runnerNamed('Draw', { prices: [] })
      for (const name of ['Draw No Bet', 'To Qualify', 'Moneyline']) {
        expect(read('money_line', name, sides)).toEqual(['unmapped_market'])
      }
      expect(read('money_line', 'Draw No Bet', sides, 'Rugby Union')).toEqual(['unmapped_market'])
      expect(read('money_line', 'Match Odds', [...sides, unpriced])).toEqual([
        'moneyline away',
        'moneyline home',
      ])
    })

    it('takes a handicap of what it does not know for none of the game', () => {
      const handicaps = [runnerNamed('Leeds -0.5'), runnerNamed('Hull +0.5')]
      for (const name of ['Leeds Handicap', 'Shots Handicap', 'Draw No Bet']) {
        expect(read('handicap', name, handicaps)).toEqual(['unmapped_market'])
      }
      for (const name of ['Handicap', 'Asian Handicap', 'Handicap -0.5', 'Spread']) {
        expect(read('handicap', name, handicaps)).toEqual([
          'point_spread away 0.5',
          'point_spread home -0.5',
        ])
      }
    })

    it('takes a total of a team, or of what it does not know, for none of the game', () => {
      for (const name of ['Team Total - Leeds', 'Leeds Goals', 'Shots']) {
        expect(read('total', name, totals)).toEqual(['unmapped_market'])
      }
      for (const name of ['Total', 'Total Goals', 'Over/Under 2.5', 'Over/Under 2.5 Goals']) {
        expect(read('total', name, totals)).toEqual([
          'total_goals over 2.5',
          'total_goals under 2.5',
        ])
      }
    })

    it.each([
      ['0.0/-0.5', -0.25],
      ['-0.0/0.5', -0.25],
      ['+0.0/0.5', 0.25],
      ['0.0/0.5', 0.25],
      ['-0.5/0.0', -0.25],
      ['-1.0/-1.5', -1.25],
    ])('reads the two halves of a handicap of %s', (words, line) => {
      const runners = [runnerNamed(`Leeds ${words}`)]
      expect(read('handicap', 'Handicap', runners)).toEqual([`point_spread home ${line}`])
    })

    it('reads no line of halves that are not next to each other', () => {
      const runners = [runnerNamed('Leeds -0.5/+0.5')]
      expect(read('handicap', 'Handicap', runners)).toEqual(['line_disagrees'])
    })
  })

  it('has no maxBet of an account in another currency', () => {
    const euros = JSON.parse(JSON.stringify(matchbookEvents.events).replaceAll('USD', 'EUR'))
    const [first] = offered(parseMatchbook(euros, receivedAt))
    expect(first).toBe('moneyline away  2.3000 ')
  })
})

describe('Novig', () => {
  it('gives each outcome against the best bid for the other, in dollars', () => {
    const parsed = parseNovig(novigEvents, novigMarkets, receivedAt)
    expect(eventOf(parsed)).toMatchObject({ ...game, league: 'NBA' })
    // Home against a bid of 0.43 for away: 200 contracts of a dollar at 0.57 each.
    const [first, second] = [`${(1 / 0.57).toFixed(4)} 114`, `${(1 / 0.45).toFixed(4)} 45`]
    expect(offered(parsed)).toEqual([
      `moneyline away  ${second}`,
      `moneyline home  ${first}`,
      `point_spread away 4.5 ${second}`,
      `point_spread home -4.5 ${first}`,
      `total_points over 224.5 ${first}`,
      `total_points under 224.5 ${second}`,
    ])
    expect(reasonsOf(parsed)).toEqual({ unmapped_market: 2 })
  })
})

describe('ProphetX', () => {
  it('has the best level, and no price that could be decimal or American', () => {
    const markets = marketsByEvent(marketsAnswer.parse(prophetXMarkets))
    const { sport_events: events } = prophetXEvents.data
    const parsed = parseProphetX(events, markets, receivedAt)
    expect(eventOf(parsed)).toMatchObject({ ...game, league: 'NBA' })
    expect(offered(parsed)).toEqual([
      'moneyline away  2.2400 ',
      'moneyline home  1.7500 ',
      'point_spread home -4.5 1.9000 ',
      'total_points over 224.5 1.9091 ',
    ])
    expect(reasonsOf(parsed)).toEqual({ line_disagrees: 1, bad_price: 1, unmapped_period: 1 })
  })

  describe('whose market', () => {
    const level = (name: string, price: number | null, more: object = {}) => [
      { name, price, quantity: 100, ...more },
    ]
    const parse = (sport_name: string, market: object) => {
      const competitors = [
        { id: 1, name: 'H', side: 'home' },
        { id: 2, name: 'A', side: 'away' },
      ]
      const [template] = prophetXEvents.data.sport_events
      const markets = new Map([
        ['77', [{ id: 9, name: 'Moneyline', type: 'moneyline', ...market }]],
      ])
      const events = [{ ...template, sport_name, competitors }]
      return parseProphetX(events, markets, receivedAt)
    }
    const read = (sport: string, market: object) => {
      const parsed = parse(sport, market)
      const rows = offered(parsed).map((row) => row.split(' ').slice(0, 2).join(' '))
      return rows.length > 0 ? rows : Object.keys(reasonsOf(parsed))
    }
    const pricesOf = (sport: string, market: object) =>
      oddsOf(parse(sport, market))
        .flatMap(({ markets }) => markets.flatMap(({ selections }) => selections))
        .map(({ selectionType, price }) => `${selectionType} ${price?.toFixed(4)}`)
        .toSorted()
    const sides = [level('H', 2.4), level('A', 2.9)]

    it.each([
      ['has none', level('Draw', null)],
      ['has nothing left', level('Draw', 4.2, { quantity: 0 })],
      ['is called a tie', level('The Tie', null)],
    ])('has a draw that %s is one of three ways', (_, draw) => {
      const market = { name: 'Regular Time 3-Way', selections: [...sides, draw] }
      expect(read('Ice Hockey', market)).toEqual(['moneyline_3-way away', 'moneyline_3-way home'])
    })

    it('has less than a cent on its best level shows the next one', () => {
      const [home] = level('H', 2.6, { quantity: 0.004 })
      const market = { selections: [[home, ...sides[0]!], sides[1]] }
      expect(pricesOf('Basketball', market)).toEqual(['away 2.9000', 'home 2.4000'])
    })

    it('has no draw is none of the result of soccer', () => {
      for (const name of ['Moneyline', 'Draw No Bet', 'To Qualify']) {
        expect(read('Soccer', { name, selections: sides })).toEqual(['unmapped_market'])
      }
      const selections = [...sides, level('Draw', 3.4)]
      expect(read('Soccer', { selections })).toHaveLength(3)
    })

    it('asks for something else by its name is left out', () => {
      const strike = { strike: 110.5 }
      const totals = [level('Over 110.5', 1.9, strike), level('Under 110.5', 1.9, strike)]
      for (const name of ['H Total Points', 'Team Total Points', 'Rebounds']) {
        expect(read('Basketball', { name, type: 'total', selections: totals })).toEqual([
          'unmapped_market',
        ])
      }
      for (const name of ['Total', 'Total Points', 'Over/Under', 'Total Points 110.5']) {
        expect(read('Basketball', { name, type: 'total', selections: totals })).toHaveLength(2)
      }
      const spread = [level('H -4.5', 1.9, { strike: -4.5 })]
      for (const [name, rows] of [
        ['Spread', ['point_spread home']],
        ['Point Spread', ['point_spread home']],
        ['H Rebounds Spread', ['unmapped_market']],
      ] as const) {
        expect(read('Basketball', { name, type: 'spread', selections: spread })).toEqual(rows)
      }
      expect(read('Ice Hockey', { name: 'Draw No Bet', selections: sides })).toEqual([
        'unmapped_market',
      ])
    })
  })
})

describe('An offer of less than a cent', () => {
  const first = (parsed: Pick<Parsed, 'records'>) => offered(parsed)[0]

  it('is no price of Kalshi', () => {
    const book = {
      orderbook_fp: {
        yes_dollars: [],
        no_dollars: [
          ['0.4300', '0.01'],
          ['0.4200', '80.00'],
        ],
      },
    }
    const best = `total_points over 224.5 ${(1 / 0.58).toFixed(4)} 46.4`
    expect(offered(kalshi(['TOTAL'], new Map([['T-224', book]])))).toEqual([best])
    const { events, milestones } = kalshiPage('TOTAL')
    const dusty = events.map((event) => ({
      ...event,
      markets: event.markets?.map((market) => ({ ...market, yes_ask_size_fp: '0.01' })),
    }))
    const quoted = parseKalshi({ events: dusty, milestones }, { league: 'NBA', receivedAt })
    expect(first(quoted)).toMatch(/^total_points under/)
  })

  it('is no price of Polymarket', () => {
    const books = createBooks()
    const asks = [
      { price: '0.40', size: '0.02' },
      { price: '0.41', size: '500' },
    ]
    books.take(JSON.stringify({ event_type: 'book', asset_id: 'token', asks }))
    expect(books.bestAsk('token')).toEqual({ cost: 0.41, stake: 205 })
  })

  it('is no price of SX Bet', () => {
    const [, , order] = sxBetOrders.data
    const orders = [
      { ...order, percentageOdds: '56000000000000000000', fillAmount: '49999999' },
      { ...order, percentageOdds: '55000000000000000000' },
    ]
    const parsed = parseSxBet(sxBetMarkets.data.markets, orders, receivedAt)
    expect(first(parsed)).toBe(`moneyline home  ${(1 / 0.45).toFixed(4)} 40.9`)
  })

  it('is no price of Novig', () => {
    const dust = { price: 0.56, qty: 1, currency: 'CASH', status: 'RESTING' }
    const markets = novigMarkets.map((market) => ({
      ...market,
      book: {
        outcomeLadders: market.book.outcomeLadders.map((ladder) => ({
          ...ladder,
          bids: [dust, ...ladder.bids],
        })),
      },
    }))
    const parsed = parseNovig(novigEvents, markets, receivedAt)
    const known = parseNovig(novigEvents, novigMarkets, receivedAt)
    expect(offered(parsed)).toEqual(offered(known))
  })

  it('is no price of Matchbook', () => {
    const dust = { 'available-amount': 0.004, currency: 'USD', 'decimal-odds': 9, side: 'back' }
    const events = matchbookEvents.events.map((event) => ({
      ...event,
      markets: event.markets.map((market) => ({
        ...market,
        runners: market.runners.map((runner) => ({
          ...runner,
          prices: [dust, ...(runner as { prices: object[] }).prices],
        })),
      })),
    }))
    expect(offered(parseMatchbook(events, receivedAt))).toEqual(
      offered(parseMatchbook(matchbookEvents.events, receivedAt)),
    )
  })
})
