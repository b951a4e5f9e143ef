import { describe, expect, test } from 'vitest'
import type { Client, OddsItem } from '../../../api/clients/typescript/src/index.ts'
import {
  bestOf,
  bestTable,
  type Games,
  keepGames,
  readBest,
} from '../../../api/command-line/best.ts'
import { priceLine } from '../../../api/command-line/tail.ts'
import { styleFor } from '../../../api/command-line/terminal.ts'

const row = (sportsbook: string, decimal: number, others: object = {}) =>
  ({
    id: `${sportsbook}-${decimal}`,
    sportsbook,
    event_id: 'nba_a_b',
    home_team: 'B',
    away_team: 'A',
    event_start_time: '2026-11-24T00:00:00.000Z',
    market_type: 'moneyline',
    selection: 'B',
    line: null,
    odds_decimal: decimal,
    odds_american: Math.round((decimal - 1) * 100),
    is_active: true,
    ...others,
  }) as unknown as OddsItem

const none: Games = new Map()

test('the best price is the highest that is offered', () => {
  const rows = [row('one', 2.1), row('two', 2.4), row('three', 3, { is_active: false })]
  expect(bestOf(rows, none, 10)).toMatchObject([
    { sportsbook: 'two', decimal: 2.4, sportsbooks: 2 },
  ])
})

describe('a price from before a game that is in play', () => {
  const late = row('late', 3.1, { is_live: false })
  const rows = [row('one', 1.4, { is_live: true }), late, row('two', 1.45, { is_live: true })]

  test('is not the best, and its sportsbook does not count', () => {
    const inPlay: Games = new Map([['nba_a_b', { isLive: true, status: 'live', staleBooks: [] }]])
    expect(bestOf(rows, inPlay, 10)).toMatchObject([{ sportsbook: 'two', sportsbooks: 2 }])
    expect(bestOf([late], inPlay, 10)).toEqual([])
    // Whether a game is in play is said of the game, not of its prices.
    expect(bestOf(rows, none, 10)).toMatchObject([{ sportsbook: 'late', sportsbooks: 3 }])
  })

  test('is left out by what the service says of the games', async () => {
    const asked: unknown[] = []
    const game = { id: 'nba_a_b', is_live: true, event_status: 'live' }
    const client = {
      async *items(path: string, { query }: { query: object }) {
        asked.push([path, query])
        yield* path === '/events' ? [game] : rows
      },
    } as unknown as Client
    const found = await readBest(client, { league: ['nba', 'nfl'], market: 'moneyline', limit: 9 })
    expect(found).toMatchObject([{ sportsbook: 'two' }])
    expect(asked[0]).toEqual(['/events', { league: 'nba,nfl', limit: 200 }])
  })
})

test('a handicap of soccer in play has no best price', () => {
  const handicap = { market_type: 'point_spread', line: -0.5, sport: 'soccer' }
  const rowsOf = (more: object) => [1.4, 2.3].map((odds, at) => row(`${at}`, odds, more))
  expect(bestOf(rowsOf({ ...handicap, is_live: true }), none, 10)).toEqual([])
  expect(bestOf(rowsOf({ ...handicap, is_live: false }), none, 10)).toHaveLength(1)
  expect(
    bestOf(rowsOf({ ...handicap, sport: 'basketball', is_live: true }), none, 10),
  ).toHaveLength(1)
})

test('it is said how many prices are not compared', async () => {
  const handicap = { market_type: 'point_spread', line: -0.5, sport: 'soccer', is_live: true }
  const clientOf = (rows: readonly OddsItem[]) =>
    ({
      async *items(path: string) {
        if (path === '/odds') yield* rows
      },
    }) as unknown as Client
  const noted: string[] = []
  const read = (rows: readonly OddsItem[]) =>
    readBest(clientOf(rows), { league: [], market: 'spread', limit: 9 }, (text) => noted.push(text))
  expect(await read([row('one', 2.1)])).toHaveLength(1)
  expect(noted).toEqual([])
  expect(await read([row('one', 2.1, handicap), row('two', 2.2, handicap)])).toEqual([])
  expect(noted).toEqual([
    'Not compared: 2 prices of soccer handicaps in play, which sportsbooks settle in two ways.',
  ])
})

describe('a price that was last seen too long ago', () => {
  const rows = [row('old', 3.1), row('one', 1.4), row('two', 1.45)]
  const game = { id: 'nba_a_b', is_live: false, event_status: 'upcoming', stale_books: ['old'] }
  const client = {
    async *items(path: string) {
      yield* path === '/events' ? [game] : rows
    },
  } as unknown as Client
  const query = { league: [], market: 'moneyline', limit: 9 }

  test('is not the best, and its sportsbook does not count', async () => {
    expect(await readBest(client, query)).toMatchObject([{ sportsbook: 'two', sportsbooks: 2 }])
  })

  test('is none of a live table either, until its sportsbook is seen again', async () => {
    const games = keepGames(client, query)
    const best = () => bestOf(rows, games.now(), 9)
    expect(best()).toMatchObject([{ sportsbook: 'old' }])
    for (let reading = 0; reading < 3; reading++) {
      await games.read()
      expect(best()).toMatchObject([{ sportsbook: 'two', sportsbooks: 2 }])
    }
    expect(bestOf([row('old', 3.1)], games.now(), 9)).toEqual([])
    game.stale_books = []
    for (let reading = 0; reading < 6; reading++) await games.read()
    expect(best()).toMatchObject([{ sportsbook: 'old', sportsbooks: 3 }])
  })
})

test('the games of a live table are read in play each time, and all of them now and then', async () => {
  const asked: boolean[] = []
  let inPlay = ['a']
  const client = {
    async *items(_: string, { query }: { query: { live?: boolean } }) {
      asked.push(query.live === true)
      for (const id of query.live ? inPlay : ['a', 'b']) {
        const isLive = inPlay.includes(id)
        yield { id, is_live: isLive, event_status: isLive ? 'live' : 'upcoming' }
      }
    },
  } as unknown as Client
  const games = keepGames(client, { league: [], market: 'moneyline', limit: 9 })
  await Promise.all([games.read(), games.read()])
  expect(asked).toEqual([false])
  inPlay = ['b']
  await games.read()
  expect([...games.now()].map(([id, { isLive }]) => [id, isLive])).toEqual([
    ['a', false],
    ['b', true],
  ])
  for (let i = 0; i < 5; i++) await games.read()
  expect(asked).toEqual([false, true, true, true, true, true, false])
})

test.each(['postponed', 'cancelled', 'final'] as const)(
  'no price of a %s game is the best of its outcome',
  (status) => {
    const rows = [row('one', 2.1), row('two', 2.4, { is_live: true })]
    const games: Games = new Map([['nba_a_b', { isLive: false, status, staleBooks: [] }]])
    expect(bestOf(rows, games, 10)).toEqual([])
    expect(bestOf([...rows, row('one', 1.9, { event_id: 'nba_c_d' })], games, 10)).toMatchObject([
      { decimal: 1.9, sportsbooks: 1 },
    ])
  },
)

test('the table says that starts are in UTC', () => {
  expect(bestTable(bestOf([row('one', 2)], none, 1), plainStyle)).toMatch(/^start \(UTC\) /)
})

const plainStyle = styleFor({}, {})

describe('a withheld price', () => {
  const wrong = { withheld: 'far_from_consensus' }

  test('is not the best, whenever it comes, and its sportsbook does not count', () => {
    const offers = [row('one', 2.1), row('two', 2.4), row('three', 9, wrong)]
    for (const rows of [offers, offers.toReversed()]) {
      expect(bestOf(rows, none, 10)).toMatchObject([
        { sportsbook: 'two', decimal: 2.4, sportsbooks: 2, withheld: null },
      ])
    }
    expect(bestTable(bestOf(offers, none, 10), plainStyle)).not.toContain('withheld')
  })

  test('is marked with its reason in the table where no other is offered', () => {
    const prices = bestOf([row('one', 3, wrong), row('two', 9, wrong)], none, 10)
    expect(prices).toMatchObject([{ sportsbook: 'two', sportsbooks: 2, ...wrong }])
    expect(bestTable(prices, plainStyle)).toContain('two (withheld: far_from_consensus)')
  })

  test('is marked with its reason on the line of each change', () => {
    const fair = row('one', 2)
    expect(priceLine(undefined, row('one', 9, wrong), plainStyle)).toBe(
      'one  A @ B  moneyline  B  new -> +800  (withheld: far_from_consensus)',
    )
    expect(priceLine(fair, row('one', 9, wrong), plainStyle)).toBe(
      'one  A @ B  moneyline  B  ▲ +100 -> +800  (withheld: far_from_consensus)',
    )
    expect(priceLine(fair, row('one', 2, wrong), plainStyle)).toBe(
      'one  A @ B  moneyline  B  +100  (withheld: far_from_consensus)',
    )
    expect(priceLine(row('one', 2, wrong), fair, plainStyle)).toBe(
      'one  A @ B  moneyline  B  +100  (no longer withheld)',
    )
    expect(priceLine(fair, fair, plainStyle)).toBeNull()
    expect(priceLine(row('one', 2, wrong), null, plainStyle)).toBe(
      'one  A @ B  moneyline  B  withdrawn',
    )
  })
})

test('a suspension and its end are a line each, and a price that moves meanwhile is marked', () => {
  const [open, suspended] = [row('one', 2), row('one', 2, { is_active: false })]
  const about = 'one  A @ B  moneyline  B'
  expect(priceLine(open, suspended, plainStyle)).toBe(`${about}  +100  suspended`)
  expect(priceLine(suspended, open, plainStyle)).toBe(`${about}  +100  open again`)
  expect(priceLine(suspended, suspended, plainStyle)).toBeNull()
  expect(priceLine(undefined, suspended, plainStyle)).toBe(`${about}  new -> +100  suspended`)
  expect(priceLine(suspended, row('one', 3, { is_active: false }), plainStyle)).toBe(
    `${about}  ▲ +100 -> +200  suspended`,
  )
  expect(priceLine(suspended, row('one', 3), plainStyle)).toBe(
    `${about}  ▲ +100 -> +200  open again`,
  )
  expect(priceLine(suspended, null, plainStyle)).toBe(`${about}  withdrawn`)
})

test('lines and outcomes are distinct, and the earliest events come first', () => {
  const rows = [
    row('one', 2, { line: 1.5 }),
    row('one', 3, { line: 2.5 }),
    row('one', 4, { event_id: 'early', event_start_time: '2026-11-23T00:00:00.000Z' }),
  ]
  expect(bestOf(rows, none, 10).map(({ decimal }) => decimal)).toEqual([4, 2, 3])
  expect(bestOf(rows, none, 1)).toHaveLength(1)
})

test('a name cannot command the terminal', () => {
  const prices = bestOf([row('one', 2, { selection: '\x1b[2J\x07evil\nline' })], none, 1)
  const text = bestTable(prices, styleFor({ isTTY: true }, { NO_COLOR: '1' }))
  expect(text).toContain('evil line')
  expect(text).not.toMatch(/(?!\n)\p{Cc}/u)
  expect(text.split('\n')).toHaveLength(2)
})

test('colours are for terminals, and not with NO_COLOR', () => {
  expect(styleFor({ isTTY: true }, {})('bold', 'x')).toContain('\x1b')
  expect(styleFor({}, {})('bold', 'x')).toBe('x')
  expect(styleFor({ isTTY: true }, { NO_COLOR: '1' })('bold', 'x')).toBe('x')
})
