/**
 * Answers that their sockets have not taken whole. The bytes that are left are kept here, not by the
 * package, which would keep those of any number of answers behind them.
 */

import type { Unsent } from '../unsent.ts'
import type { HttpResponse } from './uws-package.ts'

/**
 * Sends a body behind a head that has been written. The package gives up a socket that takes nothing for
 * ten seconds.
 */
export function sendBody(raw: HttpResponse, body: string | Uint8Array, unsent: Unsent) {
  const totalBytes = Buffer.byteLength(body)
  const [, isDone] = raw.tryEnd(body, totalBytes)
  if (isDone) return
  const start = raw.getWriteOffset()
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const rest = Buffer.from(bytes.subarray(start))
  unsent.hold(rest.length)
  raw.onAborted(() => unsent.release(rest.length))
  raw.onWritable((offset) => {
    const [isTaken, isDone] = raw.tryEnd(rest.subarray(offset - start), totalBytes)
    if (isDone) unsent.release(rest.length)
    return isTaken
  })
}
