/**
 * Streams that come before requests can be answered. A client that is refused then would not come
 * back: to an EventSource any answer but 200 is the end. So they are kept, with signs of life, and
 * begin once the board is there.
 */

import { ApiError, retryAfter } from '../../errors.ts'
import type { Readiness } from '../../readiness.ts'
import type { Timer, Timers } from '../timeline/timers.ts'

export interface HeldStream {
  /** Requests can be answered now. It is not held any more. */
  begin(): void
  /** Tells the client that it is still connected. */
  signal(): void
  /** The service stops. */
  stop(): void
}

export interface HeldStreams {
  /** Whether a stream can begin at once. */
  isReady(): boolean
  /** @returns takes it back, or null when no more are held */
  hold(stream: HeldStream): (() => void) | null
  /** Stops them all. @returns how many there were */
  close(): number
}

/** As many connections may wait with keys that nobody has looked at yet. */
const mostHeld = 10_000
/** Proxies give up connections that say nothing for some ten seconds. */
const signalMs = 5_000
/** So many begin before others have their turn. */
const begunAtOnce = 50

export function createHeldStreams(
  readiness: Pick<Readiness, 'isReady' | 'whenReady'>,
  timers: Pick<Timers, 'later' | 'soon' | 'cancel'>,
): HeldStreams {
  const held = new Set<HeldStream>()
  let timer: Timer | undefined
  let isWaiting = false
  let isClosed = false

  function wait() {
    if (isWaiting) return
    isWaiting = true
    timer = timers.later(signalMs, signalAll)
    readiness.whenReady().then(() => {
      isWaiting = false
      timers.cancel(timer)
      beginSome()
    })
  }

  function signalAll() {
    timer = timers.later(signalMs, signalAll)
    for (const stream of held) stream.signal()
  }

  function beginSome() {
    let count = 0
    for (const stream of held) {
      // The board may be read anew before all have begun.
      if (!readiness.isReady()) return wait()
      if (count++ === begunAtOnce) return timers.soon(beginSome)
      held.delete(stream)
      stream.begin()
    }
  }

  return {
    isReady: readiness.isReady,
    hold(stream) {
      if (isClosed) {
        stream.stop()
        return () => {}
      }
      if (held.size >= mostHeld) return null
      held.add(stream)
      wait()
      return () => held.delete(stream)
    },
    close() {
      isClosed = true
      timers.cancel(timer)
      const count = held.size
      for (const stream of held) {
        held.delete(stream)
        stream.stop()
      }
      return count
    },
  }
}

export const tooManyHeld = () =>
  new ApiError('service_unavailable', 'Too many streams already wait for the board.', {
    ...retryAfter(1),
  })
