/**
 * The network path to a broker, for its clients and other brokers: it can be slow, cut, or blocked. If the broker
 * is down, connections are refused, as they would be without this.
 */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { NodePath } from '../../infra/kafka-local/kafka-local.ts'

export interface Way {
  readonly port: number
  /** Delays all bytes by this much each way (ms). */
  slow(byMs: number): void
  /** Ends all connections at once; new ones are allowed. */
  cut(): void
  /** Blocks all bytes without ending connections. */
  block(): void
  /** Restores the path; held bytes go on. */
  mend(): void
  close(): Promise<void>
}

/** The network paths between the nodes of a cluster. */
export interface NodePaths {
  /** Opens one; for `startLocalKafka`. */
  open(path: NodePath): Promise<number>
  /** Cuts a node off from the others, not from its clients. @returns what restores its paths */
  isolate(node: number): () => void
  close(): Promise<void>
}

export function createNodePaths(): NodePaths {
  const opened: (NodePath & { readonly way: Way })[] = []
  return {
    async open(path) {
      const way = await openWay(path.port)
      opened.push({ ...path, way })
      return way.port
    },
    isolate(node) {
      const ways = opened
        .filter(({ from, to }) => from === node || to === node)
        .map(({ way }) => way)
      for (const way of ways) way.block()
      return () => {
        for (const way of ways) way.mend()
      }
    },
    async close() {
      await Promise.all(opened.map(({ way }) => way.close()))
    },
  }
}

const lookAgainMs = 20

/** @param to port of the broker */
export async function openWay(to: number): Promise<Way> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let delayMs = 0
  let isBlocked = false
  let isClosed = false

  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1').once('error', refuse)
    const pair = [near, far] as const
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) socket.setNoDelay(true).on('error', end).on('close', end)
    pass(near, far)
    pass(far, near)
    if (isBlocked) hold(pair)
  })

  /** Stops listening until the broker accepts connections. */
  function refuse({ code }: NodeJS.ErrnoException) {
    if (code !== 'ECONNREFUSED' || !server.listening) return
    server.close(() => {})
    const look = () => {
      if (isClosed) return
      const there = connect(to, '127.0.0.1')
      there.once('connect', () => {
        there.destroy()
        server.listen(port, '127.0.0.1')
      })
      there.once('error', () => setTimeout(look, lookAgainMs))
    }
    look()
  }

  function pass(from: Socket, into: Socket) {
    from.on('data', (bytes) => {
      if (delayMs === 0) into.write(bytes)
      else setTimeout(() => into.write(bytes), delayMs)
    })
  }

  const hold = (pair: readonly Socket[]) => {
    for (const socket of pair) socket.pause()
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
  }
  return {
    port,
    slow(byMs) {
      delayMs = byMs
    },
    cut,
    block() {
      isBlocked = true
      for (const pair of pairs) hold(pair)
    },
    mend() {
      isBlocked = false
      delayMs = 0
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
    close() {
      isClosed = true
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
