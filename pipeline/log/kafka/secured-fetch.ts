/**
 * `fetch` for servers with their own authorities, or that require a certificate of ours. Redirects are not followed:
 * password and secret are only for the host of the settings.
 */

import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { type Tls, tlsOptions } from '../../settings/kafka-settings.ts'

export interface Secured {
  /** Null to trust as the system does. */
  readonly tls: Tls | null
}

/** Creates a `fetch` with its own pool of connections; an idle pool keeps no process alive. */
export function securedFetch({
  tls,
}: Secured): (url: string, init: RequestInit) => Promise<Response> {
  const dispatcher = tls ? new Agent({ connect: tlsOptions(tls) }) : null
  return (url, init) =>
    fetch(url, { ...init, redirect: 'manual', ...(dispatcher && { dispatcher }) })
}
