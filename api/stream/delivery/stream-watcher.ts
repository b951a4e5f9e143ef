/** The port for metrics of streams. */

import type { StreamErrorCode } from '../../../schemas/stream/channels.ts'

export type StreamEnd = StreamErrorCode | 'displaced'

export interface StreamWatcher {
  /** Changed rows of the live board have been sent to the live clients. */
  delivered(rows: readonly number[]): void
  /**
   * A tick has been sent to the live clients.
   * @param streams open ones @param writes to sockets, since the tick began
   */
  ticked?(streams: number, writes: number): void
  /** The service ended a stream. */
  ended(reason: StreamEnd): void
}

export const unwatched: StreamWatcher = { delivered() {}, ended() {} }
