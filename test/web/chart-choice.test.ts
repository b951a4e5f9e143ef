/** The choice of lines of a chart: the sportsbooks that the reader chose, and the steam on the prices shown. */

import { expect, it } from 'vitest'
import { drawnBooks, ownFirst, toggled } from '../../api/web/client/chart/drawn-books.ts'
import { steamOn } from '../../api/web/client/chart/steam.ts'
import type { SteamMovement } from '../../api/web/wire.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { movementsList } from '../../schemas/http/history.ts'

const offered = Array.from('abcdefghijkl')

it('a chart has one’s own sportsbooks first, in their order', () => {
  expect(ownFirst(['a', 'b', 'c', 'd'], ['d', 'x', 'b'])).toEqual(['d', 'b', 'a', 'c'])
})

it('a chart draws the first nine sportsbooks, until the reader chooses some of those offered', () => {
  expect(drawnBooks(offered, [])).toEqual(Array.from('abcdefghi'))
  expect(drawnBooks(offered, ['x', 'l', 'b'])).toEqual(['b', 'l'])
  expect(drawnBooks(offered, ['x'])).toEqual(Array.from('abcdefghi'))
})

it('a click adds a sportsbook to those drawn, or takes it away, and keeps those chosen on other lines', () => {
  expect(toggled('b', offered, [])).toEqual(Array.from('acdefghi'))
  expect(toggled('l', offered, [])).toEqual(Array.from('abcdefghil'))
  expect(toggled('l', offered, ['x', 'b'])).toEqual(['x', 'b', 'l'])
  expect(toggled('b', offered, ['x', 'b', 'l'])).toEqual(['x', 'l'])
  // With the last one the default is back.
  expect(drawnBooks(offered, toggled('l', offered, ['l']))).toEqual(Array.from('abcdefghi'))
})

it('steam is that on the prices shown, as it was known then, with each sportsbook once', () => {
  const { data } = exampleOf(movementsList) as { data: readonly SteamMovement[] }
  const at = (second: number) => `2027-01-14T20:12:0${second}.000Z`
  const move = (sportsbook: string, second: number, from_decimal: number, odds_decimal: number) => {
    const { moves } = data[0]!
    return { ...moves[0]!, id: sportsbook, sportsbook, at: at(second), from_decimal, odds_decimal }
  }
  const moves = [move('a', 1, 2, 1.9), move('b', 2, 2.1, 2), move('a', 5, 1.9, 1.8)]
  const steam = { ...data[0]!, began_at: at(1), ended_at: at(5), moves }
  const other = { ...steam, direction: 'drifted' as const, moves: [move('c', 1, 2, 2.1)] }
  const shown = (ids: readonly string[], time: string | null) =>
    steamOn([steam, other], new Set(ids), time === null ? null : Date.parse(time))
  const known = {
    ...{ key: `${at(1)} a`, beganAt: Date.parse(at(1)), isUp: false },
    books: [
      { sportsbook: 'a', from: 2, to: 1.8 },
      { sportsbook: 'b', from: 2.1, to: 2 },
    ],
  }
  expect(shown(['a', 'b'], null)).toEqual([known])
  // A price that has no history of its own may be missing.
  expect(shown(['b'], at(5))).toEqual([known])
  expect(shown(['a', 'b'], at(4))).toEqual([])
  expect(shown(['c'], null)).toMatchObject([{ isUp: true }])
})
