/** A stream as an async iterator, which reads no faster than its consumer. */

import { lostConnection, OverroundError } from '../errors.ts'
import type { Ended, Message } from './connection.ts'
import type { StreamClient, StreamOptions } from './stream-client.ts'

/**
 * Number of waiting messages at which the stream pauses. The snapshot of a WebSocket that cannot wait is not counted:
 * closed behind it, a stream without a position would begin with it again, for ever. After a lost connection or a
 * `resync` the one before counts, so at most two wait.
 */
const mostWaiting = 256

/** @throws OverroundError when the stream gives up */
export async function* messagesOf(
  open: (options: Pick<StreamOptions, 'onMessage' | 'onFailure'>) => StreamClient,
  signal?: AbortSignal,
): AsyncGenerator<Message, void> {
  let waiting: Message[] = []
  /** How many of them are not counted. */
  let uncounted = 0
  let isPaused = false
  let failure: Ended | undefined
  let wake = () => {}
  const stream = open({
    onMessage(message) {
      waiting.push(message)
      if (message.name === 'connected' || message.name === 'resync') uncounted = 0
      if (!stream.isReady() && !stream.canPause()) uncounted++
      if (!isPaused && isTooMuch()) {
        isPaused = true
        stream.pause()
      }
      wake()
    },
    onFailure(why) {
      failure = why
      wake()
    },
  })
  const isTooMuch = () => waiting.length - uncounted >= mostWaiting
  const onAbort = () => wake()
  signal?.addEventListener('abort', onAbort)
  try {
    while (!signal?.aborted) {
      const taken = waiting
      waiting = []
      uncounted = 0
      yield* taken
      // With as many waiting again it stays paused until those are taken too.
      if (isPaused && !isTooMuch()) {
        isPaused = false
        stream.resume()
      }
      if (waiting.length > 0) continue
      if (failure) throw new OverroundError({ ...lostConnection, ...failure })
      await new Promise<void>((resolve) => {
        wake = resolve
        if (signal?.aborted) resolve()
      })
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    stream.close()
  }
}
