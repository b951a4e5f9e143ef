/**
 * Whether requests can be answered: the log has been read, and a simulator that begins has its first
 * prices. Until then REST answers 503, streams are held, and `/health` says so. The board may be
 * read anew later; then it is the same again.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Boards } from './boards.ts'

export type ServiceState = 'starting' | 'ready' | 'stopping'

export interface Readiness {
  readonly state: ServiceState
  isReady(): boolean
  /** Resolves once requests can be answered. */
  whenReady(): Promise<void>
  /** The service is about to stop. It answers what it is still asked. */
  stop(): void
}

export interface ReadinessOptions {
  readonly boards: Pick<Boards, 'isReady' | 'until' | 'live'>
  /** Resolves when all tables have been read. */
  readonly read: Promise<unknown>
  /** An empty board is not served before it has prices, or so many ms have passed; absent: it is. */
  readonly firstPricesMs?: number | undefined
}

export function createReadiness({ boards, read, firstPricesMs }: ReadinessOptions): Readiness {
  let hasBegun = false
  let isStopping = false

  async function begin() {
    await read
    if (firstPricesMs !== undefined) {
      const hasPrices = boards.until(() => boards.live.rows.size > 0)
      await Promise.race([hasPrices, delay(firstPricesMs, undefined, { ref: false })])
    }
    hasBegun = true
  }

  const begun = begin()
  const isReady = () => hasBegun && boards.isReady()
  return {
    get state() {
      if (isStopping) return 'stopping'
      return isReady() ? 'ready' : 'starting'
    },
    isReady,
    async whenReady() {
      await begun
      await boards.until(boards.isReady)
    },
    stop() {
      isStopping = true
    },
  }
}
