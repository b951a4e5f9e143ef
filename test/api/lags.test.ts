/** The lag of pipelines that an API reports, by their committed offsets. */

import { expect, it } from 'vitest'
import { createLags, type Silence } from '../../api/metrics/lags.ts'
import { pipelinesCheck } from '../../api/routes/health.ts'

const never = () => new Promise<never>(() => {})

/** Creates a log whose responses and clock the test sets. */
function createWatched() {
  let now = 0
  const log = {
    committed: async (): Promise<readonly number[]> => [5, 7],
    waiting: [0, 0] as readonly number[],
    isAway: false,
    lagAskedCount: 0,
  }
  const boards = { live: { position: null } as never, isRecorded: false }
  const lags = createLags(
    {
      behind: async () => [],
      committed: () => log.committed(),
      async lagByPartition() {
        log.lagAskedCount++
        return log.waiting
      },
      outage: () => (log.isAway ? { forMs: 1_500, reason: 'no answer' } : null),
    },
    boards,
    () => now,
  )
  const answered = () => new Promise(setImmediate)

  async function silentAt(at: number, offsets: readonly number[] | null = null) {
    now = at
    if (offsets) log.committed = async () => offsets
    return (await lags.silence.now())?.byPartition ?? null
  }

  /** Polls once a second, as the API does. */
  async function lookUntil(at: number) {
    for (; now < at; now += 1_000) {
      lags.poll()
      await answered()
    }
  }

  /** Returns the current response of `/health`. */
  function check() {
    const recording = boards.isRecorded ? { waiting: lags.pipelines.last() } : null
    return pipelinesCheck(lags.silence.last(), recording)
  }
  return { log, boards, lags, silentAt, lookUntil, check }
}

it('a partition is silent since its committed offset stopped moving', async () => {
  const { silentAt } = createWatched()
  expect(await silentAt(0, [5, 7])).toEqual([0, 0])
  expect(await silentAt(5_000, [6, 7])).toEqual([0, 5_000])
  expect(await silentAt(71_000, [6, 7])).toEqual([66_000, 71_000])
  expect(await silentAt(72_000, [9, 8])).toEqual([0, 0])
})

it('silence grows while the query hangs, and nothing reported stays "ok"', async () => {
  const { log, lags, lookUntil, check } = createWatched()
  await lookUntil(2_000)
  log.committed = never
  await lookUntil(9_000)
  expect(check()).toEqual({ status: 'ok' })
  await lookUntil(12_000)
  expect(lags.silence.last()).toEqual({ byPartition: [12_000, 12_000], answerAgeMs: 12_000 })
  expect(check()).toEqual({
    status: 'degraded',
    message: 'The log has not said for 12 s what pipelines have decided.',
  })
})

it('silence grows after a failed query, and restarts after an outage of the log', async () => {
  const { log, silentAt } = createWatched()
  await silentAt(0, [5, 7])
  log.committed = () => Promise.reject(new Error('held by a transaction'))
  expect(await silentAt(60_000)).toEqual([60_000, 60_000])
  expect(await silentAt(61_000, [5, 7])).toEqual([61_000, 61_000])
  log.isAway = true
  expect(await silentAt(62_000)).toBe(null)
  log.isAway = false
  expect(await silentAt(63_000)).toEqual([0, 0])
  expect(await silentAt(65_000)).toEqual([2_000, 2_000])
})

it('a recording that has ended is ok at the first look, however long ago the last look was', async () => {
  const { log, boards, lookUntil, check } = createWatched()
  boards.isRecorded = true
  log.waiting = [500, 0]
  await lookUntil(2_000)
  expect(check()).toEqual({ status: 'ok' })
  log.waiting = [0, 0]
  await lookUntil(3_600_000)
  expect(check()).toEqual({ status: 'ok' })
})

it('a pipeline that hangs in a recording is reported at the first look', async () => {
  const { log, boards, lookUntil, check } = createWatched()
  boards.isRecorded = true
  log.waiting = [500, 0]
  await lookUntil(60_000)
  expect(check()).toEqual({
    status: 'degraded',
    message: 'No pipeline has decided anything of partition 0 for 60 s.',
  })
})

it('without a recording the lag is not queried', async () => {
  const { log, lookUntil, check } = createWatched()
  await lookUntil(60_000)
  expect(check()).toMatchObject({ status: 'degraded' })
  expect(log.lagAskedCount).toBe(0)
})

it('the lag of a board that has not begun to read is unknown', async () => {
  const { lags } = createWatched()
  expect(await lags.api.now()).toBe(null)
})

it('the message says that no pipeline decides anything, or on which partition', () => {
  const silenceOf = (byPartition: readonly number[]): Silence => ({ byPartition, answerAgeMs: 0 })
  const check = (byPartition: readonly number[]) => pipelinesCheck(silenceOf(byPartition), null)
  expect(check([9_999, 0])).toEqual({ status: 'ok' })
  expect(check([66_000, 66_400])).toEqual({
    status: 'degraded',
    message: 'No pipeline has decided anything for 66 s.',
  })
  expect(check([2_000, 66_000])).toEqual({
    status: 'degraded',
    message: 'No pipeline has decided anything of partition 1 for 66 s.',
  })
  expect(pipelinesCheck(null, null)).toBe(null)
  // A recording that has ended sends no more ticks.
  const ofRecording = (waiting: readonly number[] | null, byPartition = [66_000, 66_000]) =>
    pipelinesCheck(silenceOf(byPartition), { waiting })
  expect(ofRecording([0, 0])).toEqual({ status: 'ok' })
  expect(ofRecording([3, 3])).toMatchObject({ status: 'degraded' })
  expect(ofRecording(null)).toBe(null)
  expect(ofRecording(null, [2_000, 2_000])).toEqual({ status: 'ok' })
})
