import { expect, it } from 'vitest'
import { pricesOn } from '../../api/web/client/data/histories.ts'
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

it('the history of an event names the statistic', () => {
  const { data } = exampleOf(eventHistoryList) as { data: readonly object[] }
  expect(data[0]).toHaveProperty('stat_category')
})
