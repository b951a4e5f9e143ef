/** `overround top` on a terminal that Python's `pty` opens. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../../schemas/project-root.ts'
import { playingLeague, type Service, startService } from '../../service.ts'

const binary = join(projectRoot, 'dist', 'api', 'command-line', 'main.js')
/** A terminal of 100 columns and 12 lines, which relays output and typed keys. */
const terminal = `
import fcntl, os, pty, struct, sys, termios
pid, there = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 12, 100, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
import select
while True:
    ready, _, _ = select.select([there, 0], [], [])
    if there in ready:
        try:
            said = os.read(there, 65536)
        except OSError:
            break
        os.write(1, said)
    if 0 in ready:
        typed = os.read(0, 1024)
        if not typed:
            break
        os.write(there, typed)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
`
const hasPython = (() => {
  try {
    execFileSync('python3', ['-c', 'import pty'])
    return true
  } catch {
    return false
  }
})()

describe.skipIf(!hasPython)(`top on a terminal${hasPython ? '' : ' (skipped: no python3)'}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'overround-terminal-'))
  let service: Service

  beforeAll(async () => {
    service = await startService({
      env: {
        OVERROUND_DATA_DIR: folder,
        OVERROUND_ARCHIVE: 'off',
        OVERROUND_LOG_LEVEL: 'silent',
      },
    })
  })
  afterAll(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([
    ['q', 'q'],
    ['Ctrl-C', '\x03'],
  ])('draws over a screen of its own, and leaves the terminal as it was at %s', async (_, key) => {
    const league = await playingLeague(service.address)
    const args = ['-c', terminal, process.execPath, binary, 'top', '--league', league]
    const child = spawn('python3', args, {
      env: { PATH: process.env.PATH, OVERROUND_URL: service.address.replace('/api/v1', '') },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let shown = ''
    child.stdout.on('data', (text) => {
      shown += text
    })
    await expect.poll(() => frames(shown).length).toBeGreaterThan(2)
    child.stdin.write(key)
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    expect(shown.startsWith('\x1b[?1049h\x1b[?25l')).toBe(true)
    expect(shown.endsWith('\x1b[?25h\x1b[?1049l')).toBe(true)
    for (const frame of frames(shown).slice(1, -1)) {
      const lines = frame.split('\r\n')
      expect(lines[0]).toMatch(new RegExp(`${league} +\\d+ prices`))
      expect(lines.length).toBeLessThanOrEqual(12)
    }
  })
})

/** Returns the text of each drawn frame. */
const frames = (shown: string) => shown.split('\x1b[H')
