/** +EV measured on request, on a board that has all kinds of markets. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Scope } from '../../api/access/scope.ts'
import { rowsMeasuredBy } from '../../api/opportunities/recompute.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'

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

it('refuses too many prices, without saying how many', () => {
  const game = { id: 'a game', rowCount: 250_001 } as ViewEvent
  const board = { events: () => [game], references: new Set() } as unknown as BoardView
  const scope = { board, opportunities: {} } as Scope
  const steps = rowsMeasuredBy(['betfair'], 'power', scope, () => true, 0)
  expect(() => steps.next()).toThrow(/more than 250000 prices takes too long; name an event/)
})

it('explains one that is listed only so', async () => {
  const query = 'devig_book=betfair'
  const { body } = await service.get(`/opportunities/ev?${query}`)
  const [{ id, event_id }] = body.data
  const explained = await service.get(`/opportunities/${id}/explain?${query}&event=${event_id}`)
  expect(explained.status).toBe(200)
  expect(explained.body.data.id).toBe(id)
})
