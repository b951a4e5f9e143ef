/**
 * Holds streams that are opened before the service is ready. An EventSource never retries after a refusal, so held
 * streams get signs of life and begin once the board is loaded.
 */

import { ApiError, retryAfter } from '../../errors.ts'
import type { Readiness } from '../../readiness.ts'
import type { Timer, Timers } from '../timeline/timers.ts'

export interface HeldStream {
  /** Called when the service is ready. The stream is no longer held. */
  begin(): void
  /** Sends a sign of life. */
  signal(): void
  /** Called when the service stops. */
  stop(): void
}

export interface HeldStreams {
  /** Whether a stream can begin at once. */
  isReady(): boolean
  /** @throws ApiError service_unavailable if too many are held */
  requireRoom(): void
  /** Holds a stream, for which there is room. @returns a function that releases it */
  hold(stream: HeldStream): () => void
  /** Stops all held streams. @returns their number */
  close(): number
}

/** Most held streams. Their keys have not been checked yet. */
const mostHeld = 10_000
/** Proxies close connections after some ten silent seconds. */
const signalMs = 5_000
/** Streams begun in one run of work. */
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
      // The board may be loaded again before all have begun.
      if (!readiness.isReady()) return wait()
      if (count++ === begunAtOnce) return timers.soon(beginSome)
      held.delete(stream)
      stream.begin()
    }
  }

  return {
    isReady: readiness.isReady,
    requireRoom() {
      if (held.size < mostHeld) return
      const message = 'Too many streams wait for the board; try again.'
      throw new ApiError('service_unavailable', message, { ...retryAfter(1) })
    },
    hold(stream) {
      if (isClosed) {
        stream.stop()
        return () => {}
      }
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
