import { expect, it } from 'vitest'
import { isInPlay, isInPlayByClock } from '../../../../pipeline/rules/games/event-play.ts'

it.each([
  [0, 3, false, true],
  [0, 0, false, true],
  [1, 0, true, true],
  [1, 1, false, true],
  [1, 30, false, true],
  [2, 30, true, true],
])('with %i in play and %i waiting: before the start %s, after it %s', (...votes) => {
  const [playing, waiting] = votes
  expect(isInPlay({ playing, waiting, hasStarted: false })).toBe(votes[2])
  expect(isInPlay({ playing, waiting, hasStarted: true })).toBe(playing > 0 && votes[3])
})

it.each([
  [1, 0, true],
  [3, 0, true],
  [3, 1, true],
  [3, 3, false],
  [1, 3, false],
  [0, 0, false],
])('with %i by the clock and %i waiting: after the start %s, before it never', (...votes) => {
  const [byClock, waiting, isAfter] = votes
  expect(isInPlayByClock({ byClock, waiting, hasStarted: true })).toBe(isAfter)
  expect(isInPlayByClock({ byClock, waiting, hasStarted: false })).toBe(false)
})
