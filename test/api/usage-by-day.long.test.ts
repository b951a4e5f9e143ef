/** Usage by day, from HTTP requests to the archive's rows, on the embedded engine. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ArchiveAccess, createArchiveAccess } from '../../api/archive-access.ts'
import { type Archive, openArchive } from '../../pipeline/archive/archive.ts'
import { runArchiver } from '../../pipeline/archive/archiver.ts'
import { type Engine, startEngine } from '../../pipeline/archive/engine/supervisor.ts'
import { migrate } from '../../pipeline/archive/migrations.ts'
import type { Append } from '../../pipeline/log/log.ts'
import { topics } from '../../schemas/topics.ts'
import { type UsageRow, usageKey } from '../../schemas/usage.ts'
import { adminToken, type InProcess, startInProcess } from './service-in-process.ts'

describe('usage by day', () => {
  const directory = mkdtempSync(join(tmpdir(), 'overround-usage-'))
  const stop = new AbortController()
  let engine: Engine
  let archive: Archive
  let access: ArchiveAccess
  let service: InProcess
  let archiving: Promise<void>

  beforeAll(async () => {
    const at = { directory: join(directory, 'archive'), database: 'overround' }
    engine = startEngine(at, pino({ level: 'silent' }))
    await engine.whenDecided()
    archive = openArchive({ url: 'http://embedded', socket: engine.socket }, 'overround')
    await migrate(archive, { database: 'overround', cluster: null, keptDays: 10_000 })
    access = createArchiveAccess(archive)
    service = await startInProcess({ archive: access })
    archiving = runArchiver(service.log, archive, { signal: stop.signal, fillMs: 1 })
  })
  afterAll(async () => {
    stop.abort()
    await archiving
    await service.close()
    await access.close()
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const ask = async (query = '') => {
    const headers = { Authorization: `Bearer ${adminToken}` }
    return (await service.request(`/admin/usage${query}`, { headers })).body
  }
  const shown = async (query = '') =>
    (await ask(query)).data.map((row: Record<string, unknown>) => Object.values(row).join(' '))

  it('equals the requests, by family of routes, however often it was reported', async () => {
    const { account, value } = await service.accounts.create({
      name: 'A',
      tier: 'pro',
      addOns: [],
      expiresAt: null,
    })
    const call = (path: string, key = value) =>
      service.request(path, { headers: { 'X-API-Key': key } })
    const day = '2026-11-20'
    for (let i = 1; i <= 3; i++) {
      await call('/odds?limit=1')
      if (i === 2) await call('/futures')
      // Requests of test keys and refused requests do not count.
      await service.get('/odds?limit=1')
      await call('/odds', 'sk_live_none')
      await service.accounts.usage.flush()
      await expect
        .poll(() => shown())
        .toEqual([
          ...(i > 1 ? [`${account.id} ${day} futures 1`] : []),
          `${account.id} ${day} odds ${i}`,
        ])
    }
    // Rows of other processes, one of them an earlier version, and of another day.
    const row = { accountId: account.id, keyId: 'k', minute: 0, minuteRequests: 0, byFamily: {} }
    const rows: UsageRow[] = [
      { ...row, day: 20_777, writer: 'b', requests: 7 },
      { ...row, day: 20_777, writer: 'c', requests: 5, byFamily: { odds: 4 } },
      { ...row, accountId: 'acct_b', day: 20_776, writer: 'c', requests: 1, byFamily: { mcp: 1 } },
      { ...row, accountId: 'acct_b', day: 20_700, writer: 'c', requests: 1, byFamily: { mcp: 1 } },
    ]
    await service.log.append(
      rows.map(
        (value): Append => ({
          topic: topics.usage,
          partitionKey: value.accountId,
          key: usageKey(value),
          value,
        }),
      ),
    )
    const all = [
      'acct_b 2026-11-19 mcp 1',
      `${account.id} ${day} futures 1`,
      `${account.id} ${day} odds 7`,
      `${account.id} ${day} other 8`,
    ]
    await expect.poll(() => shown()).toEqual(all)
    expect((await ask('?limit=1&offset=1')).meta).toMatchObject({ total: 4, requests: 17 })
    expect(await shown('?limit=1&offset=1')).toEqual(all.slice(1, 2))
    expect(await shown('?account_id=acct_b')).toEqual(all.slice(0, 1))
    expect(await shown('?from=2026-09-04&to=2026-11-19')).toEqual([
      'acct_b 2026-09-04 mcp 1',
      'acct_b 2026-11-19 mcp 1',
    ])
    expect(await shown(`?account_id=${encodeURIComponent("' OR 1=1 --")}`)).toEqual([])
  })

  it('is for the operator', async () => {
    const { status } = await service.get('/admin/usage')
    expect(status).toBe(401)
    expect((await ask('?from=yesterday')).code).toBe('validation_error')
  })
})
