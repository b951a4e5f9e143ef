/**
 * Whether requests can be served: the log has been read, and a new simulator has its first prices. Until then REST
 * returns 503, streams wait, and `/health` reports it. A later replay of the board makes the service not ready again.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Boards } from './boards.ts'

export type ServiceState = 'starting' | 'ready' | 'stopping'

export interface Readiness {
  readonly state: ServiceState
  isReady(): boolean
  /** Resolves once requests can be served. */
  whenReady(): Promise<void>
  /** Announces that the service is about to stop. It still serves requests. */
  stop(): void
}

export interface ReadinessOptions {
  readonly boards: Pick<Boards, 'isReady' | 'until' | 'live'>
  /** Resolves when all tables have been read from the log. */
  readonly read: Promise<unknown>
  /** Time after which an empty board is served (ms); undefined: at once. */
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
