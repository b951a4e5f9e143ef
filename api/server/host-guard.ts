/**
 * Checks `Host` while the sandbox keys work. A foreign web page can point its own name at this machine (DNS rebinding)
 * and read data with those public keys, but its name is then in `Host`. Addresses and names without a dot
 * (`localhost`, a container's name) cannot belong to a foreign page.
 */

import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { ApiError } from '../errors.ts'
import { failureOf, headersOfOne, send } from './answer.ts'
import type { Handler, Request, Response, Served } from './listener.ts'

/**
 * Refuses requests for host names that others may own.
 * @param names allowed names, without ports, in lower case
 * @param isForwarded returns whether a request came through a proxy and has no sandbox; then any name is allowed
 */
export function guardHosts<State>(
  served: Served<State>,
  names: readonly string[],
  logger: Logger,
  isForwarded: (request: Request) => boolean,
): Served<State> {
  const known = new Set(names)

  function isKnown(host: string): boolean {
    if (known.has(host)) return true
    const name = nameOfHost(host)
    if (!isOfNoSite(name) && !known.has(name)) return false
    // Few names are used, and they repeat.
    if (known.size < mostRemembered) known.add(host)
    return true
  }

  /** @returns whether a response has been sent */
  function isRefused(response: Response, request: Request): boolean {
    if (isKnown(request.getHeader('host')) || isForwarded(request)) return false
    const headers = headersOfOne('')
    send(response, failureOf(refusal, headers.requestId, logger), headers)
    return true
  }

  const guarded =
    (handle: Handler): Handler =>
    (response, request) => {
      if (!isRefused(response, request)) handle(response, request)
    }
  const { paths, websockets, otherwise } = served
  return {
    ...served,
    paths: paths.map((path) => ({ ...path, handle: guarded(path.handle) })),
    otherwise: guarded(otherwise),
    websockets: {
      ...websockets,
      upgrade: (response, request) =>
        isRefused(response, request) ? null : websockets.upgrade(response, request),
    },
  }
}

const mostRemembered = 1_000

/** Returns the host in lower case, without port and trailing dot. */
export const nameOfHost = (host: string) =>
  host.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

/**
 * Returns whether no foreign page can have this host name: an address, a name without a dot, or one below `localhost`.
 * @param name as `nameOfHost` returns it
 */
export const isOfNoSite = (name: string) =>
  isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || !name.includes('.') || name.endsWith('.localhost')

const refusal = new ApiError(
  'forbidden',
  'Requests for this Host are refused while the sandbox keys work: set OVERROUND_SANDBOX=false, or name the host in OVERROUND_SANDBOX_HOSTS.',
)
