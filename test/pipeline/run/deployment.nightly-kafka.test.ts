/** Two deployments with the same brokers and topic prefix, as real processes. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { type Service, startService } from '../../service.ts'

const kafka = inject('kafka')
const why = 'reason' in kafka ? ` (skipped: ${kafka.reason})` : ''

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test.skipIf('reason' in kafka)(
  `a stranger is refused before it writes a price, and the pipeline that runs says so${why}`,
  async () => {
    if ('reason' in kafka) return
    const shared = {
      OVERROUND_LOG_LEVEL: 'info',
      OVERROUND_KAFKA_BROKERS: kafka.brokers.join(','),
      OVERROUND_SCHEMA_REGISTRY_URL: kafka.registryUrl,
      OVERROUND_KAFKA_TOPIC_PREFIX: `deployment-${randomUUID().slice(0, 8)}.`,
      OVERROUND_KAFKA_PARTITIONS: '2',
    }
    const start = async (env: Record<string, string>): Promise<Service> => {
      const directory = mkdtempSync(join(tmpdir(), 'overround-deployment-'))
      closing.push(() => rmSync(directory, { recursive: true }))
      const service = await startService({
        env: { ...shared, OVERROUND_DATA_DIR: directory, ...env },
        early: true,
      })
      closing.push(() => service.kill())
      return service
    }
    const refusal = async (env: Record<string, string>) => {
      const service = await start(env)
      expect(await service.ended).toBe(1)
      return /^overround cannot start: .*$/m.exec(service.output())?.[0]
    }

    const production = {
      OVERROUND_ROLE: 'pipeline',
      OVERROUND_FEEDS: 'none',
      OVERROUND_HEALTH_PORT: '0',
      OVERROUND_DEPLOYMENT: 'desk',
    }
    const pipeline = await start(production)
    await expect.poll(pipeline.output).toContain('the log belongs to this deployment')
    await expect.poll(pipeline.output).toContain('tables restored')

    const pipelineOf = { OVERROUND_ROLE: 'pipeline', OVERROUND_FEEDS: 'simulator' }
    expect(await refusal({ ...pipelineOf, OVERROUND_DEPLOYMENT: 'desk' })).toMatch(
      /belong to the deployment desk, with live prices .* is of the deployment desk, with simulated prices/,
    )
    // In a single process, the pipeline's thread is refused.
    expect(await refusal({ OVERROUND_DEPLOYMENT: 'trial' })).toMatch(
      /and this process is of the deployment trial, with simulated prices/,
    )
    expect(await refusal({ OVERROUND_ROLE: 'api' })).toMatch(/a deployment without a name/)
    const port = /"port":(\d+),"msg":"health port listening"/.exec(pipeline.output())![1]
    const strangers = async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      return /^overround_pipeline_strangers_total (\d+)/m.exec(text)?.[1]
    }
    await expect.poll(strangers).toBe('3')
    expect(pipeline.output().split('a process of another deployment was refused')).toHaveLength(4)

    // A rolling change of a setting reaches another pipeline of the same deployment.
    const next = await start({ ...production, OVERROUND_SHARP_BOOK: 'circa' })
    await expect.poll(next.output).toContain('settings that decide differ')
    await expect.poll(pipeline.output).toContain('another pipeline decides by other settings')
    expect([await next.stop(), await pipeline.stop()]).toEqual([0, 0])
  },
)
