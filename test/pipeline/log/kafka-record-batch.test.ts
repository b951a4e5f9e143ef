/** Record batches are what kafkajs makes of the same records, byte for byte, and the checksum is the published one. */

import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  crc32c,
  encodeRecordBatch,
  type RecordBytes,
  recordBytesMax,
  sequenceAfter,
} from '../../../pipeline/log/kafka-record-batch.ts'

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

test('a batch is what kafkajs makes of the same records, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 200 }),
      fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
      fc.integer({ min: 0, max: 32_767 }),
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.integer({ min: 0, max: 2 ** 45 }),
      async (records, producerId, producerEpoch, firstSequence, timestamp) => {
        const options = { producerId, producerEpoch, firstSequence, timestamp }
        const bytes = encodeRecordBatch(records, options)
        expect(bytes.equals(await kafkajsBatch(records, options))).toBe(true)
        const most = records.reduce((sum, one) => sum + recordBytesMax(one), 61)
        expect(bytes.length).toBeLessThanOrEqual(most)
      },
    ),
    { numRuns: 50 },
  )
})

async function kafkajsBatch(
  records: readonly RecordBytes[],
  { timestamp, ...options }: Parameters<typeof encodeRecordBatch>[1],
): Promise<Buffer> {
  const encoded = await RecordBatch({
    ...options,
    records: records.map((one, offsetDelta) => Record({ ...one, offsetDelta, timestampDelta: 0 })),
    firstTimestamp: timestamp,
    maxTimestamp: timestamp,
    transactional: true,
    lastOffsetDelta: records.length - 1,
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

test('sequence numbers begin anew behind the last that fits', () => {
  expect(sequenceAfter(0, 5)).toBe(5)
  expect(sequenceAfter(2 ** 31 - 3, 2)).toBe(2 ** 31 - 1)
  expect(sequenceAfter(2 ** 31 - 3, 3)).toBe(0)
  expect(sequenceAfter(2 ** 31 - 1, 1)).toBe(0)
})
