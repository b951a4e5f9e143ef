/** Writers of other containers: their process ids say nothing here, so the lock of the system decides. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbeddedLog } from '../../../../pipeline/log/embedded/embedded-log.ts'
import { repairLog } from '../../../../pipeline/log/embedded/repair.ts'
import { thisProcess } from '../../../../pipeline/log/embedded/writer-process.ts'
import { LogLockedError } from '../../../../pipeline/log/log.ts'
import { topics } from '../../../../schemas/topics.ts'

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'overround-writer-'))
})
afterEach(() => rmSync(path, { recursive: true }))

const record = {
  topic: topics.sportsbookStatus,
  partitionKey: 'b',
  key: 'b',
  value: { sportsbook: 'b', status: 'up', since: 1, audience: 'all' },
} as const
const repaired = () => repairLog(path, [], new Date('2026-11-20T12:00:00Z'), async () => 0)

/** Writes the row of a writer in another container, whose process has the id of this one there. */
async function moveWriter() {
  const env = open(path, { noSubdir: false, encoding: 'json', maxDbs: 4 })
  const elsewhere = { ...thisProcess(), namespace: 'pid:[1]', handles: 1 }
  await env.openDB('state', { encoding: 'json' }).put('writer', elsewhere)
  await env.flushed
  await env.close()
}

test.runIf(process.platform === 'linux')(
  'a writer in another container keeps others out until its process has ended',
  async () => {
    const [first, second] = [await openEmbeddedLog({ path }), await openEmbeddedLog({ path })]
    await first.append([record])
    await moveWriter()
    await expect(second.append([record])).rejects.toThrow(LogLockedError)
    await expect(second.append([record])).rejects.toThrow(LogLockedError)
    await expect(repaired()).rejects.toThrow(LogLockedError)
    // It leaves its row, as a killed one does.
    await first.close()
    expect(await repaired()).toMatchObject({ damagedAt: null, kept: 1 })
    await second.append([record])
    await second.close()
  },
)
