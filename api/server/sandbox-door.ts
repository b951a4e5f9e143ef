/**
 * Keeps the sandbox closed to requests through a proxy. By default the sandbox is for this machine: the service
 * listens on a loopback address. A proxy on this machine forwards requests from anywhere, and is recognised by the
 * headers it adds.
 */

import type { Logger } from 'pino'
import { forwardedSandboxKey, isSandboxKey } from '../access/keys.ts'
import type { Request } from './listener.ts'
import { presentedKey } from './request.ts'

export interface SandboxDoor {
  /** Returns whether the sandbox is closed to this request because a proxy forwarded it. */
  isShutTo(request: Request): boolean
  /** Returns the key of a request. A sandbox key through a proxy is replaced by one that is refused. */
  keyOf(request: Request, query: string): string
}

/**
 * Headers that proxies, load balancers, tunnels and content networks add. Some name the client or
 * the host that a request was forwarded for, in words that all of them use; the others are marks of
 * products.
 */
const ofProxy = new RegExp(
  [
    'forward',
    '(^|-)ip$',
    'clientip$',
    '(^|-)via$',
    '(client|remote|viewer)-?addr',
    '(^x-|-)scheme$',
    '^(cdn-loop|front-end-https|x-host|x-request-start|x-cloud-trace-context)$',
    '^(x-original-|x-proxy|x-nginx|x-varnish|x-arr-|x-amz|x-envoy-|x-azure-|x-appengine-|x-vercel-)',
    '^(wl-proxy-|cf-|cloudfront-|fastly-|fly-|tailscale-|ngrok-|akamai-|incap-)',
  ].join('|'),
)

/** @param isHereOnly whether the sandbox is for requests of this machine only */
export function createSandboxDoor(isHereOnly: boolean, logger: Pick<Logger, 'warn'>): SandboxDoor {
  let hasWarned = false

  function isShutTo(request: Request) {
    if (!isHereOnly) return false
    const header = request.headerNames().find((name) => ofProxy.test(name))
    if (header === undefined) return false
    if (!hasWarned) {
      hasWarned = true
      logger.warn(
        { header },
        'requests come through a proxy: sandbox keys do not work for them (OVERROUND_SANDBOX=true allows them)',
      )
    }
    return true
  }

  return {
    isShutTo,
    keyOf(request, query) {
      const key = presentedKey(request, query)
      return isSandboxKey(key) && isShutTo(request) ? forwardedSandboxKey : key
    },
  }
}
