import { expect, it } from 'vitest'
import type { Client } from '../../api/stream/delivery/channel.ts'
import { gone, live } from '../../api/stream/delivery/client.ts'
import type { Delivery } from '../../api/stream/delivery/delivery.ts'
import { createHeartbeats, proofPatienceMs } from '../../api/stream/fanout/heartbeats.ts'

const clientWith = (fullSince = -1) => {
  const state = { holds: 0 }
  const client = {
    phase: live,
    fullSince,
    nextHeartbeatAt: 0,
    nextHoldAt: 0,
    connection: { hold: () => void state.holds++ },
    options: { heartbeatMs: 30_000, heartbeat: () => ({}) },
  } as unknown as Client
  return { client, state }
}

/**
 * Sends heartbeats to these clients, counted by tick. A proof takes 5 ms.
 * @param pending a client whose proof never comes
 */
function createBeating(clients: readonly Client[], pending?: Client) {
  const proofMs = 5
  const beaten: Client[] = []
  let spent = 0
  const heartbeats = createHeartbeats({
    clients,
    delivery: { sendMessage: (client: Client) => beaten.push(client) } as unknown as Delivery,
    proof(client) {
      spent += proofMs
      return client === pending ? null : {}
    },
  })
  return {
    beaten,
    tickAt(now: number) {
      const before = beaten.length
      spent = 0
      heartbeats.tick({ now, spent: () => spent }, 0)
      return beaten.length - before
    },
  }
}

it('expensive proofs are spread over several ticks, each client once', () => {
  const clients = Array.from({ length: 10 }, () => clientWith().client)
  const { beaten, tickAt } = createBeating(clients)
  expect([10, 20, 30, 40, 50, 60].map(tickAt)).toEqual([2, 2, 2, 2, 2, 0])
  expect(new Set(beaten).size).toBe(10)
})

it('a missing proof delays no other client', () => {
  const [first, second, full] = [clientWith(), clientWith(), clientWith(1)]
  const clients = [first.client, second.client, full.client]
  const { beaten, tickAt } = createBeating(clients, first.client)
  expect([10, 20].map(tickAt)).toEqual([0, 1])
  expect(beaten).toEqual([second.client])
  expect(full.state.holds).toBe(1)
  for (let now = 30; now < proofPatienceMs; now += 10) expect(tickAt(now)).toBe(0)
  // Its own heartbeat comes without a proof in the end.
  expect(tickAt(proofPatienceMs)).toBe(1)
  expect(beaten).toEqual([second.client, first.client])
  expect(full.state.holds).toBe(2)
})

it('a client gone by its turn is sent nothing', () => {
  const [first, second] = [clientWith(), clientWith()]
  const { beaten, tickAt } = createBeating([first.client, second.client], first.client)
  tickAt(10)
  second.client.phase = gone
  tickAt(20)
  expect(beaten).toEqual([])
})
