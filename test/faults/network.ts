/**
 * The network path to a broker, for its clients and other brokers: it can be slow, cut, or blocked. If the broker
 * is down, connections are refused, as they would be without this.
 */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Way {
  readonly port: number
  /** Delays all bytes by this much each way (ms). */
  slow(byMs: number): void
  /** Ends all connections at once; new ones are allowed. */
  cut(): void
  /** Blocks all bytes without ending connections. @param from only on connections of this node of the cluster */
  block(from?: number): void
  /** Restores the path; held bytes go on. */
  mend(): void
  close(): Promise<void>
}

/** The network paths between the nodes of a cluster. */
export interface NodePaths {
  /** Opens one before a port where a node listens for the others; for `startLocalKafka`. */
  open(node: number, port: number): Promise<number>
  /** Cuts a node off from the others, not from its clients. @returns what restores its paths */
  isolate(node: number): () => void
  close(): Promise<void>
}

export function createNodePaths(): NodePaths {
  const opened: { readonly node: number; readonly way: Way }[] = []
  return {
    async open(node, port) {
      const way = await openWay(port)
      opened.push({ node, way })
      return way.port
    },
    isolate(isolated) {
      for (const { node, way } of opened) {
        if (node === isolated) way.block()
        else way.block(isolated)
      }
      return () => {
        for (const { way } of opened) way.mend()
      }
    },
    async close() {
      await Promise.all(opened.map(({ way }) => way.close()))
    },
  }
}

interface Connection {
  readonly near: Socket
  readonly far: Socket
  /** The node of the cluster that made it; null until it has said so, and of others. */
  from: number | null
}

/** Returns the node in the client's name of a first request: `raft-client-1`, `broker-1-fetcher-0`, `1`. */
function nodeOf(request: Buffer): number | null {
  const start = 4 + 2 + 2 + 4 // length, API, version, number of the request
  if (request.length < start + 2) return null
  const name = request.toString('latin1', start + 2, start + 2 + request.readInt16BE(start))
  const id = /^(?:raft-client-|broker-)?(\d+)\b/.exec(name)?.[1]
  return id === undefined ? null : Number(id)
}

const lookAgainMs = 20

/** @param to port of the broker */
export async function openWay(to: number): Promise<Way> {
  const connections = new Set<Connection>()
  let delayMs = 0
  let blocked: 'all' | number | null = null
  let isClosed = false

  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1').once('error', refuse)
    const connection: Connection = { near, far, from: null }
    connections.add(connection)
    const end = () => {
      connections.delete(connection)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', end).on('close', end)
    near.once('data', (bytes) => {
      connection.from = nodeOf(bytes)
      holdIfBlocked(connection)
    })
    pass(near, far)
    pass(far, near)
    holdIfBlocked(connection)
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

  function holdIfBlocked({ near, far, from }: Connection) {
    if (blocked === null || (blocked !== 'all' && blocked !== from)) return
    near.pause()
    far.pause()
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const { near, far } of connections) {
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
    block(from) {
      blocked = from ?? 'all'
      for (const connection of connections) holdIfBlocked(connection)
    },
    mend() {
      blocked = null
      delayMs = 0
      for (const { near, far } of connections) {
        near.resume()
        far.resume()
      }
    },
    close() {
      isClosed = true
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
