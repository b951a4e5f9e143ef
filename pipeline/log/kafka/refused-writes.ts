/**
 * Topics whose writes the brokers refuse until an operator acts: a right is missing, or a clock is
 * wrong. Such a refusal is no outage, because everything else goes on. It ends when a write to the
 * topic is accepted, or ten minutes after the last refusal. The text log has a line at once, and
 * then once a minute.
 */

import type { LogOutage } from '../log.ts'
import type { KafkaLogger } from './connection.ts'

export interface RefusedWrites {
  /** @param reason a sentence that names topic and right */
  refused(topic: string, reason: string): void
  accepted(topic: string): void
  /** Returns the oldest refusal that has not ended. */
  longest(): LogOutage | null
}

const standsForMs = 10 * 60_000
const remindMs = 60_000

interface Refusal {
  reason: string
  readonly since: number
  lastAt: number
  remindAt: number
}

/** @param now monotonic ms */
export function createRefusedWrites(
  logger: Pick<KafkaLogger, 'warn' | 'info'>,
  now: () => number = () => performance.now(),
): RefusedWrites {
  const refusals = new Map<string, Refusal>()

  return {
    refused(topic, reason) {
      const at = now()
      const refusal = refusals.get(topic) ?? { reason, since: at, lastAt: at, remindAt: at }
      refusals.set(topic, refusal)
      refusal.reason = reason
      refusal.lastAt = at
      if (at < refusal.remindAt) return
      refusal.remindAt = at + remindMs
      logger.warn({ topic, reason }, 'the brokers refuse what this process writes')
    },
    accepted(topic) {
      if (refusals.delete(topic)) logger.info({ topic }, 'the brokers accept writes again')
    },
    longest() {
      const at = now()
      let longest: Refusal | null = null
      for (const [topic, refusal] of refusals) {
        if (at - refusal.lastAt > standsForMs) refusals.delete(topic)
        else if (longest === null || refusal.since < longest.since) longest = refusal
      }
      return longest && { forMs: Math.round(at - longest.since), reason: longest.reason }
    },
  }
}
