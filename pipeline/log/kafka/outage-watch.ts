/**
 * Whether the brokers respond. Each part of a log reports its requests, their responses and failures; together they
 * show since when something has been waiting, and why. The text log has a line when an outage begins, now and then
 * while it lasts, and when it ends.
 */

import type { LogOutage } from '../log.ts'
import { certificateFault } from './failures.ts'

export interface Asker {
  /**
   * Notes that a request begins. `answered` ends it; until then a repeated call changes nothing.
   */
  asks(): void
  answered(): void
  failed(error: unknown): void
  /** Ends this requester. */
  gone(): void
}

export interface OutageWatch {
  /** @param what the work, as in "read feed.odds" */
  asker(what: string): Asker
  /** Returns the longest current outage. */
  outage(): LogOutage | null
}

export interface OutageWatchOptions {
  readonly logger: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
  }
  /** Monotonic ms. */
  readonly now?: () => number
}

/** Brokers that leave a request without a response for this long count as away. */
const silentMs = 1_500
const remindMs = 30_000

interface Waiting {
  readonly what: string
  /** When the open request was sent; null when none is open. */
  since: number | null
  /** Why it has no response, once something failed. */
  reason: string | null
}

export function createOutageWatch(options: OutageWatchOptions): OutageWatch {
  const { logger, now = () => performance.now() } = options
  const askers = new Set<Waiting>()
  let remindAt = 0
  let isReported = false

  function outage(): LogOutage | null {
    let oldest: Waiting | null = null
    for (const one of askers) {
      if (one.since === null) continue
      if (one.reason === null && now() - one.since < silentMs) continue
      if (oldest === null || one.since < oldest.since!) oldest = one
    }
    if (oldest === null) return null
    const reason = `${oldest.what}: ${oldest.reason ?? 'no answer'}`
    return { forMs: Math.round(now() - oldest.since!), reason }
  }

  function tell({ what, since, reason }: Waiting) {
    if (isReported && now() < remindAt) return
    isReported = true
    remindAt = now() + remindMs
    const forMs = Math.round(now() - since!)
    logger.warn({ what, reason, forMs }, 'Kafka does not answer; the request is repeated')
  }

  return {
    outage,
    asker(what) {
      const one: Waiting = { what, since: null, reason: null }
      askers.add(one)

      function end() {
        const { since, reason } = one
        one.since = null
        one.reason = null
        if (reason === null || !isReported || outage() !== null) return
        isReported = false
        logger.info({ what, forMs: Math.round(now() - since!) }, 'Kafka answers again')
      }

      return {
        asks() {
          one.since ??= now()
        },
        answered: end,
        failed(error) {
          // The last request of an asker may fail after `gone`.
          if (!askers.has(one)) return
          one.since ??= now()
          one.reason = reasonOf(error)
          tell(one)
        },
        gone() {
          end()
          askers.delete(one)
        },
      }
    },
  }
}

/** Returns the innermost message: kafkajs wraps the cause in an error that counts its attempts. */
function reasonOf(error: unknown): string {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  const message = inner instanceof Error ? inner.message : String(inner)
  const fault = certificateFault(error)
  return fault === null ? message : `${message}: ${fault}`
}
