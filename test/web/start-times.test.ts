/** Starts of games, as pages write them. */

import { expect, it } from 'vitest'
import { soonText } from '../../api/web/client/format/time.ts'

it('a start says in the last hour before it how many minutes are left', () => {
  const start = Date.UTC(2026, 10, 21, 19, 30)
  const at = (minutesBefore: number) => soonText(start, 'utc', start - minutesBefore * 60_000)
  expect([61, 60, 11.2, 0.5, 0, -5].map(at)).toEqual([
    '19:30',
    '19:30 · in 60 min',
    '19:30 · in 12 min',
    '19:30 · in 1 min',
    '19:30',
    '19:30',
  ])
})
