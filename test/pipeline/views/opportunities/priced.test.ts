/** Prices of opportunities after fees. */

import { expect, it } from 'vitest'
import { feesWith, noFees } from '../../../../pipeline/rules/odds/fees.ts'
import { createBoardView } from '../../../../pipeline/views/board/board-view.ts'
import { isOfferedBy } from '../../../../pipeline/views/opportunities/priced.ts'
import { type Topic, topics } from '../../../../schemas/topics.ts'
import { baseTime, game, knicks, quote } from '../../../api/small-board.ts'

it('a bet is offered elsewhere at the same odds after fees, not at the same odds before them', () => {
  const board = createBoardView()
  const tell = <Row>(topic: Topic<Row>, key: string, value: Row) => {
    const record = { topic: topic as Topic, partition: 0, offset: 0, key, value }
    board.apply([record], { epoch: 'e', offsets: {} }, baseTime)
  }
  tell(topics.events, knicks, game(knicks))
  const put = (sportsbook: string, price: number) => {
    const row = quote(knicks, { sportsbook, price })
    tell(topics.odds, String(row.id), row)
    return board.rows.find(row.id)
  }
  // Of 2.00 a commission of 3 % of the winnings leaves 1.97.
  const bovada = put('bovada', 2)
  put('draftkings', 2)
  put('fanduel', 1.97)
  const fees = feesWith(false, { bovada: 0.03 })
  const at = (sportsbook: string, counted = fees) =>
    isOfferedBy(board, bovada, new Set([sportsbook]), counted)
  expect([at('bovada'), at('fanduel'), at('draftkings')]).toEqual([true, true, false])
  expect([at('fanduel', noFees), at('draftkings', noFees)]).toEqual([false, true])
})
