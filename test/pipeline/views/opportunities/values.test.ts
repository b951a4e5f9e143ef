/** The queue of opportunities to be valued holds what the table holds, whoever reads them. */

import { expect, it } from 'vitest'
import { noFees } from '../../../../pipeline/rules/odds/fees.ts'
import { createBoardView } from '../../../../pipeline/views/board/board-view.ts'
import { createEntries } from '../../../../pipeline/views/opportunities/entries.ts'
import { createLists } from '../../../../pipeline/views/opportunities/lists.ts'
import { createValues } from '../../../../pipeline/views/opportunities/values.ts'
import type { OpportunityRow } from '../../../../schemas/opportunity.ts'
import { type Topic, topics } from '../../../../schemas/topics.ts'
import { baseTime, game, knicks, quote } from '../../../api/small-board.ts'

const moves = 5_000
/** Far below the moves, and above what may wait. */
const few = 200

function createQueue() {
  const board = createBoardView()
  const entries = createEntries()
  const values = createValues(board, noFees, entries, createLists(board, entries), () => {})
  const tell = <Row>(topic: Topic<Row>, key: string, value: Row | null) => {
    const record = { topic: topic as Topic, partition: 0, offset: 0, key, value }
    board.apply([record], { epoch: 'e', offsets: {} }, baseTime)
  }
  const price = (sportsbook: string, selectionType: string, value: number) => {
    const row = quote(knicks, { sportsbook, selectionType, price: value })
    tell(topics.odds, String(row.id), row)
    return row.id
  }
  tell(topics.events, knicks, game(knicks))
  const legs = [price('draftkings', 'home', 2.1), price('fanduel', 'away', 2.1)]
  const row: OpportunityRow = {
    ...{ id: '00000000000000aa', kind: 'arbitrage', eventId: knicks, league: 'nba', legs },
    ...{ reference: [], scopes: 15, isSuspected: false, measure: null },
    ...{ detectedAt: baseTime, detected: null },
  }
  return { entries, values, price, row }
}

it('while its prices move and it is read one by one', () => {
  const { entries, values, price, row } = createQueue()
  const entry = entries.add(row)
  values.add(entry)
  for (let i = 0; i < moves; i++) {
    price('draftkings', 'home', 2.1 + (i % 2) / 10)
    values.followBoard()
    expect(values.of(entry, 2)).not.toBeNull()
  }
  expect(values.countStale('arbitrage')).toBeLessThan(few)
})

it('while its row is replaced, read or not', () => {
  for (const isRead of [true, false]) {
    const { entries, values, row } = createQueue()
    let entry = entries.add(row)
    values.add(entry)
    for (let i = 0; i < moves; i++) {
      values.remove(entry)
      entries.remove(entry)
      entry = entries.add({ ...row, detectedAt: baseTime + i })
      values.add(entry)
      if (isRead) values.of(entry, 2)
    }
    expect(values.countStale('arbitrage')).toBeLessThan(few)
    // What is in the table is valued, also behind many that are gone.
    while (values.valueSome('arbitrage', 1)) {}
    expect([entry.stale, entry.exact !== null]).toEqual([0, true])
  }
})
