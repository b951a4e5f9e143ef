import { beforeEach, expect, it } from 'vitest'
import { createCursors } from '../../api/ask/cursor.ts'
import { createOddsRoute } from '../../api/routes/odds.ts'
import { createSmallBoard, knicks, type Quote, type SmallBoard } from './small-board.ts'

const listOdds = createOddsRoute(createCursors('a secret'))
let board: SmallBoard

const moneyline: Quote = { sportsbook: 'draftkings', price: 1.6 }

beforeEach(() => {
  board = createSmallBoard()
  board.event(knicks)
  const over = { sportsbook: 'draftkings', price: 1.9, selectionType: 'over', line: 20.5 }
  board.odds(
    knicks,
    moneyline,
    { ...over, marketType: 'total_points' },
    { ...over, marketType: 'player_points', playerName: 'Sample Guard' },
    // A player who is not named, and one named in a market that nobody lists.
    { ...over, marketType: 'player_prop', line: null },
    { ...over, marketType: 'somersaults', playerName: 'Sample Guard' },
  )
})

const flags = 'fields=market_type,is_player_prop'
const wanted = {
  moneyline: false,
  total_points: false,
  player_points: true,
  player_prop: true,
  somersaults: true,
}

it('say whether a price is of a player, where `fields` names it', () => {
  const rows = board.get(listOdds, flags).data as Record<string, unknown>[]
  const shown = rows.map((row) => [row.market_type, row.is_player_prop])
  expect(Object.fromEntries(shown)).toEqual(wanted)
  expect(Object.keys(rows[0]!)).toEqual(['market_type', 'is_player_prop'])
  const [group] = board.get(listOdds, `group_by=event&${flags}`).data
  expect(group.odds).toEqual(rows)
  expect(board.get(listOdds).data[0]).not.toHaveProperty('is_player_prop')
})

it('leave a page its tag, which moves with its rows', () => {
  const plan = board.prepare(listOdds, flags)
  const before = board.write(listOdds, plan)
  expect(before.tag).toBeDefined()
  expect(plan.tag!()).toBe(before.tag)
  board.odds(knicks, { ...moneyline, price: 1.7 })
  expect(plan.tag!()).not.toBe(before.tag)
})
