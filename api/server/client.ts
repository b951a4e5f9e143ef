/** Where a request comes from, behind proxies as well. */

import { createClientAddress } from '../access/client-address.ts'
import type { Request, Response } from './listener.ts'

/** Whatever knows where a request comes from. */
export type Addressed = Pick<Response, 'getRemoteAddress'>

/** What it gives holds until the request is answered. */
export type ClientOf = (response: Response, request: Request) => Addressed

/** @param proxies those that are believed, see `client-address.ts` */
export function createClientOf(proxies: readonly string[]): ClientOf {
  if (proxies.length === 0) return (response) => response
  const addressOf = createClientAddress(proxies)
  return (response, request) => {
    const peer = response.getRemoteAddress()
    const address = addressOf(peer, request.getHeaders('x-forwarded-for'))
    return { getRemoteAddress: () => address }
  }
}
