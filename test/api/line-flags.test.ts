import { beforeEach, describe, expect, it } from 'vitest'
import { createCursors } from '../../api/ask/cursor.ts'
import { createOddsRoute } from '../../api/routes/odds.ts'
import { createSmallBoard, knicks, refusal, type SmallBoard } from './small-board.ts'

const listOdds = createOddsRoute(createCursors('a secret'))
let board: SmallBoard

const spread = { marketType: 'point_spread', price: 1.9 }

beforeEach(() => {
  board = createSmallBoard()
  board.event(knicks)
  board.odds(
    knicks,
    { ...spread, sportsbook: 'draftkings', line: -4.5 },
    { ...spread, sportsbook: 'draftkings', line: 4.5, selectionType: 'away' },
    { ...spread, sportsbook: 'draftkings', line: -5.5, price: 2 },
    { ...spread, sportsbook: 'fanduel', line: -5.5, price: 2 },
    { ...spread, sportsbook: 'pinnacle', line: -4.5 },
    { ...spread, sportsbook: 'caesars', line: -4.5 },
    { sportsbook: 'draftkings', price: 1.6 },
  )
  board.decideMainLines()
})

interface Row {
  readonly id: string
  readonly is_main_line: boolean
  readonly is_alternate_line: boolean
}

const fields = 'fields=id,is_main_line,is_alternate_line'
const rowsOf = (query: string, tier: 'free' | 'sharp' = 'sharp') =>
  board.get(listOdds, query, { tier }).data as Row[]
const mainIds = (rows: readonly Row[]) =>
  rows.filter(({ is_main_line }) => is_main_line).map(({ id }) => id)

describe('rows with requested line flags', () => {
  it.each(['', 'sportsbook=draftkings,fanduel&', 'sort=-odds_american&', 'sportsbook=fanduel&'])(
    'agree with the filter by main line: %s',
    (query) => {
      const rows = rowsOf(`${query}${fields}`)
      const filtered = rowsOf(`${query}is_main_line=true`).map(({ id }) => id)
      expect(mainIds(rows)).toEqual(filtered)
      for (const row of rows) expect(row.is_alternate_line).toBe(!row.is_main_line)
      expect(Object.keys(rows[0]!)).toEqual(['id', 'is_main_line', 'is_alternate_line'])
    },
  )

  it('have those of the tier, the same below their events', () => {
    const lines = (tier: 'free' | 'sharp') =>
      rowsOf('market=point_spread&fields=line,is_main_line', tier).map((row) => Object.values(row))
    expect(lines('sharp')).toContainEqual([-4.5, true])
    expect(lines('sharp')).toContainEqual([-5.5, false])
    expect(lines('free')).toContainEqual([-5.5, true])
    const [group] = board.get(listOdds, `group_by=event&${fields}`).data
    expect(group.odds).toEqual(rowsOf(fields))
  })

  it('change with the main line', () => {
    const plan = board.prepare(listOdds, `sportsbook=draftkings&market=point_spread&${fields}`)
    const before = board.write(listOdds, plan)
    board.odds(
      knicks,
      { ...spread, sportsbook: 'betmgm', line: -5.5 },
      { ...spread, sportsbook: 'bet365', line: -5.5 },
    )
    board.decideMainLines()
    const after = board.write(listOdds, plan)
    expect(mainIds(before.body.data)).not.toEqual(mainIds(after.body.data))
    expect(before.tag).toBeUndefined()
  })

  it('are in no other list, and never unrequested', () => {
    expect(rowsOf('')[0]).not.toHaveProperty('is_main_line')
    expect(refusal(() => rowsOf('fields=is_main')).code).toBe('validation_error')
  })
})
