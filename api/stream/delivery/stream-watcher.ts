/** Whoever counts what becomes of streams, and measures them. */

import type { StreamErrorCode } from '../../../schemas/stream/channels.ts'

export type StreamEnd = StreamErrorCode | 'displaced'

export interface StreamWatcher {
  /** Rows of the live board that changed have been handed to the sockets of those who are live. */
  delivered(rows: readonly number[]): void
  /**
   * All that is on the live board has been handed to the sockets of those who are live.
   * @param streams that are open @param writes to their sockets, since the tick began
   */
  ticked?(streams: number, writes: number): void
  /** A stream was ended by this side. */
  ended(reason: StreamEnd): void
}

export const unwatched: StreamWatcher = { delivered() {}, ended() {} }
