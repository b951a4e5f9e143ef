/**
 * The real service while libfaketime sets the system's clock: the board stays and moves on, `/readyz`
 * reports it, and a restart with the clock behind the log continues from the log.
 */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Service, startService } from '../service.ts'

const library = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
].find(existsSync)

let directory: string
let service: Service | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'overround-clock-'))
})
afterEach(async () => {
  await service?.kill()
  service = undefined
  rmSync(directory, { recursive: true, force: true })
})

const setClock = (offset: string) => writeFileSync(join(directory, 'offset'), offset)

async function start() {
  service = await startService({
    env: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: join(directory, 'offset'),
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      OVERROUND_DATA_DIR: join(directory, 'data'),
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_FEEDS: 'simulator',
    },
  })
  return service
}

async function boardOf({ address }: Service) {
  const headers = { 'X-API-Key': 'sk_test_sandbox_sharp' }
  const answer = await fetch(`${address}/odds?limit=1`, { headers })
  const body = (await answer.json()) as { pagination: { total: number }; updated_at: string }
  return { rows: body.pagination.total, updatedAt: Date.parse(body.updated_at) }
}

async function clockOf({ address }: Service) {
  const answer = await fetch(`${address}/readyz`)
  const body = (await answer.json()) as { checks: { clock: { status: string; message?: string } } }
  return body.checks.clock
}

/** Returns the board once its newest price has changed. */
async function afterMove(running: Service) {
  const { updatedAt } = await boardOf(running)
  const moved = async () => (await boardOf(running)).updatedAt
  await expect.poll(moved).toBeGreaterThan(updatedAt)
  return boardOf(running)
}

it.skipIf(!library).each(['+2h', '-2h'])(
  'keeps the board and moves on when the clock is set by %s (needs libfaketime)',
  async (offset) => {
    setClock('+0')
    const running = await start()
    const before = await afterMove(running)
    expect(await clockOf(running)).toEqual({ status: 'ok' })
    setClock(offset)
    await expect.poll(async () => (await clockOf(running)).status).toBe('degraded')
    const after = await afterMove(running)
    expect(after.rows).toBeGreaterThan(0.9 * before.rows)
    expect(Math.abs(after.updatedAt - before.updatedAt)).toBeLessThan(10 * 60_000)
    expect((await clockOf(running)).message).toMatch(offset === '+2h' ? /s ahead of/ : /s behind/)
    await expect.poll(() => running.output()).toContain('the system clock was set')
  },
)

it.skipIf(!library)(
  'continues from its log when it starts with a clock behind that (needs libfaketime)',
  async () => {
    setClock('+0')
    const first = await start()
    const before = await afterMove(first)
    await first.kill()
    setClock('-2h')
    const second = await start()
    const after = await afterMove(second)
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt)
    expect(after.rows).toBeGreaterThan(0.9 * before.rows)
    await second.kill()
    setClock('-3d')
    await expect(start()).rejects.toThrow(/cannot start: The system's clock says .* set the clock/)
  },
)
