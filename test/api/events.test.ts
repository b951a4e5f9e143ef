import { beforeEach, describe, expect, it } from 'vitest'
import { createCursors } from '../../api/ask/cursor.ts'
import { findEvent, namedEventIds } from '../../api/ask/event-filters.ts'
import { createBestRoute } from '../../api/routes/best.ts'
import { listEventMarkets } from '../../api/routes/event-markets.ts'
import { listEventOdds } from '../../api/routes/event-odds.ts'
import { createEventRoute, createEventsRoute } from '../../api/routes/events.ts'
import { listMarkets } from '../../api/routes/markets.ts'
import { createOddsRoute } from '../../api/routes/odds.ts'
import { eventOddsItem } from '../../schemas/http/events.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import {
  baseTime,
  createSmallBoard,
  knicks,
  leeds,
  refusal,
  type SmallBoard,
} from './small-board.ts'

let now = baseTime
const listEvents = createEventsRoute(createCursors('a secret'), () => now)
const getEvent = createEventRoute(() => now)
const listOdds = createOddsRoute(createCursors('a secret'))

let board: SmallBoard

beforeEach(() => {
  now = baseTime
  board = createSmallBoard()
})

const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)
const list = (query: string) => ids(board.get(listEvents, query))
const one = (eventId: string, tier: 'pro' | 'sharp' = 'sharp') => ({ tier, path: { eventId } })

function twoGames() {
  board.event(knicks)
  board.event(leeds)
  board.odds(
    knicks,
    { sportsbook: 'draftkings', price: 1.9 },
    { sportsbook: 'pinnacle', price: 1.95 },
    {
      sportsbook: 'pinnacle',
      price: 1.9,
      marketType: 'total_points',
      selectionType: 'over',
      line: 220.5,
    },
  )
  board.odds(leeds, { sportsbook: 'pinnacle', price: 2.5 })
  board.seen(knicks, 'draftkings', baseTime, 'd1')
  board.seen(knicks, 'pinnacle', baseTime + 1_000, 'p1')
}

describe('the events routes', () => {
  it.each([listEvents, getEvent, listEventMarkets, listEventOdds])(
    'give an example that their own schema accepts: $path',
    ({ answer }) => {
      const schema = answer!.schema!
      expect(schema.parse(exampleOf(schema))).toEqual(exampleOf(schema))
    },
  )

  it('name the sportsbooks whose prices are too old for a best price', () => {
    twoGames()
    const staleIn = (tier: 'pro' | 'sharp') => [
      board.get(listEvents, '', { tier }).data[0].stale_books,
      board.get(getEvent, '', one(knicks, tier)).data.stale_books,
    ]
    now = baseTime + 5 * 60_000
    expect(staleIn('sharp')).toEqual([undefined, undefined])
    now++
    expect(staleIn('sharp')).toEqual([['draftkings'], ['draftkings']])
    now += 1_000
    expect(staleIn('sharp')).toEqual([
      ['draftkings', 'pinnacle'],
      ['draftkings', 'pinnacle'],
    ])
    // A sportsbook that the tier does not see is not named.
    expect(staleIn('pro')).toEqual([['draftkings'], ['draftkings']])
    board.seen(knicks, 'draftkings', now, 'd1')
    expect(staleIn('sharp')).toEqual([['pinnacle'], ['pinnacle']])
  })

  it('judge each price by whether it is in play itself, as best prices are', () => {
    board.event(knicks)
    board.odds(
      knicks,
      { sportsbook: 'draftkings', price: 1.9 },
      { sportsbook: 'pinnacle', price: 1.95, isLive: true },
      { sportsbook: 'fanduel', price: 1.9, isLive: true },
      {
        sportsbook: 'fanduel',
        price: 1.9,
        marketType: 'total_points',
        selectionType: 'over',
        line: 220.5,
      },
    )
    for (const name of ['draftkings', 'pinnacle', 'fanduel']) board.seen(knicks, name, baseTime)
    const stale = () => board.get(getEvent, '', one(knicks)).data.stale_books
    const best = () =>
      board
        .get(
          createBestRoute(() => now),
          `event=${knicks}`,
          { tier: 'sharp' },
        )
        .data.flatMap(({ all_books }: { all_books: { sportsbook: string }[] }) =>
          all_books.map(({ sportsbook }) => sportsbook),
        )
        .sort()
    now = baseTime + 60_000
    expect([stale(), best()]).toEqual([undefined, ['draftkings', 'fanduel', 'fanduel', 'pinnacle']])
    // In play, a price counts for a minute.
    now++
    expect([stale(), best()]).toEqual([['pinnacle'], ['draftkings', 'fanduel']])
    now = baseTime + 5 * 60_000 + 1
    expect([stale(), best()]).toEqual([['draftkings', 'fanduel', 'pinnacle'], []])
  })

  it('make a response anew when only time has passed', () => {
    twoGames()
    for (const [route, options] of [
      [listEvents, {}],
      [getEvent, one(knicks)],
    ] as const) {
      const before = board.prepare(route, '', options).version()
      now += 5_000
      expect(board.prepare(route, '', options).version()).toBeGreaterThan(before)
    }
  })

  it('list events by start, within the tier’s view', () => {
    twoGames()
    expect(list('')).toEqual([knicks, leeds])
    const { data, meta, updated_at } = board.get(listEvents, '', { tier: 'pro' })
    expect(meta).toMatchObject({ count: 1, total: 1, filters: {} })
    expect(updated_at).toBe('2027-01-14T21:00:00.000Z')
    expect(data).toEqual([
      {
        id: knicks,
        external_ids: { draftkings: 'd1' },
        sport: 'basketball',
        league: 'nba',
        home_team: 'New York Knicks',
        away_team: 'Chicago Bulls',
        start_time: '2027-01-15T00:40:00.000Z',
        status: 'upcoming',
        event_status: 'upcoming',
        is_live: false,
        book_count: 1,
        market_count: 1,
        markets: ['moneyline'],
        books: ['draftkings'],
      },
    ])
    expect(board.get(listEvents).data[0]).toMatchObject({
      external_ids: { draftkings: 'd1', pinnacle: 'p1' },
      book_count: 2,
      markets: ['moneyline', 'total_points'],
    })
  })

  it('page, and refuse a far offset', () => {
    twoGames()
    const { data, pagination } = board.get(listEvents, 'limit=1')
    expect([data[0].id, pagination]).toEqual([
      knicks,
      {
        limit: 1,
        offset: 0,
        count: 1,
        total: 2,
        has_more: true,
        next_offset: 1,
        next_cursor: expect.any(String),
      },
    ])
    const second = board.get(listEvents, 'limit=1&offset=1')
    expect([second.data[0].id, second.pagination.has_more]).toEqual([leeds, false])
    expect(board.get(listEvents, 'limit=1000').pagination.limit).toBe(200)
    expect(refusal(() => list('offset=5001'))).toEqual({
      code: 'validation_error',
      details: { parameters: ['offset'], max_offset: 5_000 },
    })
  })

  it('are all returned by a walk with the cursor, also beyond the greatest offset', () => {
    const count = 5_300
    const all = Array.from({ length: count }, (_, i) => `nba_a_b${i}_2027-01-15_b2`)
    for (const [i, id] of all.entries()) {
      // Some start at the same time, so that the id decides.
      board.event(id, { startsAt: baseTime + 1_000 * Math.floor(i / 7) })
      board.odds(id, { sportsbook: 'draftkings', price: 1.9 })
    }
    const walked: string[] = []
    let pages = 0
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const { data, pagination, meta } = board.get(listEvents, `limit=200&cursor=${cursor}`)
      walked.push(...data.map(({ id }: { id: string }) => id))
      expect([pagination.total, meta.pagination]).toEqual([count, pagination])
      expect(pagination.has_more).toBe(walked.length < count)
      cursor = pagination.next_cursor
    }
    expect([walked.length, new Set(walked).size, pages]).toEqual([count, count, 27])
    expect([...walked].sort()).toEqual([...all].sort())
    // Past the last allowed offset, only the cursor goes on.
    const last = board.get(listEvents, 'limit=200&offset=5000').pagination
    expect(last).toMatchObject({
      has_more: true,
      next_offset: null,
      next_cursor: expect.any(String),
    })
    const rest = board.get(listEvents, `limit=200&cursor=${last.next_cursor}`)
    expect([rest.data.length, rest.pagination.has_more]).toEqual([100, false])
    expect(ids(rest)).toEqual(walked.slice(5_200))
  })

  it('accept a cursor only for the filters that it was made for', () => {
    twoGames()
    const { next_cursor } = board.get(listEvents, 'limit=1').pagination
    expect(list(`cursor=${next_cursor}`)).toEqual([leeds])
    expect(refusal(() => list(`sport=soccer&cursor=${next_cursor}`)).code).toBe('validation_error')
    expect(refusal(() => list('cursor=abc')).code).toBe('validation_error')
    // The cursor's event has been moved to a later start: the walk goes on from the old place.
    board.event(knicks, { startsAt: baseTime + 9e8 })
    expect(list(`cursor=${next_cursor}`)).toEqual([leeds, knicks])
  })

  it('find events by sport, league, sportsbook, state and id', () => {
    twoGames()
    expect(list('sport=soccer')).toEqual([leeds])
    expect(list('league=nba')).toEqual([knicks])
    expect(list('sportsbook=draftkings')).toEqual([knicks])
    expect(list('sportsbook=draftkings&add_sportsbook=pinnacle')).toEqual([knicks, leeds])
    expect(list('live=true')).toEqual([])
    expect(list('live=false')).toEqual([knicks, leeds])
    expect(list(`event_id=${leeds}`)).toEqual([leeds])
    expect(list('has_score=true')).toEqual([])
    expect(list('has_score=false')).toEqual([knicks, leeds])
    expect(board.get(listEvents, 'league=NBA&live=false&q=bulls').meta.filters).toEqual({
      league: ['nba'],
      live: false,
      q: 'bulls',
    })
  })

  it('find a team by a part of any of its names', () => {
    twoGames()
    for (const team of ['knicks', 'KNICKS', 'york kn', 'nyk', 'bulls', 'chi', 'nowhere,knicker']) {
      expect([team, list(`team=${team}`)]).toEqual([team, [knicks]])
    }
    expect(list('team=leeds')).toEqual([leeds])
    for (const team of ['heat', 'bulls knicks', '!!!', '東京']) {
      expect([team, list(`team=${encodeURIComponent(team)}`)]).toEqual([team, []])
    }
  })

  it('find all words of a search in teams and league', () => {
    twoGames()
    expect(list('q=bulls%20%40%20knicks')).toEqual([knicks])
    expect(list('q=premier%20league')).toEqual([leeds])
    expect(list('q=brent%20premier')).toEqual([leeds])
    expect(list('q=brent%20nba')).toEqual([])
    expect(list('q=%40')).toEqual([])
  })

  it('find a search as people write a game, by any names of its teams', () => {
    twoGames()
    for (const q of ['Bulls vs Knicks', 'bulls v. knicks', 'CHI at NYK', 'Bulls - NY Knicks']) {
      expect([q, list(`q=${encodeURIComponent(q)}`)]).toEqual([q, [knicks]])
    }
    for (const q of ['bulls vs celtics', 'knicks heat']) {
      expect([q, list(`q=${encodeURIComponent(q)}`)]).toEqual([q, []])
    }
    // Without another word it may be a part of a name.
    expect(list('q=v')).toEqual([])
    expect(list('q=at')).toEqual([])
    expect(list('q=vs')).toEqual([])
  })

  it('use the league’s clock for the day of a start', () => {
    twoGames()
    // 00:40 UTC on the 15th is 19:40 on the 14th in New York.
    expect(list('date=2027-01-14')).toEqual([knicks])
    expect(list('date=2027-01-15')).toEqual([leeds])
  })

  it('show one event, within the tier’s view', () => {
    twoGames()
    const { data, meta } = board.get(getEvent, '', one(knicks))
    expect(meta.event_id).toBe(knicks)
    expect(data).toMatchObject({
      id: knicks,
      league: 'nba',
      league_name: 'NBA',
      status: 'upcoming',
      external_ids: { draftkings: 'd1', pinnacle: 'p1' },
      books: [
        {
          id: 'pinnacle',
          name: 'Pinnacle',
          market_count: 2,
          last_update: '2027-01-14T21:00:01.000Z',
        },
        {
          id: 'draftkings',
          name: 'DraftKings',
          market_count: 1,
          last_update: '2027-01-14T21:00:00.000Z',
        },
      ],
      markets: [
        { type: 'moneyline', selection_count: 1, book_count: 2 },
        { type: 'total_points', selection_count: 1, book_count: 1 },
      ],
    })
    for (const member of ['book_count', 'game_state']) expect(data).not.toHaveProperty(member)
    const lower = board.get(getEvent, '', one(knicks, 'pro'))
    expect(JSON.stringify(lower)).not.toContain('innacle')
    expect(lower.updated_at).toBe('2027-01-14T21:00:00.000Z')
    expect(lower.data.markets).toEqual([{ type: 'moneyline', selection_count: 1, book_count: 1 }])
  })

  it.each([getEvent, listEventMarkets, listEventOdds])(
    'do not find an event that the tier does not see: $path',
    (route) => {
      twoGames()
      for (const [id, tier] of [
        [leeds, 'pro'],
        ['none', 'sharp'],
        ['__proto__', 'sharp'],
        ['', 'sharp'],
      ] as const) {
        expect(refusal(() => board.get(route, '', one(id, tier))).code).toBe('not_found')
      }
    },
  )

  it('find an event that arrives after it was first requested', () => {
    const plan = board.prepare(getEvent, '', one(knicks))
    expect(() => board.write(getEvent, plan)).toThrow(/No event/)
    const before = plan.version()
    twoGames()
    expect(plan.version()).not.toBe(before)
    expect(board.write(getEvent, plan).body.data.id).toBe(knicks)
  })

  it('accept an id without the quarter of its day while it identifies one event', () => {
    twoGames()
    const older = 'nba_bulls_knicks_2027-01-14'
    const plan = board.prepare(getEvent, '', one(older))
    expect(board.write(getEvent, plan).body.data.id).toBe(knicks)
    expect(list(`event=${older}`)).toEqual([knicks])
    const before = plan.version()
    board.event(`${older}_b2`)
    board.odds(`${older}_b2`, { sportsbook: 'pinnacle', price: 2 })
    expect(plan.version()).not.toBe(before)
    expect(() => board.write(getEvent, plan)).toThrow(/No event/)
    // A tier that cannot see the other event must not learn of it from an id that fails.
    expect(findEvent(board.scope('pro'), older)?.id).toBe(knicks)
    expect(namedEventIds(board.scope('sharp'), [older, leeds, 'none'])).toEqual([leeds])
  })

  it('list the markets of an event, those of most sportsbooks first', () => {
    twoGames()
    board.odds(
      knicks,
      {
        sportsbook: 'fanduel',
        price: 1.9,
        selectionType: 'over',
        marketType: 'total_points',
        line: 220.5,
      },
      {
        sportsbook: 'betmgm',
        price: 1.9,
        selectionType: 'under',
        marketType: 'total_points',
        line: 220.5,
      },
      {
        sportsbook: 'betmgm',
        price: 1.9,
        selectionType: 'over',
        marketType: 'total_points',
        line: 221.5,
      },
    )
    const { data, meta } = board.get(listEventMarkets, '', one(knicks))
    expect(meta).toMatchObject({ event_id: knicks, count: 2, total: 2 })
    expect(data).toEqual([
      {
        type: 'total_points',
        market_type: 'total_points',
        market_label: 'Total Points',
        selection_count: 3,
        book_count: 3,
        books: ['betmgm', 'fanduel', 'pinnacle'],
        selections: [
          { name: 'Over', type: 'over', line: 220.5, book_count: 2 },
          { name: 'Under', type: 'under', line: 220.5, book_count: 1 },
          { name: 'Over', type: 'over', line: 221.5, book_count: 1 },
        ],
      },
      {
        type: 'moneyline',
        market_type: 'moneyline',
        market_label: 'Moneyline',
        selection_count: 1,
        book_count: 2,
        books: ['draftkings', 'pinnacle'],
        selections: [{ name: 'New York Knicks', type: 'home', book_count: 2 }],
      },
    ])
    const lower = board.get(listEventMarkets, '', one(knicks, 'pro'))
    expect(JSON.stringify(lower)).not.toContain('innacle')
    expect(lower.data[0]).toMatchObject({ type: 'total_points', book_count: 2 })
  })

  it('list prices of player props that came after the first request', () => {
    twoGames()
    const plan = board.prepare(listEventOdds, 'market=props', one(knicks))
    const shown = () => {
      const { body } = board.write(listEventOdds, plan)
      const { total, filters } = body.meta
      return [ids(body).length, total, filters.market.includes('player_dunks')]
    }
    expect(shown()).toEqual([0, 0, false])
    const version = plan.version()
    const dunks = { marketType: 'player_dunks', playerName: 'Sample Guard', line: 0.5 }
    board.odds(knicks, { sportsbook: 'fanduel', price: 3, selectionType: 'over', ...dunks })
    expect(plan.version()).not.toBe(version)
    expect(shown()).toEqual([1, 1, true])
    expect(board.write(listEventOdds, plan).body.meta.filters).not.toHaveProperty('event')
  })

  it('count an outcome once, however sportsbooks label it', () => {
    board.event(leeds)
    const label = (sportsbook: string, selectionType: string, selection: string) =>
      board.odds(leeds, {
        ...{ sportsbook, price: 1.4, selectionType, selection },
        marketType: selectionType === 'home_draw' ? 'double_chance' : 'first_to_happen',
      })
    label('draftkings', 'home_draw', 'Leeds or Draw')
    label('fanduel', 'home_draw', 'Leeds / Draw')
    label('pinnacle', 'home_draw', 'Leeds United or Draw')
    // Here the label alone says what the bet is on.
    label('draftkings', 'option', 'Corner')
    label('fanduel', 'option', 'Free kick')
    const counts = { double_chance: 1, first_to_happen: 2 }
    const countsIn = (name: string, markets: Record<string, unknown>[]) =>
      Object.fromEntries(
        markets
          .filter((market) => Object.hasOwn(counts, market[name] as string))
          .map((market) => [market[name], market.selection_count]),
      )
    expect(countsIn('type', board.get(getEvent, '', one(leeds)).data.markets)).toEqual(counts)
    expect(countsIn('type', board.get(listEventMarkets, '', one(leeds)).data)).toEqual(counts)
    const { data, meta } = board.get(listMarkets)
    expect(countsIn('id', data)).toEqual(counts)
    expect(meta.total_selections).toBe(3)
  })

  it('list the prices of an event, nested and flat', () => {
    twoGames()
    const { data, meta } = board.get(
      listEventOdds,
      'market=moneyline&sportsbook=pinnacle',
      one(knicks),
    )
    expect(meta).toMatchObject({
      event_id: knicks,
      total: 1,
      filters: { market: ['moneyline'], sportsbook: ['pinnacle'] },
    })
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^\d{15}$/),
        sportsbook: 'pinnacle',
        sportsbook_name: 'Pinnacle',
        event_id: knicks,
        sport: 'basketball',
        league: 'nba',
        home_team: 'New York Knicks',
        away_team: 'Chicago Bulls',
        market_type: 'moneyline',
        selection: 'New York Knicks',
        selection_type: 'home',
        odds: { american: -105, decimal: 1.95, odds_probability: 0.5128, probability: 0.5128 },
        odds_american: -105,
        odds_decimal: 1.95,
        odds_probability: 0.5128,
        probability: 0.5128,
        line: null,
        event_start_time: '2027-01-15T00:40:00.000Z',
        deep_link: `/api/v1/deeplink/${data[0].id}`,
        is_live: false,
        is_active: true,
        status: 'upcoming',
        last_seen_at: '2027-01-14T21:00:01.000Z',
        timestamp: '2027-01-14T21:00:01.000Z',
        odds_changed_at: null,
      },
    ])
    expect(eventOddsItem.parse(data[0])).toEqual(data[0])
    const { odds, ...row } = data[0]
    expect(
      board.get(listOdds, `event=${knicks}&market=moneyline&sportsbook=pinnacle`).data,
    ).toEqual([row])
    const all = board.get(listEventOdds, '', one(knicks)).data
    expect(ids({ data: all })).toEqual(ids(board.get(listOdds, `event=${knicks}`)))
    const page = board.get(listEventOdds, 'limit=1&offset=1', one(knicks))
    expect(page.pagination).toEqual({
      limit: 1,
      offset: 1,
      count: 1,
      total: 3,
      has_more: true,
      next_offset: 2,
    })
    expect(board.get(listEventOdds, '', one(knicks, 'pro')).meta.total).toBe(1)
    expect(
      refusal(() => board.get(listEventOdds, 'sportsbook=pinnacle', one(knicks, 'pro'))).code,
    ).toBe('tier_restricted')
  })

  it('respond anew after changes, and only then', () => {
    twoGames()
    const plan = board.prepare(listEvents, 'league=nba')
    const before = plan.version()
    board.odds(leeds, { sportsbook: 'fanduel', price: 2.4, observedAt: baseTime })
    board.odds(leeds, { sportsbook: 'fanduel', price: 2.5, observedAt: baseTime })
    const between = plan.version()
    board.odds(leeds, { sportsbook: 'fanduel', price: 2.6, observedAt: baseTime })
    expect(plan.version()).toBe(between)
    expect(board.write(listEvents, plan).body.data[0].book_count).toBe(2)
    board.odds(knicks, { sportsbook: 'fanduel', price: 2.1 })
    expect(plan.version()).toBeGreaterThan(before)
    expect(board.write(listEvents, plan).body.data[0].book_count).toBe(3)
    board.withdraw(knicks, { sportsbook: 'fanduel', price: 2.1 })
    expect(board.write(listEvents, plan).body.data[0].book_count).toBe(2)
  })
})
