/** A Python with a test's packages, made once in the machine's temporary folder. */

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** @returns the path of its interpreter; null without Python or without access to the packages */
export async function havePython(packages: readonly string[]): Promise<string | null> {
  const name = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `overround-python-${name}`)
  const interpreter = join(folder, 'bin', 'python')
  const whole = join(folder, 'whole')
  if (existsSync(whole)) return interpreter
  try {
    await run('python3', ['-m', 'venv', folder])
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
    await run(interpreter, [...install, ...packages])
    await writeFile(whole, '')
    return interpreter
  } catch {
    return null
  }
}
