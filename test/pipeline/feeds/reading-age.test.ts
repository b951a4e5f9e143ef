/** How old the prices of a reading are that several responses make up. */

import { describe, expect, it } from 'vitest'
import { createRecordingSink } from './loopback.ts'
import { sourceCases } from './source-cases.ts'

const second = 1_000

/** Reads a source for some rounds, on a clock on which each response comes 55 s after the one before it. */
async function readSlowly(name: string, rounds: number) {
  const one = sourceCases.find(({ source }) => source.name === name)!
  const { sink, records } = createRecordingSink()
  const stop = new AbortController()
  let now = 0
  let round = 1
  const cameAt: { readonly path: string; readonly at: number; readonly round: number }[] = []
  const feed = one.open('http://source.test', {
    now: () => now,
    async fetch(address: string) {
      const { pathname, searchParams } = new URL(address)
      now += 55 * second
      cameAt.push({ path: pathname, at: now, round })
      return Response.json(one.answers[pathname]?.(searchParams))
    },
    async sleep(ms: number) {
      now += ms
      if (++round > rounds) stop.abort()
    },
  })
  await feed.run(sink, stop.signal)
  const observedAt = records.flatMap((record) => (record.type === 'odds' ? record.observedAt : []))
  return { observedAt: [...new Set(observedAt)], cameAt }
}

describe('a reading of several responses', () => {
  it.each([
    ['kalshi', '/events'],
    ['sx-bet', '/orders'],
    ['matchbook', '/events'],
    ['novig', '/getMarketsByEvents'],
    ['prophetx', '/get_multiple_markets'],
  ])('of %s is as old as the first of them that has prices', async (name, withPrices) => {
    const { observedAt, cameAt } = await readSlowly(name, 3)
    const firstOf = (round: number) =>
      cameAt.find((came) => came.round === round && came.path.endsWith(withPrices))?.at
    expect(observedAt).toEqual([firstOf(1), firstOf(2), firstOf(3)])
    expect(observedAt).toEqual(observedAt.toSorted((a, b) => a - b))
  })
})
