import { expect, it } from 'vitest'
import { heldAt, timesAndPrices } from '../../api/web/client/chart/course.ts'

const at = (second: number) => new Date(1_000 * second).toISOString()
const point = (second: number, price: number | null) => ({ at: at(second), odds_decimal: price })

it('a course holds a price until it changes, is open where there is none, and ends now only while it is offered', () => {
  const offered = timesAndPrices(
    [point(10, 2), point(20, 2.1), point(50, null), point(90, 1.9)],
    100_000,
  )
  const seconds = [5, 10, 15, 20, 49, 49.999, 50, 70, 89, 90, 100]
  expect(heldAt(offered, seconds)).toEqual([
    ...[null, 2, 2, 2.1, 2.1, 2.1],
    ...[null, null, null, 1.9, 1.9],
  ])
  // The line is drawn until just before the price is withdrawn.
  expect(offered.times).toEqual([10, 20, 49.999, 50, 90, 100])
  const gone = timesAndPrices([point(10, 2), point(50, null)], 100_000)
  expect(gone.times).toEqual([10, 49.999, 50])
  expect(heldAt(gone, [30, 60, 100])).toEqual([2, null, null])
})

it('times of a course rise, whatever the clocks had', () => {
  const { times } = timesAndPrices(
    [point(10, 2), point(10, 2.1), point(9, 2.2), point(9, null)],
    8_000,
  )
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(new Set(times).size).toBe(times.length)
})
