import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createUnsent } from '../../api/server/unsent.ts'
import { startInProcess } from './service-in-process.ts'

function unsent(most: number) {
  const cut: string[] = []
  const told: string[] = []
  const held = createUnsent(most, (holder) => told.push(holder))
  const hold = (name: string, bytes: number, account?: string, address = '192.0.2.1') =>
    held.hold({ bytes, account, address, cut: () => cut.push(name) })
  return { cut, told, hold, whenEmpty: held.whenEmpty }
}

describe('unread responses', () => {
  it('are cut off where there are most, the oldest first', () => {
    const { cut, told, hold } = unsent(100)
    hold('a1', 30, 'a')
    hold('b1', 40, 'b')
    hold('a2', 30, 'a')
    expect(cut).toEqual([])
    hold('c1', 30, 'c')
    expect(cut).toEqual(['a1'])
    hold('a3', 30, 'a')
    expect(cut).toEqual(['a1', 'a2'])
    expect(told).toEqual(['a'])
  })

  it('count for the address without a key, and an IPv6 network is one address', () => {
    const { cut, hold } = unsent(100)
    hold('keyed', 40, 'a', '2001:db8::1')
    hold('first', 30, undefined, '2001:db8::1')
    hold('second', 30, undefined, '2001:db8::2')
    hold('other', 10, undefined, '2001:db8:1::1')
    expect(cut).toEqual(['first'])
  })

  it('are cut off themselves where they alone are too many', () => {
    const { cut, hold } = unsent(100)
    hold('small', 10, 'a')
    hold('huge', 101, 'b')
    expect(cut).toEqual(['huge'])
  })

  it('count until they are released, once', () => {
    const { cut, hold } = unsent(100)
    const release = hold('a1', 60, 'a')
    hold('b1', 40, 'b')
    release()
    release()
    hold('c1', 60, 'c')
    expect(cut).toEqual([])
    hold('c2', 1, 'c')
    expect(cut).toEqual(['c1'])
  })

  it('are waited for, also those that need no memory', async () => {
    const { hold, whenEmpty } = unsent(100)
    const release = hold('a1', 0, 'a')
    let isEmpty = false
    const empty = whenEmpty().then(() => {
      isEmpty = true
    })
    await Promise.resolve()
    expect(isEmpty).toBe(false)
    release()
    await empty
  })
})

it('a file that many clients leave unread keeps nobody out', async () => {
  const bytes = Buffer.alloc(20_000_000, 'a')
  const file = { path: '/assets/large.js', headers: {}, bytes, coded: {}, etag: '"a"' }
  const service = await startInProcess({ pages: [file], server: { unsentBytes: 1_000 } })
  const sockets = Array.from({ length: 5 }, () => connect(service.port, '127.0.0.1'))
  try {
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.on('error', () => {})
            socket.write(`GET ${file.path} HTTP/1.1\r\nHost: a\r\n\r\n`)
            socket.once('readable', resolve)
          }),
      ),
    )
    for (const path of ['/odds', '/health', '/sports']) {
      expect([path, (await service.get(path)).status]).toEqual([path, 200])
    }
    const came = sockets.map((socket) => {
      const body = { bytes: 0 }
      socket.on('data', (part) => {
        body.bytes += part.length
      })
      socket.resume()
      return body
    })
    await expect.poll(() => came.every((body) => body.bytes > bytes.length)).toBe(true)
  } finally {
    for (const socket of sockets) socket.destroy()
    await service.close()
  }
})
