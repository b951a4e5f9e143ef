/** A clone whose packages are installed in part (`npm ci --omit=optional`, `--omit=dev`) is built as far as it can be. */

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

const sources = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'README.md']
const folders = ['schemas', 'pipeline', 'api', 'infra', 'docs']

let clone: string
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'overround-clone-'))
  for (const name of [...sources, ...folders]) {
    cpSync(join(projectRoot, name), join(clone, name), { recursive: true })
  }
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

function installWithout(...leftOut: readonly string[]) {
  const packages = join(clone, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(projectRoot, 'node_modules'))) {
    if (!leftOut.includes(name)) {
      symlinkSync(join(projectRoot, 'node_modules', name), join(packages, name))
    }
  }
}

function run(...program: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: clone,
    encoding: 'utf8',
  })
  return { status, told: stdout + stderr }
}

/** What sources are compiled to. */
const compiled = ['schemas', 'pipeline', 'api'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.(ts|json)$/.test(name) && !/\.d\.ts$|^api\/web\/client\//.test(name))
    .map((name) => name.replace(/\.ts$/, '.js')),
)

test('without the compiler, esbuild takes the types out', () => {
  installWithout('@typescript')
  expect(run('infra/build.mjs', '--to-run')).toEqual({ status: 0, told: '' })
  expect(compiled.filter((name) => !existsSync(join(clone, 'dist', name)))).toEqual([])
  const { status, told } = run('dist/api/main.js', '--help')
  expect(told).toContain('OVERROUND_DATA_DIR')
  expect(status).toBe(0)
  expect(readdirSync(join(clone, 'dist', 'web'))).toContain('index.html')
})

test('without development packages, what was built before is used, and without that it is said what to do', () => {
  installWithout('@typescript', 'esbuild')
  const refused = run('infra/build.mjs', '--to-run')
  expect(refused.status).toBe(1)
  expect(refused.told).toMatch(/^overround is not built.*npm ci.*npm run build/)
  cpSync(join(projectRoot, 'dist'), join(clone, 'dist'), { recursive: true })
  const used = run('infra/build.mjs', '--to-run')
  expect(used.status).toBe(0)
  expect(used.told).toMatch(/nothing is compiled. Using the build of \d{4}-/)
  // A package would be made of it.
  expect(run('infra/build.mjs').status).toBe(1)
})
