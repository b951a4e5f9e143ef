/**
 * Whether the schema registry responds. The log needs it only for a record with a new schema, so it
 * is checked now and then.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { LogOutage } from '../log.ts'
import type { KafkaLogger } from './connection.ts'

const askEveryMs = 15_000

/**
 * @param ask rejects while the registry does not respond or refuses us
 * @param signal ends the checks
 * @returns since when and why it has not responded; null while it does
 */
export function watchRegistry(
  ask: () => Promise<unknown>,
  logger: KafkaLogger,
  signal: AbortSignal,
  everyMs = askEveryMs,
): () => LogOutage | null {
  let away: { readonly since: number; readonly reason: string } | null = null

  async function askOnce() {
    const calledAt = performance.now()
    try {
      await ask()
      if (away) logger.info({}, 'the schema registry answers again')
      away = null
    } catch (error) {
      const { message: reason } = error as Error
      if (!away) logger.warn({ reason }, 'the schema registry does not answer')
      away = { since: away?.since ?? calledAt, reason }
    }
  }

  async function keepAsking() {
    while (!signal.aborted) {
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => {})
      if (!signal.aborted) await askOnce()
    }
  }

  void keepAsking()
  return () => away && { forMs: Math.round(performance.now() - away.since), reason: away.reason }
}
