/**
 * Holds the rest of responses that sockets have not taken yet. The package would hold any number of responses for
 * each connection.
 */

import type { Held, Unsent } from '../unsent.ts'
import type { HttpResponse } from './uws-package.ts'

/**
 * Sends what the socket has not taken of a body, as soon as it takes more. The package closes a socket that takes
 * nothing for ten seconds.
 * @param isLasting whether the bytes never change, so that no copy of them is held
 */
export function holdRest(
  raw: HttpResponse,
  body: string | Uint8Array,
  totalBytes: number,
  isLasting: boolean,
  unsent: Unsent,
  of: Pick<Held, 'account' | 'address'>,
) {
  const start = raw.getWriteOffset()
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const left = bytes.subarray(start)
  const rest = isLasting ? left : Buffer.from(left)
  let isOver = false
  const release = unsent.hold({
    ...of,
    bytes: isLasting ? 0 : rest.length,
    // Not while the package is writing to the socket.
    cut: () =>
      setImmediate(() => {
        if (!isOver) raw.close()
      }),
  })
  const end = () => {
    isOver = true
    release()
  }
  raw.onAborted(end)
  raw.onWritable((offset) => {
    const [isTaken, isDone] = raw.tryEnd(rest.subarray(offset - start), totalBytes)
    if (isDone) end()
    return isTaken
  })
}
