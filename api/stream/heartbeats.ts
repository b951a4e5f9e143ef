/** Signs of life: heartbeats, sockets that are kept, and an end for those that take nothing. */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { Delivery } from './delivery.ts'
import type { Member } from './member.ts'

/** How often it is looked for who is to hear a heartbeat, or has stalled. */
const heartbeatTickMs = 250
const defaultStallMs = 30_000
const holdMs = 4_000

export interface Heartbeats {
  /** Looks at everybody, when that is due. @param now as `performance.now` tells it */
  tick(now: number): void
}

export interface HeartbeatsOptions {
  readonly members: Iterable<Member>
  readonly clock: () => number
  readonly delivery: Delivery
  /** What a client's book comes to, beside what its heartbeat says. */
  readonly proofOf: (member: Member) => object
  /** A socket that takes nothing for so long is given up. */
  readonly stallMs: number | undefined
}

export function createHeartbeats(options: HeartbeatsOptions): Heartbeats {
  const { members, clock, delivery, proofOf, stallMs = defaultStallMs } = options
  let nextAt = 0

  function look(member: Member, now: number, time: string) {
    if (member.blockedSince > 0) {
      if (now - member.blockedSince > stallMs) {
        delivery.fail(member, 'backpressure', 'The stream is read too slowly.', 1013)
      } else if (now >= member.nextHoldAt) {
        member.nextHoldAt = now + holdMs
        member.connection.hold()
      }
      return
    }
    if (now < member.nextHeartbeatAt || member.phase === 'snapshot') return
    if (!member.subscription) return
    member.nextHeartbeatAt = now + member.options.heartbeatMs
    const proof = member.phase === 'live' ? proofOf(member) : {}
    delivery.tell(member, 'heartbeat', { ...member.options.heartbeat(time), ...proof })
  }

  return {
    tick(now) {
      if (now < nextAt) return
      nextAt = now + heartbeatTickMs
      const time = isoTime(clock())
      for (const member of members) look(member, now, time)
    },
  }
}
