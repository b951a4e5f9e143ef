import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aborted } from '../../../pipeline/async/abort-signals.ts'
import { whileClockIsRight } from '../../../pipeline/run/clock-guard.ts'

let differenceMs: number | null
/** How far the system's clock is ahead of the service's. */
let aheadMs: number
let steps: string[]
let stop: AbortController
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval'] })
  differenceMs = null
  aheadMs = 0
  steps = []
  stop = new AbortController()
})
afterEach(() => {
  stop.abort()
  vi.useRealTimers()
})

const guard = (work: (whileRight: AbortSignal) => Promise<unknown>) =>
  whileClockIsRight(
    {
      log: { clockDifferenceMs: () => differenceMs },
      clock: { aheadMs: () => aheadMs },
      logger: { info() {}, warn: () => steps.push('warned') } as never,
      signal: stop.signal,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    },
    work,
  )

async function work(whileRight: AbortSignal) {
  steps.push('works')
  await aborted(whileRight)
  steps.push('ends')
}

const waiting = async () => {
  await vi.advanceTimersByTimeAsync(1_000)
  return steps
}

describe('work that depends on the clock', () => {
  it.each([null, 0, 59_999, -59_999])('runs with a difference of %s ms', async (known) => {
    differenceMs = known
    const guarding = guard(work)
    expect(await waiting()).toEqual(['works'])
    stop.abort()
    await guarding
    expect(steps).toEqual(['works', 'ends'])
  })

  it.each([60_000, -7_200_000])(
    'does not begin with a difference of %i ms, until it is right',
    async (known) => {
      differenceMs = known
      const guarding = guard(work)
      expect(await waiting()).toEqual(['warned'])
      differenceMs = 0
      expect(await waiting()).toEqual(['warned', 'works'])
      stop.abort()
      await guarding
    },
  )

  it('ends when the clock becomes wrong, and begins again', async () => {
    const guarding = guard(work)
    await waiting()
    differenceMs = 60_000
    expect(await waiting()).toEqual(['works', 'ends', 'warned'])
    differenceMs = 0
    expect(await waiting()).toEqual(['works', 'ends', 'warned', 'works'])
    stop.abort()
    await guarding
  })

  it('goes on where the machine was set together with its brokers, and does not begin there', async () => {
    const guarding = guard(work)
    await waiting()
    differenceMs = -3_600_000
    aheadMs = 3_600_000
    expect(await waiting()).toEqual(['works'])
    stop.abort()
    await guarding
    stop = new AbortController()
    steps = []
    const again = guard(work)
    expect(await waiting()).toEqual(['warned'])
    stop.abort()
    await waiting()
    await again
  })

  it('that fails or ends by itself is over', async () => {
    await guard(async () => steps.push('done'))
    expect(steps).toEqual(['done'])
    await expect(guard(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(waiting()).resolves.toEqual(['done'])
  })
})
