import { describe, expect, it } from 'vitest'
import { readIdentity } from '../../../../pipeline/log/kafka/identity.ts'
import type { OutgoingRecord } from '../../../../pipeline/log/kafka/record-batch.ts'
import { LogSetupError, LogUnavailableError } from '../../../../pipeline/log/log.ts'

const denied = Object.assign(new Error('no right'), { type: 'TOPIC_AUTHORIZATION_FAILED' })

/** A topic of one partition. @param refusal of every write; null where it takes them */
function topicWith(records: OutgoingRecord[], refusal: Error | null = null) {
  const read = (partitions: number, notesNumber?: boolean) =>
    readIdentity(
      {
        offsets: async (_places, at) => [at === 'start' ? 0 : records.length],
        fetch: async ([place]) => [
          {
            ...place!,
            records: records.slice(place!.offset).map(({ key, value }, index) => {
              return { key, value, offset: place!.offset + index }
            }),
            ...{ writtenAt: null, next: records.length, silentMs: 0 },
          } as never,
        ],
      },
      {
        async append(messages) {
          if (refusal) throw refusal
          records.push(...messages)
        },
      },
      'meta',
      partitions,
      notesNumber,
    )
  return { records, read }
}

const record = (kind: string, key: string): OutgoingRecord => {
  return { topic: 'meta', partition: 0, key, value: Buffer.from(kind) }
}
const kindsOf = (records: readonly OutgoingRecord[]) => records.map(({ value }) => String(value))
const earlier = () => [record('epoch', 'e'), record('secret', 's')]

describe('the identity of a log', () => {
  it('is written by the first process and read by all others', async () => {
    const { records, read } = topicWith([])
    const first = await read(8)
    expect(kindsOf(records)).toEqual(['epoch', 'secret', 'partitions'])
    expect(await read(8)).toEqual(first)
    expect(records).toHaveLength(3)
  })

  it('needs the right to write it', async () => {
    await expect(topicWith([], denied).read(8)).rejects.toThrow(LogUnavailableError)
    await expect(topicWith([record('epoch', 'e')], denied).read(8)).rejects.toThrow('has no epoch')
  })
})

describe('a log whose keys are spread over 8 partitions', () => {
  it.each([16, 12, 4])('refuses %i, before it writes anything', async (partitions) => {
    const { records, read } = topicWith([])
    await read(8)
    const refused = read(partitions)
    await expect(refused).rejects.toThrow(LogSetupError)
    await expect(refused).rejects.toThrow(
      `spread over 8 partitions, and OVERROUND_KAFKA_PARTITIONS is ${partitions}`,
    )
    await expect(refused).rejects.toThrow('Set OVERROUND_KAFKA_PARTITIONS=8')
    expect(records).toHaveLength(3)
  })

  it('keeps the number of the first of several processes that opened it at once', async () => {
    const proposals = [8, 8, 16].map(async (partitions) => {
      const { records, read } = topicWith([])
      await read(partitions)
      return records
    })
    const records = (await Promise.all(proposals)).flat()
    // Compaction keeps every record: no two have one key.
    expect(new Set(records.map(({ key }) => key)).size).toBe(9)
    const { read } = topicWith(records)
    await read(8)
    await expect(read(16)).rejects.toThrow(LogSetupError)
    expect(records).toHaveLength(9)
  })

  it('of an earlier version, which kept no number, takes that of its first start', async () => {
    const { records, read } = topicWith(earlier())
    expect(await read(8)).toEqual({ epoch: 'e', secret: 's' })
    expect(kindsOf(records)).toEqual(['epoch', 'secret', 'partitions'])
    await expect(read(16)).rejects.toThrow(LogSetupError)
    expect(await read(8)).toEqual({ epoch: 'e', secret: 's' })
  })

  it('is not decided by an API, whose setting may be wrong', async () => {
    const { records, read } = topicWith([])
    const first = await read(8, false)
    expect(kindsOf(records)).toEqual(['epoch', 'secret'])
    expect(await read(8, false)).toEqual(first)
    expect(await read(16)).toEqual(first)
    expect(kindsOf(records)).toEqual(['epoch', 'secret', 'partitions'])
    await expect(read(8, false)).rejects.toThrow('spread over 16 partitions')
  })

  it('of an earlier version is opened by an API without a write', async () => {
    const { records, read } = topicWith(earlier())
    expect(await read(8, false)).toEqual({ epoch: 'e', secret: 's' })
    expect(records).toHaveLength(2)
  })

  it('of an earlier version is opened while the brokers take no writes', async () => {
    const away = new LogUnavailableError('too few in sync')
    const { read } = topicWith(earlier(), away)
    expect(await read(8)).toEqual({ epoch: 'e', secret: 's' })
    await expect(topicWith([], away).read(8)).rejects.toThrow('too few in sync')
  })

  it('of an earlier version is opened by a user who may not write the number', async () => {
    const { records, read } = topicWith(earlier(), denied)
    expect(await read(8)).toEqual({ epoch: 'e', secret: 's' })
    expect(records).toHaveLength(2)
  })
})
