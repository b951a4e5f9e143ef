/**
 * Answers that are sent while they are made. The source gives no faster than the client takes: between
 * the two there is one piece, whatever the size of the whole. A client that goes away, or takes nothing
 * for a while, ends the source. A source that fails after its first bytes cannot take them back: the
 * connection is cut before the end of the answer, which every client sees as an error.
 */

import type { Readable } from 'node:stream'
import type { Response } from './listener.ts'

/**
 * Bytes handed over at a time. A listener may send what it holds back only with the next write, so a piece
 * has to be less than what a socket takes that has become writable: then what is held back shrinks.
 */
const pieceBytes = 16_384

/** A client that takes nothing for so long is given up, and with it its place at the source. */
const stalledMs = 20_000

type Streamed = Pick<Response, 'write' | 'end' | 'close' | 'onWritable'>

export interface StreamedAnswer {
  /** The client has gone: nothing more may be done with the response. */
  leave(): void
}

/**
 * Sends what `source` gives, behind headers that have been written.
 * @param onEnd called once, when the response is not to be used any more
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

  /** Resolves when the socket takes bytes again, or nothing may be written any more. */
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
