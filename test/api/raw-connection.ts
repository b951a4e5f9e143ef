/** A raw HTTP connection that sends exactly the given bytes and stays open between requests. */

import { connect, type Socket } from 'node:net'
import { patienceMs } from '../patience.ts'

export interface RawAnswer {
  readonly status: number
  /** By name in lower case; of repeated names, the last. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

export type RawConnection = ReturnType<typeof openConnection>

export function openConnection(port: number) {
  let socket: Socket | undefined
  let received = Buffer.alloc(0)
  let wake = () => {}
  let isOpen = false

  function open(): Socket {
    const opened = connect(port, '127.0.0.1')
    opened.setNoDelay(true)
    isOpen = true
    received = Buffer.alloc(0)
    opened.on('data', (bytes) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
      wake()
    })
    opened.on('error', () => {})
    opened.on('close', () => {
      if (socket !== opened) return
      isOpen = false
      wake()
    })
    return opened
  }

  return {
    /**
     * Sends a request and waits for its response.
     * @param isHead the response has no body, whatever its headers say
     * @returns undefined if the connection closed before the response was complete
     */
    async exchange(bytes: Buffer, isHead = false): Promise<RawAnswer | undefined> {
      if (!socket || !isOpen) socket = open()
      socket.write(bytes)
      const deadline = setTimeout(() => wake(), patienceMs)
      const startedAt = performance.now()
      try {
        for (;;) {
          const parsed = parseAnswer(received, isHead)
          if (parsed) {
            received = received.subarray(parsed.length)
            return parsed.answer
          }
          if (!isOpen) return undefined
          if (performance.now() - startedAt > patienceMs - 1) {
            throw new Error(`no answer within ${patienceMs} ms`)
          }
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      } finally {
        clearTimeout(deadline)
      }
    },
    /** Returns the number of received bytes of no response. */
    pending: () => received.length,
    close() {
      isOpen = false
      socket?.destroy()
      socket = undefined
    },
  }
}

interface Parsed {
  readonly answer: RawAnswer
  /** Number of bytes of the response. */
  readonly length: number
}

/** @returns undefined while the response is incomplete */
function parseAnswer(bytes: Buffer, isHead: boolean): Parsed | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1])
  const headers = new Map(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  const start = end + 4
  // 100 Continue is followed by the actual response.
  if (status === 100) {
    const next = parseAnswer(bytes.subarray(start), isHead)
    return next && { answer: next.answer, length: start + next.length }
  }
  const hasBody = !isHead && status !== 304 && status !== 204
  if (hasBody && headers.get('transfer-encoding') === 'chunked') {
    const chunked = parseChunks(bytes, start)
    return chunked && { answer: { status, headers, body: chunked.body }, length: chunked.end }
  }
  const length = start + (hasBody ? Number(headers.get('content-length') ?? 0) : 0)
  if (bytes.length < length) return undefined
  const body = Buffer.from(bytes.subarray(start, length))
  return { answer: { status, headers, body } satisfies RawAnswer, length }
}

/** @returns undefined while the response is incomplete */
function parseChunks(bytes: Buffer, start: number) {
  const parts: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (bytes.length < end + 2) return undefined
    if (size === 0) return { body: Buffer.concat(parts), end: end + 2 }
    parts.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
}
