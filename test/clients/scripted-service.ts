/** A service whose streams say what a test says, without a network. */

import type { Network, SocketLike } from '../../api/clients/typescript/src/stream/connection.ts'
import type { OddsItem } from '../../api/clients/typescript/src/stream/odds-book.ts'
import type { Transport } from '../../api/clients/typescript/src/stream/stream-client.ts'

export const row = (id: string, more: Partial<OddsItem> = {}): OddsItem => ({
  id,
  sportsbook: 'draftkings',
  event_id: 'e',
  sport: 'basketball',
  league: 'nba',
  market_type: 'point_spread',
  odds_decimal: 1.893,
  odds_american: -112,
  line: -4.5,
  is_live: false,
  is_active: true,
  ...more,
})

/** The service's end of a connection. */
export interface Served {
  readonly url: URL
  /** Sends a message with its number. */
  say(name: string, body?: object): void
  /** Sends bytes as they are; only Server-Sent Events. */
  write(text: string): void
  /** Ends the connection from the service's side, without a reason. */
  lose(): void
  /** Closes it with a code and a reason; only a WebSocket. */
  close(code: number, reason: string): void
  /** Whether the client has not closed it. */
  isOpen(): boolean
}

export interface ScriptedService {
  readonly network: Network
  /** All connections so far. */
  readonly served: readonly Served[]
  /** Paths of other requests. */
  readonly requests: readonly string[]
}

export interface Script {
  /** Called for each new connection. */
  readonly begin?: (served: Served) => void
  /** Answers other requests, and streams in place of a connection; undefined for the usual answer. */
  readonly answer?: (url: URL) => Response | undefined
  /** Whether sockets can pause, as those of the package `ws`. */
  readonly canPause?: boolean
}

export function createScriptedService(script: Script): ScriptedService {
  const served: Served[] = []
  const requests: string[] = []

  function begin(connection: Served) {
    served.push(connection)
    script.begin?.(connection)
  }

  function stream(url: URL): Response {
    const encoder = new TextEncoder()
    let number = 0
    let isOpen = true
    let body!: ReadableStreamDefaultController<Uint8Array>
    const bytes = new ReadableStream<Uint8Array>({
      start(controller) {
        body = controller
      },
      cancel() {
        isOpen = false
      },
    })
    const write = (text: string) => isOpen && body.enqueue(encoder.encode(text))
    begin({
      url,
      say(name, content = {}) {
        const id = `evt_${String(++number).padStart(5, '0')}`
        write(`event: ${name}\nid: ${id}\ndata: ${JSON.stringify(content)}\n\n`)
      },
      write,
      lose() {
        isOpen = false
        body.close()
      },
      close() {
        throw new Error('Server-Sent Events have no close codes')
      },
      isOpen: () => isOpen,
    })
    return new Response(bytes)
  }

  const ask = async (input: string | URL | Request) => {
    // Never before the client has been made.
    await null
    const url = new URL(String(input))
    const answer = script.answer?.(url)
    const isStream = url.pathname.endsWith('/stream')
    if (!isStream) requests.push(url.pathname)
    return answer ?? (isStream ? stream(url) : Response.json({ status: 'ok' }))
  }

  function openSocket(address: string): SocketLike {
    const url = new URL(address)
    let seq = 0
    let isOpen = true
    let isPaused = false
    const waiting: (() => void)[] = []
    const deliver = () => {
      while (!isPaused && waiting.length > 0) waiting.shift()!()
    }
    const socket = {
      readyState: 0,
      onopen: null as (() => void) | null,
      onmessage: null as ((event: { data: string }) => void) | null,
      onclose: null as ((event: { code: number; reason: string }) => void) | null,
      onerror: null,
      send() {},
      close() {
        isOpen = false
      },
      ...(script.canPause && {
        pause() {
          isPaused = true
        },
        resume() {
          isPaused = false
          deliver()
        },
      }),
    }
    const own: Served = {
      url,
      say(type, content = {}) {
        const data = JSON.stringify({ type, seq: ++seq, ...content })
        waiting.push(() => isOpen && socket.onmessage?.({ data }))
        deliver()
      },
      write() {
        throw new Error('a WebSocket has frames')
      },
      lose: () => own.close(1006, ''),
      close(code, reason) {
        isOpen = false
        socket.onclose?.({ code, reason })
      },
      isOpen: () => isOpen,
    }
    queueMicrotask(() => {
      socket.readyState = 1
      socket.onopen?.()
      begin(own)
    })
    return socket
  }

  return {
    network: { fetch: ask as typeof fetch, openSocket, hasSockets: true },
    served,
    requests,
  }
}

interface RowsMessages {
  snapshot(rows: readonly OddsItem[]): readonly [string, object]
  update(rows: readonly object[]): readonly [string, object]
}

/** The names and bodies of rows in each transport. */
export const rowsMessages: Readonly<Record<Transport, RowsMessages>> = {
  sse: {
    snapshot: (rows) => ['snapshot', { odds: rows }],
    update: (rows) => ['odds:update', { odds: rows }],
  },
  websocket: {
    snapshot: (rows) => ['initial', { data: rows }],
    update: (rows) => ['odds:update', { data: rows }],
  },
}
