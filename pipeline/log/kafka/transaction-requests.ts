/** Requests about transactions of other producers, which kafkajs does not have, and their responses. */

import type { Request } from './internals.ts'
import type { TopicPartition } from './partition-offsets.ts'
import { flexibleBody, flexibleReader } from './wire.ts'

/** A producer that has written to a partition recently. */
export interface ActiveProducer {
  readonly producerId: number
  readonly producerEpoch: number
  /** When it last wrote here, by its own clock (epoch ms). */
  readonly wroteAt: number
  /** The coordinator's epoch in its last ended transaction here; -1: none. */
  readonly coordinatorEpoch: number
  /** The offset where its open transaction begins; -1: none is open here. */
  readonly openFrom: number
}

interface Answer {
  /** Kafka's code of the error, 0 for none. */
  readonly errorCode: number
  readonly clientSideThrottleTime: number
}

/** DescribeProducers 0, for the leader of the partition. */
export function describeProducers(
  place: TopicPartition,
): Request<Answer & { readonly producers: readonly ActiveProducer[] }> {
  const body = flexibleBody(({ partitions }) => partitions([place]))
  const decode = (payload: Buffer) => {
    const { int16, int32, int64, text, structs, partitions } = flexibleReader(payload)
    const clientSideThrottleTime = int32()
    const [answer = { errorCode: -1, producers: [] }] = partitions(() => {
      const errorCode = int16()
      text() // of the error
      const producers = structs((): ActiveProducer => {
        const producerId = int64()
        const producerEpoch = int32()
        int32() // last sequence number
        const wroteAt = int64()
        return { producerId, producerEpoch, wroteAt, coordinatorEpoch: int32(), openFrom: int64() }
      })
      return { errorCode, producers }
    })
    return { clientSideThrottleTime, ...answer }
  }
  return { apiKey: 61, apiVersion: 0, apiName: 'DescribeProducers', body, decode }
}

/**
 * ListTransactions 0: the transactional ids of a producer, among those that the broker coordinates and we may
 * describe.
 */
export function listTransactions(
  producerId: number,
): Request<Answer & { readonly transactionalIds: readonly string[] }> {
  const body = flexibleBody(({ array, int64 }) => {
    array([], () => {}) // states
    array([producerId], int64)
  })
  const decode = (payload: Buffer) => {
    const { int16, int32, int64, text, array, structs } = flexibleReader(payload)
    const clientSideThrottleTime = int32()
    const errorCode = int16()
    array(text) // states that are unknown
    const transactionalIds = structs(() => {
      const transactionalId = text()
      int64() // producer
      text() // state
      return transactionalId
    })
    return { clientSideThrottleTime, errorCode, transactionalIds }
  }
  return { apiKey: 66, apiVersion: 0, apiName: 'ListTransactions', body, decode }
}

/** What its coordinator knows about a transactional id. */
export interface KnownTransaction {
  /** `Ongoing`, `PrepareCommit`, `CompleteAbort` and others. */
  readonly state: string
  readonly timeoutMs: number
  /** When it began, by the coordinator's clock (epoch ms); -1: none is open. */
  readonly startedAt: number
  readonly producerId: number
  readonly producerEpoch: number
}

/** DescribeTransactions 0, for the coordinator of the id. */
export function describeTransaction(
  transactionalId: string,
): Request<Answer & { readonly known: KnownTransaction | null }> {
  const body = flexibleBody(({ array, text }) => array([transactionalId], text))
  const decode = (payload: Buffer) => {
    const { int16, int32, int64, text, array, structs } = flexibleReader(payload)
    const clientSideThrottleTime = int32()
    const [answer = { errorCode: -1, known: null }] = structs(() => {
      const errorCode = int16()
      text() // transactional id
      const state = text()
      const timeoutMs = int32()
      const startedAt = int64()
      const producerId = int64()
      const producerEpoch = int16()
      structs(() => {
        text() // topic
        array(int32)
      })
      return { errorCode, known: { state, timeoutMs, startedAt, producerId, producerEpoch } }
    })
    return { clientSideThrottleTime, ...answer }
  }
  return { apiKey: 65, apiVersion: 0, apiName: 'DescribeTransactions', body, decode }
}

/** WriteTxnMarkers 1, for the leader of the partition: undoes the producer's uncommitted records there. */
export function abortMarker(
  place: TopicPartition,
  { producerId, producerEpoch, coordinatorEpoch }: ActiveProducer,
): Request<Answer> {
  const body = flexibleBody((to) => {
    to.structs([producerId], (id) => {
      to.int64(id)
      to.int16(producerEpoch)
      to.int8(0) // abort
      to.partitions([place])
      to.int32(Math.max(coordinatorEpoch, 0))
    })
  })
  const decode = (payload: Buffer) => {
    const { int16, int64, structs, partitions } = flexibleReader(payload)
    const codes = structs(() => {
      int64() // producer
      return partitions(int16)
    }).flat()
    return { clientSideThrottleTime: 0, errorCode: codes[0] ?? -1 }
  }
  return { apiKey: 27, apiVersion: 1, apiName: 'WriteTxnMarkers', body, decode }
}
