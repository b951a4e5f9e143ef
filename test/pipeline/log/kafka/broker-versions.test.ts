import type { Cluster } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { knows, lackOf, requireVersionsIn } from '../../../../pipeline/log/kafka/broker-versions.ts'
import type { LowLevelBroker } from '../../../../pipeline/log/kafka/internals.ts'
import { describeProducers } from '../../../../pipeline/log/kafka/transaction-requests.ts'
import { LogSetupError } from '../../../../pipeline/log/log.ts'

const upTo = (maxVersion: number, minVersion = 0) => ({ minVersion, maxVersion })

/** What brokers say of some requests. Source: the response of such a broker. */
const kafka = {
  '2.4': { 0: upTo(8), 1: upTo(11), 9: upTo(6), 24: upTo(1) },
  '2.5': { 0: upTo(8), 1: upTo(11), 9: upTo(7), 24: upTo(1) },
  '4.4': { 0: upTo(13), 1: upTo(18, 4), 9: upTo(10, 1), 24: upTo(5), 61: upTo(0) },
}

const brokerOf = (ranges: object) =>
  ({ apiVersions: async () => ranges }) as unknown as LowLevelBroker

describe('what a broker lacks', () => {
  it('is nothing from Kafka 2.5 on', () => {
    expect([lackOf(kafka['2.5']), lackOf(kafka['4.4'])]).toEqual([null, null])
  })

  it('is named, with the version that has it', () => {
    expect(lackOf(kafka['2.4'])).toBe(
      'does not know the request OffsetFetch 7, which brokers have since Kafka 2.5: upgrade the brokers',
    )
    expect(lackOf({ ...kafka['2.5'], 0: upTo(6) })).toMatch(
      /the request Produce 7, .* since Kafka 2\.1: /,
    )
    expect(lackOf({ ...kafka['2.5'], 24: undefined! })).toMatch(/AddPartitionsToTxn 1/)
  })

  it('may be a request that it knows no longer', () => {
    expect(lackOf({ ...kafka['4.4'], 1: upTo(30, 11) })).toBe(
      'no longer knows the request Fetch 10: upgrade this service',
    )
  })

  it('refuses a start if it is one of several, whatever the others say', async () => {
    const brokers = new Map<string, () => LowLevelBroker>([
      ['1', () => brokerOf(kafka['4.4'])],
      [
        '2',
        () => {
          throw new Error('away')
        },
      ],
    ])
    const cluster = {
      getNodeIds: () => [...brokers.keys()].map(Number),
      findBroker: async ({ nodeId }: { nodeId: string }) => brokers.get(nodeId)!(),
    } as unknown as Cluster
    await requireVersionsIn(cluster)
    brokers.set('3', () => brokerOf(kafka['2.4']))
    const refused = expect(requireVersionsIn(cluster)).rejects
    await refused.toThrow(LogSetupError)
    await expect(requireVersionsIn(cluster)).rejects.toThrow(
      /^broker 3 does not know .*OffsetFetch/,
    )
  })
})

it('a request is known in the versions that the broker names', async () => {
  const request = describeProducers({ topic: 'odds', partition: 0 })
  const isKnown = (ranges: object) => knows(brokerOf(ranges), request)
  expect(await isKnown(kafka['4.4'])).toBe(true)
  expect(await isKnown(kafka['2.5'])).toBe(false)
  expect(await isKnown({ 61: upTo(2, 1) })).toBe(false)
})
