/** Inputs from public bug reports in this trade, as scripts against a running service. They wait by the clock. */

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'
import { havePython } from '../clients/have-python.ts'
import { type Service, startService } from '../service.ts'

const folder = join(projectRoot, '../shared/cases')
const isThere = existsSync(folder)
const cases = isThere ? readdirSync(folder).filter((file) => /^\d+-.*\.mjs$/.test(file)) : []
const python = isThere
  ? await havePython(['httpx==0.28.1', 'pandas==2.3.3', 'polars==1.35.2', 'websockets==17.4'])
  : null

describe.skipIf(!isThere)(`reported cases${isThere ? '' : ' (skipped: no ../shared)'}`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'overround-cases-'))
  let service: Service
  beforeAll(async () => {
    service = await startService({
      env: {
        OVERROUND_DATA_DIR: dataDir,
        OVERROUND_FEEDS: 'none',
        OVERROUND_INGEST_TOKEN: 'token-of-the-cases',
        OVERROUND_ADMIN_TOKEN: 'admin-of-the-cases',
      },
    })
  })
  afterAll(async () => {
    await service.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test.each(cases)('%s', async (file) => {
    const env = {
      ...process.env,
      BASE: service.address,
      INGEST_TOKEN: 'token-of-the-cases',
      ADMIN_TOKEN: 'admin-of-the-cases',
      REPO: projectRoot,
      PYTHON: python ?? 'python3',
      PYTHONPATH: join(projectRoot, 'api', 'clients', 'python', 'src'),
    }
    const { said, errors } = await new Promise<{ said: string; errors: string }>((resolve) => {
      execFile(process.execPath, [join(folder, file)], { env }, (error, said, stderr) =>
        resolve({ said, errors: error ? `${error.message}\n${stderr}` : '' }),
      )
    })
    // The text of a check may continue on further lines.
    const failed = said.split('\n').filter((line) => line.startsWith('FAIL '))
    expect({ failed, errors }).toEqual({ failed: [], errors: '' })
    expect(said).toMatch(/^ok /m)
  })
})
