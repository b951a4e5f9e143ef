/** The health of an API in real time, first without a pipeline that decides its log, then with one. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { readinessAnswer } from '../../schemas/http/health.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess({ monotonic: () => performance.now() })
})
afterAll(() => service.close())

/** Ingests two prices, which the test's processor decides. There are no ticks. */
async function decide() {
  await service.ingest([oddsRecord(service.clock(), { sportsbook: 'fanduel' })])
  await service.settled()
}

const pipelines = async () => {
  const { body } = await service.request('/health')
  const { body: readiness } = await service.request('/readyz')
  return [body.status, readinessAnswer.parse(readiness).checks.pipelines?.status]
}
const within = { interval: 200 }

it('is degraded once nothing has been decided for ten seconds, and ok when something is', async () => {
  await decide()
  await expect.poll(pipelines, within).toEqual(['ok', 'ok'])
  await expect.poll(pipelines, within).toEqual(['degraded', 'degraded'])
  const { body } = await service.request('/readyz')
  expect(body.checks.pipelines.message).toMatch(/^No pipeline has decided anything for \d+ s\.$/)
  await decide()
  await expect.poll(pipelines, within).toEqual(['ok', 'ok'])
})
