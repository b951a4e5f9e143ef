/**
 * The baseline of streams without any decisions: writes the same rows, in the same bytes as the service (supplement
 * 6.8), to every connection by common means. `streams.ts` compares the API with it.
 *
 *     node build/benchmarks/stream-bare.js <uws-sse | uws-websocket | node-sse | ws> <tick ms>
 *
 * With a tick, due rows are joined into one write per connection; a tick of 0 writes each row by itself. A row carries
 * the time it was due. Sends `{ port }` to its parent and responds to each `BareOrder` with a `BareAnswer`.
 */

import uws from 'uWebSockets.js'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { isoTime } from '../pipeline/text/iso-time.ts'
import { exampleOdds } from '../schemas/http/odds.ts'
import type { StateOrder } from './stream-server.ts'

export type BareKind = 'uws-sse' | 'uws-websocket' | 'node-sse' | 'ws'

/** Rows per second to every connection; `max`: as fast as connections have room. */
export type BareOrder = { readonly rowsPerSecond: number | 'max' } | StateOrder

/** Counts since the rate was set. */
export interface BareAnswer {
  readonly rows: number
  /** Open connections. */
  readonly streams: number
}

interface Connection {
  write(bytes: Buffer): void
  /** Returns false while earlier writes are still buffered. */
  hasRoom(): boolean
}

const [, , kind, tickText] = process.argv
const tickMs = Number(tickText)
const bytesAhead = 1_000_000
const sseHead = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}
const isWebSocket = kind === 'uws-websocket' || kind === 'ws'
const connections = new Set<Connection>()

process.once('disconnect', () => process.exit(0))
const openers: Record<BareKind, () => Promise<number>> = {
  'uws-sse': openUwsSse,
  'uws-websocket': openUwsWebSocket,
  'node-sse': openNodeSse,
  ws: openWs,
}
const open = openers[kind as BareKind]
if (!open || !(tickMs >= 0)) throw new Error('usage: stream-bare.js <kind> <tick ms>')
const port = await open()
const rows = createRows()
process.on('message', (order: BareOrder) => {
  if ('collect' in order && order.collect) globalThis.gc?.()
  process.send?.('collect' in order ? rows.answer() : rows.setRate(order.rowsPerSecond))
})
process.send?.({ port })

// ---- rows

function createRows() {
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let rate = 0
  let since = 0
  let written = 0

  /** Returns the due time of the n-th row at this rate (epoch ms). */
  const dueAt = (n: number) => Math.floor(since + (1_000 * n) / rate)

  function broadcast(instants: readonly number[]) {
    const bytes = Buffer.from(textOf(instants), 'latin1')
    for (const connection of connections) connection.write(bytes)
    written += instants.length
  }

  function writeDue() {
    const now = Date.now()
    if (tickMs === 0) {
      while (dueAt(written + 1) <= now) broadcast([dueAt(written + 1)])
      return
    }
    const instants: number[] = []
    while (dueAt(written + instants.length + 1) <= now) {
      instants.push(dueAt(written + instants.length + 1))
    }
    if (instants.length > 0) broadcast(instants)
  }

  function writeMore() {
    const bytes = Buffer.from(textOf([Date.now()]), 'latin1')
    for (const connection of connections) if (connection.hasRoom()) connection.write(bytes)
    written++
    immediate = setImmediate(writeMore)
  }

  const counts = (): BareAnswer => ({ rows: written, streams: connections.size })

  return {
    answer: counts,
    setRate(rowsPerSecond: number | 'max'): BareAnswer {
      const before = counts()
      clearInterval(timer)
      clearImmediate(immediate)
      written = 0
      since = Date.now()
      if (rowsPerSecond === 'max') writeMore()
      else {
        rate = rowsPerSecond
        if (rate > 0) timer = setInterval(writeDue, tickMs || 1)
      }
      return before
    },
  }
}

const placeholder = '2026-01-01T00:00:00.000Z'

/** Returns the text of a row before and after its time. */
function around(json: string): readonly [string, string] {
  const [before, behind] = json.split(placeholder)
  return [before!, behind!]
}

// SSE sends the changed fields of a row, WebSocket the whole row.
const {
  id,
  line,
  last_seen_at,
  timestamp,
  odds_american,
  odds_decimal,
  odds_probability,
  probability,
  is_live,
  is_active,
  status,
} = exampleOdds
const [deltaBefore, deltaBehind] = around(
  JSON.stringify({
    id,
    line,
    last_seen_at,
    timestamp,
    odds_changed_at: placeholder,
    odds_american,
    odds_decimal,
    odds_probability,
    probability,
    is_live,
    is_active,
    status,
  }),
)
const [wholeBefore, wholeBehind] = around(
  JSON.stringify({ ...exampleOdds, odds_changed_at: placeholder }),
)
const source = exampleOdds.sportsbook
const blockBefore = `event: odds:update\nid: evt_00001\ndata: {"odds":[${deltaBefore}`
const blockBehind = `${deltaBehind}],"count":1,"book":"${source}","partial":false}\n\n`

/** Returns one block per row, or one frame for all rows. */
function textOf(instants: readonly number[]): string {
  let text = ''
  if (!isWebSocket) {
    for (const at of instants) text += blockBefore + isoTime(at) + blockBehind
    return text
  }
  for (const at of instants) text += `,${wholeBefore}${isoTime(at)}${wholeBehind}`
  const count = instants.length
  return `{"type":"odds:update","seq":1,"global_seq":1,"source":"${source}","data":[${text.slice(1)}],"count":${count},"timestamp":"${isoTime(Date.now())}"}`
}

// ---- servers

function openUwsSse(): Promise<number> {
  const app = uws.App()
  app.get('/*', (response) => {
    let hasRoom = true
    const connection: Connection = {
      write(bytes) {
        response.cork(() => {
          hasRoom = response.write(bytes)
        })
      },
      hasRoom: () => hasRoom,
    }
    response.onAborted(() => connections.delete(connection))
    response.onWritable(() => {
      hasRoom = true
      return true
    })
    for (const [name, value] of Object.entries(sseHead)) response.writeHeader(name, value)
    response.write('retry: 3000\n\n')
    connections.add(connection)
  })
  return listenUws(app)
}

function openUwsWebSocket(): Promise<number> {
  const app = uws.App()
  app.ws<{ connection?: Connection }>('/*', {
    maxBackpressure: 0,
    open(socket) {
      const connection: Connection = {
        write: (bytes) => void socket.send(bytes),
        hasRoom: () => socket.getBufferedAmount() < bytesAhead,
      }
      socket.getUserData().connection = connection
      connections.add(connection)
    },
    close(socket) {
      connections.delete(socket.getUserData().connection!)
    },
  })
  return listenUws(app)
}

async function listenUws(app: uws.TemplatedApp): Promise<number> {
  const socket = await new Promise<uws.us_listen_socket | false>((resolve) => {
    app.listen('127.0.0.1', 0, resolve)
  })
  if (!socket) throw new Error('no port to listen on')
  return uws.us_socket_local_port(socket)
}

async function openNodeSse(): Promise<number> {
  const server = createServer((_request, response: ServerResponse) => {
    const connection: Connection = {
      write: (bytes) => void response.write(bytes),
      hasRoom: () => response.writableLength < bytesAhead,
    }
    response.once('close', () => connections.delete(connection))
    response.writeHead(200, sseHead)
    response.write('retry: 3000\n\n')
    connections.add(connection)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve))
  return (server.address() as AddressInfo).port
}

async function openWs(): Promise<number> {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket: WebSocket) => {
    const connection: Connection = {
      write: (bytes) => socket.send(bytes, { binary: false }),
      hasRoom: () => socket.bufferedAmount < bytesAhead,
    }
    socket.once('close', () => connections.delete(connection))
    // Readers that disconnect are ignored.
    socket.on('error', () => {})
    connections.add(connection)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve))
  return (server.address() as AddressInfo).port
}
