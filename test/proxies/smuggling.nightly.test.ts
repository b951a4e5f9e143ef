/**
 * Requests in all ways that HTTP can be framed, through real proxies to each listener: the listener sees
 * exactly the requests that the proxy forwards, and each response is to its own request.
 */

import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServedPath } from '../../api/server/listener.ts'
import { allListeners, type Bare, openBare } from '../listeners/each-listener.ts'
import { framedPaths, framingCases, get } from '../listeners/framing-cases.ts'
import { isInstalled, proxyNames, type RunningProxy, startProxy } from './proxy.ts'

interface Asking {
  readonly name: string
  readonly socket: TLSSocket
  text: string
  isOver: boolean
}

/** The readiness check of a proxy. */
const readyPath: ServedPath = {
  method: 'get',
  path: '/readyz',
  handle: (response) => response.send(200, 'X-Probe: yes', 'ready', false),
}

/** A header that only the listener's responses have, not the proxy's own. */
const mark = /x-a: b\r\n/gi

describe.each(
  proxyNames.flatMap((proxy) => allListeners.map((listener) => ({ proxy, ...listener }))),
)('behind $proxy, the listener $name', ({ proxy: proxyName, name, missing }) => {
  const why = missing ?? (isInstalled(proxyName) ? null : `${proxyName} is not installed`)
  let listener: Bare
  let proxy: RunningProxy
  let seen = 0
  beforeAll(async () => {
    if (why !== null) return
    // A request that the proxy aborts in its body gets no response, so it does not count.
    const counted = ({ method, path, handle }: ServedPath): ServedPath => ({
      method,
      path,
      handle(response, request) {
        const send = response.send.bind(response)
        response.send = (...answer) => {
          seen++
          send(...answer)
        }
        handle(response, request)
      },
    })
    listener = await openBare(name, { paths: [...framedPaths.map(counted), readyPath] })
    proxy = await startProxy(proxyName, listener.port)
  })
  afterAll(async () => {
    await proxy?.close()
    listener?.close()
  })

  function ask(of: string, parts: readonly string[]): Asking {
    const socket = connect({
      port: proxy.port,
      servername: 'localhost',
      rejectUnauthorized: false,
    })
    const asking: Asking = { name: of, socket, text: '', isOver: false }
    socket.once('secureConnect', async () => {
      for (const part of parts) socket.write(part.replaceAll('Host: a\r\n', 'Host: localhost\r\n'))
    })
    socket.on('data', (bytes) => {
      asking.text += bytes.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      asking.isOver = true
    })
    return asking
  }

  it.skipIf(why !== null)(
    `sees what was sent on, and nothing else${why ? `: skipped: ${why}` : ''}`,
    async () => {
      // The proxy would wait for requests without any response. The listener's own test covers these.
      const answeredCases = framingCases.filter(({ expected, but }) => {
        const { statuses, isEnded = false } = but?.[name] ?? expected
        return statuses.length > 0 || isEnded
      })
      const asked = answeredCases.map((framed) => ask(framed.name, framed.parts))
      const waiting = () => asked.filter(({ text, isOver }) => !isOver && text === '')
      await expect.poll(() => waiting().map(({ name }) => name)).toEqual([])
      const answered = () =>
        asked.reduce((sum, { text }) => sum + (text.match(mark)?.length ?? 0), 0)
      await expect.poll(() => answered() - seen).toBe(0)
      expect(seen).toBeGreaterThan(10)
      expect(
        asked.filter(({ text }) => text.includes('is smuggled')).map(({ name }) => name),
      ).toEqual([])

      // The proxy's connections to the listener are still in sync.
      for (let i = 0; i < 40; i++) {
        const probe = ask('probe', [get(`/q?probe=${i}`, 'Connection: close\r\n')])
        await expect.poll(() => probe.isOver).toBe(true)
        expect(probe.text).toContain(`get /q probe=${i}`)
      }
      for (const { socket } of asked) socket.destroy()
    },
  )
})
