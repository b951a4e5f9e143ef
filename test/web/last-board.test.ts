/** The address of the board that other pages lead back to. */

import { expect, it } from 'vitest'
import { createLastBoard } from '../../api/web/client/data/last-board.ts'

const placeOf = (address: string) => new URL(address, 'http://localhost')

it('is the board that was opened first, with its filters, until another one is', () => {
  const board = createLastBoard(placeOf('/?league=nba&market=total'))
  expect(board.address()).toBe('/?league=nba&market=total')
  board.note(placeOf('/events/knicks_nets?market=moneyline'))
  expect(board.address()).toBe('/?league=nba&market=total')
  board.note(placeOf('/?league=nhl'))
  board.note(placeOf('/opportunities'))
  expect(board.address()).toBe('/?league=nhl')
})

it('is the whole board after another page was opened directly', () => {
  expect(createLastBoard(placeOf('/events/knicks_nets?market=moneyline')).address()).toBe('/')
})
