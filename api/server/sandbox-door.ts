/**
 * Whom the sandbox is open to. By itself it is for this machine: the service listens on a loopback address. But a
 * proxy on this machine sends on what comes from anywhere, and its connections come from here too. What gives
 * them away is what it adds to the head of a request.
 */

import type { Logger } from 'pino'
import { forwardedSandboxKey, isSandboxKey } from '../access/keys.ts'
import type { Request } from './listener.ts'
import { presentedKey } from './request.ts'

export interface SandboxDoor {
  /** Whether there is a sandbox, and this request has none because it was sent on. */
  isShutTo(request: Request): boolean
  /** The key that a request presents; in the place of a sandbox key that it has no right to, one that is refused. */
  keyOf(request: Request, query: string): string
}

/** Headers that proxies, balancers, tunnels and content networks add; other names begin as below. */
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

/** @param isHereOnly whether it is open to requests of this machine, and to no others */
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
        'requests come through a proxy: they have no sandbox (OVERROUND_SANDBOX=true gives them one)',
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
