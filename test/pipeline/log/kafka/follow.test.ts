/** Following one partition of a topic at a leader in memory; `test/contracts/log.ts` has it with brokers. */

import { describe, expect, it } from 'vitest'
import type { Codec } from '../../../../pipeline/log/kafka/codec.ts'
import { followTopics } from '../../../../pipeline/log/kafka/follow.ts'
import {
  type Fetched,
  OffsetOutOfRangeError,
  type Reader,
} from '../../../../pipeline/log/kafka/reader.ts'
import type { StoredRecord } from '../../../../pipeline/log/kafka/record-batch.ts'
import { createRows } from '../../../../pipeline/log/kafka/rows.ts'
import { topics } from '../../../../schemas/topics.ts'

const hour = 3_600_000
const tombstonesKeptMs = 24 * hour
const nobody = { asks() {}, answered() {}, failed() {}, gone() {} }

interface Row {
  readonly offset: number
  readonly key: string
  readonly value: string | null
}

/** A leader's records. */
interface Leader {
  readonly rows: readonly Row[]
  readonly end: number
  /** Offset of the first record of the last `tombstonesKeptMs`. */
  readonly young: number
}

/**
 * A reader of one partition.
 * @param atRenewal called when all brokers are asked who leads
 */
function readerAt(leader: () => Leader, atRenewal: () => void, silentMs: () => number) {
  const reader: Pick<Reader, 'offsets' | 'fetch' | 'renew'> = {
    renew: async () => atRenewal(),
    offsets: async (_, at) => {
      const { young, end } = leader()
      return [at === 'start' ? 0 : typeof at === 'object' ? young : end]
    },
    async fetch([place]): Promise<Fetched[]> {
      await new Promise(setImmediate)
      const { topic, partition, offset } = place!
      const { rows, end } = leader()
      if (offset > end) throw new OffsetOutOfRangeError('not there')
      const records = rows
        .filter((row) => row.offset >= offset)
        .map(
          ({ value, ...row }): StoredRecord => ({
            ...row,
            value: value === null ? null : Buffer.from(value),
          }),
        )
      if (records.length === 0) return []
      return [
        {
          ...{ topic, partition, offset, records, writtenAt: null, next: end },
          silentMs: silentMs(),
        },
      ]
    },
  }
  return reader as Reader
}

/** Follows until `isDone`. @returns the table, the number of resets, and the warnings */
async function follow(
  reader: Reader,
  isDone: (table: ReadonlyMap<string, unknown>, resets: number) => boolean,
) {
  const codec = { prepare: async () => {}, decode: (bytes: Buffer) => String(bytes) }
  const stop = new AbortController()
  const warnings: string[] = []
  const following = followTopics(
    reader,
    undefined,
    {
      ...{ topics: [topics.profiles], topicName: ({ name }) => name, partitionCount: 1 },
      ...{ epoch: 'e', tombstonesKeptMs },
      rows: createRows({
        codecOf: () => codec as unknown as Codec,
        ...{ registry: nobody, patientUntil: stop.signal, onPoison() {} },
      }),
      logger: { debug() {}, info() {}, warn: (_, message) => warnings.push(message) },
    },
    stop.signal,
  )
  const table = new Map<string, unknown>()
  let resets = 0
  for await (const { reset, records } of following) {
    if (reset) {
      table.clear()
      resets++
    }
    for (const { key, value } of records) {
      if (value === null) table.delete(key)
      else table.set(key, value)
    }
    if (isDone(table, resets)) break
  }
  return { table: Object.fromEntries(table), resets, warnings }
}

const first: Leader = { rows: [{ offset: 0, key: 'key 7', value: 'valid' }], end: 1, young: 0 }

describe('a follower', () => {
  it('of a former leader that is cut off and has fewer records goes on at the newer one', async () => {
    const whole: Leader = {
      rows: [0, 1, 2].map((offset) => ({ offset, key: 'price', value: String(offset) })),
      ...{ end: 3, young: 0 },
    }
    const longer: Leader = {
      ...{ ...whole, end: 4 },
      rows: [...whole.rows, { offset: 3, key: 'price', value: '3' }],
    }
    let leader = whole
    const seen: unknown[] = []
    let renewals = 0
    const reader = readerAt(
      () => leader,
      () => {
        // Once at first; then after the refusal.
        if (renewals++ > 0) leader = longer
      },
      () => 0,
    )
    const { resets, warnings } = await follow(reader, (table, resets) => {
      seen.push(table.get('price'))
      if (leader === whole) leader = first
      return table.get('price') === '3' || resets > 1
    })
    expect({ resets, warnings }).toEqual({ resets: 1, warnings: [] })
    expect(seen).not.toContain('valid')
    expect(seen.at(-1)).toBe('3')
  })

  it('reads everything again when the records that it had are gone everywhere', async () => {
    let leader: Leader = { ...first, end: 5 }
    const reader = readerAt(
      () => leader,
      () => {},
      () => 0,
    )
    const shorter: Leader = { rows: [{ offset: 0, key: 'key 8', value: 'new' }], end: 1, young: 0 }
    const { table, resets, warnings } = await follow(reader, (now) => {
      leader = shorter
      return now.has('key 8')
    })
    expect(table).toEqual({ 'key 8': 'new' })
    expect(resets).toBe(2)
    expect(warnings).toEqual(['followed records are gone; reading everything again'])
  })

  it.each([
    ['was removed meanwhile', { young: 2 }, { 'key 8': 'valid' }, 2],
    ['is still told of', { young: 0 }, { 'key 7': 'valid', 'key 8': 'valid' }, 1],
  ])(
    'that was held up for longer than removals are kept loses a row that %s',
    async (_, { young }, expected, expectedResets) => {
      let leader = first
      let renewals = 0
      const reader = readerAt(
        () => leader,
        () => renewals++,
        // Only the first answer comes late.
        () => (leader === first || renewals > 1 ? 0 : 26 * hour),
      )
      const { table, resets } = await follow(reader, (now) => {
        // The removal of key 7 was at offset 1.
        leader = { rows: [{ offset: 2, key: 'key 8', value: 'valid' }], end: 3, young }
        return now.has('key 8')
      })
      expect(table).toEqual(expected)
      expect(resets).toBe(expectedResets)
    },
  )
})
