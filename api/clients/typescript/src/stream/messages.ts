/** A stream as an async iterator, which reads no faster than its consumer. */

import { lostConnection, OverroundError } from '../errors.ts'
import type { Ended, Message } from './connection.ts'
import type { StreamClient, StreamOptions } from './stream-client.ts'

/** Number of waiting messages at which the stream pauses. */
const mostWaiting = 256

/** @throws OverroundError when the stream gives up */
export async function* messagesOf(
  open: (options: Pick<StreamOptions, 'onMessage' | 'onFailure'>) => StreamClient,
  signal?: AbortSignal,
): AsyncGenerator<Message, void> {
  let waiting: Message[] = []
  let failure: Ended | undefined
  let wake = () => {}
  const stream = open({
    onMessage(message) {
      waiting.push(message)
      if (waiting.length === mostWaiting) stream.pause()
      wake()
    },
    onFailure(why) {
      failure = why
      wake()
    },
  })
  const onAbort = () => wake()
  signal?.addEventListener('abort', onAbort)
  try {
    while (!signal?.aborted) {
      const taken = waiting
      waiting = []
      yield* taken
      // With as many waiting again it stays paused until those are taken too.
      if (taken.length >= mostWaiting && waiting.length < mostWaiting) stream.resume()
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
