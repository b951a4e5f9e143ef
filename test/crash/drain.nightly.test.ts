/** The real process, when it is told to stop. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startService } from '../service.ts'

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
    process.kill(service.pid, 'SIGINT')
    expect(await service.ended).toBe(1)
  } finally {
    await service.kill()
    await rm(directory, { recursive: true })
  }
})
