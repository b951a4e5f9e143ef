/** The port for metrics of streams. */

import type { StreamErrorCode } from '../../../schemas/stream/channels.ts'

export interface StreamWatcher {
  /** Called when changed rows of the live board have been sent to the live clients. */
  delivered(rows: readonly number[]): void
  /**
   * Called when a tick has been sent to the live clients.
   * @param streams number of open streams @param writes to sockets since the tick began
   */
  ticked?(streams: number, writes: number): void
  /** Called when the service has ended a stream. */
  ended(reason: StreamErrorCode): void
}

export const unwatched: StreamWatcher = { delivered() {}, ended() {} }
