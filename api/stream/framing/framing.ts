/** The port of a transport: the envelope of its messages, the same for every channel. */

import type { Frames } from './frames.ts'

export const transports = ['sse', 'websocket'] as const
export type Transport = (typeof transports)[number]

/** A message with one JSON text. */
export interface DataMessage {
  readonly name: string
  readonly json: string
  /** Number of the frame, if the channel has its own. */
  readonly globalSeq?: number
  /** Type and data for clients without event names. Default: the name and the text. */
  readonly type?: string
  readonly plain?: string
}

/** The content of `snapshot:complete`. */
export interface Completion {
  /** The fields of all channels. */
  readonly totals: object
  /** Whether a channel resumed without a snapshot. */
  readonly isResumed: boolean
  /** Whether the resumable channels sent a snapshot. */
  readonly isWhole: boolean
}

/** The framing of a client. Clients with the same framing can share bytes. */
export interface Framing {
  /** Transport, by which channels choose the form of their rows. */
  readonly transport: Transport
  /** Returns the width of the places for numbers. @param last the highest number */
  width(last: number): number
  readonly isPadded: boolean
  /** Begins a message: append its fields with commas, then call `end`. */
  begin(frames: Frames, name: string, width: number): void
  /** @param type for clients without event names, whose data is the page's text between `from` and `to` */
  end(frames: Frames, now: string, type: string, from: number, to: number): void
  data(frames: Frames, message: DataMessage, width: number, now: string): void
  /** Appends any other message. */
  message(frames: Frames, name: string, fields: object, width: number, now: string): void
  completion(completion: Completion): object
}
