/**
 * Finds the client's address behind proxies. A proxy appends its peer's address to `X-Forwarded-For`, so the list is
 * read from its end while the addresses are trusted proxies. The first other address is the client's. Entries before
 * it were written by the client and do not count.
 */

import { isIP } from 'node:net'
import { createNetworkList } from './networks.ts'

/** @returns the client's address @param forwardedFor all values of `X-Forwarded-For`, joined by commas */
export type ClientAddress = (peer: string, forwardedFor: string) => string

/** @param proxies addresses, or networks in CIDR notation, of trusted proxies */
export function createClientAddress(proxies: readonly string[]): ClientAddress {
  const isTrusted = createNetworkList(proxies)
  return (peer, forwardedFor) => {
    if (isIP(peer) === 0 || !isTrusted(peer)) return peer
    const hops = forwardedFor === '' ? [] : forwardedFor.split(',')
    let address = peer
    while (hops.length > 0 && isTrusted(address)) {
      const hop = addressOf(hops.pop()!)
      // No trusted proxy writes anything but an address.
      if (hop === null) break
      address = hop
    }
    return address
  }
}

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/

function addressOf(hop: string): string | null {
  const text = hop.trim()
  const match = withPort.exec(text)
  const address = match?.[1] ?? match?.[2] ?? text
  return isIP(address) === 0 ? null : address
}
