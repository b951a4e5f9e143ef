/** The metrics. The shipped alert rules and dashboard use no others. */

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createLatencyView } from '../../api/metrics/latency-view.ts'
import { createRecentDelays } from '../../api/metrics/recent-delays.ts'
import { createHistogram } from '../../pipeline/metrics/histogram.ts'
import { createPipelineMetrics } from '../../pipeline/metrics/pipeline-metrics.ts'
import { createRegistry, createThreadRegistry } from '../../pipeline/metrics/registry.ts'
import { threadText } from '../../pipeline/process/pipeline-thread.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import type { SourceState } from '../../schemas/source.ts'
import { topics } from '../../schemas/topics.ts'
import { fillOpportunities } from './filled-board.ts'
import { adminToken, type InProcess, keys, startInProcess } from './service-in-process.ts'
import { sourceRow } from './source-row.ts'
import { openEvents, openFrames } from './stream-reader.ts'

const read = (...path: string[]) => readFileSync(join(projectRoot, ...path), 'utf8')
const rulesPath = ['infra', 'prometheus', 'overround.rules.yaml']
const ruleTestsPath = ['infra', 'prometheus', 'overround.tests.yaml']
interface Rule {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
}

/** A configuration of Prometheus, as far as it says how often processes are scraped. */
interface Scraping {
  readonly global?: { readonly scrape_interval: string }
  readonly scrape_configs: { readonly scrape_interval?: string }[]
}

/** @param duration as Prometheus writes it, of one unit */
function secondsOf(duration: string): number {
  const [, count, unit] = /^(\d+)([smh])$/.exec(duration)!
  return Number(count) * { s: 1, m: 60, h: 3_600 }[unit as 's' | 'm' | 'h']
}

const rules: Rule[] = parse(read(...rulesPath)).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
)
const recorded = rules.flatMap(({ record }) => record ?? [])
const panels: { title: string; targets: { expr: string }[] }[] = JSON.parse(
  read('infra', 'grafana', 'overround.json'),
).panels

let service: InProcess
/** The clock of lags (ms). */
let monotonicMs = 0
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
  service = await startInProcess({ monotonic: () => monotonicMs })
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

  it('have the current figures and the responses so far', () => {
    const { rows } = service.boards.live
    expect(figure('overround_board_rows{board="live"}')).toBe(rows.size)
    expect(figure('overround_board_events{board="live"}')).toBe(1)
    expect(figure('overround_opportunities{kind="arbitrage"}')).toBe(1)
    expect(figure('overround_ready')).toBe(1)
    expect(figure('overround_http_requests_total{status="404"}')).toBe(1)
    expect(figure('overround_http_request_duration_seconds_count{family="odds"}')).toBe(1)
    expect(figure('overround_http_errors_total{code="not_found"}')).toBe(1)
    expect(figure('overround_league_newest_change_age_seconds{league="nba"}')).toBe(0)
    expect(figure('overround_league_live_events{league="nba"}')).toBe(0)
  })

  it('have the time since a pipeline last committed on a partition', async () => {
    await expect
      .poll(async () => {
        monotonicMs += 5_000
        const { text } = await scrape(adminToken)
        return Number(
          /^overround_partition_silence_seconds\{partition="0"\} (.+)$/m.exec(text)?.[1],
        )
      })
      .toBeGreaterThan(10)
  })

  it('have the silence of each league', async () => {
    service.advance(20_000)
    const { text } = await scrape(adminToken)
    const [, seconds] = text.match(
      /^overround_league_newest_change_age_seconds\{league="nba"\} (.+)$/m,
    )!
    expect(Number(seconds)).toBeCloseTo(20, 1)
  })

  it('have the lag of the boards behind the log', async () => {
    await expect
      .poll(async () => {
        monotonicMs += 5_000
        return (await scrape(adminToken)).text
      })
      .toContain('\noverround_api_lag_records{partition="0"} 0\n')
  })

  it('have whether a source serves, in part too, and nothing of a paused one', async () => {
    const write = (source: string, state: SourceState) => {
      const value = sourceRow({ source, state, updatedAt: service.clock() })
      return service.log.append([{ topic: topics.sources, partitionKey: 0, key: source, value }])
    }
    const downBooks = async () =>
      (await scrape(adminToken)).text.match(/^overround_source_up\{.*$/gm)?.toSorted() ?? []
    await write('a', 'up')
    await write('b', 'needs_key')
    const [a, b] = ['overround_source_up{source="a"} 1', 'overround_source_up{source="b"} 0']
    await expect.poll(downBooks).toEqual([a, b])
    // Its prices are used, so that no alert calls it down.
    await write('b', 'degraded')
    await expect.poll(downBooks).toEqual([a, 'overround_source_up{source="b"} 1'])
    await write('b', 'paused')
    await expect.poll(downBooks).toEqual([a])
    expect((await scrape(adminToken)).text).toContain('\noverround_sources{state="paused"} 1\n')
  })

  it('have the records left out, like /health', async () => {
    const { log } = service
    const { undecodable } = log
    log.undecodable = () => ({
      counts: new Map([['odds', 3]]),
      last: { topic: 'odds', agoMs: 1_500 },
    })
    const { text } = await scrape(adminToken)
    const { status, body } = await service.request('/health')
    log.undecodable = undecodable
    expect(text).toContain('\noverround_api_undecodable_records_total{topic="odds"} 3\n')
    expect(text).toContain('\noverround_api_undecodable_age_seconds 1.5\n')
    expect([status, body.status, body.checks.schema.status]).toEqual([200, 'degraded', 'degraded'])
    expect((await service.request('/health')).body.checks.schema.status).toBe('ok')
  })

  it('have the records that were deleted before the archiver had read them', async () => {
    const { log } = service
    const { deletedUnread } = log
    log.deletedUnread = () => ({
      counts: new Map([['closing-lines', 2]]),
      last: { topic: 'closing-lines', agoMs: 2_500 },
    })
    const { text } = await scrape(adminToken)
    log.deletedUnread = deletedUnread
    expect(text).toContain(
      '\noverround_api_deleted_unread_records_total{topic="closing-lines"} 2\n',
    )
    expect(text).toContain('\noverround_api_deleted_unread_age_seconds 2.5\n')
  })

  it('have the topics that were deleted or changed, like /readyz', async () => {
    const { log } = service
    const { topicFaults } = log
    const fault = { topic: 'odds', setting: 'cleanup.policy', why: 'rows are deleted by age' }
    log.topicFaults = () => [fault]
    const { text } = await scrape(adminToken)
    const { status, body } = await service.request('/readyz')
    log.topicFaults = topicFaults
    expect(text).toContain(
      '\noverround_log_topic_faults{topic="odds",setting="cleanup.policy"} 1\n',
    )
    expect([status, body.checks.log]).toEqual([
      200,
      {
        status: 'degraded',
        message: 'The topic odds was deleted or changed (cleanup.policy): rows are deleted by age.',
      },
    ])
    expect((await scrape(adminToken)).text).not.toContain('overround_log_topic_faults{')
  })

  it('have what the log says of rights, clocks and certificates', async () => {
    const { log } = service
    const { refusedWrites, clockDifferenceMs, certificates } = log
    expect(scraped).toContain('\noverround_log_refused_seconds 0\n')
    expect(scraped).toContain('\noverround_log_clock_ahead_seconds Nan\n')
    expect(scraped).not.toContain('overround_log_certificate_seconds{')
    const reason = 'append to bets: User:odds lacks the right Write on the topic bets'
    log.refusedWrites = () => ({ forMs: 1_500, reason })
    log.clockDifferenceMs = () => -7_200_000
    log.certificates = () => [{ whose: 'own', endsAt: Date.now() + 864_000_000 }]
    const { text } = await scrape(adminToken)
    const { body } = await service.request('/readyz')
    Object.assign(log, { refusedWrites, clockDifferenceMs, certificates })
    expect(text).toContain('\noverround_log_refused_seconds 1.5\n')
    expect(text).toContain('\noverround_log_clock_ahead_seconds -7200\n')
    const [, left] = /^overround_log_certificate_seconds\{whose="own"\} (.+)$/m.exec(text)!
    expect(Number(left)).toBeGreaterThan(863_000)
    expect(body.checks).toMatchObject({
      log: { status: 'degraded', message: expect.stringContaining(reason) },
      clock: { status: 'degraded', message: expect.stringContaining('7200 s behind') },
    })
  })

  it('have the open streams, the bytes waiting for their sockets, and ended streams', async () => {
    const headers = { 'X-API-Key': keys.sharp }
    const events = await openEvents(`${service.base}/stream?channel=odds`, headers)
    const frames = await openFrames(`${service.base}/ws?channels=odds`, { headers })
    await events.next('snapshot:complete')
    await frames.next('snapshot:complete')
    const opened = (await scrape(adminToken)).text
    expect(opened).toContain('\noverround_streams{transport="sse"} 1\n')
    expect(opened).toContain('\noverround_streams{transport="websocket"} 1\n')
    const measured = (text: string) =>
      [...text.matchAll(/^overround_price_wire_wait_seconds_count\{[^}]*\} (\d+)/gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      )
    const before = measured(opened)

    // Every row of three sportsbooks changes once more. One in eight is measured.
    await fillOpportunities(service, 0.05)
    await events.next('odds:update')
    await expect.poll(async () => measured((await scrape(adminToken)).text)).toBeGreaterThan(before)

    const key = await openFrames(`${service.base}/ws`, { headers: { 'X-API-Key': 'sk_wrong' } })
    await key.closed
    events.close()
    frames.close()
    await expect
      .poll(async () => (await scrape(adminToken)).text)
      .toContain('\noverround_streams{transport="sse"} 0\n')
    const ended = (await scrape(adminToken)).text
    expect(ended).toContain('\noverround_streams_ended_total{reason="invalid_api_key"} 1\n')
  })
})

describe('a histogram', () => {
  it('has cumulative buckets, and a bounded number of labels', async () => {
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

  it('has the age of one price in eight, without those there before', async () => {
    const registry = new Registry()
    const recent = createRecentDelays()
    let now = 0
    const view = createLatencyView(registry, recent, () => now)
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
    // Every eighth record of three batches in a row: 0, 8, 16, then 4, 12, then 0, 8, 16.
    for (let i = 0; i < 3; i++) view.apply(records, position, now)
    const text = await registry.metrics()
    expect(text).toContain('overround_price_latency_seconds_count{sportsbook="pinnacle"} 8')
    expect(text).toContain('overround_price_latency_seconds_sum{sportsbook="pinnacle"} 4\n')
    expect(text).not.toContain('overround_price_clock_ahead_seconds_count')
    // The clock is behind the feeds' clocks.
    now = 600
    view.apply(records.slice(0, 8), position, now)
    const ahead = await registry.metrics()
    expect(ahead).toContain('overround_price_clock_ahead_seconds_sum{sportsbook="pinnacle"} 0.4\n')
  })
})

describe('rules and dashboard', () => {
  /** Returns the metrics of a standalone service: of the process, the API and the pipeline's thread. */
  async function standaloneText() {
    const registry = createThreadRegistry()
    createPipelineMetrics(registry, () => 0)
    const own = await createRegistry('standalone').metrics()
    return own + scraped + threadText(await registry.metrics())
  }
  const known = async () =>
    new Set([...(await standaloneText()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
  const exprs = [
    ...rules.map(({ alert, record, expr }) => [alert ?? record!, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ]

  it.each(exprs)('%s uses existing metrics', async (_, expr) => {
    const names = await known()
    const queried = expr.match(/\b((overround|nodejs|process)_\w+|up\b)/g) ?? []
    expect(queried.length).toBeGreaterThan(0)
    for (const name of queried) expect([...names, 'up']).toContain(name.replace(/_bucket$/, ''))
  })

  /** Prometheus' own scrape interval where a configuration names none (s). */
  const unsetInterval = 60
  /** Grafana's `$__rate_interval` at its shortest (s): four times 15 s, where its data source names no interval. */
  const rateInterval = 60

  it('every window has at least four scrapes', () => {
    const guided = ['monitoring.md', 'deployment.md'].map((guide) => {
      const jobs = /```yaml\n(scrape_configs:.*?)```/s.exec(read('docs', guide))
      return parse(jobs![1]!) as Scraping
    })
    const shipped = parse(read('infra', 'compose', 'prometheus.yaml')) as Scraping
    const intervals = [shipped, ...guided].flatMap(({ global, scrape_configs }) =>
      scrape_configs.map(({ scrape_interval = global?.scrape_interval }) =>
        scrape_interval === undefined ? unsetInterval : secondsOf(scrape_interval),
      ),
    )
    expect(intervals).toHaveLength(4)
    const longest = Math.max(...intervals)
    const isTooShort = (window: string) =>
      window === '$__rate_interval'
        ? rateInterval < 4 * longest
        : // It follows no data source, and Prometheus may have a configuration of somebody else's.
          secondsOf(window) < 4 * Math.max(longest, unsetInterval)
    const windows = exprs.flatMap(([name, expr]) =>
      [...expr.matchAll(/\[(.*?)\]/g)].map(([, window]) => [name, window!] as const),
    )
    expect(windows.length).toBeGreaterThan(10)
    expect(windows.filter(([, window]) => isTooShort(window))).toEqual([])
  })

  it('gauges are added up over processes only where each reports a part of the whole', () => {
    const added = exprs.flatMap(([, expr]) =>
      [...expr.matchAll(/\bsum(?: by \((.*?)\))? ?\((\w+)[){]/g)].flatMap(([, by = '', name]) =>
        by.split(', ').includes('instance') ? [] : name!,
      ),
    )
    expect(added).toEqual(['overround_pipeline_partitions'])
  })

  it('every metric of ours is in the guide', async () => {
    const named = read('docs', 'monitoring.md').match(/\boverround_\w+\*?/g) ?? []
    const isNamed = (metric: string) =>
      named.some((name) =>
        name.endsWith('*') ? metric.startsWith(name.slice(0, -1)) : metric === name,
      )
    const own = [...(await known())].filter((metric) => metric.startsWith('overround_'))
    expect(own.length).toBeGreaterThan(40)
    expect(own.filter((metric) => !isNamed(metric))).toEqual([])
  })

  it('every alert has advice', () => {
    const guide = read('docs', 'monitoring.md')
    for (const { alert } of rules) if (alert) expect(guide).toContain(`\n### ${alert}\n`)
  })

  it('every alert is tested, quiet and firing', () => {
    const { tests } = parse(read(...ruleTestsPath)) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: object[] }[] }[]
    }
    const all = tests.flatMap(({ alert_rule_test }) => alert_rule_test)
    const named = (isFiring: boolean) =>
      all.filter((one) => (one.exp_alerts !== undefined) === isFiring).map((one) => one.alertname)
    const alerts = rules.flatMap(({ alert }) => alert ?? [])
    expect(named(false)).toEqual(alerts)
    expect(named(true)).toEqual(alerts)
  })

  it('scalers of Kubernetes use existing metrics', async () => {
    const names = [...(await known()), ...recorded]
    const files = ['api.yaml', 'pipeline.yaml'].map((name) => read('infra', 'kubernetes', name))
    const metrics = files.flatMap((text) => [...text.matchAll(/metric: \{ name: (\w+) \}/g)])
    expect(metrics.length).toBe(2)
    for (const [, name] of metrics) expect(names).toContain(name)
  })

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0
  it.skipIf(!hasPromtool)(
    `are as Prometheus takes them${hasPromtool ? '' : ' (skipped: promtool is not installed)'}`,
    async () => {
      execFileSync('promtool', ['check', 'rules', join(projectRoot, ...rulesPath)])
      execFileSync('promtool', ['test', 'rules', join(projectRoot, ...ruleTestsPath)])
      const registry = createRegistry('pipeline')
      createPipelineMetrics(registry, () => 0)
      const texts = [scraped, await registry.metrics(), await standaloneText()]
      for (const input of texts) {
        const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input })
        expect([status, String(stdout), String(stderr)]).toEqual([0, '', ''])
      }
    },
  )
})
