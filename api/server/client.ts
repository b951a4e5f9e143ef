/** Finds the address of a request's client, behind proxies too. */

import { createClientAddress } from '../access/client-address.ts'
import type { Request, Response } from './listener.ts'

/** An object with the address of a client. */
export type Addressed = Pick<Response, 'getRemoteAddress'>

/** Returns the client of a request. The result is valid until the response is sent. */
export type ClientOf = (response: Response, request: Request) => Addressed

/** @param proxies trusted proxies, see `client-address.ts` */
export function createClientOf(proxies: readonly string[]): ClientOf {
  if (proxies.length === 0) return (response) => response
  const addressOf = createClientAddress(proxies)
  return (response, request) => {
    const peer = response.getRemoteAddress()
    const address = addressOf(peer, request.getHeaders('x-forwarded-for'))
    return { getRemoteAddress: () => address }
  }
}
