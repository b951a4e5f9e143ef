import { describe, expect, it } from 'vitest'
import { profitOf, type Standing, type WatchedMarket, watchMarket } from './watched-market.ts'

const second = 1000
const minute = 60 * second
const stepMs = 2 * second
const warmUpMs = 8 * minute
const lengthMs = 40 * minute
const worthLooking = 0.01

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Counts open arbitrages of a percent or more, and measures how long those before the start live. */
function watch(seed: number, startAt: number) {
  const market = watchMarket({ seed, startAt, changesPerSecond: 200 })
  const openNow = { before: [] as number[], live: [] as number[] }
  const lifetimes: number[] = []
  const known = new Map<string, { since: number; peak: number }>()
  for (let passed = stepMs; passed <= lengthMs; passed += stepMs) {
    market.step(stepMs)
    const now = market.now()
    const found = market.openNow('arbitrage')
    const counts = { before: 0, live: 0 }
    const ids = new Set<string>()
    for (const one of found) {
      const profit = profitOf(one)
      const isLive = one.legs[0]?.isLive === true
      if (profit >= worthLooking) counts[isLive ? 'live' : 'before']++
      if (isLive) continue
      const { id } = one.row
      ids.add(id)
      const before = known.get(id)
      if (before) before.peak = Math.max(before.peak, profit)
      else known.set(id, { since: now, peak: profit })
    }
    for (const [id, { since, peak }] of known) {
      if (ids.has(id)) continue
      known.delete(id)
      if (peak >= worthLooking && since > startAt + warmUpMs) lifetimes.push(now - since)
    }
    if (passed < warmUpMs) continue
    openNow.before.push(counts.before)
    openNow.live.push(counts.live)
  }
  return { market, openNow, lifetimes }
}

const arbitragesBeforeStart = (market: WatchedMarket) =>
  market.openNow('arbitrage').filter((one) => {
    return one.legs[0]?.isLive === false && profitOf(one) >= worthLooking
  }).length

it('has 3 to 15 arbitrages of a percent from the first page on, over six dates', () => {
  const atFirst: number[] = []
  const inThreeMinutes: number[] = []
  for (const [seed, at] of [
    [1, '2026-11-22T18:30:00Z'],
    [3, '2027-01-13T00:30:00Z'],
    [6, '2026-06-17T03:00:00Z'],
    [2, '2026-07-18T19:00:00Z'],
    [7, '2026-04-08T09:00:00Z'],
    [8, '2026-09-23T14:00:00Z'],
  ] as const) {
    const market = watchMarket({ seed, startAt: Date.parse(at), changesPerSecond: 200 })
    const counts = [arbitragesBeforeStart(market)]
    for (let passed = 0; passed < 3 * minute; passed += stepMs) {
      market.step(stepMs)
      counts.push(arbitragesBeforeStart(market))
    }
    // Markets differ, but each has some arbitrages.
    expect(Math.min(...counts), at).toBeGreaterThan(0)
    expect(Math.max(...counts), at).toBeLessThanOrEqual(15)
    atFirst.push(counts[0]!)
    inThreeMinutes.push(median(counts))
  }
  expect(median(atFirst)).toBeGreaterThanOrEqual(3)
  expect(median(inThreeMinutes)).toBeGreaterThanOrEqual(3)
})

it('has 3 to 15 arbitrages of a percent in the median of each of ten other dates', () => {
  const medians = [...Array(10).keys()].map((n) => {
    const startAt = Date.UTC(2026, 10, 25 + 36 * n, (7 * n) % 24)
    const market = watchMarket({ seed: 900 + n, startAt, changesPerSecond: 200 })
    const counts: number[] = []
    for (let passed = 0; passed < 5 * minute; passed += 2 * stepMs) {
      market.step(2 * stepMs)
      counts.push(arbitragesBeforeStart(market))
    }
    return median(counts)
  })
  for (const count of medians) {
    expect(count, `${medians}`).toBeGreaterThanOrEqual(3)
    expect(count, `${medians}`).toBeLessThanOrEqual(15)
  }
})

const isFlagged = ({ row }: Standing) => row.isSuspected

describe.each([
  [1, '2026-11-22T16:30:00Z'],
  [5, '2027-01-13T00:30:00Z'],
  [9, '2026-07-18T19:00:00Z'],
])('forty minutes of the market of seed %d from %s', (seed, at) => {
  const { market, openNow, lifetimes } = watch(seed, Date.parse(at))

  it('has 3 to 15 arbitrages of a percent before the start, and 10 at most in play', () => {
    expect(median(openNow.before)).toBeGreaterThanOrEqual(3)
    expect(median(openNow.before)).toBeLessThanOrEqual(15)
    expect(median(openNow.live)).toBeLessThanOrEqual(10)
    const tooMany = openNow.live.filter((count) => count > 10)
    expect(tooMany.length / openNow.live.length).toBeLessThan(0.1)
  })

  it('lets them live for one to ten minutes', () => {
    expect(lifetimes.length).toBeGreaterThan(20)
    expect(median(lifetimes)).toBeGreaterThanOrEqual(minute)
    expect(median(lifetimes)).toBeLessThanOrEqual(10 * minute)
  })

  it('has few doubtful opportunities of any kind, and none of them at the top', () => {
    for (const kind of ['ev', 'arbitrage', 'middle', 'low_hold'] as const) {
      const all = market.openNow(kind)
      expect(all.length, kind).toBeGreaterThan(0)
      expect(all.filter(isFlagged).length / all.length, kind).toBeLessThan(0.2)
    }
    const dearest = market
      .openNow('low_hold')
      .sort((a, b) => profitOf(b) - profitOf(a))
      .slice(0, 10)
    expect(dearest.filter(isFlagged).length).toBeLessThanOrEqual(5)
  })
})
