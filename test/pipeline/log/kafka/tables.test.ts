/** Tables over a fake reader; `kafka-log.kafka.test.ts` tests them with a broker. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PartitionOffset } from '../../../../pipeline/log/kafka/partition-offsets.ts'
import type { Fetched, Reader } from '../../../../pipeline/log/kafka/reader.ts'
import type { Rows } from '../../../../pipeline/log/kafka/rows.ts'
import { newestOf, readTo, replayTables } from '../../../../pipeline/log/kafka/tables.ts'
import { topics } from '../../../../schemas/topics.ts'

const { signal } = new AbortController()
const topicName = ({ name }: { readonly name: string }) => name
const odds: PartitionOffset = { topic: topics.odds.name, partition: 0, offset: 0 }

type Told = readonly [key: string, value: string | null]

/** Returns one of the responses per fetch, with offsets from the requested one. */
function readerOf(answers: readonly (readonly Told[])[]) {
  const asked: number[] = []
  const left = [...answers]
  const reader: Pick<Reader, 'fetch'> = {
    async fetch([place]): Promise<Fetched[]> {
      const { topic, partition, offset } = place!
      asked.push(offset)
      const told = left.shift() ?? []
      const records = told.map(([key, value], index) => ({
        offset: offset + index,
        key,
        value: value === null ? null : Buffer.from(value),
      }))
      return [
        {
          topic,
          partition,
          offset,
          records,
          writtenAt: null,
          next: offset + told.length,
          silentMs: 0,
        },
      ]
    },
  }
  return { asked, reader: reader as Reader }
}

/** Returns the final table of prices, by key, in order. */
async function tableOf(answers: readonly (readonly Told[])[], end: number) {
  const { asked, reader } = readerOf(answers)
  const ends = new Map([['odds/0', end]])
  const newest = await newestOf(readTo(reader, [odds], ends), ends, signal)
  const rows = (newest!.get('odds') ?? []).map(({ key, value, offset }) => [
    key,
    `${value}`,
    offset,
  ])
  return { rows, asked }
}

it('has the newest row of each key, in order of writing', async () => {
  const { rows, asked } = await tableOf(
    [
      [
        ['a', '1.90'],
        ['b', '2.10'],
      ],
      [
        ['a', '1.95'],
        ['c', '10.5'],
        ['b', '12.25'],
      ],
    ],
    5,
  )
  expect(rows).toEqual([
    ['a', '1.95', 2],
    ['c', '10.5', 3],
    ['b', '12.25', 4],
  ])
  expect(asked).toEqual([0, 2])
})

it('has no removed row, unless it came back', async () => {
  const answers: Told[][] = [
    [
      ['a', '1.90'],
      ['b', '2.10'],
      ['c', '3.00'],
    ],
    [
      ['a', null],
      ['b', null],
      ['b', '2.20'],
    ],
  ]
  expect((await tableOf(answers, 6)).rows).toEqual([
    ['c', '3.00', 2],
    ['b', '2.20', 5],
  ])
})

it('has nothing written after its own time', async () => {
  const answers: Told[][] = [
    [
      ['a', '1.90'],
      ['a', '1.95'],
      ['b', '2.10'],
    ],
  ]
  const { rows, asked } = await tableOf(answers, 1)
  expect(rows).toEqual([['a', '1.90', 0]])
  expect(asked).toEqual([0])
})

it('requests the next response before the last is parsed', async () => {
  const { asked, reader } = readerOf([[['a', '1.90']], [['a', '1.95']]])
  const next = readTo(reader, [odds], new Map([['odds/0', 2]]))
  expect(asked).toEqual([0])
  expect((await next())?.[0]?.records).toHaveLength(1)
  expect(asked).toEqual([0, 1])
  await next()
  expect(await next()).toBeNull()
  expect(asked).toEqual([0, 1])
})

it('equals a plain map for any history, however long values are', async () => {
  const value = fc
    .tuple(fc.nat(8), fc.constantFrom('1', '2', '3'))
    .map(([length, digit]) => digit.repeat(length))
  const told = fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    fc.option(value, { freq: 5 }),
  )
  const history = fc.array(fc.array(told, { maxLength: 20 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(history, async (answers) => {
      const all = answers.filter((answer) => answer.length > 0)
      const expected = new Map<string, [string, string, number]>()
      for (const [offset, [key, text]] of all.flat().entries()) {
        if (text === null) expected.delete(key)
        else expected.set(key, [key, text, offset])
      }
      const { rows } = await tableOf(all, all.flat().length)
      expect(rows).toEqual([...expected.values()].sort(([, , a], [, , b]) => a - b))
    }),
  )
})

it('keeps no response in memory for one of its records', async () => {
  const answer = Buffer.alloc(1_000_000)
  answer.write('1.90')
  const reader: Pick<Reader, 'fetch'> = {
    fetch: async () => [
      {
        ...odds,
        records: [{ offset: 0, key: 'a', value: answer.subarray(0, 4) }],
        writtenAt: null,
        next: 1,
        silentMs: 0,
      },
    ],
  }
  const ends = new Map([['odds/0', 1]])
  const newest = await newestOf(readTo(reader as Reader, [odds], ends), ends, signal)
  const value = newest!.get('odds')![0]!.value!
  expect(`${value}`).toBe('1.90')
  expect(value.buffer).not.toBe(answer.buffer)
})

it('is replayed from the current leaders of its partitions, and not before they are known', async () => {
  const asked: string[] = []
  let renewed = () => {}
  const reader: Partial<Reader> = {
    renew: () =>
      new Promise<void>((resolve) => {
        renewed = resolve
      }),
    async offsets() {
      asked.push('start')
      return [0]
    },
    async endsAtOnce() {
      asked.push('end')
      return [1]
    },
    fetch: readerOf([[['a', '1.90']]]).reader.fetch,
  }
  const rows: Partial<Rows> = {
    async *chunks(topic, partition, raw) {
      yield raw.map(({ offset, key, value }) => ({
        ...{ topic, partition, offset, key },
        value: `${value}`,
      }))
    },
  }
  const replay = replayTables(reader as Reader, {
    ...{ topics: [topics.odds], partitions: [0], topicName, rows: rows as Rows, signal },
  })
  const first = replay.next()
  await new Promise(setImmediate)
  expect(asked).toEqual([])
  renewed()
  expect((await first).value).toMatchObject([{ key: 'a', value: '1.90' }])
  expect(asked.toSorted()).toEqual(['end', 'start'])
  expect((await replay.next()).done).toBe(true)
})
