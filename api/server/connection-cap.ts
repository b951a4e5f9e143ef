/**
 * How many connections an address may hold that do nothing. Every listener closes a connection that has
 * brought no whole request for some seconds, so an address has no more of them than it has opened within that
 * time, and what is counted is what it opens. Streams are no such connections: their limits are the accounts'.
 *
 * A listener need not say whose connection has closed, as uWebSockets.js does not; and who opens one for
 * each request is not refused while few are open.
 */

import type { Logger } from 'pino'
import { createNetworkList, networkOf } from '../access/networks.ts'

/** A connection without a request is closed within this time by every listener; one that sends a body may take three times as long. */
const idleMs = 15_000

export interface ConnectionCap {
  /**
   * A connection comes.
   * @param open how many are open in all
   * @returns false for one to be closed at once
   */
  takes(address: string, open: number): boolean
}

export const uncapped: ConnectionCap = { takes: () => true }

export interface ConnectionCapOptions {
  /** Of one address, or one /64 of IPv6; 0 for no limit. */
  readonly most: number
  /** They bring the connections of many. This machine itself is free of the limit as well. */
  readonly trustedProxies: readonly string[]
  /** Milliseconds, monotonic. */
  readonly timer: () => number
  readonly logger: Pick<Logger, 'warn'>
  /** Called for each connection that is not taken; default: nobody counts. */
  readonly onRefused?: () => void
}

export function createConnectionCap(options: ConnectionCapOptions): ConnectionCap {
  const { most, timer, logger, onRefused = () => {} } = options
  const isFree = createNetworkList(['127.0.0.0/8', '::1', ...options.trustedProxies])
  let began = timer()
  let opened = new Map<string, number>()
  let openedBefore = new Map<string, number>()
  const warned = new Set<string>()

  function turnOver() {
    const passed = timer() - began
    if (passed < idleMs) return
    openedBefore = passed < 2 * idleMs ? opened : new Map()
    opened = new Map()
    warned.clear()
    began = timer()
  }

  return {
    takes(address, open) {
      if (most === 0 || isFree(address)) return true
      turnOver()
      const network = networkOf(address)
      const own = opened.get(network) ?? 0
      if (open >= most && own + (openedBefore.get(network) ?? 0) >= most) {
        if (!warned.has(network)) {
          logger.warn(
            { address: network, most },
            'an address opens connections faster than they do anything; more are closed at once (OVERROUND_CONNECTIONS_PER_ADDRESS)',
          )
        }
        warned.add(network)
        onRefused()
        return false
      }
      opened.set(network, own + 1)
      return true
    },
  }
}
