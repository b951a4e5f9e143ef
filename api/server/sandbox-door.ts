/**
 * Keeps the sandbox closed to requests from elsewhere. By default the sandbox is for this machine: the service listens
 * on a loopback address. Two kinds of request come from elsewhere all the same: those that a proxy on this machine
 * forwards, which is recognised by the headers it adds, and those that a browser on this machine sends for a page of
 * another origin.
 */

import type { Logger } from 'pino'
import { isSandboxKey, type RefusedSandboxKey } from '../access/keys.ts'
import { isOfNoSite, nameOfHost } from './host-guard.ts'
import type { Request } from './listener.ts'
import { presentedKey } from './request.ts'

export interface SandboxDoor {
  /** Returns whether the sandbox is closed to this request because a proxy forwarded it. */
  isForwarded(request: Request): boolean
  /** Returns whether a page of another origin sent it, wherever the sandbox is open. */
  isOfOtherPage(request: Request): boolean
  /** Returns whether the sandbox is closed to this request. */
  isShutTo(request: Request): boolean
  /** Returns what stands for a sandbox key of this request, which is refused; null if such keys work. */
  refusedKey(request: Request): RefusedSandboxKey | null
  /** Returns the key of a request; for a sandbox key that is refused, what stands for it. */
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

/** Names of this machine, besides those below `localhost`. A page of any of its ports is not from elsewhere. */
const ofThisMachine: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '0.0.0.0', '[::1]'])

/**
 * @param isHereOnly whether the sandbox is for requests of this machine only
 * @param origins further origins whose pages count as the service's own; `*` names none
 * @param hosts the service's own names, as the host guard has them: a page at any other name may be a foreign one that
 * has pointed its name at this machine
 */
export function createSandboxDoor(
  isHereOnly: boolean,
  origins: '*' | readonly string[],
  hosts: readonly string[],
  logger: Pick<Logger, 'warn'>,
): SandboxDoor {
  let hasWarned = false
  const named = new Set(origins === '*' ? [] : origins)

  function isForwarded(request: Request) {
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

  function isOfOtherPage(request: Request) {
    const origin = request.getHeader('origin')
    if (origin === '') {
      // A page may load an address as an image or a script, and then its browser names no origin. Whoever follows a
      // link sends the same, but the response is shown to nobody else.
      return (
        request.getHeader('sec-fetch-site') === 'cross-site' &&
        request.getHeader('sec-fetch-mode') !== 'navigate'
      )
    }
    if (named.has(origin)) return false
    // A page without an origin of its own sends `null`.
    const [, host] = /^https?:\/\/(.+)$/i.exec(origin) ?? []
    if (host === undefined) return true
    const name = nameOfHost(host)
    if (ofThisMachine.has(name) || name.endsWith('.localhost')) return false
    const isOurs = isOfNoSite(name) || hosts.includes(name)
    return !isOurs || name !== nameOfHost(request.getHeader('host'))
  }

  function refusedKey(request: Request): RefusedSandboxKey | null {
    if (isForwarded(request)) return 'a sandbox key behind a proxy'
    return isHereOnly && isOfOtherPage(request) ? 'a sandbox key in another page' : null
  }

  return {
    isForwarded,
    isOfOtherPage,
    isShutTo: (request) => refusedKey(request) !== null,
    refusedKey,
    keyOf(request, query) {
      const key = presentedKey(request, query)
      return (isSandboxKey(key) && refusedKey(request)) || key
    },
  }
}
