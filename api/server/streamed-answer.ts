/**
 * Sends responses while they are produced, one piece at a time, as fast as the client reads. A client that leaves, or
 * reads nothing for a while, ends the source. If the source fails after its first bytes, the connection is cut, which
 * every client sees as an error.
 */

import type { Readable } from 'node:stream'
import type { Response } from './listener.ts'

/**
 * Bytes of a write. A listener may send held bytes only with the next write, so a piece must be smaller than what a
 * writable socket takes, so that the held bytes shrink.
 */
const pieceBytes = 16_384

/** A client that reads nothing for this long is cut off. */
const stalledMs = 20_000

type Streamed = Pick<Response, 'write' | 'end' | 'close' | 'onWritable'>

export interface StreamedAnswer {
  /** Called when the client has gone: do not use the response any more. */
  leave(): void
}

/**
 * Sends `source` after the headers have been written.
 * @param onEnd called once, when the response is finished; null for success
 */
export function sendStream(
  response: Streamed,
  source: Readable,
  onEnd: (error: unknown) => void,
): StreamedAnswer {
  let isGone = false
  let goOn: () => void = () => {}

  function finish(error: unknown) {
    isGone = true
    source.destroy()
    goOn()
    onEnd(error)
  }

  /** Resolves when the socket takes bytes again, or the response has ended. */
  function writable(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        if (!isGone) response.close()
      }, stalledMs)
      goOn = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function pump() {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      for (let from = 0; from < chunk.length; from += pieceBytes) {
        if (isGone) return
        if (!response.write(chunk.subarray(from, from + pieceBytes))) await writable()
      }
    }
    if (isGone) return
    response.end()
    finish(null)
  }

  response.onWritable(() => goOn())
  pump().catch((error: unknown) => {
    if (isGone) return
    finish(error)
    response.close()
  })
  return {
    leave() {
      if (!isGone) finish(null)
    },
  }
}
