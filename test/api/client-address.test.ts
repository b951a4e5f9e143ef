import { describe, expect, it } from 'vitest'
import { createClientAddress } from '../../api/access/client-address.ts'
import { networkOf } from '../../api/access/networks.ts'

describe('the client behind proxies', () => {
  const cases: [
    name: string,
    proxies: string[],
    peer: string,
    forwardedFor: string,
    client: string,
  ][] = [
    ['no proxy is believed', [], '127.0.0.1', '203.0.113.7', '127.0.0.1'],
    ['a proxy that names nobody', ['127.0.0.1'], '127.0.0.1', '', '127.0.0.1'],
    ['one proxy', ['127.0.0.1'], '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    [
      'what a client wrote before',
      ['127.0.0.1'],
      '127.0.0.1',
      '198.51.100.1, 203.0.113.7',
      '203.0.113.7',
    ],
    ['a client that asks directly', ['10.0.0.0/8'], '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    [
      'two proxies',
      ['127.0.0.1', '10.0.0.0/8'],
      '127.0.0.1',
      '203.0.113.7, 10.1.2.3',
      '203.0.113.7',
    ],
    [
      'a client that names our own proxy',
      ['127.0.0.1', '10.0.0.0/8'],
      '127.0.0.1',
      '10.9.9.9,203.0.113.7',
      '203.0.113.7',
    ],
    ['all of them ours', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['garbage behind the proxy', ['127.0.0.1'], '127.0.0.1', '203.0.113.7, unknown', '127.0.0.1'],
    ['with a port', ['127.0.0.1'], '127.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['IPv6', ['::1'], '::1', '2001:db8::7', '2001:db8::7'],
    ['IPv6 with a port', ['fd00::/8'], 'fd12::1', '[2001:db8::7]:4711', '2001:db8::7'],
    [
      'a proxy as a socket for both families names it',
      ['127.0.0.1'],
      '0000:0000:0000:0000:0000:ffff:7f00:0001',
      '203.0.113.7',
      '203.0.113.7',
    ],
    ['the same, written short', ['127.0.0.0/8'], '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['a peer without an address', ['127.0.0.1'], '', '203.0.113.7', ''],
  ]
  it.each(cases)('%s', (_, proxies, peer, forwardedFor, client) => {
    expect(createClientAddress(proxies)(peer, forwardedFor)).toBe(client)
  })

  it('reads a list of any length in its own time', () => {
    const long = `${'10.0.0.1,'.repeat(1_000)}203.0.113.7`
    expect(createClientAddress(['127.0.0.1'])('127.0.0.1', long)).toBe('203.0.113.7')
  })
})

it('counts an IPv6 /64 as one client, however its zeros are written', () => {
  const one = ['2001:db8::1', '2001:db8::2:0:0:7', '2001:0db8:0000:0000:0000:0000:0000:0009']
  expect(new Set(one.map(networkOf))).toEqual(new Set(['2001:db8:0:0']))
  expect(networkOf('2001:DB8:1:2::')).toBe('2001:db8:1:2')
  expect(networkOf('2001:db8:1:3:4:5:6:7')).toBe('2001:db8:1:3')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0')
  expect(networkOf('::1')).toBe('0:0:0:0')
  expect(networkOf('203.0.113.7')).toBe('203.0.113.7')
})
