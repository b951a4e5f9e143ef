import { expect, it } from 'vitest'
import {
  isGivenUp,
  isInPlay,
  isInPlayByClock,
  lastsWithoutPrices,
} from '../../../../pipeline/rules/games/event-play.ts'

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

const hour = 3_600_000

it.each([
  [4, 3, false],
  [4.1, 3.2, false],
  [4.1, 3, true],
  [3.9, 0, false],
  [4.1, Number.NEGATIVE_INFINITY, true],
])('%d hours after the start, with a last word %d hours after it, is given up: %s', (...row) => {
  const [now, lastWord, expected] = row
  const at = { startsAt: 0, now: now * hour, lastWordAt: lastWord * hour }
  expect(isGivenUp(at)).toBe(expected)
})

it.each([
  [1, 0.5, true],
  [1, 0, true],
  [1, -0.1, false],
  [4, 0.5, true],
  [4.1, 4, false],
  [1, Number.NEGATIVE_INFINITY, false],
])('%d hours after the start, play reported %d hours after it lasts: %s', (...row) => {
  const [now, saidAt, expected] = row
  expect(lastsWithoutPrices({ startsAt: 0, saidAt: saidAt * hour, now: now * hour })).toBe(expected)
})
