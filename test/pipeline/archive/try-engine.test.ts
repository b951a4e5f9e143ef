import { afterEach, expect, it, vi } from 'vitest'
import { tryEngine } from '../../../pipeline/archive/engine/try-engine.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('opens the engine and says its version', async () => {
  expect(await tryEngine()).toEqual({ runs: true, version: expect.stringMatching(/^\d+\./) })
})

it('reports that its process ended, as when its library crashes', async () => {
  vi.stubEnv('NODE_OPTIONS', '--import=data:text/javascript,process.exit(7)')
  expect(await tryEngine()).toEqual({
    runs: false,
    reason: 'its process ended (exit code 7)',
  })
})
