/** A set of sportsbooks that is looked at only after its lines have changed several times. */

import { expect, it } from 'vitest'
import {
  type BookSets,
  createBookSets,
  type SetFinder,
} from '../../../pipeline/processors/opportunities/book-sets.ts'
import { mostNeighbours } from '../../../pipeline/processors/opportunities/line-pairs.ts'
import type { PricedRow } from '../../../pipeline/processors/opportunities/price-lines.ts'
import { noFees } from '../../../pipeline/rules/odds/fees.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import type { EventRow } from '../../../schemas/event.ts'

const at = Date.parse('2026-11-20T12:00:00Z')
const sportsbooks = new Set(['draftkings', 'fanduel'])
let lastId = 0

function open() {
  const sets = createBookSets(sharpChain('pinnacle'), noFees, 1)
  sets.prices.advance(at)
  sets.prices.applyEvent('game', {
    ...{ id: 'game', sport: 'basketball', league: 'nba', homeTeam: 'A', awayTeam: 'B' },
    ...{ startsAt: at + 3_600_000, status: 'upcoming', isLive: false, flipped: false },
    updatedAt: at,
  } as EventRow)
  const kinds = new Map<string, string>()
  const set = { sportsbooks, fees: noFees, isOwners: false }
  const finder = sets.open(set, noDetection, (id, row) => {
    if (row) kinds.set(id, row.kind)
    else expect(kinds.delete(id)).toBe(true)
  })!
  return { sets, finder, kinds }
}

const noDetection = () => undefined

/** Returns a sportsbook's prices on a line. */
function total(sportsbook: string, line: number, over: number, under: number): PricedRow[] {
  return [over, under].map((price, side) => {
    const selectionType = side === 0 ? 'over' : 'under'
    return {
      ...{ id: ++lastId, eventId: 'game', sportsbook, marketType: 'total_points', line, price },
      ...{ selection: selectionType, selectionType, playerName: null },
      ...{ isLive: false, isActive: true, observedAt: at },
    }
  })
}

function say({ prices, settle }: BookSets, rows: readonly PricedRow[]) {
  for (const row of rows) prices.applyOdds(row)
  settle()
}

function withdraw({ prices, settle }: BookSets, rows: readonly PricedRow[]) {
  for (const { id } of rows) prices.removeOdds(id)
  settle()
}

function lookAtAll(finder: SetFinder) {
  while (finder.look(1)) {}
}

it('keeps the middle of a line that was withdrawn and listed again since', () => {
  const { sets, finder, kinds } = open()
  const [lower, higher] = [
    total('draftkings', 220.5, 1.95, 1.87),
    total('fanduel', 223.5, 1.87, 1.95),
  ]
  say(sets, [...lower, ...higher])
  lookAtAll(finder)
  expect([...kinds.values()]).toEqual(['middle'])
  // The line that stays has moved first, so that it is looked at first.
  say(sets, [{ ...lower[0]!, price: 1.96 }])
  withdraw(sets, higher)
  say(sets, higher)
  lookAtAll(finder)
  expect([...kinds.values()]).toEqual(['middle'])
  expect(finder.size).toBe(1)
})

it('ends what a withdrawn line had, and what too many lines have come between', () => {
  const { sets, finder, kinds } = open()
  const higher = total('fanduel', 223.5, 1.87, 1.95)
  say(sets, [...total('draftkings', 220.5, 1.95, 1.87), ...higher])
  lookAtAll(finder)
  const between = Array.from({ length: mostNeighbours }, (_, i) =>
    total('draftkings', 220.51 + i / 100, 1.2, 4),
  )
  say(sets, between.flat())
  lookAtAll(finder)
  expect([...kinds.values()]).toEqual([])
  withdraw(sets, between[7]!)
  lookAtAll(finder)
  expect([...kinds.values()]).toEqual(['middle'])
  withdraw(sets, higher)
  lookAtAll(finder)
  expect([...kinds.values()]).toEqual([])
  expect(finder.size).toBe(0)
})
