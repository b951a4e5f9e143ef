/**
 * What the fan-out keeps of a client: one object of a fixed shape, whose phase says what is being done
 * for it and carries what only that needs. What a channel keeps of it is the channel's own seat.
 */

import type { Framing } from '../framing/framing.ts'
import type { Client, ClientOptions, Connection, Phase, Start, Subscription } from './channel.ts'

export const fromSnapshot: Start = { from: 'snapshot' }

/** The phases that carry nothing are one object each. */
export const idle: Phase = { kind: 'idle' }
export const live: Phase = { kind: 'live' }
export const gone: Phase = { kind: 'gone' }

export const noSubscriptions: readonly Subscription[] = []

/** @param now monotonic ms */
export function createClient(
  connection: Connection,
  framing: Framing,
  options: ClientOptions,
  now: number,
): Client {
  return {
    connection,
    framing,
    options,
    nextNumber: 1,
    phase: idle,
    scope: null,
    payer: null,
    subscriptions: noSubscriptions,
    knowsResync: false,
    fullSince: -1,
    heldFrames: 0,
    nextHeartbeatAt: now + options.heartbeatMs,
    nextHoldAt: Number.NEGATIVE_INFINITY,
    nextBeginAt: Number.NEGATIVE_INFINITY,
  }
}

/** Whether its socket takes frames. */
export const isOpen = (client: Client) => client.fullSince < 0 && client.phase !== gone
