/** `/readyz` about silent pipelines over HTTP, on a stepped clock. The nightly test uses real time. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSink } from '../../pipeline/feeds/sink.ts'
import { readinessAnswer } from '../../schemas/http/health.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'

let service: InProcess
let monotonicMs: number
beforeEach(async () => {
  monotonicMs = 0
  service = await startInProcess({ monotonic: () => monotonicMs })
  await service.ingest([oddsRecord(service.clock(), { sportsbook: 'fanduel' })])
  await service.settled()
})
afterEach(() => service.close())

const pipelines = async () => {
  const { body } = await service.request('/readyz')
  return readinessAnswer.parse(body).checks.pipelines
}

/** Counts the queries for the lag of the pipeline. */
function countLagQuestions() {
  const { log } = service
  const { lagByPartition } = log
  const questions = { count: 0 }
  log.lagByPartition = (...asked) => {
    questions.count++
    return lagByPartition(...asked)
  }
  return questions
}

it('does not stay ok while the query hangs', async () => {
  await expect.poll(pipelines).toEqual({ status: 'ok' })
  service.log.committed = () => new Promise(() => {})
  monotonicMs = 6_000
  expect(await pipelines()).toEqual({ status: 'ok' })
  monotonicMs = 31_000
  expect(await pipelines()).toMatchObject({ status: 'degraded' })
})

it('queries the lag while a recording is played, whoever looks, and not without one', async () => {
  const questions = countLagQuestions()
  await expect.poll(pipelines).toEqual({ status: 'ok' })
  monotonicMs = 6_000
  await pipelines()
  expect(questions.count).toBe(0)
  const observedAt = service.clock()
  await createSink(service.log, service.clock).publish([
    { type: 'tick', observedAt, isRecorded: true },
  ])
  await expect.poll(() => questions.count).toBe(1)
  monotonicMs = 3_600_000
  await expect.poll(() => questions.count).toBe(2)
  expect(await pipelines()).toEqual({ status: 'ok' })
})
