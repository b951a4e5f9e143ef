/** The real process, when it is told to stop. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Service, startService } from '../service.ts'
import { enginePids, isAlive } from './engine-pids.ts'

it('becomes not ready at once, still responds, and ends at a second signal of either kind', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'overround-drain-'))
  const service = await startService({
    env: {
      OVERROUND_DATA_DIR: directory,
      OVERROUND_ARCHIVE: 'off',
      // Longer than any test, so only the second signal ends it.
      OVERROUND_DRAIN_MS: '600000',
    },
  })
  try {
    const { address } = service
    const status = async (path: string) => (await fetch(`${address}${path}`)).status
    expect(await status('/readyz')).toBe(200)
    process.kill(service.pid, 'SIGTERM')
    await expect.poll(() => status('/readyz')).toBe(503)
    const answer = await fetch(`${address}/sports`)
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    await endBySignals(service, 'SIGINT')
  } finally {
    await service.kill()
    await rm(directory, { recursive: true })
  }
})

it('ends in order where npm repeats the signal of a Ctrl-C', async () => {
  await withArchive('0', async (service) => {
    for (let sent = 0; sent < 3; sent++) process.kill(service.pid, 'SIGINT')
    expect(await service.ended).toBe(0)
  })
})

describe.each(['SIGINT', 'SIGTERM'] as const)('with a %s that its engine gets too', (signal) => {
  it('warns of nothing', async () => {
    await withArchive('0', async (service, enginePid) => {
      for (const pid of [enginePid, service.pid]) process.kill(pid, signal)
      expect(await service.ended).toBe(0)
    })
  })

  it('reads history until it ends', async () => {
    await withArchive('600000', async (service, enginePid, history) => {
      for (const pid of [enginePid, service.pid]) process.kill(pid, signal)
      const status = async () => (await fetch(`${service.address}/readyz`)).status
      await expect.poll(status).toBe(503)
      expect(await history()).toBe(200)
      await endBySignals(service, signal)
    })
  })
})

/** Sends a signal until the process has ended, because one too soon after the first counts as the same key. */
async function endBySignals(service: Service, signal: NodeJS.Signals) {
  let code: number | null = null
  void service.ended.then((ended) => {
    code = ended
  })
  await expect
    .poll(() => {
      if (code === null) process.kill(service.pid, signal)
      return code
    })
    .toBe(1)
}

/** Runs `work` with a service whose archive answers, and checks that it has warned of nothing and has had one engine. */
async function withArchive(
  drainMs: string,
  work: (service: Service, enginePid: number, history: () => Promise<number>) => Promise<void>,
) {
  const directory = await mkdtemp(join(tmpdir(), 'overround-drain-'))
  const service = await startService({
    env: {
      OVERROUND_DATA_DIR: directory,
      OVERROUND_DRAIN_MS: drainMs,
      OVERROUND_LOG_LEVEL: 'info',
    },
  })
  try {
    const headers = { 'X-API-Key': 'sk_test_sandbox_sharp' }
    const history = async () =>
      (await fetch(`${service.address}/historical/clv`, { headers })).status
    await expect.poll(history).toBe(200)
    await expect.poll(() => enginePids(service)).toHaveLength(1)
    const pids = enginePids(service)
    await work(service, pids[0]!, history)
    expect(enginePids(service)).toEqual(pids)
    expect(service.output()).not.toMatch(/"level":[456]0/)
  } finally {
    await service.kill()
    await expect.poll(() => enginePids(service).filter(isAlive)).toEqual([])
    await rm(directory, { recursive: true })
  }
}
