import { expect, it, vi } from 'vitest'
import type { Caller } from '../../api/access/keys.ts'
import { createMeters } from '../../api/access/limits.ts'
import { createUsage } from '../../api/access/usage.ts'
import { createFollower } from '../../api/follower.ts'
import {
  type Append,
  type Chunk,
  type Log,
  type LogRecord,
  LogSetupError,
} from '../../pipeline/log/log.ts'
import { topics } from '../../schemas/topics.ts'
import { type UsageRow, usageKey } from '../../schemas/usage.ts'

const today = 20_000

/** Returns rows of other processes on a day, one for each key. */
function rowsOn(day: number, count: number): LogRecord[] {
  return Array.from({ length: count }, (_, offset) => {
    const value: UsageRow = {
      ...{ accountId: 'acct_1', keyId: `key_${offset}`, day, writer: 'gone' },
      ...{ requests: 1, minute: 0, minuteRequests: 0, byFamily: {} },
    }
    return { topic: topics.usage, partition: 0, offset, key: usageKey(value), value }
  })
}

it('any number of expired rows is removed, in bounded appends', async () => {
  const appends: (readonly Append[])[] = []
  const log = { append: async (records: readonly Append[]) => void appends.push(records) }
  const usage = createUsage(log as unknown as Log, {
    writer: 'this',
    meters: createMeters(),
    clock: () => today * 86_400_000,
  })
  const expired = 130_000
  const records = [...rowsOn(today - 36, expired), ...rowsOn(today - 35, 10)]
  const { take } = createFollower({ async *follow() {} }, [usage], () => 0)
  take({ records, reset: true, caughtUp: true } as unknown as Chunk)
  await usage.flush()
  const removed = new Set(appends.flatMap((records) => records.map(({ key }) => key)))
  expect(removed.size).toBe(expired)
  expect(Math.max(...appends.map(({ length }) => length))).toBe(1_000)
  expect(appends.every((records) => records.every(({ value }) => value === null))).toBe(true)
  // A day is swept once.
  await usage.flush()
  expect(appends).toHaveLength(expired / 1_000)
})

it('counts that are refused are written later, and end the process once refused for ten seconds', async () => {
  const written: unknown[] = []
  let refuses = true
  const refused = new LogSetupError('the brokers refuse the time of our records')
  const log = {
    async append(records: readonly Append[]) {
      if (refuses) throw refused
      written.push(...records.map(({ value }) => (value as UsageRow).requests))
    },
  }
  const meters = createMeters()
  const usage = createUsage(log as unknown as Log, {
    ...{ writer: 'this', meters },
    clock: () => today * 86_400_000,
  })
  const meter = meters.of('key_1', 'acct_1')
  const caller = { keyId: 'key_1', accountId: 'acct_1', meter, isTest: false } as unknown as Caller
  const count = () => usage.count(caller, today * 86_400_000, 'odds')
  count()
  await usage.flush()
  refuses = false
  await usage.flush()
  expect(written).toEqual([1])
  refuses = true
  count()
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    for (let second = 0; second < 10; second += 2) {
      await usage.flush()
      vi.advanceTimersByTime(2_000)
    }
    await expect(usage.flush()).rejects.toBe(refused)
  } finally {
    vi.useRealTimers()
  }
})
