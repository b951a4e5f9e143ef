/**
 * `fetch` for servers with authorities of their own, or that want a certificate of ours. A redirect is an
 * answer like others: password and secret belong to the host of the settings alone.
 */

import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { type Tls, tlsOptions } from '../../settings/kafka-settings.ts'

export interface Secured {
  /** Null: as the system trusts. */
  readonly tls: Tls | null
}

/** One pool of connections a call; an idle one keeps no process alive. */
export function securedFetch({
  tls,
}: Secured): (url: string, init: RequestInit) => Promise<Response> {
  const dispatcher = tls ? new Agent({ connect: tlsOptions(tls) }) : null
  return (url, init) =>
    fetch(url, { ...init, redirect: 'manual', ...(dispatcher && { dispatcher }) })
}
