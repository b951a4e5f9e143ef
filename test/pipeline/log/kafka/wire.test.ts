import { expect, it } from 'vitest'
import { offsetFetch } from '../../../../pipeline/log/kafka/offset-fetch.ts'
import {
  abortMarker,
  describeProducers,
  describeTransaction,
} from '../../../../pipeline/log/kafka/transaction-requests.ts'
import { flexibleBody, flexibleReader } from '../../../../pipeline/log/kafka/wire.ts'

it('writes lengths as varints that are one more, and ends header and structures with no tags', () => {
  const body = flexibleBody(({ text, array, structs, int8, int16, int32, int64 }) => {
    text('é')
    array([1, -1], int16)
    structs(['a'], text)
    int8(1)
    int32(258)
    int64(-2)
  })
  expect(body.toString('hex')).toBe(
    ['00', '03c3a9', '030001ffff', '0202', '6100', '01', '00000102', 'fffffffffffffffe', '00'].join(
      '',
    ),
  )
  // A length of 200 takes two bytes: 201 is 0x49 and one times 128.
  const long = flexibleBody(({ text }) => text('x'.repeat(200)))
  expect([...long.subarray(0, 4)]).toEqual([0, 0xc9, 0x01, 'x'.charCodeAt(0)])
})

it('reads nulls as empty, and skips tags that it does not know', () => {
  const { text, array, int64, end } = flexibleReader(
    Buffer.concat([
      Buffer.from('0102034142430000', 'hex'), // a tag of three bytes ends the header; a null text; a null array
      Buffer.from('0000000000000005', 'hex'),
      Buffer.from('00', 'hex'),
    ]),
  )
  expect([text(), array(int64), int64()]).toEqual(['', [], 5])
  end()
})

it('refuses an answer that ends within a length', () => {
  const { text } = flexibleReader(Buffer.from('00c9', 'hex'))
  expect(text).toThrow(RangeError)
})

const place = { topic: 'odds', partition: 3 }

/** A response laid out like Kafka's `DescribeProducersResponse` 0. */
it('reads the producers of a partition', () => {
  const answer = Buffer.concat([
    Buffer.from('00' + '00000007', 'hex'),
    Buffer.from('02' + '056f646473' + '02' + '00000003' + '0000' + '00', 'hex'),
    Buffer.from('02' + '0000000000000fa0' + '00000005' + '00000009', 'hex'),
    Buffer.from('0000019a00000000' + 'ffffffff' + '000000000000002a', 'hex'),
    Buffer.from('00' + '00' + '00' + '00', 'hex'),
  ])
  expect(describeProducers(place).decode(answer)).toEqual({
    clientSideThrottleTime: 7,
    errorCode: 0,
    producers: [
      {
        producerId: 4_000,
        producerEpoch: 5,
        wroteAt: 0x19a00000000,
        coordinatorEpoch: -1,
        openFrom: 42,
      },
    ],
  })
})

it('aborts, and never commits, the transaction of a producer', () => {
  const producer = {
    producerId: 4_000,
    producerEpoch: 5,
    wroteAt: 0,
    coordinatorEpoch: -1,
    openFrom: 42,
  }
  expect(abortMarker(place, producer).body.toString('hex')).toBe(
    [
      ...['00', '02', '0000000000000fa0', '0005', '00'],
      ...['02', '056f646473', '0200000003', '00', '00000000', '00', '00'],
    ].join(''),
  )
})

it('reads committed offsets, and whether a transaction is about to change some', () => {
  const partitions = [3, 4].map((partition) => ({ topic: 'odds', partition }))
  const { body, decode } = offsetFetch('board', partitions, true)
  expect(body.toString('hex')).toBe(
    ['00', '06626f617264', '02', '056f646473', '03', '00000003', '00000004', '00', '01', '00'].join(
      '',
    ),
  )
  const answer = (code: string) =>
    Buffer.from(
      [
        ...['00', '00000007', '02', '056f646473', '03'],
        ...['00000003', '000000000000002a', '00000001', '00', '0000', '00'],
        ...['00000004', 'ffffffffffffffff', 'ffffffff', '01', code, '00'],
        ...['00', '0000', '00'],
      ].join(''),
      'hex',
    )
  expect(decode(answer('0058'))).toEqual({
    clientSideThrottleTime: 7,
    unstable: true,
    offsets: [
      { topic: 'odds', partition: 3, offset: 42 },
      { topic: 'odds', partition: 4, offset: -1 },
    ],
  })
  expect(decode(answer('0000')).unstable).toBe(false)
  expect(() => decode(answer('001e'))).toThrow('Not authorized')
})

it('reads what a coordinator knows of a transaction', () => {
  const { body, decode } = describeTransaction('board-3')
  expect(body.toString('hex')).toBe('000208626f6172642d3300')
  const answer = [
    ...['00', '00000007', '02', '0000', '08626f6172642d33', '084f6e676f696e67', '00007530'],
    ...['0000019a00000000', '0000000000000fa0', '0005'],
    ...['02', '056f646473', '02', '00000003', '00', '00', '00'],
  ]
  expect(decode(Buffer.from(answer.join(''), 'hex'))).toEqual({
    clientSideThrottleTime: 7,
    errorCode: 0,
    known: {
      ...{ state: 'Ongoing', timeoutMs: 30_000, startedAt: 1_760_936_591_360 },
      ...{ producerId: 4_000, producerEpoch: 5 },
    },
  })
})
