/** The order of opportunities in a stream, which must not depend on prices hidden from the reader. */

import { expect, it } from 'vitest'
import { byWorth } from '../../api/stream/channels/opportunities/opportunity-news.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

type Item = Parameters<typeof byWorth>[0][number]

const arbitrage = (id: string, profit: number) =>
  ({ row: { id, kind: 'arbitrage' }, figures: { profit } }) as unknown as Item

it('has equals by id, whatever order their prices came in', () => {
  const items = [arbitrage('b', 0.02), arbitrage('c', 0.01), arbitrage('a', 0.02)]
  for (const order of [items, items.toReversed()]) {
    expect(byWorth(order).map(({ row }) => row.id)).toEqual(['a', 'b', 'c'])
  }
})

it('has simultaneous ones, new and gone, by worth and id too', async () => {
  for (const order of [
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
  ]) {
    const by = createStreamsByHand()
    const legs = [
      { sportsbook: 'draftkings', price: 2.05 },
      { sportsbook: 'fanduel', price: 2.05, selectionType: 'away' },
    ] as const
    for (const id of order) by.event(id)
    const stream = by.open('channels=arbitrage&min_profit=0')
    await by.until('the snapshot', () => stream.of('snapshot:complete').length > 0)
    for (const id of order) {
      by.odds(id, ...legs)
      by.arbitrage(id, ...legs)
    }
    await by.until('the arbitrages', () => stream.of('arb:detected').length > 0)
    const [{ data }] = stream.of('arb:detected')
    expect(data.map(({ event_id }: { event_id: string }) => event_id)).toEqual(['a', 'b', 'c'])
    for (const id of order) by.odds(id, { ...legs[0], isActive: false })
    await by.until('their end', () => stream.of('arb:expired').length > 0)
    const [{ data: gone }] = stream.of('arb:expired')
    expect(gone.expired).toEqual(['arbitrage of a', 'arbitrage of b', 'arbitrage of c'])
    by.close()
  }
})
