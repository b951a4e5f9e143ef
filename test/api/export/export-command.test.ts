/** The command itself, as a process: its arguments and its line of progress. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Runs the command for a day against a service that answers with this CSV. */
async function exportOf(answer: string, ...more: string[]) {
  const server = createServer((_, response) => response.end(answer))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'overround-export-'))
  try {
    const { port } = server.address() as AddressInfo
    const out = join(folder, 'day.csv')
    const options = ['changes', '2025-11-20', '2025-11-21', '--format', 'csv', '--out', out]
    const where = ['--url', `http://127.0.0.1:${port}`, '--key', 'sk_test']
    const program = 'dist/api/export/main.js'
    const command = spawn(process.execPath, [program, ...options, ...where, ...more])
    let output = ''
    command.stderr.on('data', (text) => {
      output += text
    })
    const [code] = await once(command, 'close')
    return { code, output, out, written: await readFile(out, 'utf8') }
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
}

test('npm run export writes a day to its file, shows its progress and counts its rows', async () => {
  const { code, output, out, written } = await exportOf('"at"\n"2026-11-20"\n')
  expect(output).toContain('100.0 %')
  expect(output).toContain(`1 row in ${out}`)
  expect(code).toBe(0)
  expect(written).toBe('"at"\n"2026-11-20"\n')
})

test('an export of nothing says so, and what to look at', async () => {
  const { code, output, out, written } = await exportOf('"at"\n', '--league', 'nba')
  expect(output).toContain(
    `No rows: the service has no changes from 2025-11-20 up to 2025-11-21 for --league nba that this key may see. ${out} is written without any.`,
  )
  expect(output).toContain('Leave the filters out')
  expect(code).toBe(0)
  expect(written).toBe('"at"\n')
})
