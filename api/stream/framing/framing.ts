/** The envelope of messages: the same for every channel, and all that a transport knows of them. */

import type { Frames } from './frames.ts'

/** What a stream goes over. */
export const transports = ['sse', 'websocket'] as const
export type Transport = (typeof transports)[number]

/** A message that is one JSON text. */
export interface DataMessage {
  readonly name: string
  readonly json: string
  /** The number of the frame, where the channel has numbers of its own. */
  readonly globalSeq?: number
  /** Said to clients that listen to no names; by default the name and the text. */
  readonly type?: string
  readonly plain?: string
}

/** What `snapshot:complete` may say. */
export interface Completion {
  /** What the channels say of themselves. */
  readonly totals: object
  /** Whether what there is was left out, as asked. */
  readonly isResumed: boolean
  /** Whether what can be left out was told. */
  readonly isWhole: boolean
}

/** Clients of one framing can be sent the same bytes. */
export interface Framing {
  /** By which channels know in which form they tell their rows. */
  readonly transport: Transport
  /** The width of the places for numbers, given the last of them; `number` writes them. */
  width(last: number): number
  readonly isPadded: boolean
  /** Begins a message; its members follow, with commas between them, then `end`. */
  begin(frames: Frames, name: string, width: number): void
  /** @param type said to clients that listen to no names, of the JSON text between these places of the page */
  end(frames: Frames, now: string, type: string, from: number, to: number): void
  data(frames: Frames, message: DataMessage, width: number, now: string): void
  /** Anything else: a name and its members. */
  message(frames: Frames, name: string, fields: object, width: number, now: string): void
  completion(of: Completion): object
}
