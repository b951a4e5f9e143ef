/** The check of an embedded log's pages beside a process that writes to it. */

import * as fs from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterAll, expect, test, vi } from 'vitest'
import { checkStructure } from '../../../../pipeline/log/embedded/structure.ts'

vi.mock('node:fs', async (actual) => {
  const real = await actual<typeof fs>()
  return { ...real, fstatSync: vi.fn(real.fstatSync) }
})

const folder = mkdtempSync(join(tmpdir(), 'overround-growing-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a file that grows after its size was read, and before its meta page is, is whole', async () => {
  const store = open(folder, { noSubdir: false })
  for (let key = 0; key < 500; key++) await store.put(key, 'x'.repeat(1_000))
  await store.close()
  const path = join(folder, 'data.mdb')
  const metaPages = 2 * 4_096
  expect(fs.statSync(path).size).toBeGreaterThan(metaPages)
  const early = { ...fs.statSync(path), size: metaPages } as fs.Stats
  vi.mocked(fs.fstatSync).mockReturnValueOnce(early)
  checkStructure(path)
  vi.mocked(fs.fstatSync).mockReturnValueOnce(early).mockReturnValueOnce(early)
  checkStructure(path)
})
