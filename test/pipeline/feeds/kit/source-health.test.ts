import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Feed } from '../../../../pipeline/feeds/feed.ts'
import {
  adviceOn,
  type Health,
  nextHealth,
  type Outcome,
  refusedRetryMs,
  startingHealth,
} from '../../../../pipeline/feeds/kit/source-health.ts'
import { adviceOnTrial, tryFeed } from '../../../../pipeline/feeds/trial.ts'
import type { FuturesRecord } from '../../../../schemas/feed-record.ts'

const policy = { downAfter: 3, retryMs: 10_000 }
const failed = (reason: string, notBefore: number | null = null): Outcome => ({
  kind: 'failed',
  reason,
  notBefore,
})
const answered: Outcome = { kind: 'answered', nextAt: null }

/** Returns the states after each outcome, a second apart. */
function statesOf(...outcomes: readonly Outcome[]) {
  let health = startingHealth(0)
  return outcomes.map((outcome, i) => {
    health = nextHealth(health, outcome, 1_000 * (i + 1), policy)
    return health.state
  })
}

describe('the health of a source', () => {
  it('follows from its responses', () => {
    const no = failed('http_500')
    expect(statesOf(answered, no, no, no, no, answered)).toEqual([
      'up',
      'degraded',
      'degraded',
      'down',
      'down',
      'up',
    ])
    expect(statesOf(answered, failed('http_401'), failed('timeout'), failed('http_403'))).toEqual([
      'up',
      'needs_key',
      'needs_key',
      'needs_key',
    ])
    expect(statesOf(failed('http_402'), no, failed('login_refused'))).toEqual([
      'out_of_credits',
      'out_of_credits',
      'needs_key',
    ])
    expect(statesOf(answered, failed('http_429', 100_000), failed('http_429', 400_000))).toEqual([
      'up',
      'degraded',
      'down',
    ])
    const partly: Outcome = { kind: 'partly', reason: 'http_403', notBefore: null, nextAt: 9 }
    expect(statesOf(answered, partly, no, partly)).toEqual([
      'up',
      'degraded',
      'degraded',
      'degraded',
    ])
  })

  it('is not up while a call is retried, and unchanged if it was not up before', () => {
    const retrying: Outcome = { kind: 'retrying', reason: 'http_429', nextAt: 50_000 }
    expect(statesOf(answered, retrying, answered)).toEqual(['up', 'degraded', 'up'])
    const no = failed('http_401')
    expect(statesOf(no, retrying)).toEqual(['needs_key', 'needs_key'])
    const health = nextHealth(
      nextHealth(startingHealth(0), answered, 1, policy),
      retrying,
      2,
      policy,
    )
    expect(health).toEqual({
      state: 'degraded',
      reason: 'http_429',
      since: 2,
      lastSuccessAt: 1,
      nextTryAt: 50_000,
      failures: 0,
    })
  })

  it('keeps since while it lasts, and waits no less than requested, nor less than before', () => {
    const outcome = fc.oneof(
      fc.constant(answered),
      fc
        .record({
          reason: fc.constantFrom(
            'http_401',
            'http_402',
            'http_429',
            'http_500',
            'timeout',
            'not_json',
          ),
          notBefore: fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: null }),
        })
        .map(({ reason, notBefore }) => failed(reason, notBefore)),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(outcome, fc.nat(5_000_000))), (steps) => {
        let now = 0
        let health: Health = startingHealth(now)
        for (const [next, ms] of steps) {
          now += ms
          const before = health
          health = nextHealth(before, next, now, policy)
          expect(health.since).toBe(health.state === before.state ? before.since : now)
          if (next.kind !== 'failed') {
            expect(health).toMatchObject({ state: 'up', reason: null, failures: 0 })
            continue
          }
          const least = Math.max(now + policy.retryMs, next.notBefore ?? 0)
          expect(health.nextTryAt).toBeGreaterThanOrEqual(least)
          expect(health.lastSuccessAt).toBe(before.lastSuccessAt)
          if (health.state === 'needs_key') {
            expect(health.nextTryAt).toBeGreaterThanOrEqual(now + refusedRetryMs)
          }
        }
      }),
    )
  })
})

describe('advice', () => {
  it.each([
    ['needs_key', 'http_401', 'The key or login is refused'],
    ['needs_key', 'login_refused', 'The key or login is refused'],
    ['needs_key', 'http_403', 'It refuses this machine'],
    ['down', 'http_451', 'It refuses this machine'],
    ['out_of_credits', 'out_of_credits', 'The credits are used up'],
    ['down', 'http_429', 'raise intervalMs'],
    ['down', 'http_404', 'check the ids and names'],
    ['down', 'http_422', 'check the ids and names'],
    ['down', 'network', 'check the network'],
    ['down', 'unreadable', 'does not answer as expected'],
  ] as const)('on %s by %s goes by the reason, as in a test', (state, reason, words) => {
    expect(adviceOn({ state, reason })).toContain(words)
    const health = { ...startingHealth(0), state, reason }
    expect(adviceOnTrial({ health, events: 0 })).toContain(words)
  })

  it('is none while a source serves, or a test brings games', () => {
    expect(adviceOn({ state: 'up', reason: null })).toBeNull()
    expect(adviceOn({ state: 'degraded', reason: 'timeout' })).toBeNull()
    const partly = { ...startingHealth(0), state: 'degraded', reason: 'timeout' } as const
    expect(adviceOnTrial({ health: partly, events: 3 })).toBeNull()
    const refused = { ...partly, reason: 'http_451' }
    expect(adviceOnTrial({ health: refused, events: 3 })).toContain('It refuses this machine')
  })
})

it('counts markets on seasons in a test', async () => {
  const record: FuturesRecord = {
    type: 'futures',
    ...{ sportsbook: 'fanduel', mode: 'snapshot', observedAt: 1 },
    future: {
      ...{ externalId: 't', sport: 'golf', league: 'Masters', name: 'Winner' },
      ...{ futureType: 'PLAYER', subject: null, season: null, settlesAt: null },
    },
    prices: ['Rory McIlroy', 'Jon Rahm'].map((selection) => ({
      ...{ selection, line: null, price: 9, removed: false, suspended: false },
      ...{ changedAt: null, externalId: null, deepLink: null },
    })),
  }
  const feed: Feed = {
    name: 'test',
    async run(sink) {
      await sink.publish([record, record])
    },
  }
  const trial = await tryFeed(feed, new AbortController().signal, () => 1)
  expect(trial).toMatchObject({
    ...{ events: 1, prices: 2, leagues: { Masters: 1 }, sportsbooks: ['fanduel'], examples: [] },
  })
})
