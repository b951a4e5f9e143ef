import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countElsewhere,
  createAddressLimiter,
  createMeter,
  createMeters,
  remainingRequests,
  takeRequest,
} from '../../api/access/limits.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const minuteMs = 60_000

/** Requests and reports of two other processes, in order of time. */
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
            countElsewhere(meter, step.process, window, reported.get(key)!)
          }
        }
        for (const count of taken.values()) expect(count).toBeLessThanOrEqual(limit)
      }),
    )
  })

  it('exceed the limit over several processes only before they hear of each other', () => {
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
    countElsewhere(meters.a, 'b', window, meters.b.used)
    countElsewhere(meters.b, 'a', window, meters.a.used)
    // Both take the last request: the excess is the requests not reported yet.
    expect([take('a', 10), take('b', 10)]).toEqual([1, 1])
    countElsewhere(meters.a, 'b', window, meters.b.used)
    countElsewhere(meters.b, 'a', window, meters.a.used)
    expect([take('a', 10), take('b', 10)]).toEqual([0, 0])
    expect(takeRequest(meters.a, limit, noon + minuteMs)).toMatchObject({
      isAllowed: true,
      remaining: 9,
    })
  })

  it('of other processes count in their own window only', () => {
    const meter = createMeter()
    const window = Math.floor(noon / minuteMs)
    countElsewhere(meter, 'a', window, 7)
    countElsewhere(meter, 'a', window - 1, 100)
    expect(remainingRequests(meter, 10, noon).remaining).toBe(3)
    countElsewhere(meter, 'a', window, 8)
    countElsewhere(meter, 'b', window, 1)
    expect(remainingRequests(meter, 10, noon).remaining).toBe(1)
    expect(remainingRequests(meter, 10, noon + minuteMs).remaining).toBe(10)
    countElsewhere(meter, 'b', window + 1, 2)
    expect(remainingRequests(meter, 10, noon + minuteMs).remaining).toBe(8)
  })

  it('do not restart when the clock steps back', () => {
    const meter = createMeter()
    const take = (now: number) => takeRequest(meter, 2, now)
    expect(take(noon)).toMatchObject({ isAllowed: true, remaining: 1 })
    expect(take(noon - 1)).toMatchObject({ isAllowed: true, remaining: 0 })
    // The reset time is the end of the used-up minute, not of the clock's minute.
    for (const back of [1, minuteMs, 4 * minuteMs]) {
      expect(take(noon - back)).toMatchObject({
        isAllowed: false,
        resetsAt: (noon + minuteMs) / 1_000,
        retryAfterSeconds: Math.ceil((back + minuteMs) / 1_000),
      })
      expect(remainingRequests(meter, 2, noon - back).remaining).toBe(0)
    }
    expect(take(noon).isAllowed).toBe(false)
    expect(take(noon + minuteMs)).toMatchObject({ isAllowed: true, remaining: 1 })
  })

  it('restart under a clock that was far ahead', () => {
    const meter = createMeter()
    for (let i = 0; i < 3; i++) takeRequest(meter, 2, noon + 60 * minuteMs)
    expect(takeRequest(meter, 2, noon)).toMatchObject({ isAllowed: true, remaining: 1 })
  })

  it('have one meter per key', () => {
    const meters = createMeters()
    expect(meters.find('key_1')).toBeUndefined()
    const meter = meters.of('key_1', 'acct_1')
    expect(meters.find('key_1')).toBe(meter)
    expect(meters.of('key_1', 'acct_1')).toBe(meter)
    expect(meters.of('key_2', 'acct_1')).not.toBe(meter)
    meters.drop('key_1')
    expect(meters.find('key_1')).toBeUndefined()
    expect(meters.of('key_3', 'acct_2')).not.toBe(meter)
    expect(meters.of('key_4', 'acct_1')).toBe(meter)
  })

  it('are no more than an account has keys at once, however often keys are made anew', () => {
    const change = fc.record({
      account: fc.constantFrom('acct_1', 'acct_2'),
      step: fc.constantFrom('make', 'make', 'drop', 'use'),
      which: fc.nat(10),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
        const limit = 5
        const meters = createMeters()
        const keys = { acct_1: [] as string[], acct_2: [] as string[] }
        const mostKeys = { acct_1: 0, acct_2: 0 }
        const taken = { acct_1: 0, acct_2: 0 }
        for (const [i, { account, step, which }] of changes.entries()) {
          const of = keys[account as keyof typeof keys]
          const name = account as keyof typeof keys
          if (step === 'make') of.push(`key_${i}`)
          else if (step === 'drop' && of.length > 0)
            meters.drop(of.splice(which % of.length, 1)[0]!)
          mostKeys[name] = Math.max(mostKeys[name], of.length)
          for (const key of of) {
            const meter = meters.of(key, account)
            if (step === 'use' && takeRequest(meter, limit, noon).isAllowed) taken[name]++
          }
          expect(taken[name]).toBeLessThanOrEqual(limit * mostKeys[name])
        }
      }),
    )
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

  it('of IPv4 have a minute each in every spelling', () => {
    for (const [one, another] of [
      ['127.0.0.1', '127.0.0.2'],
      ['0000:0000:0000:0000:0000:ffff:7f00:0001', '0000:0000:0000:0000:0000:ffff:7f00:0002'],
      ['0:0:0:0:0:FFFF:7f00:1', '0:0:0:0:0:FFFF:7f00:2'],
      ['::ffff:7f00:1', '::ffff:7f00:2'],
      ['::ffff:127.0.0.1', '::ffff:127.0.0.2'],
    ] as const) {
      const limiter = createAddressLimiter(1)
      const allowed = [one, one, another].map((address) => limiter.take(address, noon).isAllowed)
      expect(allowed, one).toEqual([true, false, true])
    }
  })

  it('keep their minute when the clock steps back', () => {
    const limiter = createAddressLimiter(1)
    const allowed = (now: number) => limiter.take('10.0.0.1', now).isAllowed
    expect([noon, noon - 1, noon, noon + minuteMs].map(allowed)).toEqual([true, false, false, true])
  })
})
