/** The order of opportunities in a stream's snapshot. */

import { expect, it } from 'vitest'
import { byWorth } from '../../api/stream/channels/opportunities/opportunity-news.ts'

type Item = Parameters<typeof byWorth>[0][number]

const arbitrage = (id: string, profit: number) =>
  ({ row: { id, kind: 'arbitrage' }, figures: { profit } }) as unknown as Item

it('has equals by id, whatever order their prices came in', () => {
  const items = [arbitrage('b', 0.02), arbitrage('c', 0.01), arbitrage('a', 0.02)]
  for (const order of [items, items.toReversed()]) {
    expect(byWorth(order).map(({ row }) => row.id)).toEqual(['a', 'b', 'c'])
  }
})
