/** +EV measured on request, on a board that has all kinds of markets. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../api/access/scope.ts'
import type { NamedPart } from '../../api/opportunities/kind.ts'
import { rowsAtOnce, rowsMeasuredBy } from '../../api/opportunities/recompute.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'
import { game, knicks } from './small-board.ts'

let service: InProcess
const leeds = {
  sport: 'soccer',
  league: 'England - Premier League',
  home: 'Leeds United',
  away: 'Brentford',
  startsAt: '2026-11-21T15:00:00Z',
}
const total = (over: number, under: number) => ({
  market_type: 'total_goals',
  line: 2.5,
  selections: [
    { selection_type: 'over', odds_decimal: over },
    { selection_type: 'under', odds_decimal: under },
  ],
})
const open = [
  {
    market_type: 'exact_total_goals',
    selections: [{ selection_type: '2', selection: '2 goals', odds_decimal: 3.5 }],
  },
  {
    market_type: 'some_special',
    selections: [{ selection_type: 'other', selection: 'A dog on the pitch', odds_decimal: 3.5 }],
  },
  {
    market_type: 'player_goals',
    selections: [{ selection_type: 'over', line: 0.5, odds_decimal: 3.5 }],
  },
]

beforeAll(async () => {
  service = await startInProcess()
  const offers = {
    pinnacle: [total(1.95, 1.95)],
    betfair: [total(1.97, 1.97)],
    draftkings: [total(2.1, 1.8), ...open],
    fanduel: open,
  }
  const { body } = await service.ingest(
    Object.entries(offers).map(([sportsbook, markets]) =>
      oddsRecord(service.clock(), { ...leeds, sportsbook, markets }),
    ),
  )
  expect(body.data).toMatchObject({ rejected_count: 0 })
  await service.settled()
})
afterAll(() => service.close())

it.each([
  'devig_book=betfair',
  'devig_books=betfair,pinnacle',
  'devig_method=shin',
  'devig_book=consensus',
])('measures by %s beside markets without a closed set of outcomes', async (query) => {
  const { status, body } = await service.get(`/opportunities/ev?${query}`)
  expect(status).toBe(200)
  if (query !== 'devig_book=consensus') {
    expect(body.data.map((one: Record<string, unknown>) => one.selection)).toEqual(['Over 2.5'])
  }
})

it('measures all games of a board that takes several steps', async () => {
  const games = ['Arsenal', 'Chelsea', 'Everton', 'Fulham', 'Liverpool', 'Sunderland'] as const
  const prices = { pinnacle: [1.9, 1.9], betfair: [1.92, 1.92], draftkings: [2.2, 1.7] } as const
  const lines = Array.from({ length: 60 }, (_, i) => 0.5 + i)
  const records = games.flatMap((home) =>
    Object.entries(prices).map(([sportsbook, [over, under]]) =>
      oddsRecord(service.clock(), {
        ...{ ...leeds, home, away: 'Burnley', sportsbook },
        markets: lines.map((line) => ({ ...total(over, under), line })),
      }),
    ),
  )
  const { body } = await service.ingest(records)
  expect(body.data).toMatchObject({ rejected_count: 0 })
  await service.settled()
  const query = 'devig_book=betfair&limit=200&team='
  const all = await service.get(`/opportunities/ev?${query}Burnley`)
  expect(all.body.pagination.total).toBe(games.length * lines.length)
  for (const home of games) {
    const own = await service.get(`/opportunities/ev?${query}${home}`)
    expect(own.body.data).toHaveLength(lines.length)
  }
})

it.each(['market=total_goals', 'market=moneyline', 'sportsbook=fanduel', 'sportsbook=bovada'])(
  'measures as much of the games for %s as for all',
  async (filter) => {
    const games = ['Brentford', 'Wolves'] as const
    const moneyline = (home: number, draw: number, away: number) => ({
      market_type: 'moneyline',
      selections: [
        { selection_type: 'home', odds_decimal: home },
        { selection_type: 'draw', odds_decimal: draw },
        { selection_type: 'away', odds_decimal: away },
      ],
    })
    const offers = {
      betfair: [total(1.97, 1.97), moneyline(2.4, 3.4, 3.1)],
      fanduel: [total(2.1, 1.8), moneyline(2.6, 3.2, 2.9)],
      betmgm: [total(2.15, 1.75), moneyline(2.3, 3.9, 3)],
      bovada: [moneyline(2.3, 3.3, 3.5)],
    }
    const records = games.flatMap((away) =>
      Object.entries(offers).map(([sportsbook, markets]) =>
        oddsRecord(service.clock(), {
          ...{ ...leeds, home: 'Aston Villa', away, sportsbook, markets },
        }),
      ),
    )
    const { body } = await service.ingest(records)
    expect(body.data).toMatchObject({ rejected_count: 0 })
    await service.settled()
    const [name, value] = filter.split('=') as [string, string]
    const query = 'devig_book=betfair&limit=200&team=Aston+Villa'
    const all = await service.get(`/opportunities/ev?${query}`)
    const some = await service.get(`/opportunities/ev?${query}&${filter}`)
    const expected = all.body.data.filter((one: Record<string, unknown>) => one[name] === value)
    expect(expected.length).toBeGreaterThan(0)
    expect(some.body.data).toEqual(expected)
    expect(some.body.pagination.total).toBe(expected.length)
  },
)

describe('too many prices', () => {
  const most = 1_500_000
  const blocks = [
    { marketType: 'total_goals', count: most + 1, rows: [] },
    { marketType: 'moneyline', count: 0, rows: [] },
  ]
  const offer = { sportsbook: 'betfair', head: 0, lastSeenAt: 0 }
  const event = {
    ...{ id: knicks, row: game(knicks), rowCount: most + 1, liveRowCount: 0, blocks },
    // The last of its prices is in the moneyline.
    offers: new Map([
      ['betfair', offer],
      ['fanduel', { ...offer, sportsbook: 'fanduel', head: 1 }],
    ]),
  } as unknown as ViewEvent
  const rows = {
    next: (row: number) => (row === 0 ? 1 : -1),
    block: (row: number) => blocks[row],
  }
  const scope = {
    board: { events: () => [event], find: () => event, rows, references: new Set() },
    opportunities: { fees: new Map() },
    sources: { down: new Set(), ownersOnly: new Set() },
  } as unknown as Scope
  const part = { isOfEvent: () => true, markets: undefined, sportsbooks: undefined }
  const measure = (of: NamedPart) => rowsAtOnce(rowsMeasuredBy(['betfair'], 'power', scope, of, 0))

  it('are refused, without saying how many', () => {
    const refused = /more than 1500000 prices takes too long; name an event, .* or a sportsbook/
    expect(() => measure(part)).toThrow(refused)
    expect(() => measure({ ...part, sportsbooks: new Set(['betfair']) })).toThrow(refused)
  })

  it('are not too many where a market or a sportsbook narrows them', () => {
    for (const of of [{ markets: new Set(['moneyline']) }, { sportsbooks: new Set(['fanduel']) }]) {
      expect(measure({ ...part, ...of })).toEqual([])
    }
  })
})

it('explains one that is listed only so', async () => {
  const query = 'devig_book=betfair'
  const { body } = await service.get(`/opportunities/ev?${query}`)
  const [{ id, event_id }] = body.data
  const explained = await service.get(`/opportunities/${id}/explain?${query}&event=${event_id}`)
  expect(explained.status).toBe(200)
  expect(explained.body.data.id).toBe(id)
})
