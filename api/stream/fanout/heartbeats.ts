/** Sends heartbeats, keeps full sockets open, and ends those that stay full. */

import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { Client, Turn } from '../delivery/channel.ts'
import { isOpen, live } from '../delivery/client.ts'
import type { Delivery } from '../delivery/delivery.ts'

/** How often to look for clients that are due a heartbeat or have stalled. */
const heartbeatTickMs = 250
/** A socket that takes nothing for this long is closed. */
const stallMs = 30_000
const holdMs = 4_000
/** Time for heartbeats in one tick, beyond the first one, because the proof of a large book takes long. */
const beatMs = 8
/** After this long the heartbeat, or the completion, is sent without the proof. */
export const proofPatienceMs = 5_000

export interface Heartbeats {
  /**
   * Sends due heartbeats, in rotation. A client waits for the next tick if its proof is not
   * finished or no time is left.
   * @param time epoch ms
   */
  tick(turn: Turn, time: number): void
}

export interface HeartbeatsOptions {
  readonly clients: Iterable<Client>
  readonly delivery: Delivery
  /** Returns the proof for a client's heartbeat; null until further calls complete it. */
  readonly proof: (client: Client) => object | null
}

export function createHeartbeats(options: HeartbeatsOptions): Heartbeats {
  const { clients, delivery, proof } = options
  let nextAt = Number.NEGATIVE_INFINITY
  /** Clients whose heartbeat is due, next first. */
  const due = new Set<Client>()

  function lookAtAll(now: number) {
    for (const client of clients) {
      if (client.fullSince >= 0) lookAtFull(client, now)
      else if (now >= client.nextHeartbeatAt) due.add(client)
    }
  }

  function lookAtFull(client: Client, now: number) {
    if (now - client.fullSince > stallMs) {
      delivery.fail(client, 'backpressure', 'Read too slowly: narrow the filters.', 1013)
    } else if (now >= client.nextHoldAt) {
      client.nextHoldAt = now + holdMs
      client.connection.hold()
    }
  }

  /**
   * @param until when to stop work on the proof (ms of the turn)
   * @returns whether the client is no longer due
   */
  function beat(client: Client, turn: Turn, time: string, until: number): boolean {
    const { now } = turn
    const { phase, options } = client
    if (!isOpen(client)) return true
    // A client whose snapshot is being sent needs no heartbeat.
    if (phase.kind === 'snapshot') return true
    const proven = phase === live ? proofOf(client, turn, until) : {}
    if (!proven && now < client.nextHeartbeatAt + proofPatienceMs) return false
    client.nextHeartbeatAt = now + options.heartbeatMs
    delivery.sendMessage(client, 'heartbeat', { ...options.heartbeat(time), ...proven })
    return true
  }

  function proofOf(client: Client, turn: Turn, until: number): object | null {
    for (;;) {
      const proven = proof(client)
      if (proven || turn.spent() >= until) return proven
    }
  }

  return {
    tick(turn, time) {
      const { now, spent } = turn
      if (now >= nextAt) {
        nextAt = now + heartbeatTickMs
        lookAtAll(now)
      }
      if (due.size === 0) return
      const timestamp = isoTime(time)
      const until = spent() + beatMs
      let turns = due.size
      for (const client of due) {
        if (turns-- === 0) return
        due.delete(client)
        if (!beat(client, turn, timestamp, until)) due.add(client)
        if (spent() >= until) return
      }
    },
  }
}
