import { expect, it } from 'vitest'
import type { Member } from '../../api/stream/channel.ts'
import type { Delivery } from '../../api/stream/delivery.ts'
import { createHeartbeats } from '../../api/stream/heartbeats.ts'
import { live } from '../../api/stream/member.ts'

it('dear proofs are told over several ticks, each client once', () => {
  const proofMs = 5
  const told: Member[] = []
  let spent = 0
  const members = Array.from({ length: 10 }, () => ({
    phase: live,
    fullSince: -1,
    nextHeartbeatAt: 0,
    options: { heartbeatMs: 30_000, heartbeat: () => ({}) },
  })) as unknown as Member[]
  const heartbeats = createHeartbeats({
    members,
    delivery: { tell: (member: Member) => told.push(member) } as unknown as Delivery,
    proof() {
      spent += proofMs
      return {}
    },
  })
  const ofTicks: number[] = []
  for (let tick = 1; tick <= 6; tick++) {
    const before = told.length
    spent = 0
    heartbeats.tick({ now: 10 * tick, spent: () => spent }, 0)
    ofTicks.push(told.length - before)
  }
  expect(ofTicks).toEqual([2, 2, 2, 2, 2, 0])
  expect(new Set(told).size).toBe(10)
})
