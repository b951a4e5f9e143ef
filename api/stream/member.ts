/**
 * What the fan-out keeps of a client: one object of a fixed shape, whose phase says what is being done
 * for it and carries what only that needs. What a channel keeps of it is the channel's own seat.
 */

import type { Position } from '../../pipeline/log/log.ts'
import type { CloseCode } from '../../schemas/stream/channels.ts'
import type { Seat } from './channel.ts'
import type { Subscription } from './subscription.ts'
import type { Frames } from './transports/frames.ts'
import type { Framing } from './transports/framing.ts'

/** A socket, as the fan-out sees it. */
export interface Connection {
  /**
   * Hands over frames, which are valid inside the call alone.
   * @returns false when the socket is full: nothing more until `Client.drained`
   */
  send(frames: Frames): boolean
  /** Keeps a full socket, which would be given up after some seconds otherwise. */
  hold(): void
  close(code: CloseCode, reason: string): void
}

export interface ClientOptions {
  /** Heartbeats tell what the client's book must come to. */
  readonly proof: boolean
  readonly heartbeatMs: number
  /** The US state that links lead to, lower case. */
  readonly state: string | undefined
  /** What a heartbeat says beside a proof. */
  readonly heartbeat: (now: string) => object
}

/** From where a client goes on. */
export type Start =
  | { readonly from: 'snapshot' }
  /** A position it was given. */
  | { readonly from: 'position'; readonly position: Position }
  /** The `global_seq` of a frame it was sent. */
  | { readonly from: 'sequence'; readonly globalSeq: number }
  /** From now on, without what there is. */
  | { readonly from: 'now' }

export const fromSnapshot: Start = { from: 'snapshot' }

/** What is being done for a client. The table of what each phase does is in `clients.ts`. */
export type Phase =
  /** It has asked for nothing yet. */
  | { readonly kind: 'idle' }
  /** It begins with a tick. */
  | {
      readonly kind: 'waiting'
      /** When it asked (monotonic ms). */
      readonly since: number
      readonly subscription: Subscription
      readonly start: Start
    }
  /** The log is read for what it has missed. */
  | {
      readonly kind: 'reading'
      /** What it is given whole beside that. */
      readonly given: readonly Seat[]
    }
  /** It is being given what there is. */
  | {
      readonly kind: 'snapshot'
      /** A step a call; returns what is to be told of its completion once it has caught up. */
      readonly script: Iterator<void, object | null>
    }
  /** It knows the board as of an earlier stamp, which its seats have. */
  | {
      readonly kind: 'behind'
      /** Told when it has caught up; null when that has been told. */
      readonly completion: object | null
    }
  /** It knows all up to the last tick. */
  | { readonly kind: 'live' }
  | { readonly kind: 'gone' }

export type PhaseKind = Phase['kind']

/** The phases that carry nothing are one object each. */
export const idle: Phase = { kind: 'idle' }
export const live: Phase = { kind: 'live' }
export const gone: Phase = { kind: 'gone' }

export interface Member {
  readonly connection: Connection
  readonly framing: Framing
  readonly options: ClientOptions
  nextNumber: number
  phase: Phase
  /** Of the channels it hears, in the order of their snapshots. */
  seats: readonly Seat[]
  /** Whether `resync` means something to it: others would keep what is gone. */
  knowsResync: boolean
  /** Since when (monotonic ms) the socket has been full; -1 when it takes frames. */
  fullSince: number
  /** Frames handed to a full socket. */
  heldFrames: number
  nextHeartbeatAt: number
  nextHoldAt: number
  /** A client that asks for something else again and again is not served each time. */
  nextBeginAt: number
}

export const noSeats: readonly Seat[] = []

/** @param now monotonic ms */
export function createMember(
  connection: Connection,
  framing: Framing,
  options: ClientOptions,
  now: number,
): Member {
  return {
    connection,
    framing,
    options,
    nextNumber: 1,
    phase: idle,
    seats: noSeats,
    knowsResync: false,
    fullSince: -1,
    heldFrames: 0,
    nextHeartbeatAt: now + options.heartbeatMs,
    nextHoldAt: Number.NEGATIVE_INFINITY,
    nextBeginAt: Number.NEGATIVE_INFINITY,
  }
}

/** Whether its socket takes frames. */
export const isOpen = (member: Member) => member.fullSince < 0 && member.phase !== gone
