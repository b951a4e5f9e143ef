/**
 * Limits the idle connections of an address. uWebSockets.js does not report whose connection
 * closed. But every listener closes a connection without a complete request after some seconds. So
 * it is enough to count the connections that an address opens in that time. While few connections
 * are open in total, none is refused, so a client may open one for each request. Streams are
 * limited by account.
 */

import type { Logger } from 'pino'
import { createNetworkList, networkOf } from '../access/networks.ts'

/**
 * Every listener closes a connection without a request within this time. With a body it may take three times as long.
 */
const idleMs = 15_000

export interface ConnectionCap {
  /**
   * Counts a new connection.
   * @param open connections of all addresses
   * @returns false to close it at once
   */
  takes(address: string, open: number): boolean
}

export const uncapped: ConnectionCap = { takes: () => true }

export interface ConnectionCapOptions {
  /** For one address, or one /64 of IPv6; 0 for no limit. */
  readonly most: number
  /**
   * Addresses without a limit, because they bring connections of many clients. Loopback addresses
   * have no limit either.
   */
  readonly trustedProxies: readonly string[]
  /** Monotonic ms. */
  readonly timer: () => number
  readonly logger: Pick<Logger, 'warn'>
  /** Called for each refused connection. */
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
            'too many idle connections from an address: new ones are closed (raise OVERROUND_CONNECTIONS_PER_ADDRESS to allow more)',
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
