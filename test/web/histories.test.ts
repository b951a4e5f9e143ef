import { expect, it } from 'vitest'
import { byInterest, historiesAt, pricesOn } from '../../api/web/client/data/histories.ts'
import type { PriceHistory } from '../../api/web/wire.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { eventHistoryList } from '../../schemas/http/history.ts'

it('a chart has the prices of one player, statistic, answer and line', () => {
  const price = { selection_type: 'over', line: 4.5, player_name: 'A', stat_category: 'assists' }
  const others = [
    { ...price, stat_category: 'rebounds' },
    { ...price, stat_category: null },
    { ...price, player_name: 'B' },
    { ...price, line: 5.5 },
    { ...price, selection_type: 'under' },
  ]
  const of = { player: 'A', statistic: 'assists' }
  const side = { answer: 'over', line: 4.5 }
  expect(pricesOn([price, ...others], of, side)).toEqual([price])
})

it('prices are listed with the sharp sportsbooks first, then those that moved most', () => {
  const price = (sportsbook: string, move_count: number) => ({ sportsbook, move_count })
  const prices = [
    ...[price('betmgm', 3), price('pinnacle', 1), price('caesars', 120), price('circa', 90)],
    ...[price('fanduel', 2), price('draftkings', 7), price('bet365', 110)],
  ]
  const order = byInterest(prices, ['sbobet', 'pinnacle', 'circa'])
  expect(order.map(({ sportsbook }) => sportsbook)).toEqual([
    ...['pinnacle', 'circa', 'caesars', 'bet365', 'draftkings', 'betmgm', 'fanduel'],
  ])
})

it('the history of an event names the statistic', () => {
  const { data } = exampleOf(eventHistoryList) as { data: readonly object[] }
  expect(data[0]).toHaveProperty('stat_category')
})

it('a history of the past has nothing that came later', () => {
  const at = (hour: number) => `2027-01-14T0${hour}:00:00.000Z`
  const point = (hour: number, odds_decimal: number | null) => ({
    ...{ at: at(hour), odds_decimal, is_live: false },
    odds_american: odds_decimal === null ? null : 100 * (odds_decimal - 1),
  })
  const { data } = exampleOf(eventHistoryList) as { data: readonly PriceHistory[] }
  const history: PriceHistory = {
    ...data[0]!,
    course: [point(1, 2.1), point(2, 2.2), point(3, null), point(5, 2.5)],
    last: { ...data[0]!.last, at: at(5), odds_decimal: 2.5, odds_american: 150 },
    close: { ...data[0]!.close!, at: at(5), odds_decimal: 2.5 },
  }
  const then = (hour: number) => historiesAt([history], Date.parse(at(hour)))
  expect(then(0)).toEqual([])
  expect(then(4)).toMatchObject([
    { last: { at: at(2), odds_decimal: 2.2 }, close: null, course: history.course.slice(0, 3) },
  ])
  expect(then(5)).toEqual([history])
})
