import { expect, test } from 'vitest'
import { createTraffic } from '../../../../pipeline/log/kafka/traffic.ts'

/** Two partitions of two topics, whose ends a test sets. */
function measured() {
  let now = 0
  let ends: readonly (number | null)[] | null = [0, 0, 0, 0]
  const traffic = createTraffic({
    reader: {
      offsets: async () => {
        if (ends === null) throw new Error('away')
        return [...ends]
      },
    },
    partitions: [0, 1].flatMap((partition) =>
      ['odds', 'states'].map((topic) => ({ topic, partition })),
    ),
    timer: () => now,
  })
  return {
    traffic,
    async minute(next: readonly (number | null)[] | null) {
      ends = next
      now += 60_000
      await traffic.measure()
      const rates = traffic.now()
      return rates && Object.fromEntries(rates)
    },
  }
}

test('traffic is known after three measurements, the sum of a partition’s topics', async () => {
  const { minute } = measured()
  expect(await minute([100, 0, 5, null])).toBeNull()
  expect(await minute([6_100, 0, 5, null])).toBeNull()
  expect(await minute([12_100, 1_200, 605, null])).toEqual({ 0: 110, 1: 5 })
})

test('little traffic is none, and brokers that are away leave a gap', async () => {
  const { minute } = measured()
  for (const end of [0, 600, 1_200]) expect(await minute([end, 0, end, 0])).toBeNull()
  expect(await minute(null)).toBeNull()
  expect(await minute([24_000, 0, 0, 0])).toEqual({ 0: 100, 1: 0 })
})

test('traffic is that of the last fifteen measurements', async () => {
  const { minute } = measured()
  for (let at = 1; at <= 20; at++) await minute([60_000 * at, 0, 0, 0])
  const before = 60_000 * 20
  for (let at = 1; at <= 13; at++) await minute([before + 6_000 * at, 0, 0, 0])
  expect(await minute([before + 6_000 * 14, 0, 0, 0])).toEqual({ 0: 100, 1: 0 })
})
