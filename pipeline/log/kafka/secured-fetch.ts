/**
 * `fetch` for servers with their own authorities, or that require a certificate of ours. Redirects
 * are not followed: only the host of the settings may get the password and the secret.
 */

import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { type Tls, tlsOptions } from '../../settings/kafka-settings.ts'

export interface Secured {
  /** Null: the authorities that the system trusts. */
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
