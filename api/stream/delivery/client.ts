/** The fan-out's record of a client: one object of a fixed shape. Data of one phase is in `phase`. */

import type { Framing } from '../framing/framing.ts'
import type { Client, ClientOptions, Connection, Phase, Start, Subscription } from './channel.ts'

export const fromSnapshot: Start = { from: 'snapshot' }

/** Phases without data. All clients share one object of each. */
export const idle: Phase = { kind: 'idle' }
export const live: Phase = { kind: 'live' }
export const gone: Phase = { kind: 'gone' }

export const noSubscriptions: readonly Subscription[] = []

export function createClient(
  connection: Connection,
  framing: Framing,
  options: ClientOptions,
): Client {
  return {
    connection,
    framing,
    options,
    nextNumber: 1,
    phase: idle,
    query: null,
    payer: null,
    subscriptions: noSubscriptions,
    knowsResync: false,
    fullSince: -1,
    heldFrames: 0,
    // Heartbeats begin after `connected`.
    nextHeartbeatAt: Number.POSITIVE_INFINITY,
    nextHoldAt: Number.NEGATIVE_INFINITY,
    nextBeginAt: Number.NEGATIVE_INFINITY,
  }
}

/** Returns whether the socket takes frames. */
export const isOpen = (client: Client) => client.fullSince < 0 && client.phase !== gone
