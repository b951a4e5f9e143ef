/** The installed packages support the current Node version, so `npm ci` gives no warning. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

it('no package asks for another Node than the one we promise to run on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'overround-engines-'))
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(projectRoot, name), join(folder, name))
  }
  const options = ['--dry-run', '--offline', '--ignore-scripts', '--cache', join(folder, 'cache')]
  const said = execFileSync('sh', ['-c', 'exec npm ci "$@" 2>&1', 'sh', ...options], {
    cwd: folder,
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(said).toMatch(/added \d+ packages/)
  expect(said.split('\n').filter((line) => line.includes('EBADENGINE'))).toEqual([])
})
