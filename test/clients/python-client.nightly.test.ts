/** The Python client: its own tests against a service, and its guide's bot as written. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'
import { fillBoard, fillOpportunities } from '../api/filled-board.ts'
import { type InProcess, keys, oddsRecord, startInProcess } from '../api/service-in-process.ts'
import { havePython } from './have-python.ts'

const run = promisify(execFile)
const folder = join(projectRoot, 'api', 'clients', 'python')
const interpreter = await havePython([
  'httpx==0.28.1',
  'pytest==9.0.1',
  'pandas==2.3.3',
  'polars==1.35.2',
  'websockets==17.4',
])

describe.skipIf(interpreter === null)(
  `the client for Python${interpreter ? '' : ' (skipped: no Python with its packages)'}`,
  () => {
    let service: InProcess
    let environment: Record<string, string>
    let price = 3
    /** Moves a price at each request. */
    const mover = createServer(async (_, response) => {
      service.advance(1_000)
      price += 0.01
      const quote = { sportsbook: 'fanduel', externalId: '1-1', mode: 'delta' } as const
      await service.ingest([oddsRecord(service.clock(), { ...quote, prices: [price, 1.4] })])
      response.end()
    })

    beforeAll(async () => {
      service = await startInProcess()
      await fillBoard(service)
      await new Promise<void>((resolve) => mover.listen(0, '127.0.0.1', resolve))
      environment = {
        ...(process.env as Record<string, string>),
        PYTHONPATH: join(folder, 'src'),
        PYTHONDONTWRITEBYTECODE: '1',
        OVERROUND_BASE: service.base,
        OVERROUND_KEY: keys.sharp,
        OVERROUND_MOVE: `http://127.0.0.1:${(mover.address() as AddressInfo).port}/`,
      }
    })
    afterAll(async () => {
      mover.close()
      await service.close()
    })

    it('passes its own tests', async () => {
      const options = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests']
      const { stdout } = await run(interpreter!, options, { cwd: folder, env: environment }).catch(
        (error: { stdout: string }) => error,
      )
      expect(stdout).toMatch(/\d+ passed in/)
      expect(stdout).not.toMatch(/failed|error|skipped/)
    })

    it('has a bot in its guide that finds what there is, as written', async () => {
      await fillOpportunities(service)
      const guide = readFileSync(join(folder, 'README.md'), 'utf8')
      const bot = /^```python bot\n(.*?)^```$/ms.exec(guide)![1]!
      const child: ChildProcess = spawn(interpreter!, ['-c', bot], { env: environment })
      try {
        let output = ''
        child.stdout!.on('data', (text) => {
          output += text
        })
        child.stderr!.on('data', (text) => {
          output += text
        })
        service.advance(3_000)
        await expect.poll(() => output).toMatch(/^[\d.]+ % on .+ @ .+: .+ at \w+, .+ at \w+$/m)
      } finally {
        child.kill('SIGKILL')
      }
    })
  },
)
