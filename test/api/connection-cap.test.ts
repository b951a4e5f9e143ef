/** The number of idle connections that one address may open. */

import { beforeEach, describe, expect, it } from 'vitest'
import { type ConnectionCap, createConnectionCap } from '../../api/server/connection-cap.ts'

const most = 5
let now: number
let warned: object[]
let cap: ConnectionCap

let refusedCount: number

function create(options: { readonly most?: number; readonly trustedProxies?: readonly string[] }) {
  return createConnectionCap({
    most,
    trustedProxies: [],
    timer: () => now,
    onRefused: () => refusedCount++,
    logger: { warn: (of: object) => void warned.push(of) } as never,
    ...options,
  })
}

/** @returns how many of twenty new connections are accepted while `open` are open */
const takenOf = (address: string, open = 100) =>
  Array.from({ length: 20 }).filter(() => cap.takes(address, open)).length

beforeEach(() => {
  now = 1_000
  warned = []
  refusedCount = 0
  cap = create({})
})

describe('connections of one address', () => {
  it('are accepted up to the limit, and reported once', () => {
    expect(takenOf('203.0.113.7')).toBe(most)
    expect(warned).toEqual([{ address: '203.0.113.7', most }])
    expect(refusedCount).toBe(20 - most)
    expect(takenOf('203.0.113.8')).toBe(most)
  })

  it('are refused to a client that opens them slowly', () => {
    let taken = 0
    for (let i = 0; i < 300; i++) {
      now += 100
      if (cap.takes('203.0.113.7', 100)) taken++
    }
    // The limit of two spans of fifteen seconds.
    expect(taken).toBeLessThanOrEqual(2 * most)
  })

  it('are accepted again after idle ones have been closed', () => {
    takenOf('203.0.113.7')
    now += 29_999
    expect(takenOf('203.0.113.7')).toBe(0)
    now += 15_001
    expect(takenOf('203.0.113.7')).toBe(most)
  })

  it('are all accepted while few are open, as from a client that opens one per request', () => {
    expect(takenOf('203.0.113.7', most - 1)).toBe(20)
    expect(warned).toEqual([])
  })

  it('count together for an IPv6 /64, and for both spellings of an IPv4 address', () => {
    expect(takenOf('2001:0db8:0000:0001:0000:0000:0000:0001')).toBe(most)
    expect(takenOf('2001:0db8:0000:0001:ffff:0000:0000:0002')).toBe(0)
    expect(takenOf('2001:0db8:0000:0002:0000:0000:0000:0001')).toBe(most)
    expect(takenOf('::ffff:203.0.113.9')).toBe(most)
  })

  it.each([
    '127.0.0.1',
    '::1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '::ffff:127.0.0.1',
    '10.1.2.3',
  ])('have no limit from %s: this machine, or a proxy', (address) => {
    cap = create({ trustedProxies: ['10.0.0.0/8'] })
    expect(takenOf(address)).toBe(20)
  })

  it('have no limit if it is switched off', () => {
    cap = create({ most: 0 })
    expect(takenOf('203.0.113.7')).toBe(20)
  })
})
