/** Addresses as a socket names them, and the networks they are of. */

import { BlockList } from 'node:net'

/** An IPv4 address as a socket for both families names it, with its last 32 bits in hex. */
const mappedIpv4 = /^(?:(?:0{1,4}:){5}|::)ffff:/i

/** What counts as one client: an IPv4 address; of IPv6 the /64, of which a client can use any address. */
export function networkOf(address: string): string {
  const isIpv4 = !address.includes(':') || address.includes('.') || mappedIpv4.test(address)
  return isIpv4 ? address : groupsOf(address).slice(0, 4).join(':')
}

/** The groups of an IPv6 address, each in its shortest form, whichever way zeros are left out of it. */
function groupsOf(address: string): string[] {
  const [first = [], last] = address
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
    .map((groups) => groups.map((group) => Number.parseInt(group, 16).toString(16)))
  if (last === undefined) return [...first]
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return [...first, ...zeros, ...last]
}

/**
 * @param networks addresses, or networks in CIDR notation
 * @returns whether an address is of one of them
 */
export function createNetworkList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => list.check(address, familyOf(address))
}

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')
