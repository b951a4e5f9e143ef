/** The copy of an archive's directory that a backup takes while rows come. */

import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { besideTables } from '../../../pipeline/archive/archived-tables.ts'
import { snapshotArchive } from '../../../pipeline/archive/snapshot.ts'

// Another file of this process may have loaded the snapshot's module, so a mock of what it imports would come too late.
const link = vi.spyOn(fs.promises, 'link')
syncBuiltinESMExports()
afterAll(() => {
  link.mockRestore()
  syncBuiltinESMExports()
})

/** Tables by the name of their directory, of which the first is read first. */
const tables = { a1: 'prices', b2: 'price_changes', c3: 'event_changes', d4: 'events' } as const

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'overround-snapshot-'))
  const data = join(folder, 'archive', 'data', 'overround')
  mkdirSync(data, { recursive: true })
  for (const [directory, table] of Object.entries(tables)) {
    const part = join(folder, 'archive', 'store', directory.slice(0, 1), directory, '202611_1_1_0')
    mkdirSync(part, { recursive: true })
    writeFileSync(join(part, 'data.bin'), table)
    symlinkSync(`../../store/${directory.slice(0, 1)}/${directory}`, join(data, table))
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('has all tables, and takes those beside others last', async () => {
  const to = join(folder, 'copy')
  await snapshotArchive(join(folder, 'archive'), to)
  for (const table of Object.values(tables)) {
    const file = join(to, 'data', 'overround', table, '202611_1_1_0', 'data.bin')
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(table)
  }
  const taken = link.mock.calls.map(([file]) => readFileSync(file, 'utf8'))
  expect([...taken.slice(-2)].sort()).toEqual([...besideTables].sort())
  expect(taken).toHaveLength(4)
})
