/** The small parts of the board that need no browser: the link, layout, trends. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnOrder, freshnessOf, shownBooks } from '../../api/web/client/data/columns.ts'
import { failed, heard, shownLink, waitMs } from '../../api/web/client/data/connection.ts'
import {
  isHomeFirst,
  nameLeagues,
  sortLeagues,
  titleOf,
} from '../../api/web/client/data/leagues.ts'
import { marketsOf } from '../../api/web/client/data/markets.ts'
import { createPriceStore } from '../../api/web/client/data/price-store.ts'
import {
  type BoardFilter,
  type BoardOrder,
  boardOrders,
  boardRows,
  countGames,
  isByPrices,
  sideOf,
} from '../../api/web/client/grid/board-rows.ts'
import { inSight, layOut } from '../../api/web/client/grid/layout.ts'
import { createTrend, pathOf, record } from '../../api/web/client/grid/trends.ts'
import type { When } from '../../api/web/client/shell/when.ts'
import type { Game, League, Sportsbook } from '../../api/web/wire.ts'

describe('the badge', () => {
  it('is stale within three seconds of the last message, and live with the next', () => {
    let link = heard(1_000, 2_500)
    expect(shownLink(link, 1_900).state).toBe('live')
    link = failed(link, 2_000)
    expect(shownLink(link, 2_000).state).toBe('reconnecting')
    expect(shownLink(link, 4_000)).toEqual({ state: 'stale', seconds: 3 })
    expect(shownLink(heard(9_000, 2_500), 9_001).state).toBe('live')
  })

  it('is stale for an open but silent connection', () => {
    expect(shownLink(heard(1_000, 2_500), 3_999)).toEqual({ state: 'stale', seconds: 2 })
    expect(shownLink(heard(1_000, 30_000), 3_999).state).toBe('live')
  })

  it('waits longer after each try that fails, and not for ever', () => {
    let link = heard(0, 2_500)
    const waits = Array.from({ length: 8 }, () => {
      link = failed(link, 0)
      return waitMs(link)
    })
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000])
  })
})

it('games in sight equal those found by checking each', () => {
  const heights = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 })
  fc.assert(
    fc.property(
      heights,
      fc.integer({ min: -5, max: 100 }),
      fc.integer({ min: 1, max: 60 }),
      (all, from, span) => {
        const layout = layOut(all)
        const [first, end] = inSight(layout, from, from + span)
        const slowly = all.flatMap((height, i) => {
          const top = layout.tops[i]!
          return top + height > from && top < from + span ? [i] : []
        })
        expect(Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)).toEqual(
          slowly,
        )
      },
    ),
  )
})

it('a trend keeps recent points, and no more than it can draw', () => {
  const trend = createTrend(2)
  expect(record(trend, [0.5, 0.5])).toBe(true)
  expect(record(trend, [0.5, 0.5])).toBe(false)
  for (let i = 0; i < 100; i++) record(trend, [0.4 + i / 1_000, 0.6 - i / 1_000])
  expect(trend.courses[0]).toHaveLength(48)
  expect(trend.courses[0]!.at(-1)).toBeCloseTo(0.499)
  expect(pathOf([0.5], 60, 18)).toBe('')
  expect(pathOf([0.5, 0.52], 60, 18)).toBe('M0 18.0H30.0V0.0H60')
  // Points from the archive precede those seen here.
  trend.courses[0]!.unshift(...Array.from({ length: 40 }, () => 0.3))
  record(trend, [0.7, 0.3])
  expect(trend.courses.map((course) => course.length)).toEqual([48, 48])
})

it("markets of a switch are each sport's own", () => {
  const known = [
    'moneyline',
    'puck_line',
    'point_spread',
    'total_goals',
    'team_total',
    'player_shots',
    'total_goals_odd_even',
  ]
  expect(marketsOf('spread', known)).toEqual(['puck_line', 'point_spread'])
  expect(marketsOf('total', known)).toEqual(['total_goals'])
  expect(marketsOf('props', known)).toEqual(['player_shots'])
  expect(marketsOf('spread', [])).toEqual(['point_spread'])
})

const book = (id: string, more: Partial<Sportsbook> = {}): Sportsbook => ({
  id,
  display_name: id,
  short_name: id,
  category: 'us_retail',
  is_sharp: false,
  is_reference: false,
  status: 'active',
  last_update: '2026-11-20T12:00:00.000Z',
  ...more,
})

it('columns are my sportsbooks first, then sharp books by their order, exchanges and the others', () => {
  const books = [
    book('draftkings'),
    book('kalshi', { category: 'prediction_market' }),
    book('circa', { is_sharp: true }),
    book('pinnacle', { category: 'sharp', is_sharp: true }),
    book('betfair', { category: 'exchange', is_sharp: true }),
  ]
  const order = (mine: readonly string[]) =>
    columnOrder(books, ['pinnacle', 'circa', 'betfair'], mine).map(({ id }) => id)
  expect(order([])).toEqual(['pinnacle', 'circa', 'betfair', 'kalshi', 'draftkings'])
  const mine = ['kalshi', 'unlisted', 'draftkings']
  expect(order(mine)).toEqual(['kalshi', 'draftkings', 'pinnacle', 'circa', 'betfair'])
})

it("a sportsbook's dot follows the age of its newest price", () => {
  const at = Date.parse('2026-11-20T12:00:00.000Z')
  expect([9_999, 10_000, 59_999, 60_000].map((age) => freshnessOf(book('x'), at + age))).toEqual([
    'fresh',
    'recent',
    'recent',
    'old',
  ])
  expect(freshnessOf(book('x', { status: 'limited' }), at)).toBe('down')
  expect(freshnessOf(book('x', { last_update: null }), at)).toBe('down')
})

const league = (id: string, country: string | null): League => ({
  ...{ id, name: id, sport: 'soccer', country, event_count: 1, live_count: 0 },
})

it('leagues have short names, unless two of them would have the same', () => {
  const names = (...leagues: string[]) =>
    nameLeagues(leagues.map((name) => ({ ...league(name, null), name }))).map(
      ({ shortName }) => shortName,
    )
  expect(names('NBA', 'Italy - Serie A', 'Spain - La Liga')).toEqual(['NBA', 'Serie A', 'La Liga'])
  expect(names('Italy - Serie A', 'NBA', 'Brazil - Serie A')).toEqual([
    'Italy - Serie A',
    'NBA',
    'Brazil - Serie A',
  ])
  const without = (name: string) => ({ ...league(name, null), event_count: 0 })
  const brazil = [league('Italy - Serie A', 'italy'), without('Brazil - Serie A')]
  expect(nameLeagues(brazil).map(({ shortName }) => shortName)).toEqual([
    'Serie A',
    'Brazil - Serie A',
  ])
  const neither = [without('Italy - Serie A'), without('Brazil - Serie A'), league('nba', 'usa')]
  expect(nameLeagues(neither).map(({ shortName }) => shortName)).toEqual([
    'Italy - Serie A',
    'Brazil - Serie A',
    'nba',
  ])
})

it('sides are shown home first outside North America, with a draw between them', () => {
  const store = createPriceStore()
  const row = { event_id: 'a game', market_type: 'moneyline', sportsbook: 'a', odds_decimal: 3 }
  store.update([{ ...row, id: '1', selection_type: 'draw' }], 1)
  store.update([{ ...row, id: '2', selection_type: 'home' }], 1)
  const question = [...store.questions.values()][0]!
  store.orderSides(question, isHomeFirst(league('england_-_premier_league', 'england')))
  store.update([{ ...row, id: '3', selection_type: 'away' }], 1)
  expect(question.answers).toEqual(['home', 'draw', 'away'])
  store.orderSides(question, isHomeFirst(league('nhl', 'usa')))
  expect(question.answers).toEqual(['away', 'draw', 'home'])
  expect([null, 'spain', 'canada'].map((country) => isHomeFirst(league('x', country)))).toEqual([
    true,
    true,
    false,
  ])
})

it('the first game of a league has the title that it has once the league is listed with games', () => {
  const listed = [
    league('nhl', 'usa'),
    league('premier_league', 'england'),
    league('serie_a', 'italy'),
    league('unlisted', null),
  ]
  const reference = listed.filter(({ id }) => id !== 'unlisted')
  const before = reference.map((one) => ({ ...one, event_count: one.id === 'serie_a' ? 1 : 0 }))
  const titles = (all: readonly League[]) =>
    listed.map(({ id }) =>
      titleOf(
        { league: id, home_team: 'Home', away_team: 'Away' } as Game,
        sortLeagues(all).leaguesById.get(id),
      ),
    )
  expect(titles(before)).toEqual(['Away @ Home', 'Home v Away', 'Home v Away', 'Home v Away'])
  expect(titles(listed)).toEqual(titles(before))
  expect(sortLeagues(before).leagues.map(({ id }) => id)).toEqual(['serie_a'])
})

describe('the games of the board', () => {
  const game = (id: string, more: Partial<Game> = {}): Game => ({
    id,
    league: 'nba',
    sport: 'basketball',
    home_team: 'New York Knicks',
    away_team: 'Brooklyn Nets',
    start_time: '2026-11-21T00:30:00.000Z',
    status: 'upcoming',
    is_live: false,
    ...more,
  })
  const store = createPriceStore()
  for (const event_id of ['late', 'early', 'live', 'unknown']) {
    for (const [i, answer] of ['over', 'under'].entries()) {
      store.update(
        [
          {
            id: `${event_id} ${i}`,
            event_id,
            market_type: 'total_points',
            selection_type: answer,
            sportsbook: 'a',
            odds_decimal: 2,
          },
        ],
        1,
      )
    }
  }
  const games = new Map(
    [
      game('late', { start_time: '2026-11-22T00:00:00.000Z', home_team: 'Utah Jazz' }),
      game('early'),
      game('live', {
        is_live: true,
        start_time: '2026-11-20T00:00:00.000Z',
        game_state: { home_score: 10, away_score: 7, period: 'Q1', clock: '5:00' },
      }),
    ].map((one) => [one.id, one]),
  )
  const leagues = new Map([
    ['nba', league('nba', 'usa')],
    ['nhl', league('nhl', 'usa')],
  ])
  const filter = { when: 'all', search: '', order: 'start', leagues } as const
  const rowsOf = (more: Partial<BoardFilter>, holds: Readonly<Record<string, number>> = {}) =>
    boardRows(
      store.questions.values(),
      games,
      { ...filter, ...more },
      ({ eventId }) => holds[eventId] ?? null,
    )
  const ids = (when: When, search = '') => rowsOf({ when, search }).map((row) => row.game.id)

  it('are sorted by start, and filtered as requested', () => {
    expect(ids('all')).toEqual(['live', 'early', 'late'])
    expect(ids('upcoming')).toEqual(['early', 'late'])
    expect(ids('live')).toEqual(['live'])
    expect(ids('all', 'jazz nets')).toEqual(['late'])
    expect(ids('all', 'jazz lakers')).toEqual([])
  })

  it('are by league in its order, or by hold, and by start within', () => {
    games.set('live', { ...games.get('live')!, league: 'nhl' })
    const inOrder = (order: BoardOrder, holds?: Readonly<Record<string, number>>) =>
      rowsOf({ order }, holds).map((row) => row.game.id)
    expect(inOrder('league')).toEqual(['early', 'late', 'live'])
    games.set('early', { ...games.get('early')!, league: 'unlisted' })
    expect(inOrder('league')).toEqual(['late', 'live', 'early'])
    // A game without a hold comes last.
    expect(inOrder('hold', { late: -0.01, live: 0.02 })).toEqual(['late', 'live', 'early'])
    // An edge is the larger the better, so it is sorted by its opposite.
    expect(inOrder('edge', { late: 0.03, live: -0.02 })).toEqual(['live', 'late', 'early'])
    expect(boardOrders.filter(isByPrices)).toEqual(['hold', 'edge'])
  })

  it('name the market where a game has rows of several, and are counted once', () => {
    const several = createPriceStore()
    const prices = [
      ['early', 'set_handicap', 'home', 'away'],
      ['early', 'game_handicap', 'home', 'away'],
      ['late', 'game_handicap', 'home', 'away'],
    ] as const
    for (const [event_id, market_type, ...answers] of prices) {
      several.update(
        answers.map((selection_type) => ({
          ...{ id: `${event_id} ${market_type} ${selection_type}`, event_id, market_type },
          ...{ selection_type, sportsbook: 'a', odds_decimal: 2 },
        })),
        1,
      )
    }
    const rows = boardRows(several.questions.values(), games, filter, () => null)
    expect(rows.map((row) => [0, 1].map((i) => sideOf(row, i).name))).toEqual([
      ['Nets · Game handicap', 'New York Knicks'],
      ['Nets · Set handicap', 'New York Knicks'],
      ['Brooklyn Nets', 'Utah Jazz'],
    ])
    expect(countGames(rows)).toBe(2)
  })

  it('name the statistic where a market has several of a player', () => {
    const props = createPriceStore()
    for (const [player_name, stat_category] of [
      ['A', 'assists'],
      ['A', 'rebounds'],
      ['B', 'assists'],
    ] as const) {
      props.update(
        ['over', 'under'].map((selection_type) => ({
          ...{ id: `${player_name} ${stat_category} ${selection_type}`, event_id: 'late' },
          ...{ market_type: 'player_prop', player_name, stat_category, selection_type },
          ...{ sportsbook: 'a', odds_decimal: 2 },
        })),
        1,
      )
    }
    const rows = boardRows(props.questions.values(), games, filter, () => null)
    expect(rows.map((row) => [0, 1].map((i) => sideOf(row, i).name))).toEqual([
      ['A', 'Prop · Assists · Nets @ Jazz'],
      ['A', 'Prop · Rebounds · Nets @ Jazz'],
      ['B', 'Prop · Nets @ Jazz'],
    ])
  })

  it('name their teams beside over and under, with the score', () => {
    const [live] = rowsOf({ when: 'live' })
    expect([0, 1].map((i) => sideOf(live!, i))).toEqual([
      { name: 'Brooklyn Nets', score: 7 },
      { name: 'New York Knicks', score: 10 },
    ])
  })
})

it('a sportsbook without prices now has a column on a board of the past alone', () => {
  const book = (id: string, last_update: string | null): Sportsbook => ({
    ...{
      id,
      display_name: id,
      short_name: id,
      category: 'us_retail',
      is_sharp: false,
      is_reference: false,
    },
    ...{ status: 'active', last_update },
  })
  const books = [book('up', '2026-11-20T12:00:00Z'), book('down', null)]
  const idsAt = (at: number | null, isOnlyMine = false) =>
    shownBooks(books, { books: ['up'], isOnlyMine }, at).map(({ id }) => id)
  expect(idsAt(null)).toEqual(['up'])
  expect(idsAt(0)).toEqual(['up', 'down'])
  expect(idsAt(0, true)).toEqual(['up'])
})
