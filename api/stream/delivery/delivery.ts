/**
 * Sends frames to sockets and ends clients. Each client has its own sequence of frame numbers, although many are sent
 * the same bytes. A full socket gets only urgent frames, and a bounded number of them.
 */

import { randomInt } from 'node:crypto'
import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { CloseCode, StreamErrorCode } from '../../../schemas/stream/channels.ts'
import { clearFrames, createFrames, type Frames, number } from '../framing/frames.ts'
import type { Framing } from '../framing/framing.ts'
import { completeLinks } from '../framing/state-links.ts'
import type { Client } from './channel.ts'
import { gone } from './client.ts'
import type { StreamWatcher } from './stream-watcher.ts'

/** Most frames sent to a full socket before it is closed: replies that its client does not read. */
const mostHeldFrames = 200
/** Numbers get one more digit when the last one is this close to needing it. */
const roomFor = 500

/** Clients of a stopping service reconnect after a random time in this range. */
const leastReturnMs = 500
const mostReturnMs = 5_000

const returnMs = () => randomInt(leastReturnMs, mostReturnMs)

export interface Delivery {
  /** Number of writes to sockets since the start. */
  readonly writes: number
  /** Builds frames for one client. */
  sendOwn(client: Client, build: (frames: Frames, width: number, time: string) => void): void
  /** Sends the same frames to many clients, built once for each framing, state and width of numbers. */
  sendShared(to: readonly Client[], build: BuildShared): void
  sendMessage(client: Client, name: string, content: object): void
  /** The socket takes frames again. */
  drained(client: Client): void
  /** The socket is gone. */
  drop(client: Client): void
  /** Sends an `error` and closes. */
  fail(client: Client, code: StreamErrorCode, message: string, close: CloseCode): void
}

/** @param state of the deep links, see `ClientOptions` */
type BuildShared = (
  frames: Frames,
  framing: Framing,
  width: number,
  state: string | undefined,
) => void

/** Frames for all clients with this framing, state and width of numbers. */
interface SharedFrames {
  readonly framing: Framing
  readonly width: number
  readonly state: string | undefined
  readonly frames: Frames
}

export interface DeliveryOptions {
  /** Epoch ms. */
  readonly clock: () => number
  /** Monotonic ms. */
  readonly now: () => number
  /** Called once for each client, after its last frame. */
  readonly ended: (client: Client) => void
  readonly watcher: Pick<StreamWatcher, 'ended'>
}

export function createDelivery({ clock, now, ended, watcher }: DeliveryOptions): Delivery {
  /** Frames of one client. */
  const own = createFrames()
  /** Frames whose links lack the state. */
  const plain = createFrames()
  const shared: SharedFrames[] = []
  let writes = 0

  function sendOwn(client: Client, build: (frames: Frames, width: number, time: string) => void) {
    const { framing, nextNumber } = client
    const time = isoTime(clock())
    const width = framing.width(nextNumber + roomFor)
    fill(own, client.options.state, (frames) => build(frames, width, time))
    hand(client, own, width)
  }

  function fill(frames: Frames, state: string | undefined, build: (frames: Frames) => void) {
    clearFrames(frames)
    if (state === undefined) return build(frames)
    clearFrames(plain)
    build(plain)
    completeLinks(plain, state, frames)
  }

  function sendShared(to: readonly Client[], build: BuildShared) {
    let made = 0
    let last: SharedFrames | undefined
    for (const client of to) {
      const { framing, nextNumber, options } = client
      const { state } = options
      const width = framing.width(nextNumber + roomFor)
      const isFor = (candidate: SharedFrames) =>
        candidate.framing === framing && candidate.width === width && candidate.state === state
      if (!last || !isFor(last)) last = shared.find((candidate, i) => i < made && isFor(candidate))
      if (!last) {
        const frames = shared[made]?.frames ?? createFrames()
        fill(frames, state, (into) => build(into, framing, width, state))
        last = { framing, width, state, frames }
        shared[made++] = last
      }
      hand(client, last.frames, width)
    }
  }

  function hand(client: Client, frames: Frames, width: number) {
    if (client.phase === gone || frames.ends.length === 0) return
    // The `error` is sent although it exceeds this limit.
    if (client.fullSince >= 0 && ++client.heldFrames === mostHeldFrames + 1) {
      return fail(client, 'backpressure', 'Read too slowly: replies are waiting.', 1013)
    }
    client.nextNumber = number(frames, client.nextNumber, width, client.framing.isPadded)
    writes++
    const isTaken = client.connection.send(frames)
    if (!isTaken && client.fullSince < 0) client.fullSince = now()
  }

  function sendMessage(client: Client, name: string, content: object) {
    sendOwn(client, (frames, width, time) =>
      client.framing.message(frames, name, content, width, time),
    )
  }

  function drop(client: Client) {
    if (client.phase !== gone) ended(client)
  }

  function end(client: Client, code: CloseCode, reason: StreamErrorCode) {
    watcher.ended(reason)
    drop(client)
    client.connection.close(code, reason)
  }

  function fail(client: Client, code: StreamErrorCode, message: string, close: CloseCode) {
    if (client.phase === gone) return
    const hint = code === 'service_stopping' ? { retry_ms: returnMs() } : {}
    sendMessage(client, 'error', { code, message, ...hint })
    if (client.phase !== gone) end(client, close, code)
  }

  return {
    get writes() {
      return writes
    },
    sendOwn,
    sendShared,
    sendMessage,
    drained(client) {
      client.fullSince = -1
      client.heldFrames = 0
    },
    drop,
    fail,
  }
}
