import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import { crashes, replayedMinutes, testCrashSafety } from './crash-safety.ts'

test(`${crashes} kills of a replay on the embedded log end on the undisturbed tables`, async () => {
  const workDir = mkdtempSync(join(tmpdir(), 'overround-crash-'))
  try {
    await testCrashSafety({
      kills: crashes,
      minutes: replayedMinutes,
      workDir,
      env: (run) => ({ OVERROUND_DATA_DIR: join(workDir, run), OVERROUND_ARCHIVE: 'off' }),
      openLog: (run) => openEmbeddedLog({ path: join(workDir, run, 'log') }),
      longestLifeMs: 1_500,
      report: console.log,
    })
  } finally {
    rmSync(workDir, { recursive: true, force: true })
  }
})
