import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Scope } from '../../api/access/scope.ts'
import { readFilters } from '../../api/ask/filters.ts'
import { ApiError } from '../../api/errors.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const knicks = 'nba_bulls_knicks_2027-01-14_b3'
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

let by: ReturnType<typeof createStreamsByHand>
beforeEach(() => {
  by = createStreamsByHand()
  by.event(knicks)
})
afterEach(() => by.close())

/** A scope that counts how often its board is asked for a number of rows. */
function counted(scope: Scope) {
  const steps = { count: 0 }
  const total: Scope['board']['total'] = (...of) => {
    steps.count++
    return scope.board.total(...of)
  }
  const board = Object.create(scope.board, { total: { value: total } })
  return { steps, scope: { ...scope, board } as Scope }
}

describe('filters', () => {
  it('walk the markets of the board once, however many values are unknown', () => {
    const marketTypes = numbers(500).map((i) => `unlisted_${i}`)
    by.odds(
      knicks,
      ...marketTypes.map((marketType) => ({ sportsbook: 'betrivers', price: 2, marketType })),
    )
    const { steps, scope } = counted(by.streams.scopes.of({ tier: 'pro', isOwner: false }))
    const market = [...numbers(300).map((i) => `zq${i}`), 'unlisted_7', 'props', 'Unlisted_499']
    try {
      readFilters({ market }, scope)
      expect.unreachable()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      expect(error.details).toMatchObject({ details: { fields: { market: market.slice(0, 300) } } })
    }
    expect(steps.count).toBeLessThanOrEqual(500)
  })

  it('ask nothing of the board for a listed market', () => {
    const { steps, scope } = counted(by.streams.scopes.of({ tier: 'pro', isOwner: false }))
    expect(readFilters({ market: ['moneyline'] }, scope).marketTypes).toEqual(['moneyline'])
    expect(steps.count).toBe(0)
  })
})
