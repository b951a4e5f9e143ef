/**
 * A reader of one stream of Server-Sent Events that reads a bare socket at its own pace: every byte is
 * checked against HTTP/1.1 chunking, and the decoded body is passed on.
 */

import { connect } from 'node:net'

export interface SlowReader {
  /** Resolves with the head of the response. */
  readonly opened: Promise<string>
  /** Resolves when the response has ended: true if it was complete, false if it was cut off. */
  readonly ended: Promise<boolean>
  /** Returns the number of bytes of the body so far. */
  received(): number
  /** Stops reading until `resume`. */
  pause(): void
  resume(): void
  close(): void
}

export interface SlowReaderOptions {
  readonly port: number
  readonly path: string
  readonly key: string
  /** The pause (ms) before the next read, by the number of reads so far; none by default. */
  readonly pauseMs?: (reads: number) => number
  /** Takes the next bytes of the body; not called once the reader is closed. */
  readonly body: (bytes: Buffer) => void
}

/** @throws (as rejection of `opened` or `ended`) on a byte that chunking does not allow */
export function openSlowReader(options: SlowReaderOptions): SlowReader {
  const { port, path, key, pauseMs = () => 0, body } = options
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`),
  )
  let head = ''
  let isOpen = false
  let reads = 0
  let received = 0
  let isStopped = false
  let isClosed = false
  /** Bytes of the chunk still to come; `tail` counts its CRLF. */
  let left = 0
  let line = ''
  let tail = 0
  let isLast = false
  let wasEnded = false
  const opened = createOutcome<string>()
  const ended = createOutcome<boolean>()

  function refuse(message: string) {
    const error = new Error(`${message} after ${received} bytes`)
    opened.reject(error)
    ended.reject(error)
    socket.destroy()
  }

  function readHead(bytes: Buffer): Buffer {
    head += bytes.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return Buffer.alloc(0)
    const rest = Buffer.from(head.slice(end + 4), 'latin1')
    head = head.slice(0, end)
    isOpen = true
    if (!/^transfer-encoding: chunked$/im.test(head)) refuse(`no chunks: ${head}`)
    opened.resolve(head)
    return rest
  }

  function readChunks(bytes: Buffer) {
    let at = 0
    while (at < bytes.length && !isClosed) {
      if (wasEnded) return refuse('bytes behind the last chunk')
      if (left > 0) {
        const part = bytes.subarray(at, at + left)
        left -= part.length
        at += part.length
        received += part.length
        if (left === 0) tail = 2
        body(part)
      } else if (tail > 0) {
        const wanted = tail === 2 ? 0x0d : 0x0a
        if (bytes[at++] !== wanted) return refuse('a chunk is not as long as it said')
        if (--tail > 0 || !isLast) continue
        wasEnded = true
        ended.resolve(true)
      } else {
        line += String.fromCharCode(bytes[at++]!)
        if (!line.endsWith('\r\n')) {
          if (line.length > 10) return refuse(`no length of a chunk: ${JSON.stringify(line)}`)
          continue
        }
        if (!/^[0-9a-f]+\r\n$/i.test(line)) return refuse(`no length: ${JSON.stringify(line)}`)
        left = Number.parseInt(line, 16)
        line = ''
        isLast = left === 0
        if (isLast) tail = 2
      }
    }
  }

  socket.on('data', (bytes) => {
    readChunks(isOpen ? bytes : readHead(bytes))
    const ms = pauseMs(reads++)
    if (ms === 0) return
    socket.pause()
    setTimeout(() => !isStopped && socket.resume(), ms)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    opened.reject(new Error('closed before the answer began'))
    ended.resolve(false)
  })

  return {
    opened: opened.promise,
    ended: ended.promise,
    received: () => received,
    pause() {
      isStopped = true
      socket.pause()
    },
    resume() {
      isStopped = false
      socket.resume()
    },
    close() {
      isClosed = true
      socket.destroy()
    },
  }
}

/** Creates a promise that is settled from outside. */
function createOutcome<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((whenResolved, whenRejected) => {
    resolve = whenResolved
    reject = whenRejected
  })
  // It may reject with no one waiting.
  promise.catch(() => {})
  return { promise, resolve, reject }
}
