/** `fetch` for servers with authorities of their own, or that want a certificate of ours. */

import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { type Tls, tlsOptions } from '../kafka-config.ts'

export interface Secured {
  /** Null: as the system trusts. */
  readonly tls: Tls | null
}

/** One pool of connections a call; an idle one keeps no process alive. */
export function securedFetch({
  tls,
}: Secured): (url: string, init: RequestInit) => Promise<Response> {
  if (!tls) return fetch
  const dispatcher = new Agent({ connect: tlsOptions(tls) })
  return (url, init) => fetch(url, { ...init, dispatcher })
}
