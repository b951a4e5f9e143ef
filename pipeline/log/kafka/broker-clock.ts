/**
 * How far the service's clock is from the brokers' clocks. Those are trusted: every process sees
 * them, and a cluster has several. The coordinator of a transaction notes by its own clock when it
 * began. So we begin one now and then under an id of this machine, read its start, and abort it. No
 * topic gets a record of it. Processes of one group on one machine share the ids, so that restarts
 * leave none behind: if one aborts another's transaction, the other has no result that time.
 *
 * A broker's clock may be wrong too: if the first one differs, other brokers are asked, and the
 * smallest difference counts.
 */

import { hostname } from 'node:os'
import type { Cluster } from 'kafkajs'
import { sleep as sleepUnlessAborted } from '../../async/abort-signals.ts'
import { clockOffMs } from '../../process/clock.ts'
import { knows } from './broker-versions.ts'
import type { KafkaLogger } from './connection.ts'
import { coordinatorOf, exchange, withoutError } from './internals.ts'
import { describeTransaction } from './transaction-requests.ts'

export interface BrokerClock {
  /** Returns how far our clock is ahead of the brokers' (ms), below 0 behind; null while that is unknown. */
  differenceMs(): number | null
  /** Compares at once, then now and then, until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>
}

export interface BrokerClockOptions {
  readonly cluster: Cluster
  /** A group that we may join; our transactional ids begin with its name. */
  readonly group: string
  /** The service's clock, epoch ms. */
  readonly clock: () => number
  readonly logger: KafkaLogger
  /** For tests: a sleep that ends early with the signal, the monotonic clock (ms), and numbers from 0 to 1. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly monotonic?: () => number
  readonly random?: () => number
}

const lookEveryMs = 15_000
/** The random share of a pause, so that processes that share ids do not stay in step. */
const spread = 0.2
/** Brokers that cannot tell their time may be upgraded meanwhile. */
const unsupportedEveryMs = 300_000
const silentMs = 60_000
const remindMs = 60_000
/** This many ids have several coordinators if there are several brokers. */
const idCount = 5
const transactionTimeoutMs = 10_000

export function createBrokerClock(options: BrokerClockOptions): BrokerClock {
  const { cluster, group, clock, logger } = options
  const { sleep = sleepUnlessAborted, random = Math.random } = options
  const { monotonic = () => performance.now() } = options
  const machine = hostname()
  const ids = Array.from({ length: idCount }, (_, number) => `${group}-time-${machine}-${number}`)
  let known: number | null = null
  let remindAt = Number.NEGATIVE_INFINITY
  /** When the clocks were last compared; before that, when we began to try (ms, monotonic). */
  let comparedAt = monotonic()
  let isSilenceTold = false

  async function differenceBy(transactionalId: string): Promise<number> {
    const coordinator = await coordinatorOf(cluster, 'transaction', transactionalId)
    const describing = describeTransaction(transactionalId)
    if (!(await knows(coordinator, describing))) throw new UnsupportedError()
    const transactionTimeout = transactionTimeoutMs
    const producer = await coordinator.initProducerId({ transactionalId, transactionTimeout })
    const identity = { transactionalId, ...producer }
    try {
      const before = clock()
      await coordinator.addOffsetsToTxn({ ...identity, groupId: group })
      const after = clock()
      const { startedAt } = withoutError(await exchange(coordinator, describing)).known!
      if (startedAt < 0) throw new Error('another process has ended the transaction')
      return nearest(before - startedAt, after - startedAt)
    } finally {
      // Aborts it even if its start got no response. Without a response here, it ends by its
      // timeout.
      await coordinator.endTxn({ ...identity, transactionResult: false }).catch(() => {})
    }
  }

  /** Returns the time until the next look. */
  async function look(): Promise<number> {
    try {
      let least = Number.POSITIVE_INFINITY
      for (const id of ids) {
        const difference = await differenceBy(id)
        if (Math.abs(difference) < Math.abs(least)) least = difference
        if (Math.abs(least) < clockOffMs) break
      }
      tell(least)
      known = least
      comparedAt = monotonic()
      isSilenceTold = false
      return lookEveryMs
    } catch (err) {
      const isUnsupported = err instanceof UnsupportedError
      const isSilent = isUnsupported || monotonic() - comparedAt >= silentMs
      if (isSilent && !isSilenceTold) {
        isSilenceTold = true
        logger.info({ err }, 'the clock is not compared with the brokers')
      } else logger.debug({ err }, 'the clock was not compared with the brokers this time')
      return isUnsupported ? unsupportedEveryMs : lookEveryMs
    }
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
    if (monotonic() < remindAt) return
    remindAt = monotonic() + remindMs
    const now = clock()
    const [ours, brokers] = [now, now - difference].map((at) => new Date(at).toISOString())
    logger.warn(
      { ours, brokers, aheadMs: difference },
      'the clock of this process differs from that of the brokers: set the clock of the machine, by NTP for example, then restart the process',
    )
  }

  return {
    differenceMs: () => known,
    async run(signal) {
      while (!signal.aborted) {
        const pauseMs = await look()
        await sleep(pauseMs * (1 - spread * random()), signal)
      }
    },
  }
}

/** Returns the value of the interval that is nearest to 0. */
const nearest = (least: number, most: number) => Math.max(least, Math.min(most, 0))

class UnsupportedError extends Error {
  constructor() {
    super('the brokers are of a version before 3.0, and do not say their time')
  }
}
