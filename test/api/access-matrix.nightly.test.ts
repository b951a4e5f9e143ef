/**
 * The visibility of data, generated: every read route for every tier, add-on and state of a key.
 *
 * A second service never gets the data that a tier must not see. Both must answer the tier's requests alike, field by
 * field. That covers counts, totals, best prices, holds, ids, hints and errors, on later routes too.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tiers } from '../../api/access/tiers.ts'
import { createArchiveAccess } from '../../api/archive-access.ts'
import type { Route } from '../../api/route.ts'
import { valueEvents } from '../../pipeline/archive/clv.ts'
import { toAppend } from '../../pipeline/feeds/sink.ts'
import { identifyFuture } from '../../pipeline/rules/odds/futures.ts'
import { sharpChain } from '../../pipeline/rules/odds/sharp-books.ts'
import { addOns } from '../../schemas/account.ts'
import type {
  BoardRecord,
  FeedFuture,
  FeedRecord,
  FeedSelection,
  FuturesRecord,
  OddsRecord,
} from '../../schemas/feed-record.ts'
import { type Tier, tierBooks } from '../../schemas/reference/tier-books.ts'
import { selection } from '../oracle/moneylines.ts'
import { changelogOf, changesIn, fillArchive } from '../pipeline/archive/filled-archive.ts'
import {
  inHours,
  moneyline as moneylineOf,
  parsed,
  points as pointsOf,
  pushDisagreement,
} from './hand-made-market.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'
import { type Reply, type SimulatedService, startAt, startSimulated } from './simulated-service.ts'
import { openEvents } from './stream-reader.ts'

/** Part of every name, id and slug that only the highest tiers may see. */
const secret = 'zirconium'

function market(marketType: string, selections: FeedSelection[], more: object = {}) {
  return {
    marketType,
    line: null,
    playerName: null,
    statCategory: null,
    externalId: null,
    maxBet: null,
    suspended: false,
    selections,
    ...more,
  }
}

const moneyline = (home: number, away: number) =>
  market('moneyline', [selection('home', home), selection('away', away)])
const total = (line: number, over: number, under: number) =>
  market('total_points', [selection('over', over), selection('under', under)], { line })
const points = (playerName: string, line: number) =>
  market('player_points', [selection('over', 1.9), selection('under', 1.9)], {
    line,
    playerName,
    statCategory: 'points',
  })

interface Said {
  readonly home: string
  readonly away: string
  readonly league?: string
  readonly isLive?: boolean
  readonly startsInMs?: number
  readonly externalId?: string
  readonly markets: ReturnType<typeof market>[]
}

const oddsOf = (sportsbook: string, of: Said): FeedRecord => ({
  type: 'odds',
  sportsbook,
  mode: 'snapshot',
  observedAt: startAt,
  event: {
    externalId: of.externalId ?? null,
    sport: 'basketball',
    league: of.league ?? 'NBA',
    homeTeam: of.home,
    awayTeam: of.away,
    startsAt: startAt + (of.startsInMs ?? 3_600_000),
    isLive: of.isLive ?? false,
  },
  markets: of.markets,
})

const first = { home: 'New York Knicks', away: 'Brooklyn Nets' }
const second = { home: 'Utah Jazz', away: 'Miami Heat', isLive: true }
/** This game starts during the test, so that it gets closes. */
const third = { home: 'Boston Celtics', away: 'Orlando Magic', startsInMs: 5_000 }
const market_ = `${secret}_market`

const records: readonly FeedRecord[] = [
  oddsOf('draftkings', {
    ...first,
    externalId: 'd1',
    markets: [moneyline(1.9, 1.95), total(210.5, 1.9, 1.9)],
  }),
  oddsOf('fanduel', { ...second, externalId: 'f1', markets: [moneyline(1.5, 2.6)] }),
  oddsOf('betmgm', {
    ...first,
    externalId: 'm1',
    markets: [moneyline(2.1, 1.8), total(211.5, 1.9, 1.9)],
  }),
  oddsOf('bet365', { ...first, markets: [moneyline(2.3, 1.7), points('Sample Guard', 22.5)] }),
  oddsOf('bet365', { home: 'Denver Nuggets', away: 'Phoenix Suns', markets: [moneyline(1.8, 2)] }),
  oddsOf('pinnacle', {
    ...first,
    externalId: `${secret}-1`,
    markets: [
      moneyline(9, 9),
      total(209.5, 1.5, 9),
      points(`${secret} guard`, 11.5),
      market(market_, [selection('yes', 3), selection('no', 3)]),
    ],
  }),
  oddsOf('pinnacle', { ...second, markets: [moneyline(1.01, 30), total(150.5, 2, 2)] }),
  oddsOf('pinnacle', { home: `${secret} city`, away: 'Chicago Bulls', markets: [moneyline(2, 2)] }),
  oddsOf('circa', {
    home: 'Able',
    away: 'Baker',
    league: `${secret} league`,
    isLive: true,
    markets: [moneyline(2, 2)],
  }),
  oddsOf(`${secret} book`, { ...first, markets: [moneyline(12, 12)] }),
  oddsOf('draftkings', { ...third, markets: [moneyline(1.7, 2.2)] }),
  oddsOf('betmgm', { ...third, markets: [moneyline(1.71, 2.18)] }),
  oddsOf('pinnacle', {
    ...third,
    markets: [moneyline(1.75, 2.25), market(market_, [selection('yes', 3)])],
  }),
  oddsOf(`${secret} book`, { ...third, markets: [moneyline(1.6, 2.3)] }),
]

/** Returns a sportsbook's score of the game in play. */
const scoreOf = (sportsbook: string, homeScore: number, lastPlay: string): FeedRecord => {
  const { observedAt, event } = oddsOf(sportsbook, { ...second, markets: [] }) as OddsRecord
  const state = { home_score: homeScore, away_score: 40, last_play: lastPlay, game_period: 'Q3' }
  return { type: 'game_state', sportsbook, observedAt, event, state }
}

const scores: readonly FeedRecord[] = [
  scoreOf('fanduel', 50, 'A layup'),
  scoreOf('draftkings', 52, 'A jump shot'),
  scoreOf('betmgm', 50, 'A layup'),
  scoreOf('bet365', 52, 'A three'),
  // These three agree only with each other.
  scoreOf('pinnacle', 90, secret),
  scoreOf('circa', 90, secret),
  scoreOf(`${secret} book`, 90, secret),
]

/** Returns a record of a market, by default on the NBA season. */
const seasonRecord = (
  sportsbook: string,
  prices: Readonly<Record<string, number>>,
  of: Partial<FeedFuture> = {},
): FeedRecord => ({
  type: 'futures',
  sportsbook,
  mode: 'snapshot',
  observedAt: startAt,
  future: {
    externalId: null,
    sport: 'basketball',
    league: 'NBA',
    name: 'NBA Champion',
    futureType: 'TEAM',
    subject: null,
    season: '2025-26',
    settlesAt: null,
    ...of,
  },
  prices: Object.entries(prices).map(([selection, price]) => ({
    selection,
    line: null,
    price,
    removed: false,
    suspended: false,
    changedAt: null,
    externalId: null,
    deepLink: null,
  })),
})

const trophy = `${secret} trophy`
const trophyId = identifyFuture(
  (seasonRecord('pinnacle', {}, { league: 'nba', name: trophy }) as FuturesRecord).future,
  'pinnacle',
  startAt,
).marketId
const seasons: readonly FeedRecord[] = [
  seasonRecord('draftkings', { 'New York Knicks': 9, 'BOS Celtics': 4 }),
  seasonRecord('betmgm', { 'NY Knicks': 9.5 }, { name: 'Outright Winner' }),
  seasonRecord('bet365', { Knicks: 8, 'Utah Jazz': 900 }, { name: 'NBA Championship Winner' }),
  seasonRecord('bet365', { Over: 9 }, { name: 'MVP', futureType: 'PLAYER' }),
  // The newest record, the best price, a spelling, a selection and a market that only the owner may see.
  seasonRecord('pinnacle', { 'new york knicks': 12, 'BOSTON CELTICS': 5, [secret]: 3 }),
  seasonRecord('pinnacle', { [secret]: 3 }, { name: trophy }),
  seasonRecord('circa', { Able: 2 }, { league: `${secret} league`, name: 'Winner' }),
  seasonRecord(`${secret} book`, { 'New York Knicks': 20 }),
]

const splitsRecord = (sportsbook: string, of: Partial<Said>, home: number): FeedRecord => {
  const { observedAt, event } = oddsOf(sportsbook, { ...first, markets: [], ...of }) as OddsRecord
  const moneyline = { handle: null, bets: [1 - home, home], awayPrice: 9, homePrice: 9 } as const
  return { type: 'splits', sportsbook, observedAt, event, moneyline, spread: null, total: null }
}

const splits: readonly FeedRecord[] = [
  splitsRecord('draftkings', { externalId: 'd1' }, 0.5),
  splitsRecord('bet365', {}, 0.25),
  splitsRecord('pinnacle', { externalId: `${secret}-1` }, 0.75),
  splitsRecord('pinnacle', { home: `${secret} city`, away: 'Chicago Bulls' }, 0.75),
  splitsRecord('circa', { home: 'Able', away: 'Baker', league: `${secret} league` }, 0.75),
  splitsRecord(`${secret} book`, {}, 1),
]

/** Returns queries for each route, with ids of the board. */
function requests(routes: readonly Route[], eventIds: readonly string[]): string[] {
  const byPath: Record<string, readonly string[]> = {
    '/sports/:sportId': ['basketball', 'soccer', 'nothing', secret],
    '/leagues/:leagueId': ['nba', 'nfl', `${secret}_league`],
    '/sportsbooks/:bookId': ['draftkings', 'pinnacle', 'circa', `${secret}_book`],
    '/events/:eventId': eventIds,
    '/gamestate/:sport': ['basketball', 'soccer', 'other', secret],
    '/events/:eventId/odds': eventIds,
    '/events/:eventId/markets': eventIds,
  }
  const queries: Record<string, readonly string[]> = {
    '/odds': [
      '',
      ...eventIds.map((id) => `event=${id}`),
      'market=main',
      'market=props',
      `market=${market_}`,
      'market=zirconum_market',
      `league=${secret}_league`,
      'league=zirconium_leage',
      'sport=basketball&live=true',
      'live=false',
      `sportsbook=${secret}_book`,
      'sportsbook=pinnacle',
      'sportsbook=draftkings',
      'add_sportsbook=circa',
      'is_main_line=true',
      'is_main_line=false',
      'min_odds=200',
      'sort=-odds_american',
      'sort=last_seen_at&limit=3',
      `q=${secret}`,
      `team=${secret}`,
      'group_by=event',
      'fields=id,sportsbook',
      'limit=2&offset=1',
    ],
    '/odds/delta': ['since=2020-01-01T00:00:00Z', `since=2020-01-01T00:00:00Z&q=${secret}`],
    '/odds/best': [
      '',
      'league=nba',
      'market=main',
      'min_odds=500',
      ...eventIds.map((id) => `event=${id}`),
    ],
    '/odds/comparison': eventIds.flatMap((id) => [`event=${id}`, `event=${id}&market=main`]),
    '/odds/closing': eventIds.flatMap((id) => [
      `event_id=${id}`,
      `event_id=${id}&sportsbook=pinnacle`,
      `event_id=${id}&sportsbook=draftkings`,
    ]),
    '/events': [
      '',
      'live=true',
      'has_score=true',
      'has_score=false',
      `q=${secret}`,
      `league=${secret}_league`,
      'sportsbook=draftkings',
      'date=2026-05-02',
    ],
    '/sports': ['', 'include_empty=true'],
    '/leagues': ['', 'sport=basketball', 'include_empty=true'],
    '/sportsbooks': [
      '',
      'sharp=true',
      'catalog=true',
      'include_unlisted=true&include_inactive=true',
    ],
    '/markets': ['', 'sport=basketball'],
    '/teams': ['', `q=${secret}`, 'league=nba'],
    '/futures': [
      '',
      'league=nba',
      `league=${secret}_league`,
      `sportsbook=${secret}_book`,
      'sportsbook=pinnacle',
      'sportsbook=draftkings&add_sportsbook=circa',
      'future_type=PLAYER',
      'limit=1&offset=1',
    ],
    '/futures/odds': [
      'league=nba',
      'market=champion',
      `market=${secret}_trophy`,
      `league=${secret}_league`,
      'future_id=nba_champion_2026',
      `future_id=${trophyId}`,
      'league=nba&sportsbook=pinnacle',
      'league=nba&limit=2&offset=1',
    ],
    '/splits': [
      '',
      'league=nba',
      `league=${secret}_league`,
      `sportsbook=${secret}_book`,
      'sportsbook=pinnacle',
      'sportsbook=draftkings&add_sportsbook=circa',
      'market=moneyline',
      'limit=1&offset=1',
      ...eventIds.map((id) => `event=${id}`),
    ],
    '/futures/comparison': [
      'future_id=nba_champion_2026',
      'future_id=nba_champion_2026&sportsbook=betmgm',
      'future_id=nba_champion_2026&sportsbook=circa',
      `future_id=${trophyId}`,
    ],
  }
  return boardPaths(routes).flatMap((path) => {
    const paths = path.includes(':')
      ? (byPath[path] ?? []).map((value) => path.replace(/:\w+/, value))
      : [path]
    expect([path, paths.length > 0]).toEqual([path, true])
    return paths.flatMap((at) =>
      (queries[path] ?? ['']).map((query) => `${at}${query && `?${query}`}`),
    )
  })
}

const readPaths = (routes: readonly Route[]) =>
  routes.filter(({ kind }) => kind === 'read').map(({ path }) => path.replace('/api/v1', ''))

const isOfOpportunities = (path: string) => path.startsWith('/opportunities')

/** Returns the paths without opportunities, which depend on hidden sportsbooks and have their own test. */
const boardPaths = (routes: readonly Route[]) =>
  readPaths(routes).filter((path) => !isOfOpportunities(path))

/** Returns a body without fields that depend on the time of the request. */
function comparable(body: unknown): unknown {
  const text = JSON.stringify(body)
  return JSON.parse(text.replace(/"(server_time|next_cursor|position)":"[^"]*"/g, '"$1":"…"'))
}

async function serviceOf(books: ReadonlySet<string> | null): Promise<SimulatedService> {
  const service = await startSimulated(null)
  const bookOf = (record: FeedRecord) => record.sportsbook.replaceAll(' ', '_')
  service.say(
    [...records, ...scores, ...seasons, ...splits].filter(
      (record) => !books || books.has(bookOf(record)),
    ),
  )
  // Seventy seconds fill the delayed board and let the periodic counts run.
  for (let i = 0; i < 7; i++) service.step(10_000)
  return service
}

describe('a tier’s view of opportunities', () => {
  const chain = sharpChain('pinnacle')
  const books = [
    ...(tierBooks.pro ?? []),
    ...chain,
    ...['williamhill', 'unibet_uk', 'betway', 'coolbet', `${secret}_book`],
  ]

  /** Starts a service with prices that the phantom guard, which compares all sportsbooks, does not suspect. */
  async function serviceWith(isHeard: (book: string) => boolean) {
    const service = await startSimulated(null)
    pushDisagreement(service, books, { by: 0.012, isHeard })
    const hidden = ['unibet_uk', 'betway'].flatMap((sportsbook, i) => [
      oddsRecord(service.clock(), {
        sportsbook,
        home: `${secret} city`,
        away: 'Chicago Bulls',
        startsAt: inHours(4),
        markets: [
          moneylineOf(2.1 - i / 5, 1.9 + i / 5),
          pointsOf(`${secret} guard`, 9.5, 2 + i / 20, 2),
          { ...moneylineOf(2.1, 1.9), market_type: market_ },
        ],
      }),
    ])
    const records = parsed(service.clock(), hidden)
    service.say(records.filter(({ sportsbook }) => isHeard(sportsbook)))
    service.step(20_000)
    return service
  }

  const filters = [
    '',
    'limit=200',
    'limit=3&offset=2',
    'sport=basketball&live=true',
    'sport=soccer&live=false',
    'league=nfl&market=point_spread',
    'market=props',
    `market=${market_}`,
    'market=zirconum_market',
    `league=${secret}_league`,
    `sportsbook=${secret}_book`,
    'sportsbook=unibet_uk',
    'sportsbook=draftkings,fanduel',
    'sportsbook=betmgm&add_sportsbook=pinnacle',
    `team=${secret}`,
    'date_range=tomorrow',
    'min_odds=-105&max_odds=105',
    'max_odds_age=60',
  ]
  const further: Readonly<Record<string, readonly string[]>> = {
    '/opportunities/ev': [
      'max_hold=10&limit=200&sort=-kelly',
      'max_hold=10&limit=200&sort=-confidence',
      'max_hold=10&limit=200&sort=books',
      'arb_available=true&limit=200',
      'is_alternate_line=false&limit=200',
      'min_confidence=70&limit=200',
      `player=${secret} guard`,
      'devig_book=circa&max_hold=10&limit=200',
      'devig_book=draftkings&max_hold=10&limit=200',
      `devig_book=${secret}_book`,
    ],
    '/opportunities/arbitrage': [
      'min_profit=-100&limit=200',
      'min_profit=-100&group=best&sort=time',
      'min_profit=-100&format=csv&limit=200',
      'min_profit=-100&sort=market&offset=1',
    ],
    '/opportunities/middles': ['limit=200&sort=ev', 'limit=200&sort=probability&min_size=2'],
    '/opportunities/low_hold': ['max_hold=10&limit=200', 'max_hold=10&limit=200&sort=-market'],
  }
  const plainPaths = ['ev', 'arbitrage', 'middles', 'low_hold'].map((it) => `/opportunities/${it}`)
  const paths = plainPaths.flatMap((path) =>
    [...filters, ...further[path]!].map((query) => `${path}${query && `?${query}`}`),
  )
  const alike = ['', '?sport=basketball', `?league=${secret}_league`, '?league=nba']
  const others = [
    '/opportunities/low-hold',
    ...alike.map((query) => `/opportunities/middles/summary${query}`),
  ]

  /**
   * Removes times that depend on other sportsbooks: an opportunity dates from the newest record of any sportsbook on
   * its line.
   */
  const undated = ({ body, text }: Reply) =>
    body
      ? comparable(
          JSON.parse(text.replace(/"(detected_at|changed_in_board_at)":"[^"]*"/g, '"$1":"…"')),
        )
      : text.replace(/,\d{4}-\d\d-\d\dT[\d:.]+Z,/g, ',…,')

  let full: SimulatedService
  /** Ids of all opportunities of the highest tier. */
  const ids: string[] = []
  beforeAll(async () => {
    full = await serviceWith(() => true)
    const key = await full.key('sharp')
    for (const path of plainPaths) {
      const query = 'limit=200&max_hold=10&min_profit=-100&min_size=0'.split('&')
      const taken = query.filter((part) => {
        const [name = ''] = part.split('=')
        return full.routes.some((route) => route.path.endsWith(path) && name in route.query)
      })
      const { body } = await full.get(`${path}?${taken.join('&')}`, key)
      expect([path, body.data.length > 20]).toEqual([path, true])
      const warned = body.data.filter(
        ({ warnings, home_team }: { warnings: string[]; home_team: string }) =>
          warnings.includes('MARKET_MISMATCH_SUSPECTED') && !home_team.includes(secret),
      )
      expect([path, warned]).toEqual([path, []])
      ids.push(...body.data.slice(0, 15).map(({ id }: { id: string }) => id))
    }
    const known = [
      ...plainPaths,
      ...others,
      '/opportunities/middles/:id',
      '/opportunities/:id/explain',
    ]
    const served = readPaths(full.routes).filter(isOfOpportunities)
    expect(served.filter((path) => !known.includes(path))).toEqual([])
  })
  afterAll(() => full.close())

  it.each(['free', 'hobby', 'pro'] as const)(
    'equals for %s the view of a service with only its own sportsbooks and the sharp ones',
    async (tier) => {
      const own = new Set([...(tierBooks[tier] ?? []), ...chain])
      const restricted = await serviceWith((book) => own.has(book))
      try {
        const ofIds = ids.flatMap((id) => [
          `/opportunities/middles/${id}`,
          `/opportunities/${id}/explain`,
        ])
        let key = ''
        let otherKey = ''
        const found = { answered: 0, items: 0 }
        for (const [i, path] of [...paths, ...others, ...ofIds].entries()) {
          if (i % 10 === 0) {
            key = await full.key(tier)
            otherKey = await restricted.key(tier)
          }
          const here = await full.get(path, key)
          const there = await restricted.get(path, otherKey)
          expect([path, here.status, undated(here)]).toEqual([path, there.status, undated(there)])
          if (here.text.toLowerCase().includes(secret)) {
            expect(path.toLowerCase()).toContain('zirconi')
          }
          if (here.status === 200) found.answered++
          found.items += here.body?.data?.length ?? 0
        }
        // Otherwise the comparison would be empty.
        expect(found.answered > 10).toBe(tier !== 'free')
        expect(found.items > 5).toBe(tier !== 'free')
      } finally {
        await restricted.close()
      }
    },
  )

  it('never leaks from one tier to another through caches or tags', async () => {
    for (const path of [...paths, ...others]) {
      const answers = new Map<Tier, string>()
      let etag = ''
      for (const tier of ['enterprise', 'hobby', 'pro', 'enterprise', 'pro', 'hobby'] as const) {
        const cold = await full.get(path, await full.key(tier))
        const warm = await full.get(path, await full.key(tier), { 'If-None-Match': etag })
        // Errors are not cached.
        const isSame = answers.has(tier)
        if (isSame) expect([path, tier, cold.text]).toEqual([path, tier, answers.get(tier)])
        expect([path, tier, warm.text]).toEqual([path, tier, cold.text])
        answers.set(tier, cold.text)
        etag = cold.etag
        if (cold.status !== 200) continue
        const same = await full.get(path, await full.key(tier), { 'If-None-Match': etag })
        expect([path, tier, same.status]).toEqual([path, tier, 304])
      }
    }
  })
})

describe('a tier’s view', () => {
  let full: SimulatedService
  let eventIds: readonly string[]
  beforeAll(async () => {
    full = await serviceOf(null)
    eventIds = full.boards.live.events('*').map(({ id }) => id)
    expect(eventIds).toHaveLength(6)
  })
  afterAll(() => full.close())

  it.each(['free', 'hobby', 'pro'] as const)(
    'equals for %s the view of a service where nothing else exists',
    async (tier) => {
      const restricted = await serviceOf(tierBooks[tier])
      try {
        const paths = requests(full.routes, eventIds)
        let key = ''
        let otherKey = ''
        for (const [i, path] of paths.entries()) {
          if (i % 10 === 0) {
            // A new key every ten requests stays within the rate limits.
            key = await full.key(tier, ['game_state'])
            otherKey = await restricted.key(tier, ['game_state'])
          }
          const here = await full.get(path, key)
          const there = await restricted.get(path, otherKey)
          expect([path, here.status, comparable(here.body)]).toEqual([
            path,
            there.status,
            comparable(there.body),
          ])
          const hasSecret = here.text.toLowerCase().includes(secret)
          if (hasSecret) expect(path.toLowerCase()).toContain('zirconi')
        }
        const batch = { event_ids: eventIds }
        const [one, other] = await Promise.all([
          full.post('/odds/batch', await full.key(tier), batch),
          restricted.post('/odds/batch', await restricted.key(tier), batch),
        ])
        expect(comparable(one.body)).toEqual(comparable(other.body))
      } finally {
        await restricted.close()
      }
    },
  )

  it('is part of the next tier’s view', async () => {
    // `live=false`, because a best price in play lives one minute and the free tier is one minute behind.
    for (const path of ['/odds?limit=200', '/events', '/odds/best?limit=200&live=false']) {
      let below = new Set<string>()
      for (const tier of tiers) {
        const { body } = await full.get(path, await full.key(tier))
        const ids = new Set<string>(
          body.data.map((item: Record<string, string>) =>
            path.startsWith('/odds/best')
              ? [item.event_id, item.market_type, item.line, item.selection].join()
              : item.id,
          ),
        )
        expect([path, tier, [...below].filter((id) => !ids.has(id))]).toEqual([path, tier, []])
        expect(body.meta.total).toBe(ids.size)
        below = ids
      }
    }
    for (const path of ['/odds?limit=200', '/futures', `/futures/odds?future_id=${trophyId}`]) {
      const { text } = await full.get(path, await full.key('sharp'))
      expect(text).toContain(secret)
    }
  })

  it('does not change with add-ons for other routes', async () => {
    for (const tier of ['hobby', 'enterprise'] as const) {
      const bare = await full.get('/odds?limit=200', await full.key(tier))
      for (const addOn of addOns) {
        const more = await full.get('/odds?limit=200', await full.key(tier, [addOn]))
        expect(more.body).toEqual(bare.body)
      }
    }
  })

  it('never leaks from one tier to another through caches or tags', async () => {
    const paths = requests(full.routes, eventIds).filter((path) => !path.includes('delta'))
    const orders: readonly (readonly Tier[])[] = [
      ['enterprise', 'free', 'enterprise'],
      ['pro', 'hobby', 'sharp'],
    ]
    for (const order of orders) {
      for (const [i, path] of paths.entries()) {
        if (i % 3 > 0) continue
        let etag = ''
        let tierBefore: Tier | undefined
        for (const tier of order) {
          const cold = await full.get(path, await full.key(tier))
          if (tier !== tierBefore) {
            const warm = await full.get(path, await full.key(tier), { 'If-None-Match': etag })
            expect([path, tier, warm.status]).toEqual([path, tier, cold.status])
            expect(warm.body).toEqual(cold.body)
          }
          if (cold.status !== 200) continue
          const same = await full.get(path, await full.key(tier), { 'If-None-Match': cold.etag })
          expect([path, same.status, same.text]).toEqual([path, 304, ''])
          etag = cold.etag
          tierBefore = tier
        }
      }
    }
  })
})

/** Status rows for the owner only, sent before the prices, as `sources.ts` does. */
const ownersOnly: readonly FeedRecord[] = ['pinnacle', 'circa', `${secret} book`].map(
  (sportsbook) => ({
    type: 'book_status',
    sportsbook,
    observedAt: startAt,
    status: 'up',
    audience: 'owner',
  }),
)
const isOwnersOnly = ({ sportsbook }: FeedRecord) =>
  ownersOnly.some(
    (owned) => owned.sportsbook.replaceAll(' ', '_') === sportsbook.replaceAll(' ', '_'),
  )

describe('what is the owner’s alone', () => {
  const everything = [...records, ...scores]
  const ownerKey = async ({ accounts }: SimulatedService, tier: Tier = 'enterprise') => {
    const of = { name: 'me', tier, addOns: [], expiresAt: null, isOwner: true } as const
    return (await accounts.create(of)).value
  }
  const advance = (service: SimulatedService) => {
    for (let i = 0; i < 7; i++) service.step(10_000)
  }
  const heard = async (records: readonly FeedRecord[]) => {
    const service = await startSimulated(null)
    service.say(records)
    advance(service)
    return service
  }

  let full: SimulatedService
  let eventIds: readonly string[]
  beforeAll(async () => {
    full = await heard([...ownersOnly, ...everything])
    eventIds = full.boards.live.events('*').map(({ id }) => id)
    expect(eventIds).toHaveLength(6)
  })
  afterAll(() => full.close())

  it.each(tiers)('is for another account of %s as if it had never been pushed', async (tier) => {
    const never = await heard(everything.filter((record) => !isOwnersOnly(record)))
    try {
      let key = ''
      let otherKey = ''
      const paths = requests(full.routes, eventIds)
      const links = eventIds.length > 0 ? ['/deeplink/100000000000000'] : []
      for (const [i, path] of [...paths, ...links].entries()) {
        if (i % 10 === 0) {
          key = await full.key(tier, ['game_state'])
          otherKey = await never.key(tier, ['game_state'])
        }
        const here = await full.get(path, key)
        const there = await never.get(path, otherKey)
        expect([path, here.status, comparable(here.body)]).toEqual([
          path,
          there.status,
          comparable(there.body),
        ])
        if (here.text.toLowerCase().includes(secret)) {
          expect(path.toLowerCase()).toContain('zirconi')
        }
      }
      const batch = { event_ids: eventIds }
      const [one, other] = await Promise.all([
        full.post('/odds/batch', await full.key(tier), batch),
        never.post('/odds/batch', await never.key(tier), batch),
      ])
      expect(comparable(one.body)).toEqual(comparable(other.body))
    } finally {
      await never.close()
    }
  })

  it('is for the owner as if everybody could see it', async () => {
    const open = await heard(everything)
    try {
      let key = ''
      let otherKey = ''
      for (const [i, path] of requests(full.routes, eventIds).entries()) {
        if (i % 50 === 0) {
          key = await ownerKey(full)
          otherKey = await open.key('enterprise')
        }
        // Only the full service has a reported source status.
        const withoutSource = ({ text }: Reply) =>
          comparable(JSON.parse(text.replace(/"source_(status|since)":("[^"]*"|null)/g, '"x":0')))
        const here = await full.get(path, key)
        const there = await open.get(path, otherKey)
        expect([path, here.status, withoutSource(here)]).toEqual([
          path,
          there.status,
          withoutSource(there),
        ])
      }
    } finally {
      await open.close()
    }
  })

  it('takes part in no opportunity of others, neither as a leg nor as a reference', async () => {
    const books = [...(tierBooks.pro ?? []), ...sharpChain('pinnacle')]
    const serviceWith = async (
      records: readonly FeedRecord[],
      isHeard: (book: string) => boolean,
    ) => {
      const service = await startSimulated(null)
      service.say(records)
      pushDisagreement(service, books, { by: 0.012, isHeard })
      service.step(20_000)
      return service
    }
    const owned = ['pinnacle', 'circa', 'betmgm']
    const records = owned.map(
      (sportsbook): FeedRecord => ({
        type: 'book_status',
        sportsbook,
        observedAt: startAt,
        status: 'up',
        audience: 'owner',
      }),
    )
    const here = await serviceWith(records, () => true)
    const never = await serviceWith([], (book) => !owned.includes(book))
    try {
      const paths = [
        '/opportunities/ev?max_hold=10&limit=200',
        '/opportunities/ev?devig_book=pinnacle&limit=200',
        '/opportunities/ev?devig_book=bookmaker&max_hold=10&limit=200',
        '/opportunities/arbitrage?min_profit=-100&limit=200',
        '/opportunities/middles?limit=200',
        '/opportunities/middles/summary',
        '/opportunities/low_hold?max_hold=10&limit=200',
      ]
      const undated = ({ text }: Reply) =>
        comparable(
          JSON.parse(text.replace(/"(detected_at|changed_in_board_at)":"[^"]*"/g, '"$1":0')),
        )
      for (const tier of ['pro', 'enterprise'] as const) {
        for (const path of paths) {
          const one = await here.get(path, await here.key(tier))
          const other = await never.get(path, await never.key(tier))
          expect([tier, path, one.status, undated(one)]).toEqual([
            tier,
            path,
            other.status,
            undated(other),
          ])
        }
      }
      // The owner sees these +EV bets, measured against the owner's sharp book. Others cannot name them.
      const owner = await ownerKey(here)
      const { body } = await here.get(paths[0]!, owner)
      const own = body.data.filter(
        ({ sharp_book }: { sharp_book: string }) => sharp_book === 'pinnacle',
      )
      expect(own.length).toBeGreaterThan(5)
      const other = await here.key('enterprise')
      for (const { id } of own.slice(0, 5)) {
        expect((await here.get(`/opportunities/${id}/explain`, owner)).status).toBe(200)
        expect((await here.get(`/opportunities/${id}/explain`, other)).status).toBe(404)
        expect((await here.get(`/deeplink/${id}`, '')).status).toBe(404)
      }
    } finally {
      await here.close()
      await never.close()
    }
  })

  it('is reached by a link with the owner’s key alone', async () => {
    const { body } = await full.get('/odds?sportsbook=pinnacle&limit=5', await ownerKey(full))
    expect(body.data.length).toBeGreaterThan(0)
    const { id } = body.data[0]
    expect((await full.get(`/deeplink/${id}`, '')).status).toBe(404)
    const links = async (key: string) => (await full.get(`/deeplinks?id=${id}`, key)).status
    expect(await links(await ownerKey(full))).toBe(200)
    expect(await links(await full.key('enterprise'))).toBe(404)
  })

  it('is the same in tools as in routes', async () => {
    const call = async (key: string) => {
      const args = { name: 'get_odds', arguments: { sportsbook: 'pinnacle', limit: 50 } }
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: args }
      const headers = { accept: 'application/json, text/event-stream' }
      const body = JSON.stringify(message)
      const type = { 'content-type': 'application/json' }
      return (await full.request('POST', '/mcp', key, { ...headers, ...type }, body)).text
    }
    expect(await call(await ownerKey(full))).toContain(secret)
    expect(await call(await full.key('enterprise'))).not.toContain(`${secret} city`)
  })

  it('comes in the owner’s streams and in no others, also when it becomes the owner’s later', async () => {
    const service = await startSimulated(null)
    try {
      const keyOf = async (isOwner: boolean) => {
        const of = { name: 'x', tier: 'enterprise', addOns: [], expiresAt: null, isOwner } as const
        return { 'X-API-Key': (await service.accounts.create(of)).value }
      }
      service.say(records.filter((record) => !isOwnersOnly(record)))
      const [owner, other] = await Promise.all([
        openEvents(`${service.base}/stream/odds`, await keyOf(true)),
        openEvents(`${service.base}/stream/odds`, await keyOf(false)),
      ])
      await Promise.all([owner, other].map((stream) => stream.next('snapshot:complete')))
      service.say([...ownersOnly, ...records.filter(isOwnersOnly)])
      // The sportsbook's visibility changed, so the other client must reconnect before an owner's price is sent.
      expect((await other.next('error')).body.code).toBe('rights_changed')
      await other.ended
      expect(other.text()).not.toContain(secret)
      const again = await openEvents(`${service.base}/stream/odds`, await keyOf(false))
      const mine = await openEvents(`${service.base}/stream/odds`, await keyOf(true))
      await Promise.all([again, mine].map((stream) => stream.next('snapshot:complete')))
      service.say([
        oddsOf(`${secret} book`, { ...first, markets: [moneyline(13, 13)] }),
        oddsOf('draftkings', { ...first, externalId: 'd1', markets: [moneyline(1.8, 2.05)] }),
      ])
      await again.next('odds:update')
      await mine.next('odds:update')
      expect(again.text()).not.toContain(secret)
      expect(mine.text()).toContain(secret)
      for (const stream of [owner, again, mine]) stream.close()
    } finally {
      await service.close()
    }
  })

  it('cannot be requested by an account of a tier that does not see every sportsbook', async () => {
    await expect(ownerKey(full, 'pro')).rejects.toMatchObject({ code: 'validation_error' })
    const { account } = await full.accounts.create({
      name: 'me',
      tier: 'sharp',
      addOns: [],
      expiresAt: null,
      isOwner: true,
    })
    await expect(full.accounts.change(account.id, { tier: 'hobby' })).rejects.toMatchObject({
      code: 'validation_error',
    })
  })
})

/** Past data, from an archive with everything, or without the owner's data. */
describe('archived data of the owner alone', () => {
  const later = (ms: number, of: readonly FeedRecord[]) =>
    of.map((record) => ({ ...record, observedAt: startAt + ms }) as FeedRecord)
  /** All sportsbooks shorten the home side at once, which is a movement. The owner's would make it larger. */
  const moves = later(2_000, [
    oddsOf('draftkings', { ...third, markets: [moneyline(1.6, 2.4)] }),
    oddsOf('betmgm', { ...third, markets: [moneyline(1.61, 2.38)] }),
    oddsOf('pinnacle', {
      ...third,
      markets: [moneyline(1.65, 2.45), market(market_, [selection('yes', 2.5)])],
    }),
    oddsOf(`${secret} book`, { ...third, markets: [moneyline(1.5, 2.5)] }),
  ])
  /** A sharp book that all see. Others have it as their reference instead of the owner's. */
  const sharp = oddsOf('bookmaker', { ...third, markets: [moneyline(1.72, 2.2)] })
  const everything = [...ownersOnly, ...records, sharp, ...splits, ...moves]
  const tick = (ms: number): BoardRecord => ({ type: 'tick', observedAt: startAt + ms })

  interface Past {
    readonly service: InProcess
    readonly priceIds: readonly string[]
    close(): Promise<void>
  }

  async function pastOf(records: readonly FeedRecord[]): Promise<Past> {
    const appends = records.map((record) => toAppend(record))
    const ofBoard = appends.map(({ value }) => value as BoardRecord)
    const changelog = changelogOf([...ofBoard, tick(3_000), tick(10_000), tick(30_000)])
    const filled = await fillArchive(changelog)
    const changes = changesIn(changelog)
    await valueEvents(
      filled.archive,
      sharpChain('pinnacle'),
      [...new Map(changes.map(({ eventId, league }) => [eventId, league]))].map(
        ([eventId, league]) => ({ eventId, league }),
      ),
    )
    const service = await startInProcess({
      archive: createArchiveAccess(filled.archive),
      // Two days after a game no close is pending any more.
      startAt: startAt + 50 * 3_600_000,
    })
    await service.log.append(appends)
    await service.settled()
    return {
      service,
      priceIds: [...new Set(changes.map(({ oddsId }) => String(oddsId)))],
      async close() {
        await service.close()
        await filled.close()
      },
    }
  }

  let full: Past
  let never: Past
  let eventIds: readonly string[]
  beforeAll(async () => {
    full = await pastOf(everything)
    never = await pastOf(everything.filter((record) => !isOwnersOnly(record)))
    eventIds = full.service.boards.live.events('*').map(({ id }) => id)
    expect(eventIds).toHaveLength(6)
    expect(full.priceIds.length).toBeGreaterThan(never.priceIds.length)
  })
  afterAll(async () => {
    await full?.close()
    await never?.close()
  })

  /** Returns queries for each route that reads the archive. */
  function pastRequests(): readonly string[] {
    const at = `as_of=${new Date(startAt + 2_500).toISOString()}`
    const day = 'from=2026-05-02T00:00:00Z&to=2026-05-03T00:00:00Z'
    const books = ['', '&sportsbook=pinnacle,draftkings']
    const forms = ['json', 'csv', 'ndjson']
    const files = ['csv', 'ndjson'].flatMap((format) => [
      ...books.map((book) => `${day}&format=${format}${book}`),
      `${day}&format=${format}&league=nba&market=moneyline`,
      ...eventIds.map((id) => `${day}&format=${format}&event=${id}`),
    ])
    const byPath: Readonly<Record<string, readonly string[]>> = {
      '/odds': [
        ...books.map((book) => `?sport=basketball&limit=200&${at}${book}`),
        `?sport=basketball&limit=2&sort=-odds_american&${at}`,
        ...eventIds.map((id) => `?event=${id}&${at}`),
      ],
      '/odds/best': [
        `?sport=basketball&limit=200&${at}`,
        ...eventIds.map((id) => `?event=${id}&${at}`),
      ],
      '/odds/comparison': eventIds.map((id) => `?event=${id}&${at}`),
      '/odds/:id/history': full.priceIds.map(
        (id, i) => `/odds/${id}/history?format=${i % 4 === 0 ? 'csv' : 'json'}`,
      ),
      '/events/:eventId/history': eventIds.flatMap((id) =>
        ['json', 'csv'].flatMap((format) =>
          books.map((book) => `/events/${id}/history?format=${format}${book}`),
        ),
      ),
      '/historical/prices': eventIds.flatMap((id) =>
        books.map((book) => `?event=${id},unknown_1&limit=1000${book}`),
      ),
      '/movements': [2, 4].flatMap((least) =>
        forms.flatMap((format) =>
          books.map((book) => `?min_books=${least}&${day}&format=${format}${book}`),
        ),
      ),
      '/opportunities/lives': forms.flatMap((format) =>
        [...books, '&min_profit=0', '&kind=ev', '&kind=arbitrage,middle'].map(
          (more) => `?${day}&format=${format}&limit=200${more}`,
        ),
      ),
      '/historical/changes': files.map((query) => `?${query}`),
      '/historical/closes': files.map((query) => `?${query}`),
      '/historical/clv': ['sportsbook', 'sport', 'league', 'market', 'day'].flatMap((group) =>
        books.map((book) => `?group_by=${group}${book}`),
      ),
      '/record': ['json', 'csv'].flatMap((format) =>
        books.map((book) => `?from=2026-05-01&to=2026-05-04&format=${format}${book}`),
      ),
      '/historical/odds/closing': ['?date=2026-05-02&sport=basketball&league=nba'],
      '/splits/history': eventIds.flatMap((id) =>
        books.map((book) => `?event_id=${id}&start_time=2026-05-02T00:00:00Z${book}`),
      ),
      '/account/bets/clv': ['', '?sportsbook=pinnacle'],
    }
    const asking = full.service.routes.filter(
      ({ access, errors }) => access === 'key' && errors.includes('archive_busy'),
    )
    expect(asking.map(({ path }) => path.replace('/api/v1', '')).sort()).toEqual(
      Object.keys(byPath).sort(),
    )
    return Object.entries(byPath).flatMap(([path, queries]) =>
      queries.map((query) => (query.startsWith('/') ? query : path + query)),
    )
  }

  /** Creates a key of the owner or of another account, with one bet on a public game and one on the owner's. */
  async function keyOf({ service }: Past, tier: Tier, isOwner = false): Promise<string> {
    const { value } = await service.accounts.create({
      name: tier,
      tier,
      addOns: [],
      expiresAt: null,
      isOwner,
    })
    const placed = (second: number) => ({ placed_at: new Date(startAt + 1_000 * second) })
    const bet = { odds_decimal: 2, stake: 1, league: 'NBA' }
    const on = { market: 'moneyline', selection: 'home', start_time: '2026-05-02' }
    const teams = { home_team: third.home, away_team: third.away }
    const hidden = { home_team: `${secret} city`, away_team: 'Chicago Bulls' }
    const body = JSON.stringify([
      { ...bet, ...on, ...teams, ...placed(1), sportsbook: 'draftkings' },
      { ...bet, ...on, ...teams, ...placed(2), sportsbook: 'pinnacle' },
      { ...bet, ...on, ...hidden, ...placed(3), sportsbook: 'draftkings' },
    ])
    const headers = { 'X-API-Key': value, 'Content-Type': 'application/json' }
    const kept = await service.request('/account/bets', { method: 'POST', headers, body })
    expect(kept.status).toBe(tiers.indexOf(tier) >= tiers.indexOf('sharp') ? 200 : 403)
    return value
  }

  /** Returns a response's text without fields that depend on the account. */
  const shown = ({ text }: { readonly text: string }) =>
    text
      .replaceAll(/"(server_time|next_cursor|created_at)":"[^"]*"/g, '"$1":"…"')
      // Each log signs with a secret of its own.
      .replaceAll(/(\/deeplink\/\d+)-[0-9a-f]{12}/g, '$1')
      .replaceAll(/"id":"bet_[^"]*"/g, '"id":"…"')
      .replaceAll(/"filters":\{[^}]*\}/g, '')
      // The list of sharp books repeats the query. None is the owner's.
      .replaceAll(/"sharp_reference":\[[^\]]*\]/g, '')

  it.each(['sharp', 'enterprise'] as const)(
    'is for another account of %s as if it had never been pushed',
    async (tier) => {
      const [key, otherKey] = [await keyOf(full, tier), await keyOf(never, tier)]
      let answered = 0
      for (const path of pastRequests()) {
        const [here, there] = await Promise.all([
          full.service.request(path, { headers: { 'X-API-Key': key } }),
          never.service.request(path, { headers: { 'X-API-Key': otherKey } }),
        ])
        expect([path, here.status, shown(here)]).toEqual([path, there.status, shown(there)])
        if (!path.includes('account/bets')) {
          expect([path, shown(here).toLowerCase().includes(secret)]).toEqual([
            path,
            here.status !== 200 && path.includes(secret),
          ])
        }
        if (here.status === 200) answered++
      }
      expect(answered).toBeGreaterThan(80)
      // Without values the two would be equal for no reason.
      for (const path of ['/historical/clv', '/account/bets/clv']) {
        const { text } = await full.service.request(path, { headers: { 'X-API-Key': key } })
        expect([path, text.includes('"sportsbook":"bookmaker"')]).toEqual([path, true])
      }
    },
  )

  it('is shown to the owner on every route', async () => {
    const key = await keyOf(full, 'enterprise', true)
    const without = new Set(
      pastRequests().map((path) => path.split('?')[0]!.replace(/\d{15}/, ':id')),
    )
    for (const path of pastRequests()) {
      const { status, text } = await full.service.request(path, { headers: { 'X-API-Key': key } })
      expect([path, status]).toEqual([path, 200])
      if (/pinnacle|zirconium/.test(text.replace(/"filters":\{[^}]*\}/g, ''))) {
        without.delete(path.split('?')[0]!.replace(/\d{15}/, ':id'))
      }
    }
    // The routes of one event have no such data, and the record names no sportsbook.
    expect([...without].filter((path) => !/^\/(events\/|record$)/.test(path))).toEqual([])
  })

  it.each(['free', 'hobby', 'pro'] as const)('is not shown at all to %s', async (tier) => {
    const key = await keyOf(full, tier)
    for (const [i, path] of pastRequests().entries()) {
      // A minute's step stays within the rate limits.
      if (i % 60 === 0) full.service.advance(60_000)
      const of = path.startsWith('/splits') && tier === 'pro' ? [200, 403, 404] : [403]
      const { status, text } = await full.service.request(path, { headers: { 'X-API-Key': key } })
      if (status === 429) continue
      expect([path, of.includes(status) ? 'as it is' : status]).toEqual([path, 'as it is'])
      if (status === 200) expect([path, /pinnacle|zirconium/.test(text)]).toEqual([path, false])
    }
  })
})

describe('a key', () => {
  let service: SimulatedService
  beforeAll(async () => {
    service = await serviceOf(null)
  })
  afterAll(() => service.close())

  /** Returns a path of every route that takes a key, by method. */
  const keyed = () =>
    service.routes
      .filter(({ access, isHidden }) => (access === 'key' || access === 'public-list') && !isHidden)
      .map(({ method, path, access }) => ({
        method: method.toUpperCase(),
        path: path.replace('/api/v1', '').replace(/:\w+/g, 'x'),
        isPublic: access === 'public-list',
      }))

  const states: readonly [string, () => Promise<string>][] = [
    ['missing_api_key', async () => ''],
    ['invalid_api_key', async () => 'sk_live_nobody'],
    [
      'expired_api_key',
      async () => {
        const expiresAt = service.clock() + 1
        const { value } = await service.accounts.create({
          name: 'x',
          tier: 'enterprise',
          addOns: ['streaming'],
          expiresAt,
        })
        service.step(10)
        return value
      },
    ],
    [
      'disabled_api_key',
      async () => {
        const { value, account } = await service.accounts.create({
          name: 'x',
          tier: 'pro',
          addOns: [],
          expiresAt: null,
        })
        await service.accounts.change(account.id, { isDisabled: true })
        return value
      },
    ],
    [
      'invalid_api_key',
      async () => {
        const { value, key } = await service.accounts.create({
          name: 'x',
          tier: 'sharp',
          addOns: [],
          expiresAt: null,
        })
        const holder = service.accounts.keyring.authenticate(value, service.clock())
        await service.accounts.rotateKey(holder, key.id, { graceMs: 0 })
        return value
      },
    ],
  ]

  it.each(states)('that is invalid is refused on every route: %s', async (code, make) => {
    const key = await make()
    for (const [i, { method, path, isPublic }] of keyed().entries()) {
      if (key === '' && isPublic) continue
      // Failed keys are limited per address and minute.
      if (i % 50 === 49) service.step(60_000)
      const { status, body } = await service.request(method, path, key)
      expect([method, path, status, body.code]).toEqual([method, path, 401, code])
      expect(body.error).toMatchObject({ code, message: expect.any(String) })
    }
  })

  it('is not needed for the public lists, at ten requests a minute from one address', async () => {
    service.step(60_000 - (service.clock() % 60_000))
    const lists = keyed().filter(({ isPublic }) => isPublic)
    expect(lists.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/sports', '/leagues', '/sportsbooks', '/markets']),
    )
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      statuses.push(
        (await service.get(lists[i % lists.length]!.path.replace('/x', '/nba'), '')).status,
      )
    }
    expect(statuses.slice(0, 10)).not.toContain(429)
    expect(statuses.slice(10)).toEqual([429, 429])
    service.step(60_000)
    expect((await service.get('/sports', '')).status).toBe(200)
  })
})
