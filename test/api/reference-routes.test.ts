import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Scope } from '../../api/access/scope.ts'
import { ApiError } from '../../api/errors.ts'
import type { ReadRoute } from '../../api/route.ts'
import { getLeague, listLeagues } from '../../api/routes/leagues.ts'
import { listMarkets } from '../../api/routes/markets.ts'
import { getSport, listSports } from '../../api/routes/sports.ts'
import { getSportsbook, listSportsbooks } from '../../api/routes/sportsbooks.ts'
import { listTeams } from '../../api/routes/teams.ts'
import type { LogRecord, Position } from '../../pipeline/log/log.ts'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'
import { type BoardView, createBoardView } from '../../pipeline/views/board/board-view.ts'
import { createFuturesView } from '../../pipeline/views/futures/futures-view.ts'
import { createGameStatesView } from '../../pipeline/views/game-states/game-states-view.ts'
import { createOpportunityView } from '../../pipeline/views/opportunities/opportunity-view.ts'
import { createSourcesView } from '../../pipeline/views/sources/sources-view.ts'
import { createSplitsView } from '../../pipeline/views/splits/splits-view.ts'
import { noAttributes } from '../../schemas/attributes.ts'
import type { EventRow } from '../../schemas/event.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
import { oddsId } from '../../schemas/ids.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { emptyProfile } from '../../schemas/profile.ts'
import { leagues } from '../../schemas/reference/leagues.ts'
import { markets } from '../../schemas/reference/markets.ts'
import { sports } from '../../schemas/reference/sports.ts'
import { sportsbooks } from '../../schemas/reference/sportsbooks.ts'
import { topics } from '../../schemas/topics.ts'
import { oddsIdentityText } from '../odds-identity.ts'
import { announcements, anyOp, type Op, recordOf } from '../pipeline/views/histories.ts'
import { logRecord } from '../pipeline/views/naive-board.ts'

const position: Position = { epoch: 'e', offsets: {} }
const now = Date.parse('2026-11-20T12:00:00.000Z')

const routes = [
  listSports,
  getSport,
  listLeagues,
  getLeague,
  listSportsbooks,
  getSportsbook,
  listMarkets,
  listTeams,
]

interface Game {
  readonly id: string
  readonly league?: string
  readonly sport?: string
  readonly home?: string
  readonly away?: string
  readonly isLive?: boolean
}

function game(of: Game): LogRecord {
  const row: EventRow = {
    id: of.id,
    sport: of.sport ?? 'basketball',
    league: of.league ?? 'nba',
    leagueMapped: true,
    homeTeam: of.home ?? 'New York Knicks',
    awayTeam: of.away ?? 'Boston Celtics',
    flipped: false,
    startsAt: now + 3_600_000,
    status: of.isLive ? 'live' : 'upcoming',
    isLive: of.isLive ?? false,
    updatedAt: now,
  }
  return logRecord(topics.events, of.id, row)
}

function price(
  eventId: string,
  sportsbook: string,
  more: { marketType?: string; selectionType?: string; line?: number; at?: number } = {},
): LogRecord {
  const { marketType = 'moneyline', selectionType = 'home', line = null, at = now } = more
  const id = oddsId(
    oddsIdentityText({
      sportsbook,
      eventId,
      marketType,
      line,
      playerName: null,
      selectionType,
      selection: selectionType,
    }),
  )
  const row: OddsRow = {
    id,
    eventId,
    league: 'nba',
    sportsbook,
    marketType,
    selection: selectionType,
    selectionType,
    line,
    playerName: null,
    statCategory: null,
    price: 1.9,
    isLive: false,
    isActive: true,
    observedAt: at,
    changedAt: null,
    ...noAttributes,
  }
  return logRecord(topics.odds, String(id), row)
}

function boardOf(records: readonly LogRecord[], at = now): BoardView {
  const board = createBoardView()
  board.apply(records, position, at)
  return board
}

const everything = (board: BoardView): Scope => ({
  name: 'enterprise',
  asked: 'enterprise',
  tier: 'enterprise',
  isOwner: false,
  delaySeconds: 0,
  board,
  sportsbooks: undefined,
  lineSet: 0,
  all: {},
  visibilityBit: 0,
  opportunities: createOpportunityView(board),
  futures: createFuturesView(),
  gameStates: createGameStatesView(),
  splits: createSplitsView(),
  sources: createSourcesView(),
  statuses: createSourcesView(),
})
const hobby = (board: BoardView): Scope => ({
  name: 'hobby',
  asked: 'hobby',
  tier: 'hobby',
  isOwner: false,
  delaySeconds: 0,
  board,
  sportsbooks: ['draftkings', 'fanduel'],
  lineSet: 0,
  all: { sportsbooks: ['draftkings', 'fanduel'] },
  visibilityBit: 0,
  opportunities: createOpportunityView(board),
  futures: createFuturesView(),
  gameStates: createGameStatesView(),
  splits: createSplitsView(),
  sources: createSourcesView(),
  statuses: createSourcesView(),
})

function prepare(route: ReadRoute, scope: Scope, query = '', path: Record<string, string> = {}) {
  const read = createQueryReader(route.query, [])(query)
  if (!read.ok) throw new Error(`not a query: ${JSON.stringify(read)}`)
  return route.prepare({ query: read.query, path, scope, profile: emptyProfile('') })
}

function text(route: ReadRoute, scope: Scope, query = '', path: Record<string, string> = {}) {
  const page = createPageBuffer()
  prepare(route, scope, query, path).write(page)
  return page.bytes.toString('utf8', 0, page.length)
}

/** Returns the body, validated against the schema of its route. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
function body(route: ReadRoute, scope: Scope, query = '', path: Record<string, string> = {}): any {
  const parsed: unknown = JSON.parse(text(route, scope, query, path))
  const schema = route.answer?.schema as z.ZodType
  const result = schema.safeParse(parsed)
  expect(result.error?.issues ?? []).toEqual([])
  return parsed
}

// biome-ignore lint/suspicious/noExplicitAny: as above
const ids = (list: any) => list.data.map(({ id }: { id: string }) => id)

function refusal(route: ReadRoute, scope: Scope, query = '', path: Record<string, string> = {}) {
  try {
    text(route, scope, query, path)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('was answered')
}

/** Three games: one all tiers see, one of a sharp sportsbook only, one of leagues not listed. */
const records = [
  game({ id: 'g1', isLive: true }),
  price('g1', 'draftkings'),
  price('g1', 'draftkings', { selectionType: 'away' }),
  price('g1', 'pinnacle', { at: now + 5_000 }),
  price('g1', 'pinnacle', { marketType: 'point_spread', line: -4.5 }),
  game({ id: 'g2', league: 'kabaddi_pro', sport: 'kabaddi' }),
  price('g2', 'pinnacle', { marketType: 'raid_points', selectionType: 'over', line: 30.5 }),
  game({ id: 'g3', league: 'wnba', home: 'Indiana Fever', away: 'Las Vegas Aces' }),
  price('g3', 'corner_shop', { marketType: 'player_points', selectionType: 'over', line: 20.5 }),
  price('g3', 'fanduel'),
]

describe('reference routes', () => {
  it('have examples that fit their responses', () => {
    for (const { answer, path } of routes) {
      const schema = answer!.schema!
      expect(schema.safeParse(exampleOf(schema)).error?.issues ?? [], path).toEqual([])
    }
  })

  it('return empty counts for an empty board, in both places', () => {
    const scope = everything(createBoardView())
    expect(body(listSports, scope)).toEqual({
      success: true,
      data: [],
      pagination: {
        limit: 1,
        offset: 0,
        count: 0,
        total: 0,
        has_more: false,
        next_offset: null,
      },
      updated_at: null,
      meta: {
        count: 0,
        total: 0,
        filters: {},
        pagination: expect.any(Object),
        updated_at: null,
        updated: null,
      },
    })
    expect(body(listLeagues, scope).data).toEqual([])
    expect(body(listTeams, scope).data[0]).toMatchObject({ event_count: 0, live_count: 0 })
    expect(body(listMarkets, scope).meta).toMatchObject({ total_events: 0, total_selections: 0 })
  })

  it.each([
    ['sports', listSports, 'include_empty=true'],
    ['leagues', listLeagues, 'include_empty=true'],
    ['sportsbooks', listSportsbooks, ''],
    ['markets', listMarkets, ''],
  ])('return %s whole, or by pages that together are the whole', (_name, route, query) => {
    const scope = everything(boardOf(records))
    const whole = body(route, scope, query)
    const total = whole.data.length
    expect(whole.pagination).toMatchObject({ limit: total, total, has_more: false })
    const limit = Math.ceil(total / 3)
    const walked: unknown[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const { data, pagination, meta } = body(
        route,
        scope,
        `${query}&limit=${limit}&offset=${offset}`,
      )
      expect(pagination).toMatchObject({ limit, offset, count: data.length, total })
      expect(meta.filters).not.toHaveProperty('limit')
      walked.push(...data)
      offset = pagination.next_offset
    }
    expect(walked).toEqual(whole.data)
    const beyond = body(route, scope, `${query}&offset=${total}`)
    expect(beyond.data).toEqual([])
    expect(beyond.pagination).toMatchObject({ count: 0, has_more: false, next_offset: null })
  })

  it('name a limit for an empty list that may be sent back', () => {
    const scope = everything(boardOf(records))
    const { limit } = body(listLeagues, scope, 'sport=curling').pagination
    expect(body(listLeagues, scope, `sport=curling&limit=${limit}`).pagination.limit).toBe(limit)
  })

  it('stay the same to the byte while prices are only seen again', () => {
    const board = boardOf(records)
    const scope = everything(board)
    let at = now + 20_000
    const later = (...more: LogRecord[]) => {
      at += 20_000
      board.apply(more, position, at)
    }
    const lists = [listSports, listLeagues, listTeams, listMarkets]
    const texts = (query = '') => lists.map((route) => text(route, scope, query))
    const [first, basketball] = [texts(), text(listLeagues, scope, 'sport=basketball')]
    later(
      price('g1', 'draftkings', { at }),
      price('g2', 'pinnacle', { at, marketType: 'raid_points', selectionType: 'over', line: 30.5 }),
    )
    expect(texts()).toEqual(first)
    const seen = at
    later(
      game({
        id: 'g4',
        league: 'nhl',
        sport: 'hockey',
        home: 'Boston Bruins',
        away: 'Dallas Stars',
      }),
    )
    later(price('g4', 'pinnacle', { at: seen + 7_000 }))
    const changed = new Date(seen + 7_000).toISOString()
    expect(texts().map((one) => JSON.parse(one).updated_at)).toEqual(lists.map(() => changed))
    expect(text(listLeagues, scope, 'sport=basketball')).toBe(basketball)
    const one = (id: string) => body(getLeague, scope, '', { leagueId: id }).updated_at
    expect([one('nhl'), one('wnba')]).toEqual([changed, new Date(now).toISOString()])
  })

  it('change with the prices of a market, and with a game that begins', () => {
    const board = boardOf(records)
    const scope = everything(board)
    const timeOf = (route: ReadRoute) => JSON.parse(text(route, scope)).updated_at
    expect([timeOf(listMarkets), timeOf(listSports)]).toHaveLength(2)
    board.apply(
      [price('g1', 'fanduel', { marketType: 'total_points', at: now + 21_000 })],
      position,
      now + 40_000,
    )
    expect(timeOf(listMarkets)).toBe(new Date(now + 21_000).toISOString())
    expect(timeOf(listSports)).toBe(new Date(now + 5_000).toISOString())
    board.apply(
      [
        game({
          id: 'g3',
          league: 'wnba',
          home: 'Indiana Fever',
          away: 'Las Vegas Aces',
          isLive: true,
        }),
      ],
      position,
      now + 60_000,
    )
    expect(timeOf(listSports)).toBe(new Date(now + 21_000).toISOString())
  })

  describe('sports', () => {
    const board = boardOf(records)

    it('list those with events in the scope, unlisted ones last', () => {
      const { data, updated_at } = body(listSports, everything(board))
      expect(data).toEqual([
        {
          id: 'basketball',
          numerical_id: 1,
          name: 'Basketball',
          display_name: 'Basketball',
          slug: 'basketball',
          active: true,
          leagues: ['nba', 'wnba'],
          event_count: 2,
          live_count: 1,
        },
        expect.objectContaining({
          id: 'kabaddi',
          numerical_id: null,
          name: 'kabaddi',
          leagues: ['kabaddi_pro'],
          event_count: 1,
          live_count: 0,
        }),
      ])
      expect(updated_at).toBe('2026-11-20T12:00:05.000Z')
      expect(ids(body(listSports, hobby(board)))).toEqual(['basketball'])
      expect(body(listSports, hobby(board)).updated_at).toBe('2026-11-20T12:00:00.000Z')
    })

    it('list all of the reference data on request', () => {
      const { data, meta } = body(listSports, hobby(board), 'include_empty=true')
      expect(ids({ data })).toEqual(sports.map(({ id }) => id))
      expect(data[16]).toMatchObject({ active: false, event_count: 0, live_count: 0, leagues: [] })
      expect(meta.filters).toEqual({ include_empty: true })
    })

    it('are found one by one, by any spelling, and only within the scope', () => {
      const path = { sportId: 'Ice-Hockey' }
      expect(body(getSport, hobby(board), '', path)).toMatchObject({
        data: { id: 'hockey', active: false },
        updated_at: null,
      })
      expect(body(getSport, everything(board), '', { sportId: 'Kabaddi' }).data.active).toBe(true)
      for (const sportId of ['kabaddi', 'nonsense', '__proto__', '']) {
        expect(refusal(getSport, hobby(board), '', { sportId }).code).toBe('not_found')
      }
    })
  })

  describe('leagues', () => {
    const board = boardOf(records)

    it('list those with events in the scope, of the requested sports', () => {
      expect(ids(body(listLeagues, everything(board)))).toEqual(['nba', 'wnba', 'kabaddi_pro'])
      expect(ids(body(listLeagues, hobby(board)))).toEqual(['nba', 'wnba'])
      const some = body(listLeagues, everything(board), 'sport=kabaddi,ice_hockey')
      expect(ids(some)).toEqual(['kabaddi_pro'])
      expect(some.meta.filters).toEqual({ sport: ['kabaddi', 'hockey'] })
      expect(body(listLeagues, hobby(board)).data[0]).toEqual({
        id: 'nba',
        numerical_id: 1,
        name: 'NBA',
        display_name: 'NBA',
        slug: 'nba',
        sport: 'basketball',
        sport_id: 'basketball',
        country: 'usa',
        active: true,
        event_count: 1,
        live_count: 1,
      })
    })

    it('list those without events on request', () => {
      const all = body(listLeagues, everything(board), 'include_empty=1')
      expect(all.data.length).toBe(leagues.length + 1)
      const soccer = body(listLeagues, everything(board), 'include_empty=1&sport=soccer')
      expect(new Set(soccer.data.map(({ sport }: { sport: string }) => sport))).toEqual(
        new Set(['soccer']),
      )
    })

    it('refuse an unknown sport within the scope, and suggest one', () => {
      const { code, details } = refusal(listLeagues, hobby(board), 'sport=kabaddi,soccr')
      expect(code).toBe('invalid_filter')
      expect(details).toEqual({
        details: {
          fields: { sport: ['kabaddi', 'soccr'] },
          reference: { sport: '/api/v1/sports' },
          did_you_mean: [{ field: 'sport', value: 'soccr', try: { sport: 'soccer' } }],
        },
      })
    })

    it('are found one by one', () => {
      const found = (scope: Scope, leagueId: string) =>
        body(getLeague, scope, '', { leagueId }).data
      expect(found(hobby(board), 'Italy - Serie A')).toMatchObject({
        id: 'italy_-_serie_a',
        country: 'italy',
        active: false,
      })
      expect(found(everything(board), 'kabaddi_pro').event_count).toBe(1)
      const outside = refusal(getLeague, hobby(board), '', { leagueId: 'kabaddi_pro' })
      const nowhere = refusal(getLeague, hobby(board), '', { leagueId: 'nowhere' })
      expect(outside).toMatchObject({ code: 'not_found', message: nowhere.message })
      expect(outside.details).toEqual(nowhere.details)
    })
  })

  describe('sportsbooks', () => {
    const board = boardOf(records)
    const active = sportsbooks.filter(({ status }) => status === 'active').map(({ id }) => id)

    it('are the same list for every scope except one’s own sportsbooks, with counts only inside it', () => {
      for (const scope of [everything(board), hobby(board), hobby(createBoardView())]) {
        expect(ids(body(listSportsbooks, scope, 'include_unlisted=false'))).toEqual(active)
      }
      const of = (scope: Scope, id: string) =>
        body(listSportsbooks, scope).data.find((book: { id: string }) => book.id === id)
      expect(of(everything(board), 'pinnacle')).toMatchObject({
        name: 'pinnacle',
        display_name: 'Pinnacle',
        slug: 'pinnacle',
        active: true,
        requires_tier: 'sharp',
        event_count: 2,
        last_update: '2026-11-20T12:00:05.000Z',
      })
      expect(of(hobby(board), 'pinnacle')).toMatchObject({ event_count: 0, last_update: null })
      expect(of(hobby(board), 'draftkings')).toMatchObject({
        event_count: 1,
        last_update: '2026-11-20T12:00:00.000Z',
        requires_tier: null,
      })
    })

    it('are narrowed and widened by parameters', () => {
      const asked = (query: string, scope = everything(board)) =>
        ids(body(listSportsbooks, scope, query))
      expect(asked('region=au')).toContain('tab')
      expect(asked('region=AU')).not.toContain('draftkings')
      expect(asked('sharp=true')).toContain('pinnacle')
      expect(asked('sharp=false')).not.toContain('pinnacle')
      for (const query of ['catalog=true', 'include_inactive=true']) {
        expect(asked(query)).toEqual([...sportsbooks.map(({ id }) => id), 'corner_shop'])
      }
      expect(asked('')).toEqual([...active, 'corner_shop'])
      expect(asked('include_unlisted=false')).toEqual(active)
      expect(asked('', hobby(board))).toEqual(active)
      expect(body(listSportsbooks, hobby(board)).retired).toContain('foxbet')
      expect(body(listSportsbooks, hobby(board), 'region=eu&sharp=0').meta.filters).toEqual({
        region: 'EU',
        sharp: false,
      })
    })

    it('are found one by one, by any spelling, with their offers', () => {
      const found = (scope: Scope, bookId: string) =>
        body(getSportsbook, scope, '', { bookId }).data
      expect(found(everything(board), 'PINNACLE Sports')).toMatchObject({
        id: 'pinnacle',
        event_count: 2,
        sports: ['basketball', 'kabaddi'],
        markets: ['moneyline', 'point_spread', 'raid_points'],
      })
      expect(found(hobby(board), 'pinnacle')).toMatchObject({
        event_count: 0,
        sports: [],
        markets: [],
      })
      expect(found(everything(board), 'corner_shop')).toMatchObject({
        unlisted: true,
        category: 'unlisted',
        has_player_props: true,
        has_live_odds: false,
        requires_tier: 'sharp',
        markets: ['player_points'],
      })
      expect(found(hobby(board), 'wynn')).toMatchObject({ id: 'wynnbet', active: false })
      for (const bookId of ['corner_shop', 'nobody']) {
        const { code, details } = refusal(getSportsbook, hobby(board), '', { bookId })
        expect({ code, details }).toEqual({
          code: 'not_found',
          details: { reference: '/api/v1/sportsbooks' },
        })
      }
    })
  })

  describe('markets', () => {
    const board = boardOf(records)
    const nine =
      'moneyline point_spread total_points team_total player_prop game_prop future 1st_half 1st_quarter'

    it('list the nine of the catalogue first, then all of the registry, then unlisted ones', () => {
      const all = ids(body(listMarkets, everything(board)))
      expect(all.slice(0, 9)).toEqual(nine.split(' '))
      expect(all).toEqual([...markets.map(({ id }) => id), 'raid_points'])
      expect(ids(body(listMarkets, hobby(board)))).not.toContain('raid_points')
    })

    it('count what the scope shows', () => {
      const of = (scope: Scope, id: string, query = '') =>
        body(listMarkets, scope, query).data.find((market: { id: string }) => market.id === id)
      const counts = (events: number | null, selections: number | null) => ({
        event_count: events,
        selection_count: selections,
      })
      expect(of(everything(board), 'moneyline')).toMatchObject({
        ...counts(2, 3),
        market_type: 'moneyline',
        answers: 'winner',
        hasLine: false,
        numerical_id: 1,
      })
      expect(of(hobby(board), 'point_spread')).toMatchObject({ ...counts(0, 0), hasLine: true })
      expect(of(everything(board), 'point_spread')).toMatchObject(counts(1, 1))
      expect(of(everything(board), '1st_half')).toMatchObject(counts(null, null))
      expect(of(everything(board), 'raid_points')).toMatchObject({
        ...counts(1, 1),
        numerical_id: null,
        hasLine: true,
        answers: 'open',
        examples: [],
        sports: ['kabaddi'],
      })
      expect(body(listMarkets, everything(board)).meta).toMatchObject({
        total_events: 3,
        total_selections: 6,
      })
      expect(body(listMarkets, hobby(board)).meta).toMatchObject({
        total_events: 2,
        total_selections: 3,
      })
    })

    it('are narrowed to a sport and counted in it', () => {
      const hockey = body(listMarkets, everything(board), 'sport=ice_hockey')
      expect(ids(hockey)).toContain('puck_line')
      expect(ids(hockey)).not.toContain('run_line')
      expect(hockey.meta).toMatchObject({ total_events: 0, filters: { sport: ['hockey'] } })
      expect(hockey.data[0]).toMatchObject({ id: 'moneyline', event_count: 0 })
      expect(ids(body(listMarkets, everything(board), 'sport=kabaddi'))).toEqual(['raid_points'])
    })
  })

  describe('teams', () => {
    const board = boardOf(records)

    it('are found by part of a name or alias, with their games in the scope', () => {
      const { data, meta } = body(listTeams, everything(board), 'q=CELT&league=NBA')
      expect(ids({ data })).toEqual(['boston-celtics'])
      expect(data[0]).toMatchObject({ logo: null, event_count: 1, live_count: 1 })
      expect(meta).toMatchObject({
        sport_filter: null,
        league_filter: 'nba',
        query: 'CELT',
        total_events: 1,
        total_live: 1,
        filters: { league: ['nba'], q: 'CELT' },
      })
    })

    it('count a game once though both sides are listed', () => {
      const { meta } = body(listTeams, everything(board), 'league=nba')
      expect(meta).toMatchObject({ count: 30, total: 30, total_events: 1, total_live: 1 })
    })

    it('come in pages', () => {
      const scope = everything(board)
      const first = body(listTeams, scope)
      expect(first.pagination).toMatchObject({ limit: 500, count: 500, has_more: true })
      expect(first.pagination.next_offset).toBe(500)
      const rest = body(listTeams, scope, 'limit=9999&offset=500')
      expect(rest.pagination).toMatchObject({ limit: 500, has_more: false, next_offset: null })
      expect(first.data.length + rest.data.length).toBe(first.pagination.total)
      expect(body(listTeams, scope, 'offset=5000')).toMatchObject({
        data: [],
        pagination: { count: 0, has_more: false, next_offset: null },
      })
    })
  })

  /** Drops prices of events that are gone: a log would have the event again before them. */
  function withEvents(ops: readonly Op[]): Op[] {
    const gone = new Set<number>()
    return ops.filter((op) => {
      if (op.op === 'eventGone') gone.add(op.fixture)
      if (op.op === 'event') gone.delete(op.fixture)
      return op.op !== 'odds' || !gone.has(op.fixture)
    })
  }

  it('show a scope the view of a board with only its sportsbooks', () => {
    const requests: [ReadRoute, string, Record<string, string>][] = [
      [listSports, '', {}],
      [listSports, 'include_empty=1', {}],
      [listLeagues, '', {}],
      [listLeagues, 'include_empty=1&sport=soccer', {}],
      [listSportsbooks, 'catalog=1&include_unlisted=1', {}],
      [listMarkets, '', {}],
      [listMarkets, 'sport=soccer', {}],
      [listTeams, 'sport=soccer', {}],
      [getSport, '', { sportId: 'soccer' }],
      [getLeague, '', { leagueId: 'nba' }],
      [getSportsbook, '', { bookId: 'draftkings' }],
      [getSportsbook, '', { bookId: 'pinnacle' }],
    ]
    fc.assert(
      fc.property(fc.array(anyOp(), { maxLength: 60 }), (ops) => {
        const all = createBoardView()
        const own = createBoardView({ books: new Set(['draftkings', 'fanduel']) })
        for (const board of [all, own]) {
          board.apply([...announcements(), ...withEvents(ops).map(recordOf)], position, now)
        }
        for (const [route, query, path] of requests) {
          const seen = text(route, hobby(all), query, path)
          expect(seen, route.path).toBe(text(route, everything(own), query, path))
        }
      }),
      { numRuns: 20 },
    )
  })

  it('are counted again after a second, and only after a change', () => {
    const board = boardOf(records)
    const scope = everything(board)
    const lists = [listSports, listLeagues, listSportsbooks, listTeams]
    const versions = () => lists.map((route) => prepare(route, scope).version())
    const events = () => body(listSports, scope).data[0].event_count
    const before = versions()
    expect(new Set(before).size).toBe(1)
    expect(events()).toBe(2)

    board.apply([game({ id: 'g4' }), price('g4', 'fanduel')], position, now + 400)
    expect(versions()).toEqual(before)
    expect(events()).toBe(2)

    board.advance(now + 1_000)
    expect(versions()).not.toEqual(before)
    expect(events()).toBe(3)

    const after = versions()
    board.advance(now + 60_000)
    expect(versions()).toEqual(after)
  })

  it('are counted again by market every ten seconds', () => {
    const board = boardOf(records)
    const scope = everything(board)
    const version = () => prepare(listMarkets, scope).version()
    const meta = () => body(listMarkets, scope).meta
    const before = version()
    expect(meta().total_events).toBe(3)

    board.apply([game({ id: 'g4' }), price('g4', 'fanduel')], position, now + 9_000)
    expect(version()).toBe(before)
    expect(meta()).toMatchObject({ total_events: 3, total_selections: 6 })

    board.advance(now + 10_000)
    expect(version()).not.toBe(before)
    expect(meta()).toMatchObject({ total_events: 4, total_selections: 7 })
  })
})
