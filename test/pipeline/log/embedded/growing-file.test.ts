/** The check of an embedded log's pages beside a process that writes to it. */

import fs, { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterAll, expect, test, vi } from 'vitest'
import { checkStructure } from '../../../../pipeline/log/embedded/structure.ts'

// Another file of this process may have loaded the module of the check, so a mock of its import would come too late.
const fstat = vi.spyOn(fs, 'fstatSync')
syncBuiltinESMExports()

const folder = mkdtempSync(join(tmpdir(), 'overround-growing-'))
afterAll(() => {
  fstat.mockRestore()
  syncBuiltinESMExports()
  rmSync(folder, { recursive: true })
})

test('a file that grows after its size was read, and before its meta page is, is whole', async () => {
  const store = open(folder, { noSubdir: false })
  for (let key = 0; key < 500; key++) await store.put(key, 'x'.repeat(1_000))
  await store.close()
  const path = join(folder, 'data.mdb')
  const metaPages = 2 * 4_096
  expect(fs.statSync(path).size).toBeGreaterThan(metaPages)
  const early = { ...fs.statSync(path), size: metaPages } as fs.Stats
  fstat.mockReturnValueOnce(early)
  checkStructure(path)
  fstat.mockReturnValueOnce(early).mockReturnValueOnce(early)
  checkStructure(path)
  const results = fstat.mock.results.map(({ value }) => value)
  expect(results.filter((one) => one === early)).toHaveLength(3)
})
