/** Networks of addresses in the form that sockets give. */

import { BlockList } from 'node:net'

/** An IPv4 address on a dual-stack socket, with its last 32 bits in hex. */
const mappedIpv4 = /^(?:(?:0{1,4}:){5}|::)ffff:/i

/**
 * Returns the network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, as a client has all
 * of it.
 */
export function networkOf(address: string): string {
  const isIpv4 = !address.includes(':') || address.includes('.') || mappedIpv4.test(address)
  return isIpv4 ? address : groupsOf(address).slice(0, 4).join(':')
}

/** Returns the eight groups of an IPv6 address, each in its shortest form. */
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
 * @returns whether an address is in one of them
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
