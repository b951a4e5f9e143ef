/** Signs of life: heartbeats, sockets that are kept, and an end for those that take nothing. */

import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { Client, Turn } from '../delivery/channel.ts'
import { isOpen, live } from '../delivery/client.ts'
import type { Delivery } from '../delivery/delivery.ts'

/** How often clients are looked through for those who are due a heartbeat, or have stalled. */
const heartbeatTickMs = 250
/** A socket that takes nothing for so long is given up. */
const stallMs = 30_000
const holdMs = 4_000
/** Work on heartbeats in one tick, beyond the first: a proof of a large book takes long, and others wait. */
const beatMs = 8
/** A proof that takes longer is not waited for: the heartbeat, or the completion, comes without it. */
export const proofPatienceMs = 5_000

export interface Heartbeats {
  /**
   * Looks for those who are due, and tells them their heartbeats in turn; whoever there is no time for, or whose
   * proof is not there yet, goes on with the next tick, and nobody has a second turn before the others' first.
   * @param time epoch ms
   */
  tick(turn: Turn, time: number): void
}

export interface HeartbeatsOptions {
  readonly clients: Iterable<Client>
  readonly delivery: Delivery
  /** The proof of a client's book, which its heartbeat carries; null while it is being worked out. */
  readonly proof: (client: Client) => object | null
}

export function createHeartbeats(options: HeartbeatsOptions): Heartbeats {
  const { clients, delivery, proof } = options
  let nextAt = Number.NEGATIVE_INFINITY
  /** Who is due a heartbeat, in the order of their turns. */
  const due = new Set<Client>()

  function lookAtAll(now: number) {
    for (const client of clients) {
      if (client.fullSince >= 0) lookAtFull(client, now)
      else if (now >= client.nextHeartbeatAt) due.add(client)
    }
  }

  function lookAtFull(client: Client, now: number) {
    if (now - client.fullSince > stallMs) {
      delivery.fail(client, 'backpressure', 'The stream is read too slowly.', 1013)
    } else if (now >= client.nextHoldAt) {
      client.nextHoldAt = now + holdMs
      client.connection.hold()
    }
  }

  /**
   * @param until of the turn's time: so long its proof may be worked on
   * @returns whether it is no longer due
   */
  function beat(client: Client, turn: Turn, time: string, until: number): boolean {
    const { now } = turn
    const { phase, options } = client
    if (!isOpen(client)) return true
    // A client that has asked for nothing gets no heartbeat; one that is given a snapshot needs none.
    if (phase.kind === 'idle' || phase.kind === 'snapshot') return true
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
