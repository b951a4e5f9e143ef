/** A sportsbook's newer statement on a game counts, whatever names it has for the game. */

import { describe, expect, it } from 'vitest'
import { compareBoards } from './compare-boards.ts'
import { selection, statement } from './moneylines.ts'
import { createRealBoard } from './real-board.ts'
import { createSlowBoard } from './slow-board.ts'

const minute = 60_000

type Naming = { startsLaterMs?: number; externalId?: string | null }

/** Compares the board after a sportsbook's price at noon, and a minute later under another name. */
function differencesAfter(before: Naming, later: Naming) {
  const records = [
    statement('corner_shop', 'Leeds United', 'Brentford', [selection('home', 2)], before),
    statement('corner_shop', 'Leeds United', 'Brentford', [selection('home', 2.5)], {
      ...later,
      laterMs: minute,
    }),
  ]
  const slow = createSlowBoard(() => ({ game: 'the only one', isReversed: false }))
  const real = createRealBoard()
  for (const record of records) slow.take(record)
  real.take(records)
  return compareBoards(slow.read(), real.tables, () => 'the only one')
}

describe('a game that a sportsbook lists again', () => {
  it('keeps its row when the start moves under the same id', () => {
    const id = { externalId: 'match 7' }
    expect(differencesAfter(id, { ...id, startsLaterMs: 30 * minute })).toEqual([])
  })

  it('takes the newer price when the start moves and there is no id', () => {
    const none = { externalId: null }
    expect(differencesAfter(none, { ...none, startsLaterMs: 5 * minute })).toEqual([])
  })

  it('takes the newer price when the id changes', () => {
    expect(differencesAfter({ externalId: 'match 7' }, { externalId: 'match 8' })).toEqual([])
  })
})
