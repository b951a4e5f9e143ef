/** What Prometheus scrapes, and that the rules and the dashboard that are shipped ask for nothing else. */

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createLatencyView } from '../../api/metrics/latency-view.ts'
import { createHistogram } from '../../pipeline/metrics/histogram.ts'
import { createPipelineMetrics } from '../../pipeline/metrics/pipeline-metrics.ts'
import { createRegistry } from '../../pipeline/metrics/registry.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { fillOpportunities } from './filled-board.ts'
import { adminToken, type InProcess, startInProcess } from './service-in-process.ts'

const read = (...path: string[]) => readFileSync(join(projectRoot, ...path), 'utf8')
const rulesPath = ['infra', 'prometheus', 'overround.rules.yaml']
interface Rule {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
}

const rules: Rule[] = parse(read(...rulesPath)).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
)
const recorded = rules.flatMap(({ record }) => record ?? [])
const panels: { title: string; targets: { expr: string }[] }[] = JSON.parse(
  read('infra', 'grafana', 'overround.json'),
).panels

let service: InProcess
let scraped: string
const scrape = async (token?: string) => {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
  const response = await fetch(`http://127.0.0.1:${service.port}/metrics`, { headers })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  }
}
beforeAll(async () => {
  service = await startInProcess()
  await fillOpportunities(service)
  await service.get('/odds')
  await service.get('/odds/nowhere')
  scraped = (await scrape(adminToken)).text
})
afterAll(() => service.close())

const figure = (line: string) => {
  const found = scraped.split('\n').find((one) => one.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

describe('/metrics', () => {
  it('is the operator’s alone', async () => {
    expect((await scrape()).status).toBe(401)
    expect((await scrape('another-token-12345')).status).toBe(401)
    const { status, type } = await scrape(adminToken)
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  })

  it('says what is there, and what was answered', () => {
    const { rows } = service.boards.live
    expect(figure('overround_board_rows{board="live"}')).toBe(rows.size)
    expect(figure('overround_board_events{board="live"}')).toBe(1)
    expect(figure('overround_opportunities{kind="arbitrage"}')).toBe(1)
    expect(figure('overround_ready')).toBe(1)
    expect(figure('overround_http_requests_total{status="404"}')).toBe(1)
    expect(figure('overround_http_request_duration_seconds_count{family="odds"}')).toBe(1)
  })
})

describe('a histogram', () => {
  it('has buckets that include those below, and bounds how many labels there are', async () => {
    const registry = new Registry()
    const options = { name: 'wait_seconds', help: 'Waits.', label: 'who', bounds: [0.1, 1] }
    const histogram = createHistogram(registry, options)
    for (const seconds of [-1, 0.1, 0.5, 3]) histogram.observe('a', seconds)
    expect((await registry.metrics()).trim().split('\n')).toEqual([
      '# HELP wait_seconds Waits.',
      '# TYPE wait_seconds histogram',
      'wait_seconds_bucket{le="0.1",who="a"} 2',
      'wait_seconds_bucket{le="1",who="a"} 3',
      'wait_seconds_bucket{le="+Inf",who="a"} 4',
      'wait_seconds_sum{who="a"} 3.6',
      'wait_seconds_count{who="a"} 4',
    ])
    for (let i = 0; i < 1_000; i++) histogram.observe(`b${i}`, 0)
    expect((await registry.metrics()).match(/^wait_seconds_count/gm)!.length).toBeLessThan(510)
    expect(await registry.metrics()).toContain('wait_seconds_count{who="others"} 501')
  })

  it('has the age of one price in eight, not of those that were there before', async () => {
    const registry = new Registry()
    let now = 0
    const view = createLatencyView(registry, () => now)
    const { topics } = await import('../../schemas/topics.ts')
    const record = (offset: number) => ({
      topic: topics.odds,
      ...{ partition: 0, offset, key: String(offset) },
      value: { sportsbook: 'pinnacle', observedAt: 1_000 },
    })
    const records = Array.from({ length: 20 }, (_, i) => record(i))
    const position = { epoch: 'e', offsets: {} }
    view.apply(records, position, now)
    view.caughtUp?.(now)
    now = 1_500
    // Eighths of three batches in a row: 0, 8, 16, then 4, 12, then 0, 8, 16.
    for (let i = 0; i < 3; i++) view.apply(records, position, now)
    const text = await registry.metrics()
    expect(text).toContain('overround_price_latency_seconds_count{sportsbook="pinnacle"} 8')
    expect(text).toContain('overround_price_latency_seconds_sum{sportsbook="pinnacle"} 4\n')
  })
})

describe('rules and dashboard', () => {
  const known = async () => {
    const registry = createRegistry('pipeline')
    createPipelineMetrics(registry, () => 0)
    const all = scraped + (await registry.metrics())
    const named = [...all.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!)
    // Of a service in one process.
    return new Set([...named, 'overround_pipeline_thread_up'])
  }
  const exprs = [
    ...rules.map(({ alert, record, expr }) => [alert ?? record!, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ]

  it.each(exprs)('%s asks for what there is', async (_, expr) => {
    const names = await known()
    const asked = expr.match(/\b((overround|nodejs|process)_\w+|up\b)/g) ?? []
    expect(asked.length).toBeGreaterThan(0)
    for (const name of asked) expect([...names, 'up']).toContain(name.replace(/_bucket$/, ''))
  })

  it('every alert has what to do about it', () => {
    const guide = read('docs', 'monitoring.md')
    for (const { alert } of rules) if (alert) expect(guide).toContain(`\n### ${alert}\n`)
  })

  it('scalers of Kubernetes go by what there is', async () => {
    const names = [...(await known()), ...recorded]
    const files = ['api.yaml', 'pipeline.yaml'].map((name) => read('infra', 'kubernetes', name))
    const asked = files.flatMap((text) => [...text.matchAll(/metric: \{ name: (\w+) \}/g)])
    expect(asked.length).toBe(2)
    for (const [, name] of asked) expect(names).toContain(name)
  })

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0
  it.skipIf(!hasPromtool)(
    `are as Prometheus takes them${hasPromtool ? '' : ' (skipped: promtool is not installed)'}`,
    async () => {
      execFileSync('promtool', ['check', 'rules', join(projectRoot, ...rulesPath)])
      const registry = createRegistry('pipeline')
      createPipelineMetrics(registry, () => 0)
      for (const input of [scraped, await registry.metrics()]) {
        const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input })
        expect([status, String(stdout), String(stderr)]).toEqual([0, '', ''])
      }
    },
  )
})
