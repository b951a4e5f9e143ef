import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createAddressLimiter,
  createMeter,
  createMeters,
  remainingRequests,
  reportOthers,
  takeRequest,
} from '../../api/access/limits.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const minuteMs = 60_000

/** Requests and reports of two other processes, in the order of time. */
const history = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90_000 })),
    step: fc.oneof(
      { weight: 5, arbitrary: fc.constant('take' as const) },
      {
        weight: 1,
        arbitrary: fc.record({ process: fc.constantFrom('a', 'b'), more: fc.nat(5) }),
      },
    ),
  }),
  { maxLength: 200 },
)

describe('the requests of a minute', () => {
  it('are never more than the limit in one window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), history, (limit, steps) => {
        const meter = createMeter()
        const taken = new Map<number, number>()
        const reported = new Map<string, number>()
        let now = noon
        for (const { afterMs, step } of steps) {
          now += afterMs
          const window = Math.floor(now / minuteMs)
          const others = ['a', 'b'].reduce(
            (sum, process) => sum + (reported.get(`${process} ${window}`) ?? 0),
            0,
          )
          if (step === 'take') {
            const before = remainingRequests(meter, limit, now)
            const { isAllowed, remaining, resetsAt, retryAfterSeconds } = takeRequest(
              meter,
              limit,
              now,
            )
            const own = taken.get(window) ?? 0
            expect(isAllowed).toBe(own + others < limit)
            expect(before.remaining).toBe(Math.max(0, limit - own - others))
            expect(remaining).toBe(Math.max(0, before.remaining - (isAllowed ? 1 : 0)))
            expect(resetsAt).toBe((window + 1) * 60)
            expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
            expect(retryAfterSeconds).toBeLessThanOrEqual(60)
            if (isAllowed) taken.set(window, own + 1)
          } else {
            const key = `${step.process} ${window}`
            reported.set(key, (reported.get(key) ?? 0) + step.more)
            reportOthers(meter, step.process, window, reported.get(key)!)
          }
        }
        for (const count of taken.values()) expect(count).toBeLessThanOrEqual(limit)
      }),
    )
  })

  it('are overshot by several processes only before they hear of each other', () => {
    const limit = 10
    const meters = { a: createMeter(), b: createMeter() }
    const window = Math.floor(noon / minuteMs)
    const take = (of: 'a' | 'b', count: number) => {
      let allowed = 0
      for (let i = 0; i < count; i++) {
        if (takeRequest(meters[of], limit, noon).isAllowed) allowed++
      }
      return allowed
    }
    expect([take('a', 4), take('b', 5)]).toEqual([4, 5])
    reportOthers(meters.a, 'b', window, meters.b.used)
    reportOthers(meters.b, 'a', window, meters.a.used)
    // One is left, and both would take it: the overshoot is what is not yet reported.
    expect([take('a', 10), take('b', 10)]).toEqual([1, 1])
    reportOthers(meters.a, 'b', window, meters.b.used)
    reportOthers(meters.b, 'a', window, meters.a.used)
    expect([take('a', 10), take('b', 10)]).toEqual([0, 0])
    expect(takeRequest(meters.a, limit, noon + minuteMs)).toMatchObject({
      isAllowed: true,
      remaining: 9,
    })
  })

  it('of others count in their own window alone', () => {
    const meter = createMeter()
    const window = Math.floor(noon / minuteMs)
    reportOthers(meter, 'a', window, 7)
    reportOthers(meter, 'a', window - 1, 100)
    expect(remainingRequests(meter, 10, noon).remaining).toBe(3)
    reportOthers(meter, 'a', window, 8)
    reportOthers(meter, 'b', window, 1)
    expect(remainingRequests(meter, 10, noon).remaining).toBe(1)
    expect(remainingRequests(meter, 10, noon + minuteMs).remaining).toBe(10)
    reportOthers(meter, 'b', window + 1, 2)
    expect(remainingRequests(meter, 10, noon + minuteMs).remaining).toBe(8)
  })

  it('have one meter a key', () => {
    const meters = createMeters()
    const meter = meters.of('key_1')
    expect(meters.of('key_1')).toBe(meter)
    expect(meters.of('key_2')).not.toBe(meter)
    meters.drop('key_1')
    expect(meters.of('key_1')).not.toBe(meter)
  })
})

describe('addresses', () => {
  it('have a minute each, an IPv6 network one together', () => {
    const limiter = createAddressLimiter(2)
    const allowed = (address: string, now = noon) => limiter.take(address, now).isAllowed
    expect([allowed('10.0.0.1'), allowed('10.0.0.1'), allowed('10.0.0.1')]).toEqual([
      true,
      true,
      false,
    ])
    expect(allowed('10.0.0.2')).toBe(true)
    const network = '2001:0db8:0000:0001'
    expect(allowed(`${network}:0000:0000:0000:0001`)).toBe(true)
    expect(allowed(`${network}:0000:0000:0000:0002`)).toBe(true)
    expect(allowed(`${network}:ffff:0000:0000:0003`)).toBe(false)
    expect(allowed('10.0.0.1', noon + minuteMs)).toBe(true)
  })
})
