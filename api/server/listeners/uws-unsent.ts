/**
 * Holds the rest of responses that sockets have not taken yet. The package would hold any number of responses for
 * each connection.
 */

import type { Unsent } from '../unsent.ts'
import type { HttpResponse } from './uws-package.ts'

/** Sends a body after its head. The package closes a socket that takes nothing for ten seconds. */
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
