import { expect, it } from 'vitest'
import { createMeters } from '../../api/access/limits.ts'
import { createUsage } from '../../api/access/usage.ts'
import { createFollower } from '../../api/follower.ts'
import type { Append, Chunk, Log, LogRecord } from '../../pipeline/log/log.ts'
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
