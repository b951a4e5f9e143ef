/** Shares of a membership that the test controls; `kafka-log.kafka.test.ts` tests them with a broker. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Membership } from '../../../../pipeline/log/kafka/group.ts'
import { openShares, type ShareLease } from '../../../../pipeline/log/kafka/share-leases.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Opens the shares of a member that holds one, and is heard by its group from time to time. */
function openOne() {
  let confirmedAt = performance.now()
  const membership: Membership = {
    holds: () => ['0'],
    confirmedAt: () => confirmedAt,
    change: () => new Promise(() => {}),
    leave: async () => {},
  }
  const leases: ShareLease[] = []
  const stop = new AbortController()
  const open = async (lease: ShareLease) => {
    leases.push(lease)
    return { whenIdle: async () => {}, close: async () => {} }
  }
  const shares = openShares(membership, open, stop.signal)
  return {
    ...{ leases, stop, shares },
    confirm() {
      confirmedAt = performance.now()
    },
  }
}

it('a share that another process has taken over is opened anew once the group confirms the member', async () => {
  const { leases, stop, shares, confirm } = openOne()
  await shares.next()
  await vi.advanceTimersByTimeAsync(60_000)
  leases[0]!.giveUp()
  await vi.advanceTimersByTimeAsync(100)
  confirm()
  await vi.advanceTimersByTimeAsync(1_000)
  // The member may not know yet of a rebalance.
  expect(leases.length).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(leases.length).toBe(2)
  stop.abort()
  await shares.return()
})

it('a member that its group does not hear leaves a share to the process that has taken it over', async () => {
  const { leases, stop, shares, confirm } = openOne()
  await shares.next()
  await vi.advanceTimersByTimeAsync(60_000)
  leases[0]!.giveUp()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(leases.length).toBe(1)
  confirm()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(leases.length).toBe(2)
  stop.abort()
  await shares.return()
})

it('a share that is taken over before it is restored is left alone twice as long each time', async () => {
  const { leases, stop, shares, confirm } = openOne()
  await shares.next()
  /** @returns how long the share stays closed (ms), in steps of the look at the group */
  const pauseAfterGivingUp = async () => {
    const count = leases.length
    const from = performance.now()
    leases.at(-1)!.giveUp()
    while (leases.length === count) {
      await vi.advanceTimersByTimeAsync(1_000)
      confirm()
    }
    return performance.now() - from
  }
  const pauses: number[] = []
  for (let time = 0; time < 6; time++) pauses.push(await pauseAfterGivingUp())
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 32_000])
  leases.at(-1)!.restored()
  expect(await pauseAfterGivingUp()).toBe(2_000)
  stop.abort()
  await shares.return()
})
