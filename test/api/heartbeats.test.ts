import { expect, it } from 'vitest'
import type { Member } from '../../api/stream/delivery/channel.ts'
import type { Delivery } from '../../api/stream/delivery/delivery.ts'
import { gone, live } from '../../api/stream/delivery/member.ts'
import { createHeartbeats, proofPatienceMs } from '../../api/stream/fanout/heartbeats.ts'

const memberOf = (fullSince = -1) => {
  const state = { holds: 0 }
  const member = {
    phase: live,
    fullSince,
    nextHeartbeatAt: 0,
    nextHoldAt: 0,
    connection: { hold: () => void state.holds++ },
    options: { heartbeatMs: 30_000, heartbeat: () => ({}) },
  } as unknown as Member
  return { member, state }
}

/** Heartbeats of these, and how many each tick told: a proof takes 5 ms. @param pending whose proof never comes */
function createBeating(members: readonly Member[], pending?: Member) {
  const proofMs = 5
  const told: Member[] = []
  let spent = 0
  const heartbeats = createHeartbeats({
    members,
    delivery: { tell: (member: Member) => told.push(member) } as unknown as Delivery,
    proof(member) {
      spent += proofMs
      return member === pending ? null : {}
    },
  })
  return {
    told,
    tickAt(now: number) {
      const before = told.length
      spent = 0
      heartbeats.tick({ now, spent: () => spent }, 0)
      return told.length - before
    },
  }
}

it('dear proofs are told over several ticks, each client once', () => {
  const members = Array.from({ length: 10 }, () => memberOf().member)
  const { told, tickAt } = createBeating(members)
  expect([10, 20, 30, 40, 50, 60].map(tickAt)).toEqual([2, 2, 2, 2, 2, 0])
  expect(new Set(told).size).toBe(10)
})

it('a proof that does not come keeps nobody else waiting', () => {
  const [first, second, full] = [memberOf(), memberOf(), memberOf(1)]
  const members = [first.member, second.member, full.member]
  const { told, tickAt } = createBeating(members, first.member)
  expect([10, 20].map(tickAt)).toEqual([0, 1])
  expect(told).toEqual([second.member])
  expect(full.state.holds).toBe(1)
  for (let now = 30; now < proofPatienceMs; now += 10) expect(tickAt(now)).toBe(0)
  // Its own comes without one in the end.
  expect(tickAt(proofPatienceMs)).toBe(1)
  expect(told).toEqual([second.member, first.member])
  expect(full.state.holds).toBe(2)
})

it('who is gone by its turn is told nothing', () => {
  const [first, second] = [memberOf(), memberOf()]
  const { told, tickAt } = createBeating([first.member, second.member], first.member)
  tickAt(10)
  second.member.phase = gone
  tickAt(20)
  expect(told).toEqual([])
})
