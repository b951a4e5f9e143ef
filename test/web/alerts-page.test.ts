import { expect, it } from 'vitest'
import { sendsAgainAt } from '../../api/web/client/data/alert-limit.ts'
import { mainFirst } from '../../api/web/client/data/subject.ts'

it('an alert that has sent what it may in an hour says when it sends again', () => {
  const now = Date.parse('2027-01-14T12:00:00Z')
  const sent = (minutesAgo: number, type: 'opportunity' | 'test' = 'opportunity') => ({
    type,
    decided_at: new Date(now - minutesAgo * 60_000).toISOString(),
  })
  const again = (...minutes: number[]) =>
    sendsAgainAt(
      { per_hour: 2 },
      minutes.map((at) => sent(at)),
      now,
    )
  expect(again(50, 5, 70)).toBe(now + 10 * 60_000)
  expect(again(5, 60)).toBeNull()
  expect(again(5)).toBeNull()
  expect(sendsAgainAt({ per_hour: 1 }, [sent(5, 'test')], now)).toBeNull()
})

it('a choice of markets begins with the main ones', () => {
  const markets = ['1st_half_moneyline', 'player_points', 'point_spread', 'moneyline']
  expect(mainFirst(markets)).toEqual([
    ...['moneyline', 'point_spread', '1st_half_moneyline', 'player_points'],
  ])
})
