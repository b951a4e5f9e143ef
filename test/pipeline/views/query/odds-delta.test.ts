import { expect, it } from 'vitest'
import { draftDelta } from '../../../../pipeline/views/query/odds-delta.ts'
import { baseTime, createSmallBoard, knicks, quote } from '../../../api/small-board.ts'

it('removes a row, and does not list it as changed, that leaves the main line after it was scanned', () => {
  const board = createSmallBoard()
  board.board.reset(baseTime)
  board.event(knicks)
  const spread = { marketType: 'point_spread', price: 1.9, sportsbook: 'draftkings' }
  board.odds(knicks, { ...spread, line: -4.5 })
  board.decideMainLines()
  const { lineSet } = board.scope('sharp')
  const draft = draftDelta(board.board, { mainLine: true, lineSet }, 0)
  while (!draft.step());
  board.odds(
    knicks,
    { ...spread, sportsbook: 'fanduel', line: -5.5 },
    { ...spread, sportsbook: 'betmgm', line: -5.5 },
  )
  board.decideMainLines()
  const { changed, removed, isBeyond } = draft.finish()
  const { id } = quote(knicks, { ...spread, line: -4.5 })
  expect([changed, removed, isBeyond]).toEqual([[], [id], true])
})
