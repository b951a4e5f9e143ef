/** What an API says of pipelines from what the log has committed for them. */

import { expect, it } from 'vitest'
import { createLags } from '../../api/metrics/lags.ts'
import { pipelinesCheck } from '../../api/routes/health.ts'

function createWatched() {
  let now = 0
  let committed: readonly number[] | null = [5, 7]
  const lags = createLags(
    {
      behind: async () => [],
      lagByPartition: async () => [],
      async committed() {
        if (!committed) throw new Error('away')
        return committed
      },
    },
    { live: { position: null } as never },
    () => now,
  )
  return {
    lookAt(at: number, offsets: readonly number[] | null) {
      now = at
      committed = offsets
      return lags.silence.now()
    },
  }
}

it('a partition is silent since what is committed of it has stood still', async () => {
  const { lookAt } = createWatched()
  expect(await lookAt(0, [5, 7])).toEqual([0, 0])
  expect(await lookAt(5_000, [6, 7])).toEqual([0, 5_000])
  expect(await lookAt(71_000, [6, 7])).toEqual([66_000, 71_000])
  expect(await lookAt(72_000, [9, 8])).toEqual([0, 0])
})

it('silence counts anew behind an outage of the log', async () => {
  const { lookAt } = createWatched()
  await lookAt(0, [5, 7])
  expect(await lookAt(60_000, null)).toBe(null)
  expect(await lookAt(61_000, [5, 7])).toEqual([0, 0])
  expect(await lookAt(63_000, [5, 7])).toEqual([2_000, 2_000])
})

it('says in words that no pipeline decides anything, or where', () => {
  const check = (silence: readonly number[], waiting = [0, 0], isRecorded = false) =>
    pipelinesCheck(silence, waiting, isRecorded)
  expect(check([9_999, 0])).toEqual({ status: 'ok' })
  expect(check([66_000, 66_400])).toEqual({
    status: 'degraded',
    message: 'No pipeline has decided anything for 66 s.',
  })
  expect(check([2_000, 66_000])).toEqual({
    status: 'degraded',
    message: 'No pipeline has decided anything of partition 1 for 66 s.',
  })
  // A recording that has ended brings no tick.
  expect(check([66_000, 66_000], [0, 0], true)).toEqual({ status: 'ok' })
  expect(check([66_000, 66_000], [3, 3], true)).toMatchObject({ status: 'degraded' })
})
