import { expect, it } from 'vitest'
import { createSkipCounts } from '../../../pipeline/feeds/skip-counts.ts'

const skip = (reason: string, label?: string) => ({
  reason,
  detail: 'd',
  ...(label !== undefined && { label }),
})

it('counts skips by source, reason and label, the most frequent first', () => {
  const counts = createSkipCounts()
  counts.add('caesars', skip('unmapped_market', 'Shutout Pitching?'))
  for (let i = 0; i < 3; i++) counts.add('caesars', skip('unmapped_period', 'OVERTIME'))
  counts.add('caesars', skip('unmapped_period', 'MATCH_INC_OT'))
  counts.add('caesars', skip('unmapped_period'))
  expect(counts.of('caesars')).toEqual([
    {
      reason: 'unmapped_period',
      count: 5,
      labels: [
        { label: 'OVERTIME', count: 3 },
        { label: 'MATCH_INC_OT', count: 1 },
        { label: null, count: 1 },
      ],
    },
    {
      reason: 'unmapped_market',
      count: 1,
      labels: [{ label: 'Shutout Pitching?', count: 1 }],
    },
  ])
  expect(counts.of('kambi')).toEqual([])
  expect(counts.sources()).toEqual(['caesars'])
})

it('keeps a bounded number of labels, reasons and sources, and counts on', () => {
  const counts = createSkipCounts()
  for (let i = 0; i < 5_000; i++) counts.add('caesars', skip('unmapped_market', `Market ${i}`))
  const [count] = counts.of('caesars')
  expect(count?.count).toBe(5_000)
  expect(count?.labels.length).toBeLessThanOrEqual(51)
  expect(count?.labels[0]?.label).toBe(null)
  for (let i = 0; i < 5_000; i++) counts.add(`source ${i}`, skip('x', 'y'.repeat(5_000)))
  expect(counts.sources().length).toBe(500)
  expect(counts.of('source 1')[0]?.labels[0]?.label).toHaveLength(100)
})
