import { describe, expect, it } from 'vitest'
import { toMarkets, toOutcome, unstated } from '../../../../pipeline/feeds/kit/outcomes.ts'
import { parseValue } from '../../../../pipeline/feeds/push/parse.ts'
import { noon, selection, statement } from '../../../oracle/moneylines.ts'
import { createRealBoard } from '../../../oracle/real-board.ts'

type Board = ReturnType<typeof createRealBoard>

/** Returns whether the prices of a sportsbook are offers, in the order of their rows. */
const offersOf = ({ tables }: Board, sportsbook: string) =>
  [...tables.odds.values()]
    .filter((row) => row.sportsbook === sportsbook)
    .map((row) => row.isActive)

const start = (more: object, ofMarket: object, mode: 'snapshot' | 'delta' = 'snapshot') => {
  const board = createRealBoard({ sharpChain: ['pinnacle'] })
  const at = (laterMs: number) => ({ laterMs, externalId: null })
  const prices = (home: number, away: number, with_: object) => [
    selection('home', home, with_),
    selection('away', away, with_),
  ]
  const basketball = (made: ReturnType<typeof statement>, of: object) => ({
    ...made,
    mode,
    event: { ...made.event, sport: 'basketball', league: 'nba' },
    markets: made.markets.map((market) => ({ ...market, ...of })),
  })
  const [home, away] = ['New York Knicks', 'Boston Celtics']
  board.take([
    basketball(statement('pinnacle', home, away, prices(1.9, 2, {}), at(0)), {}),
    basketball(statement('draftkings', home, away, prices(2.1, 1.8, more), at(1)), ofMarket),
  ])
  return board
}

describe('a price at which no bet is taken, because its highest stake is 0', () => {
  it.each([
    ['of the selection', { maxBet: 0 }, {}],
    ['of the market', {}, { maxBet: 0 }],
    ['of the selection alone', { maxBet: 0 }, { maxBet: 500 }],
  ])('is suspended, and no leg of an opportunity: %s', (_, more, ofMarket) => {
    for (const mode of ['snapshot', 'delta'] as const) {
      const board = start(more, ofMarket, mode)
      expect(offersOf(board, 'draftkings')).toEqual([false, false])
      expect(offersOf(board, 'pinnacle')).toEqual([true, true])
      expect([...board.tables.opportunities.values()]).toEqual([])
    }
  })

  it.each([
    ['none stated', {}, {}],
    ['a small stake', { maxBet: 0.01 }, {}],
    ['of the market alone, where the selection says more', { maxBet: 5 }, { maxBet: 0 }],
  ])('is the only kind: %s', (_, more, ofMarket) => {
    const board = start(more, ofMarket)
    expect(offersOf(board, 'draftkings')).toEqual([true, true])
    const kinds = [...board.tables.opportunities.values()].map(({ kind }) => kind)
    expect(kinds).toContain('arbitrage')
  })

  it('comes so from pushes and from sources', () => {
    const event = {
      sport: 'basketball',
      league: 'NBA',
      home_team: 'New York Knicks',
      away_team: 'Boston Celtics',
      start_time: '2026-05-02T13:00:00Z',
    }
    const selections = [{ selection_type: 'home', odds_decimal: 2.1, max_bet: 0 }]
    const markets = [{ market_type: 'moneyline', selections }]
    const observed_at = new Date(noon).toISOString()
    const record = { type: 'odds', sportsbook: 'draftkings', mode: 'snapshot', observed_at, event }
    const pushed = parseValue({ ...record, markets }, noon)
    if (!pushed.ok || pushed.record.type !== 'odds') throw new Error('it is taken')
    const outcome = toOutcome({ ...unstated, marketType: 'moneyline' }, null, 2.1, {
      selectionType: 'home',
      price: 2.1,
      maxBet: 0,
    })
    const read = { ...pushed.record, markets: toMarkets([outcome]).markets }
    for (const taken of [pushed.record, read]) {
      const board = createRealBoard()
      board.take([taken])
      expect(offersOf(board, 'draftkings')).toEqual([false])
    }
  })
})
