import { describe, expect, it } from 'vitest'
import { createBoardView } from '../../../../pipeline/views/board/board-view.ts'
import { oddsDelta } from '../../../../pipeline/views/query/odds-delta.ts'
import { topics } from '../../../../schemas/topics.ts'
import { game, knicks, quote } from '../../../api/small-board.ts'
import { readPage } from '../naive-board.ts'

const position = { epoch: 'e', offsets: {} }

function openBoard() {
  const view = createBoardView()
  let at = 1_000
  function apply(topic: { readonly name: string }, key: string, value: object | null) {
    at += 10
    view.apply([{ topic: topic as never, partition: 0, offset: at, key, value }], position, at)
  }
  apply(topics.events, knicks, game(knicks))
  return {
    view,
    says(sportsbook: string, status: 'up' | 'down', since = at) {
      apply(topics.sportsbookStatus, sportsbook, { sportsbook, status, since, audience: 'all' })
    },
    prices(sportsbook: string, price: number, more: object = {}) {
      const row = quote(knicks, { sportsbook, price, ...more })
      apply(topics.odds, String(row.id), row)
    },
    goes(sportsbook: string, price: number) {
      apply(topics.odds, String(quote(knicks, { sportsbook, price }).id), null)
    },
    activity: () =>
      readPage(view, {}, { limit: 200, offset: 0 }).rows.map((row) => {
        const { sportsbook, selection_type, odds_decimal, is_active } = row as Record<string, never>
        return [sportsbook, selection_type, odds_decimal, is_active].join(' ')
      }),
  }
}

describe('the prices of a sportsbook whose sources are down', () => {
  it('are shown as inactive at once, and are active again with their sportsbook', () => {
    const board = openBoard()
    board.prices('draftkings', 1.91, { maxBet: 500 })
    board.prices('draftkings', 2.05, { selectionType: 'away', isActive: false })
    board.prices('fanduel', 1.9)
    const before = board.activity()
    const stamp = board.view.watermark
    board.says('draftkings', 'down')
    expect(board.activity()).toEqual([
      'draftkings home 1.91 false',
      'fanduel home 1.9 true',
      'draftkings away 2.05 false',
    ])
    // An active row has changed, so streams and deltas send it.
    const row = board.view.rows.find(quote(knicks, { sportsbook: 'draftkings', price: 1.91 }).id)
    expect(board.view.journal.stamp(row)).toBeGreaterThan(stamp)
    expect(board.view.rows.parse(row)).toMatchObject({ is_active: false, max_bet: 500 })
    board.says('draftkings', 'up')
    expect(board.activity()).toEqual(before)
    expect(board.view.rows.parse(row)).toMatchObject({ is_active: true, max_bet: 500 })
  })

  it('stay inactive when a lagging partition has an older state', () => {
    const board = openBoard()
    board.prices('draftkings', 1.91)
    board.says('draftkings', 'up', 900)
    board.says('draftkings', 'down', 950)
    board.says('draftkings', 'up', 900)
    expect(board.activity()).toEqual(['draftkings home 1.91 false'])
    board.says('draftkings', 'up', 990)
    expect(board.activity()).toEqual(['draftkings home 1.91 true'])
  })

  it('stay inactive when they move or come meanwhile', () => {
    const board = openBoard()
    board.prices('draftkings', 1.91)
    board.says('draftkings', 'down')
    board.prices('draftkings', 1.95)
    board.prices('draftkings', 2.05, { selectionType: 'away' })
    expect(board.activity()).toEqual(['draftkings home 1.95 false', 'draftkings away 2.05 false'])
    board.prices('draftkings', 2.1, { selectionType: 'away', isActive: false })
    board.says('draftkings', 'up')
    expect(board.activity()).toEqual(['draftkings home 1.95 true', 'draftkings away 2.1 false'])
  })

  it('have another content, and the same again when it is up', () => {
    const board = openBoard()
    board.prices('draftkings', 1.91)
    const textOf = () => JSON.stringify(readPage(board.view, {}, { limit: 200, offset: 0 }).rows)
    const before = textOf()
    board.says('draftkings', 'down')
    expect(textOf()).not.toBe(before)
    board.says('draftkings', 'up')
    expect(textOf()).toBe(before)
  })

  it.each([
    ['go', (board: ReturnType<typeof openBoard>) => board.goes('draftkings', 1.91)],
    ['move past it', (board: ReturnType<typeof openBoard>) => board.prices('draftkings', 3)],
  ])('are removed for a client that polls with a filter when they %s meanwhile', (_, change) => {
    const board = openBoard()
    board.prices('draftkings', 1.91)
    board.says('draftkings', 'down')
    const since = board.view.watermark
    change(board)
    const { id } = quote(knicks, { sportsbook: 'draftkings', price: 1.91 })
    expect(oddsDelta(board.view, { maxAmerican: 100 }, since).removed).toEqual([id])
  })
})
