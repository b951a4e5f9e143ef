/** The command itself, as a process: its arguments and its line of progress. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('npm run export writes a day to its file and shows its progress', async () => {
  const server = createServer((_, response) => response.end('"at"\n"2026-11-20"\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'overround-export-'))
  try {
    const { port } = server.address() as AddressInfo
    const out = join(folder, 'day.csv')
    const options = ['changes', '2025-11-20', '2025-11-21', '--format', 'csv', '--out', out]
    const where = ['--url', `http://127.0.0.1:${port}`, '--key', 'sk_test']
    const command = spawn(process.execPath, ['dist/api/export/main.js', ...options, ...where])
    let output = ''
    command.stderr.on('data', (text) => {
      output += text
    })
    const [code] = await once(command, 'close')
    expect(output).toContain('100.0 %')
    expect(code).toBe(0)
    expect(await readFile(out, 'utf8')).toBe('"at"\n"2026-11-20"\n')
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
})
