/**
 * How far the service's clock is from those of the brokers, which are believed: every process sees them, and a cluster
 * has several. The coordinator of a transaction notes by its own clock when it began. So now and then a transaction is
 * begun under an id of this process, its start is read, and it is aborted; no topic gets a record of it.
 *
 * One broker's clock may be wrong as well: while the first that is asked differs, others are, and the nearest counts.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from 'kafkajs'
import { sleep } from '../../async/abort-signals.ts'
import { clockOffMs } from '../../process/clock.ts'
import type { KafkaLogger } from './connection.ts'
import { coordinatorOf, exchange, type LowLevelBroker, withoutError } from './internals.ts'
import { describeTransaction } from './transaction-requests.ts'

export interface BrokerClock {
  /** Returns how far our clock is ahead of the brokers' (ms), below 0 behind; null while that is unknown. */
  differenceMs(): number | null
  /** Resolves once it is known, or stays unknown for a while. */
  whenKnown(): Promise<void>
  /** Compares until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>
}

export interface BrokerClockOptions {
  readonly cluster: Cluster
  /** A group that we may join, whose transactional ids begin with its name. */
  readonly group: string
  /** The service's clock, epoch ms. */
  readonly clock: () => number
  readonly logger: KafkaLogger
}

const lookEveryMs = 15_000
const soonMs = 500
const knownWithinMs = 5_000
const remindMs = 60_000
/** So many ids have several coordinators, where there are several brokers. */
const idCount = 5
const transactionTimeoutMs = 10_000

export function createBrokerClock(options: BrokerClockOptions): BrokerClock {
  const { cluster, group, clock, logger } = options
  const instance = randomUUID()
  const ids = Array.from({ length: idCount }, (_, number) => `${group}-time-${instance}-${number}`)
  let known: number | null = null
  let isUnsupported = false
  let remindAt = Number.NEGATIVE_INFINITY
  let markKnown = () => {}
  const whenKnown = new Promise<void>((resolve) => {
    markKnown = resolve
  })

  async function differenceBy(transactionalId: string): Promise<number> {
    const coordinator = await coordinatorOf(cluster, 'transaction', transactionalId)
    if (!knows(coordinator, describeTransaction(transactionalId).apiKey)) {
      isUnsupported = true
      throw new Error('the brokers are of a version before 3.0, and do not say their time')
    }
    const transactionTimeout = transactionTimeoutMs
    const producer = await coordinator.initProducerId({ transactionalId, transactionTimeout })
    const identity = { transactionalId, ...producer }
    const before = clock()
    await coordinator.addOffsetsToTxn({ ...identity, groupId: group })
    const after = clock()
    const answer = await exchange(coordinator, describeTransaction(transactionalId))
    await coordinator.endTxn({ ...identity, transactionResult: false })
    const { startedAt } = withoutError(answer).known!
    return nearest(before - startedAt, after - startedAt)
  }

  async function look() {
    try {
      let least = Number.POSITIVE_INFINITY
      for (const id of ids) {
        const difference = await differenceBy(id)
        if (Math.abs(difference) < Math.abs(least)) least = difference
        if (Math.abs(least) < clockOffMs) break
      }
      tell(least)
      known = least
    } catch (err) {
      // An outage has lines of its own.
      if (isUnsupported) logger.info({ err }, 'the clock is not compared with the brokers')
      else logger.debug({ err }, 'the clock was not compared with the brokers this time')
    }
    if (known !== null || isUnsupported) markKnown()
  }

  function tell(difference: number) {
    const isOff = Math.abs(difference) >= clockOffMs
    if (!isOff) {
      if (known !== null && Math.abs(known) >= clockOffMs) {
        logger.info({ aheadMs: difference }, 'the clock agrees with the brokers again')
      }
      remindAt = Number.NEGATIVE_INFINITY
      return
    }
    if (performance.now() < remindAt) return
    remindAt = performance.now() + remindMs
    const now = clock()
    const [ours, brokers] = [now, now - difference].map((at) => new Date(at).toISOString())
    logger.warn(
      { ours, brokers, aheadMs: difference },
      'the clock of this process differs from that of the brokers: set the clock of the machine, by NTP for example, then restart the process',
    )
  }

  return {
    differenceMs: () => known,
    whenKnown: () => Promise.race([whenKnown, delay(knownWithinMs, undefined, { ref: false })]),
    async run(signal) {
      while (!signal.aborted && !isUnsupported) {
        await look()
        await sleep(known === null ? soonMs : lookEveryMs, signal)
      }
    },
  }
}

/** Returns the value of the interval that is nearest to 0. */
const nearest = (least: number, most: number) => Math.max(least, Math.min(most, 0))

/** Returns whether a broker takes these requests. It ends the connection of a client that sends others. */
const knows = (broker: LowLevelBroker, apiKey: number): boolean =>
  (broker as { versions?: Readonly<Record<number, unknown>> }).versions?.[apiKey] !== undefined
