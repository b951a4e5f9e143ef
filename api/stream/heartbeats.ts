/** Signs of life: heartbeats, sockets that are kept, and an end for those that take nothing. */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { Member, Turn } from './channel.ts'
import type { Delivery } from './delivery.ts'
import { live } from './member.ts'

/** How often clients are looked through for those who are due a heartbeat, or have stalled. */
const heartbeatTickMs = 250
/** A socket that takes nothing for so long is given up. */
const stallMs = 30_000
const holdMs = 4_000
/** Work on heartbeats in one tick, beyond the first: a proof of a large book takes long, and others wait. */
const beatMs = 8

export interface Heartbeats {
  /**
   * Looks at everybody, when that is due; whoever there is no time for has the next tick.
   * @param time epoch ms
   */
  tick(turn: Turn, time: number): void
}

export interface HeartbeatsOptions {
  readonly members: Iterable<Member>
  readonly delivery: Delivery
  /** The proof of a client's book, which its heartbeat carries. */
  readonly proof: (member: Member) => object
}

export function createHeartbeats(options: HeartbeatsOptions): Heartbeats {
  const { members, delivery, proof } = options
  let nextAt = Number.NEGATIVE_INFINITY

  function lookAtFull(member: Member, now: number) {
    if (now - member.fullSince > stallMs) {
      delivery.fail(member, 'backpressure', 'The stream is read too slowly.', 1013)
    } else if (now >= member.nextHoldAt) {
      member.nextHoldAt = now + holdMs
      member.connection.hold()
    }
  }

  function beat(member: Member, now: number, time: string) {
    const { phase, options } = member
    // A client that has asked for nothing gets no heartbeat; one that is given a snapshot needs none.
    if (phase.kind === 'idle' || phase.kind === 'snapshot') return
    member.nextHeartbeatAt = now + options.heartbeatMs
    const proven = phase === live ? proof(member) : {}
    delivery.tell(member, 'heartbeat', { ...options.heartbeat(time), ...proven })
  }

  return {
    tick({ now, spent }, time) {
      if (now < nextAt) return
      nextAt = now + heartbeatTickMs
      const timestamp = isoTime(time)
      const before = spent()
      for (const member of members) {
        if (member.fullSince >= 0) lookAtFull(member, now)
        else if (now >= member.nextHeartbeatAt) {
          beat(member, now, timestamp)
          if (spent() - before < beatMs) continue
          nextAt = now
          return
        }
      }
    },
  }
}
