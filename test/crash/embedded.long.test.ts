import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { openEmbeddedLog } from '../../pipeline/log/embedded.ts'
import { testCrashSafety } from './crash-safety.ts'

/** `OVERROUND_TEST_CRASHES=40` has the nightly number. */
const kills = Number(process.env.OVERROUND_TEST_CRASHES ?? 4)

test(`${kills} kills of a replay on the embedded log end on the undisturbed tables`, async () => {
  const workDir = mkdtempSync(join(tmpdir(), 'overround-crash-'))
  try {
    await testCrashSafety({
      kills,
      workDir,
      env: (run) => ({ OVERROUND_DATA_DIR: join(workDir, run) }),
      openLog: (run) => openEmbeddedLog({ path: join(workDir, run, 'log') }),
      longestLifeMs: 1_500,
      report: console.log,
    })
  } finally {
    rmSync(workDir, { recursive: true, force: true })
  }
})
