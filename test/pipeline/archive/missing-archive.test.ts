import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { archiveGroup } from '../../../pipeline/archive/archiver.ts'
import { requireOwnArchive } from '../../../pipeline/archive/missing-archive.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import type { Log } from '../../../pipeline/log/log.ts'
import { readConfig, StartError } from '../../../pipeline/settings/config.ts'
import { topics } from '../../../schemas/topics.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'overround-directory-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('an archive', () => {
  const archive = () => join(dataDir, 'archive')

  /** Returns the message of a refused start, or `started`. */
  const starting = (log: Log, settings: Record<string, string> = {}) =>
    requireOwnArchive(readConfig({ OVERROUND_DATA_DIR: dataDir, ...settings }), log).then(
      () => 'started',
      (error) => {
        expect(error).toBeInstanceOf(StartError)
        return error.message
      },
    )

  /** Reads and commits everything, as an archiver does. */
  async function archiveAll(log: Log) {
    const stop = new AbortController()
    const membership = { group: archiveGroup, signal: stop.signal }
    for await (const { batches } of log.join([topics.usage], membership)) {
      for await (const batch of batches) {
        await batch.commit([])
        stop.abort()
      }
    }
  }

  test('begins beside a log that never had one, and is not recreated beside one that had', async () => {
    const log = await openEmbeddedLog({ path: join(dataDir, 'log') })
    try {
      expect(await starting(log)).toBe('started')
      const count = { requests: 1, minute: 1, minuteRequests: 1, byFamily: {} }
      const value = { accountId: 'a', keyId: 'k', day: 1, writer: 'w', ...count }
      await log.append([{ topic: topics.usage, partitionKey: 'a', key: 'k|1|w', value }])
      // The archive may be switched on later, on a log full of records.
      expect(await starting(log)).toBe('started')

      mkdirSync(join(archive(), 'metadata'), { recursive: true })
      writeFileSync(join(archive(), 'metadata', 'overround.sql'), '')
      await archiveAll(log)
      expect(await starting(log)).toBe('started')

      const refusal = /archive in .*archive is missing.*overround restore.*OVERROUND_ARCHIVE=anew/
      rmSync(join(archive(), 'metadata', 'overround.sql'))
      expect(await starting(log)).toMatch(refusal)
      // The directory is empty, like a volume that is not mounted.
      rmSync(join(archive(), 'metadata'), { recursive: true })
      expect(await starting(log)).toMatch(refusal)
      rmSync(archive(), { recursive: true })
      expect(await starting(log)).toMatch(refusal)
      expect(existsSync(archive())).toBe(false)

      expect(await starting(log, { OVERROUND_ARCHIVE: 'off' })).toBe('started')
      expect(await starting(log, { OVERROUND_ARCHIVE: 'anew' })).toBe('started')
      expect(await starting(log, { OVERROUND_CLICKHOUSE_URL: 'http://c:8123' })).toBe('started')
    } finally {
      await log.close()
    }
  })
})
