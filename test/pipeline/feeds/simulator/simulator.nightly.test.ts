import { describe, expect, it } from 'vitest'
import {
  openSimulator,
  type SimulatorClock,
} from '../../../../pipeline/feeds/simulator/simulator.ts'
import type { FeedRecord } from '../../../../schemas/feed-record.ts'
import { createBoard } from './board.ts'

const startAt = Date.UTC(2026, 10, 20, 18)

/** Creates a clock that only sleepers and the test advance. */
function createClock(untilMs: number, stop: AbortController) {
  let now = startAt
  const advance = (ms: number) => {
    now += ms
    if (now >= startAt + untilMs) stop.abort()
  }
  const clock: SimulatorClock = {
    now: () => now,
    async sleep(ms) {
      advance(ms)
    },
  }
  return { clock, advance }
}

describe('openSimulator', () => {
  it.each([
    [10, 600_000],
    [1000, 60_000],
    [50_000, 4_000],
  ])('publishes %d changes a second within a tenth', async (changesPerSecond, lengthMs) => {
    const stop = new AbortController()
    const { clock } = createClock(lengthMs, stop)
    const board = createBoard()
    await openSimulator({ clock, changesPerSecond }).run(
      {
        publish: async (records) =>
          board.apply(records.filter((record): record is FeedRecord => record.type !== 'tick')),
        skipped: () => undefined,
      },
      stop.signal,
    )
    const rate = board.changes() / (lengthMs / 1000)
    expect(rate / changesPerSecond).toBeGreaterThan(0.9)
    expect(rate / changesPerSecond).toBeLessThan(1.1)
  })

  it('waits for a slow sink, then makes up for it in bigger steps', async () => {
    const stop = new AbortController()
    const { clock, advance } = createClock(30_000, stop)
    const board = createBoard()
    let inFlight = 0
    let publishes = 0
    await openSimulator({ clock, changesPerSecond: 1000, events: 30 }).run(
      {
        async publish(records) {
          inFlight++
          expect(inFlight).toBe(1)
          publishes++
          await Promise.resolve()
          advance(700)
          board.apply(records.filter((record): record is FeedRecord => record.type !== 'tick'))
          inFlight--
        },
        skipped: () => undefined,
      },
      stop.signal,
    )
    expect(publishes).toBeLessThan(60)
    expect(board.changes() / 30).toBeGreaterThan(800)
    expect(board.changes() / 30).toBeLessThan(1100)
  })

  it('is the same feed for the same seed and clock readings', async () => {
    const run = async () => {
      const stop = new AbortController()
      const { clock } = createClock(5_000, stop)
      const published: string[] = []
      await openSimulator({ clock, seed: 8, events: 24 }).run(
        {
          publish: async (records) => void published.push(JSON.stringify(records)),
          skipped: () => undefined,
        },
        stop.signal,
      )
      return published.join('\n')
    }
    const once = await run()
    expect((await run()) === once).toBe(true)
  })

  it('rejects when the sink does, and refuses a rate it cannot keep', async () => {
    const failing = {
      publish: () => Promise.reject(new Error('log is gone')),
      skipped: () => undefined,
    }
    const { clock } = createClock(1000, new AbortController())
    await expect(
      openSimulator({ clock, events: 24 }).run(failing, new AbortController().signal),
    ).rejects.toThrow('log is gone')
    expect(() => openSimulator({ changesPerSecond: 0 })).toThrow(RangeError)
    expect(() => openSimulator({ changesPerSecond: 1e6 })).toThrow(RangeError)
  })

  it('stops on the system clock within a step of the abort', async () => {
    const stop = new AbortController()
    let publishes = 0
    const running = openSimulator({ events: 24, changesPerSecond: 1000 }).run(
      {
        async publish() {
          publishes++
          if (publishes === 4) stop.abort()
        },
        skipped: () => undefined,
      },
      stop.signal,
    )
    await running
    expect(publishes).toBe(4)
  })
})
