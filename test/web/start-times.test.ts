/** Starts of games, as pages write them. */

import { expect, it } from 'vitest'
import { isAwaited } from '../../api/web/client/data/play-votes.ts'
import { soonText } from '../../api/web/client/format/time.ts'
import type { Game } from '../../api/web/wire.ts'

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

it('a game that is in play, postponed or over has no start to wait for', () => {
  const isToStart = (game: Partial<Game>) => isAwaited({ is_live: false, ...game } as Game)
  expect(isToStart({ status: 'upcoming' })).toBe(true)
  expect(isToStart({ status: 'upcoming', event_status: 'postponed' })).toBe(false)
  expect(isToStart({ status: 'final' })).toBe(false)
  expect(isToStart({ status: 'live', is_live: true })).toBe(false)
})
