import { beforeEach, describe, expect, it } from 'vitest'
import { createCursors } from '../../api/ask/cursor.ts'
import { createOddsRoute } from '../../api/routes/odds.ts'
import { createSmallBoard, knicks, leeds, type SmallBoard } from './small-board.ts'

const listOdds = createOddsRoute(createCursors('a secret'))
let board: SmallBoard

const books = ['betmgm', 'caesars', 'draftkings', 'fanduel', 'pinnacle'] as const

beforeEach(() => {
  board = createSmallBoard()
  board.event(knicks)
  board.event(leeds)
  for (const [i, sportsbook] of books.entries()) {
    board.odds(knicks, { sportsbook, price: 1.8 + i / 100 })
    board.odds(leeds, { sportsbook, price: 2.1 + i / 100 })
  }
})

interface Group {
  readonly event_id: string
  readonly odds_total: number
  readonly partial: boolean
  readonly odds: readonly { readonly id: string }[]
}

const groupsOf = (query: string, tier: 'pro' | 'sharp' = 'sharp') =>
  board.get(listOdds, `group_by=event&${query}`, { tier })
const told = (query: string, tier?: 'pro' | 'sharp') =>
  (groupsOf(query, tier).data as Group[]).map(({ event_id, odds_total, partial, odds }) => [
    event_id,
    odds.length,
    odds_total,
    partial,
  ])

describe('prices below their events', () => {
  it('include their number per event, and whether the page has them all', () => {
    expect(told('')).toEqual([
      [knicks, 5, 5, false],
      [leeds, 5, 5, false],
    ])
    expect(told('limit=7')).toEqual([
      [knicks, 5, 5, false],
      [leeds, 2, 5, true],
    ])
    expect(told('limit=7&offset=7')).toEqual([[leeds, 3, 5, true]])
    expect(told('limit=3')).toEqual([[knicks, 3, 5, true]])
    expect(told('limit=6&sort=-odds_american')).toEqual([
      [leeds, 5, 5, false],
      [knicks, 1, 5, true],
    ])
  })

  it('count within the filters and the tier', () => {
    expect(told('limit=2&sportsbook=draftkings,fanduel,betmgm')).toEqual([[knicks, 2, 3, true]])
    expect(told('limit=5', 'pro')).toEqual([
      [knicks, 4, 4, false],
      [leeds, 1, 4, true],
    ])
    // Decimal 1.81 and 1.82 are -123 and -122.
    expect(told('min_odds=-123&max_odds=-122')).toEqual([[knicks, 2, 2, false]])
  })

  it('have the same rows over all pages', () => {
    const rows = new Map<string, string[]>()
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data, pagination } = groupsOf(`limit=3&cursor=${cursor}`)
      for (const { event_id, odds } of data as Group[]) {
        rows.set(event_id, [...(rows.get(event_id) ?? []), ...odds.map(({ id }) => id)])
      }
      cursor = pagination.next_cursor
    }
    expect([...rows].map(([id, ids]) => [id, new Set(ids).size])).toEqual([
      [knicks, 5],
      [leeds, 5],
    ])
  })

  it('change with their counts on other pages', () => {
    const plan = board.prepare(listOdds, 'group_by=event&limit=3&sportsbook=draftkings,betmgm')
    const first = board.write(listOdds, plan)
    expect(first.body.data[1]).toMatchObject({ event_id: leeds, odds_total: 2, partial: true })
    board.odds(leeds, { sportsbook: 'draftkings', price: 2.3, selectionType: 'away' })
    const second = board.write(listOdds, plan)
    expect(second.body.data[1]).toMatchObject({ odds_total: 3, partial: true })
  })

  it('are in play with their game, whatever rows of it are on the page', () => {
    const plan = board.prepare(listOdds, 'group_by=event&limit=2')
    const isLive = () => board.write(listOdds, plan).body.data[0].is_live
    expect(isLive()).toBe(false)
    const version = plan.version()
    board.event(knicks, { isLive: true, status: 'live' })
    expect(plan.version()).not.toBe(version)
    expect(isLive()).toBe(true)
    board.odds(knicks, { sportsbook: 'fanduel', price: 1.5, isLive: true })
    for (const query of ['', 'sportsbook=caesars', 'live=false', 'live=true']) {
      const [group] = groupsOf(query).data
      expect([query, group.event_id, group.is_live]).toEqual([query, knicks, true])
    }
    // A sportsbook that sells in play too early does not begin the game.
    board.odds(leeds, { sportsbook: 'fanduel', price: 1.5, isLive: true })
    expect(groupsOf('live=true').data[1]).toMatchObject({ event_id: leeds, is_live: false })
  })
})
