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

/** Headers that proxies, balancers, tunnels and content networks add. `beginnings` has more. */
const names: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'cdn-loop',
  'true-client-ip',
  'client-ip',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-host',
  'x-scheme',
  'x-proxyuser-ip',
  'x-remote-ip',
  'x-remote-addr',
  'x-arr-log-id',
  'x-arr-ssl',
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'x-cloud-trace-context',
  'x-proxy-id',
  'x-varnish',
])
const beginnings =
  /^(x-forwarded|x-original-|x-envoy-|x-azure-|x-appengine-|x-vercel-|cf-|fastly-|fly-|tailscale-|ngrok-|akamai-|incap-)/

const isOfProxy = (name: string) => names.has(name) || beginnings.test(name)

/** @param isHereOnly whether the sandbox is for requests of this machine only */
export function createSandboxDoor(isHereOnly: boolean, logger: Pick<Logger, 'warn'>): SandboxDoor {
  let hasWarned = false

  function isShutTo(request: Request) {
    if (!isHereOnly) return false
    const header = request.headerNames().find(isOfProxy)
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
