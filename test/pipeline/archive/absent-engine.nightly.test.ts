/** The service on a machine without the engine's package. */

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../../../schemas/project-root.ts'
import { startService } from '../../service.ts'

/** Installs the built project with all packages but the engine's. */
function installWithoutEngine(directory: string) {
  for (const part of ['dist', 'package.json', 'schemas/avro']) {
    cpSync(join(projectRoot, part), join(directory, part), { recursive: true })
  }
  mkdirSync(join(directory, 'node_modules'))
  for (const name of readdirSync(join(projectRoot, 'node_modules'))) {
    if (name === 'chdb' || name === '@chdb') continue
    symlinkSync(join(projectRoot, 'node_modules', name), join(directory, 'node_modules', name))
  }
}

it('starts, reports once that there is no engine, with advice, and serves prices', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'overround-absent-'))
  installWithoutEngine(directory)
  const env = { OVERROUND_DATA_DIR: join(directory, 'data'), OVERROUND_LOG_LEVEL: 'info' }
  const service = await startService({ env, root: directory })
  try {
    const health = async () => (await fetch(`${service.address}/health`)).json()
    await expect.poll(health).toMatchObject({
      status: 'degraded',
      checks: { data: { status: 'ok' } },
      archive: { state: 'absent', reason: expect.stringContaining('chdb') },
    })
    const readiness = await fetch(`${service.address}/readyz`)
    expect(await readiness.json()).toMatchObject({
      status: 'ready',
      checks: {
        archive: {
          status: 'degraded',
          message: expect.stringMatching(/chdb does not load.*Install chdb/),
        },
      },
    })
    const headers = { 'X-API-Key': 'sk_test_sandbox_sharp' }
    const answer = await fetch(`${service.address}/odds?limit=2`, { headers })
    const page = (await answer.json()) as { data: unknown[] }
    expect(page.data).toHaveLength(2)
    const refused = await fetch(`${service.address}/historical/clv`, { headers })
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({
      code: 'not_ready',
      error: { reason: 'absent', message: expect.stringContaining('chdb does not load') },
    })
    expect(await service.stop()).toBe(0)
    const told = service
      .output()
      .split('\n')
      .filter((line) => line.includes('archive'))
    expect(told).toEqual([
      expect.stringMatching(/chdb does not load.*install chdb.*archive engine absent/),
    ])
  } finally {
    await service.kill()
    rmSync(directory, { recursive: true, force: true })
  }
})
