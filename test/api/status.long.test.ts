/** The content of `/status`, and its visibility. */

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Status } from '../../api/routes/status.ts'
import { openStatusPage } from '../../api/web/pages.ts'
import { statusBody } from '../../api/web/status/status-page.ts'
import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import { statusAnswer } from '../../schemas/http/status.ts'
import { fillOpportunities } from './filled-board.ts'
import {
  adminToken,
  type InProcess,
  ingestToken,
  keys,
  startInProcess,
} from './service-in-process.ts'
import { openEvents } from './stream-reader.ts'

const statusPage = await openStatusPage(join(import.meta.dirname, '../../api/web/status'))

const at = (service: InProcess, path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${service.port}${path}`, { headers })
const basic = (name: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

describe('in the sandbox', () => {
  let service: InProcess
  /** The clock of lags (ms). */
  let monotonicMs = 0
  beforeAll(async () => {
    service = await startInProcess({ statusPage, monotonic: () => monotonicMs })
    await fillOpportunities(service)
  })
  afterAll(() => service.close())

  const status = async (): Promise<Status> => {
    const answer = await at(service, '/api/v1/status')
    expect(answer.status).toBe(200)
    return statusAnswer.parse(await answer.json()).data
  }

  it('shows everybody the processes, their contents and their health', async () => {
    const { live } = service.boards
    const { health, board, process: name, role, streams, sources } = await status()
    expect(health.status).toBe('ok')
    expect(name).toContain(` ${process.pid}`)
    expect(role).toBe('standalone')
    expect(board).toEqual({
      prices: live.rows.size,
      events: live.eventCount,
      newest_price_at: '2026-11-20T12:00:00.000Z',
    })
    expect(streams).toEqual({ sse: 0, websocket: 0 })
    expect(sources).toEqual([])
  })

  it('shows the lag of pipelines and of the process, by partition', async () => {
    await expect
      .poll(async () => {
        monotonicMs += 1_000
        return (await status()).partitions
      })
      .toEqual([
        {
          ...{ partition: 0, pipeline_lag_records: 0, api_lag_records: 0 },
          pipeline_silent_seconds: expect.any(Number),
        },
      ])
  })

  it('shows the current lag, not that of the look before, and waits for no log that hangs', async () => {
    const { log } = service
    const { lagByPartition } = log
    let answer = (_: readonly number[]) => {}
    await status()
    log.lagByPartition = async () => [16]
    monotonicMs += 1_000
    expect((await status()).partitions).toMatchObject([{ pipeline_lag_records: 16 }])
    log.lagByPartition = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    monotonicMs += 1_000
    const since = performance.now()
    expect((await status()).partitions).toMatchObject([{ pipeline_lag_records: null }])
    expect(performance.now() - since).toBeLessThan(10_000)
    log.lagByPartition = lagByPartition
    answer([0])
  })

  it('shows how long a pipeline is silent, even if that is all that is known', async () => {
    const { log, boards } = service
    const { lagByPartition } = log
    log.lagByPartition = () => Promise.reject(new Error('of a test'))
    const position = vi.spyOn(boards.live, 'position', 'get').mockReturnValue(null)
    monotonicMs += 1_000
    const { partitions } = await status()
    log.lagByPartition = lagByPartition
    position.mockRestore()
    monotonicMs += 1_000
    expect(partitions).toEqual([
      {
        ...{ partition: 0, pipeline_lag_records: null, api_lag_records: null },
        pipeline_silent_seconds: expect.any(Number),
      },
    ])
  })

  it('shows how long prices took to the board and to the wire, by sportsbook', async () => {
    const before = (await status()).sportsbooks
    expect(before.length).toBeGreaterThan(0)
    for (const { book_to_board, board_to_wire } of before) {
      expect(book_to_board!.count).toBeGreaterThan(0)
      expect(board_to_wire).toBe(null)
    }
    const events = await openEvents(`${service.base}/stream?channel=odds`, {
      'X-API-Key': keys.sharp,
    })
    await events.next('snapshot:complete')
    await fillOpportunities(service, 0.05)
    await events.next('odds:update')
    const after = await status()
    expect(after.streams.sse).toBe(1)
    const waits = after.sportsbooks.flatMap(({ board_to_wire }) => board_to_wire ?? [])
    expect(waits.length).toBeGreaterThan(0)
    for (const { p50_ms, p95_ms, p99_ms } of waits) {
      expect(p95_ms).toBeGreaterThanOrEqual(p50_ms)
      expect(p99_ms).toBeGreaterThanOrEqual(p95_ms)
    }
    events.close()
  })

  it('the page needs no script and nothing from elsewhere, and reloads itself', async () => {
    const answer = await at(service, '/status')
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const policy = answer.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    const page = await answer.text()
    expect(page).toContain('<meta http-equiv="refresh" content="5">')
    expect(page).not.toMatch(/<script|style=|src=|https?:/)
    expect(page).toContain('<h1>Status: <span class="ok">ok</span></h1>')
    const { sportsbooks } = await status()
    for (const { sportsbook } of sportsbooks) expect(page).toContain(`>${sportsbook}</th>`)
  })
})

describe('elsewhere', () => {
  let service: InProcess
  beforeAll(async () => {
    service = await startInProcess({ statusPage, sandbox: false })
  })
  afterAll(() => service.close())

  const paths = ['/status', '/api/v1/status']

  it.each(paths)('%s is for the holder of the admin token', async (path) => {
    expect((await at(service, path, bearer(adminToken))).status).toBe(200)
    const { value } = await service.accounts.create({
      ...{ name: 'x', tier: 'enterprise', addOns: [], expiresAt: null, isOwner: true },
    })
    const others = [{}, bearer(ingestToken), bearer(value), { 'X-API-Key': value }]
    for (const headers of others) {
      const answer = await at(service, path, headers)
      expect([headers, answer.status]).toEqual([headers, 401])
      expect(await answer.text()).not.toMatch(/sportsbook|uptime/)
    }
  })

  it('a browser is asked for the token, for the page only', async () => {
    const refused = await at(service, '/status')
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm="/)
    expect((await at(service, '/status', basic('anybody', adminToken))).status).toBe(200)
    expect((await at(service, '/status', basic('', adminToken))).status).toBe(200)
    expect((await at(service, '/status', basic(adminToken, ''))).status).toBe(401)
    expect((await at(service, '/status', { Authorization: 'Basic %%%' })).status).toBe(401)
    for (const path of ['/api/v1/status', '/api/v1/sources', '/metrics']) {
      const answer = await at(service, path, basic('', adminToken))
      expect([path, answer.status]).toEqual([path, 401])
      expect(answer.headers.get('www-authenticate')).toBe(null)
    }
  })
})

describe('why the archive does not answer', () => {
  const reason = 'Table overround.prices does not exist: SELECT 1 FROM prices (UNKNOWN_TABLE)'
  const archiveHealth = (): ArchiveHealth => ({
    ...{ state: 'unavailable', since: 0, reason, behindRecords: null, behindMs: null },
  })
  const publicPaths = ['/api/v1/health', '/health', '/api/v1/readyz', '/readyz']

  it('is shown in the engine’s words to the operator only', async () => {
    const open = await startInProcess({ statusPage, archiveHealth })
    const closed = await startInProcess({ statusPage, archiveHealth, sandbox: false })
    try {
      const shown = async (service: InProcess, path: string, headers = {}) => {
        const answer = await at(service, path, headers)
        expect([path, answer.ok]).toEqual([path, true])
        const text = await answer.text()
        expect(text).toMatch(/has not answered for|"state":"unavailable"/)
        return /SELECT|UNKNOWN_TABLE|overround\.prices/.test(text)
      }
      for (const path of publicPaths) {
        for (const service of [open, closed])
          expect([path, await shown(service, path)]).toEqual([path, false])
      }
      for (const path of ['/api/v1/status', '/status']) {
        expect([path, await shown(open, path)]).toEqual([path, false])
        expect([path, await shown(closed, path, bearer(adminToken))]).toEqual([path, true])
      }
    } finally {
      await open.close()
      await closed.close()
    }
  })
})

it('is closed without an admin token, and nobody is asked for one', async () => {
  const service = await startInProcess({ statusPage, sandbox: false, token: null })
  const answer = await at(service, '/status', basic('', adminToken))
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null])
  await service.close()
})

it('is shown as text, whatever feeds put into it', () => {
  const source = {
    ...{ id: '<img src=x>', state: 'down', reason: '"><script>', advice: '&' },
    ...{ since: '2026-11-20T11:59:00.000Z', last_success: null, rows: 1_000 },
  }
  const delays = { count: 1, p50_ms: 2.5, p95_ms: 40, p99_ms: 1_200 }
  const status = {
    health: {
      status: 'degraded',
      checks: {
        log: { status: 'degraded', message: '<b>' },
        pipelines: { status: 'degraded', message: 'No pipeline has decided anything for 66 s.' },
      },
    },
    ...{ process: 'odds-1 4711', role: 'api', version: '1.0.0', uptime_seconds: 90_061 },
    board: { prices: 1_234, events: 1, newest_price_at: '2026-11-20T11:58:30.000Z' },
    sportsbooks: [{ sportsbook: '<i>', book_to_board: delays, board_to_wire: null }],
    partitions: [
      {
        ...{ partition: 3, pipeline_lag_records: 12_345, api_lag_records: null },
        pipeline_silent_seconds: 66,
      },
    ],
    streams: { sse: 2, websocket: 0 },
    sources: [source],
  } as unknown as Status
  const body = statusBody(status, Date.parse('2026-11-20T12:00:00.000Z'))
  expect(body).not.toMatch(/<(img|script|b|i)\b/)
  expect(body).toContain('<dd>log: &lt;b&gt;</dd>')
  expect(body).toContain('<dd>1 d 1 h</dd>')
  expect(body).toContain('<dd>1 min 30 s ago</dd>')
  const row = ['&lt;i&gt;</th>', '2.5 ms', '40 ms', '1.2 s', '–', '–', '–'].join('</td><td>')
  expect(body).toContain(row.replace('</th></td>', '</th>'))
  expect(body).toContain('<th scope="row">3</th><td>12,345</td><td>–</td><td>1 min 6 s</td>')
  expect(body).toContain('<dd>pipelines: No pipeline has decided anything for 66 s.</dd>')
  expect(body).toContain('<td>down (&quot;&gt;&lt;script&gt;)</td><td>1 min 0 s</td><td>–</td>')
})
