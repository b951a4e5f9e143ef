/** Record batches equal those of kafkajs for the same records, both ways. The checksum is the published one. */

import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  crc32c,
  encodeRecordBatch,
  type RecordBytes,
  readRecords,
  recordBytesMax,
  type StoredRecord,
  sequenceAfter,
  storedBatches,
  undoesTransaction,
} from '../../../../pipeline/log/kafka/record-batch.ts'

const require = createRequire(import.meta.url)
const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0/index.js')
const Record = require('kafkajs/src/protocol/recordBatch/record/v0/index.js')

const record = fc.record({
  key: fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constant('')),
  value: fc.option(
    fc
      .oneof(fc.uint8Array({ maxLength: 20_000 }), fc.uint8Array({ maxLength: 70 }))
      .map((bytes) => Buffer.from(bytes)),
  ),
})

test('a batch equals that of kafkajs for the same records, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 200 }),
      fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
      fc.integer({ min: 0, max: 32_767 }),
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 2 ** 45 }),
      async (records, producerId, producerEpoch, firstSequence, isInTransaction, timestamp) => {
        const options = { producerId, producerEpoch, firstSequence, isInTransaction, timestamp }
        const bytes = encodeRecordBatch(records, options)
        expect(bytes.equals(await kafkajsBatch(records, options))).toBe(true)
        const most = records.reduce((sum, one) => sum + recordBytesMax(one), 61)
        expect(bytes.length).toBeLessThanOrEqual(most)
      },
    ),
    { numRuns: 50 },
  )
})

test('batches are read as kafkajs wrote them, from any offset on and up to one that is cut off', async () => {
  const headers = fc.dictionary(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), {
    maxKeys: 3,
  })
  const batch = fc.record({
    /** Compaction removes records and keeps the others' offsets. */
    records: fc.array(fc.tuple(record, fc.nat(3), headers), { minLength: 1, maxLength: 30 }),
    compression: fc.constantFrom(0, 1),
    isInTransaction: fc.boolean(),
    producerId: fc.integer({ min: -1, max: 2 ** 40 }),
    times: fc.tuple(fc.integer({ min: 0, max: 2 ** 45 }), fc.integer({ min: 0, max: 2 ** 40 })),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 1, maxLength: 4 }),
      fc.nat(200),
      fc.nat(10_000),
      async (batches, asked, cutBytes) => {
        let next = 2 ** 33
        const from = next + asked
        const expected: StoredRecord[] = []
        const heads = []
        const written: Buffer[] = []
        for (const { records, compression, isInTransaction, producerId, times } of batches) {
          const firstOffset = next
          const stored = records.map(([{ key, value }, gap, texts]) => {
            next += gap
            const offset = next++
            return { key, value, headers: texts, offset }
          })
          const bytes = await kafkajsBatch(
            stored.map(({ offset, ...one }) => ({ ...one, offsetDelta: offset - firstOffset })),
            {
              ...{ timestamp: times[0], producerId: String(producerId), producerEpoch: 1 },
              ...{ firstSequence: 0, compression, isInTransaction },
              timestampDelta: times[1],
            },
          )
          bytes.writeBigInt64BE(BigInt(firstOffset)) // the broker's to say
          written.push(bytes)
          heads.push({ firstOffset, lastOffset: next - 1, producerId, isInTransaction })
          for (const { key, value, offset } of stored) {
            if (offset >= from) expected.push({ key, value, offset })
          }
        }
        const whole = Buffer.concat(written)
        const read = (bytes: Buffer) => {
          const records: StoredRecord[] = []
          const found = [...storedBatches(bytes)]
          for (const one of found) readRecords(one, from, records)
          return { found, records }
        }
        const { found, records } = read(whole)
        expect(found).toMatchObject(heads)
        expect(found.every(({ isControl }) => !isControl)).toBe(true)
        expect(records).toEqual(expected)
        const cut = read(whole.subarray(0, Math.max(0, whole.length - 1 - cutBytes)))
        expect(cut.found).toMatchObject(heads.slice(0, cut.found.length))
        expect(cut.found.length).toBeLessThan(heads.length)
        expect(cut.records).toEqual(expected.slice(0, cut.records.length))
      },
    ),
    { numRuns: 50 },
  )
})

test('the end of a transaction that compaction has emptied undoes nothing', () => {
  const whole = encodeRecordBatch([{ key: 'k', value: null }], {
    ...{ producerId: '7', producerEpoch: 0, firstSequence: 0, timestamp: 0 },
    isInTransaction: true,
  })
  const emptied = Buffer.from(whole.subarray(0, 61))
  emptied.writeInt32BE(61 - 12, 8)
  emptied.writeInt16BE(0x30, 21)
  emptied.writeInt32BE(0, 57)
  const [marker, next] = storedBatches(Buffer.concat([emptied, whole]))
  expect(marker).toMatchObject({ isControl: true, count: 0, producerId: 7, bytes: Buffer.alloc(0) })
  expect(undoesTransaction(marker!)).toBe(false)
  expect(next).toMatchObject({ isControl: false, count: 1 })
})

test('foreign bytes are reported, and end the read', () => {
  const old = Buffer.alloc(100)
  old.writeInt32BE(60, 8)
  old[16] = 1
  expect(() => [...storedBatches(old)]).toThrow('records are in format 1')
  const bytes = encodeRecordBatch([{ key: 'k', value: Buffer.from('v') }], {
    ...{ producerId: '1', producerEpoch: 0, firstSequence: 0, timestamp: 0 },
    isInTransaction: true,
  })
  const [batch] = storedBatches(bytes)
  expect(() => readRecords({ ...batch!, count: 2 }, 0, [])).toThrow('ends within a record')
  expect(() => readRecords({ ...batch!, compression: 7 }, 0, [])).toThrow('compressed')
})

async function kafkajsBatch(
  records: readonly (RecordBytes & { readonly offsetDelta?: number })[],
  {
    timestamp,
    timestampDelta = 0,
    isInTransaction,
    ...options
  }: Parameters<typeof encodeRecordBatch>[1] & {
    readonly compression?: number
    readonly timestampDelta?: number
  },
): Promise<Buffer> {
  const encoded = await RecordBatch({
    transactional: isInTransaction,
    ...options,
    records: records.map((one, offsetDelta) => Record({ offsetDelta, timestampDelta, ...one })),
    firstTimestamp: timestamp,
    maxTimestamp: timestamp + timestampDelta,
    lastOffsetDelta: records.at(-1)!.offsetDelta ?? records.length - 1,
  })
  return encoded.buffer
}

test('a checksum is that of RFC 3720, whatever the length', () => {
  // RFC 3720, B.4
  expect(crc32c(Buffer.alloc(32), 0, 32)).toBe(0x8a9136aa)
  expect(crc32c(Buffer.alloc(32, 0xff), 0, 32)).toBe(0x62a8ab43)
  expect(crc32c(Buffer.from('123456789'), 0, 9)).toBe(0xe3069283)
  expect(crc32c(Buffer.from('x123456789x'), 1, 10)).toBe(0xe3069283)
})

test('sequence numbers restart after the last that fits', () => {
  expect(sequenceAfter(0, 5)).toBe(5)
  expect(sequenceAfter(2 ** 31 - 3, 2)).toBe(2 ** 31 - 1)
  expect(sequenceAfter(2 ** 31 - 3, 3)).toBe(0)
  expect(sequenceAfter(2 ** 31 - 1, 1)).toBe(0)
})
