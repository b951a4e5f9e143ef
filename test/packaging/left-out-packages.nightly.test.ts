/** A clone with only some packages installed (`npm ci --omit=optional`, `--omit=dev`) is built as far as possible. */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'
import { inherited } from '../service.ts'

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

/** The compiled files of all sources. */
const compiled = ['schemas', 'pipeline', 'api'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.(ts|json)$/.test(name) && !/\.d\.ts$|^api\/web\/client\//.test(name))
    .map((name) => name.replace(/\.ts$/, '.js')),
)

test('without the compiler, esbuild removes the types', () => {
  installWithout('@typescript')
  expect(run('infra/build.mjs', '--to-run')).toEqual({ status: 0, told: '' })
  expect(compiled.filter((name) => !existsSync(join(clone, 'dist', name)))).toEqual([])
  const { status, told } = run('dist/api/main.js', '--help')
  expect(told).toContain('OVERROUND_DATA_DIR')
  expect(status).toBe(0)
  expect(readdirSync(join(clone, 'dist', 'web'))).toContain('index.html')
})

test('without development packages the last build is used, and without that there is advice', () => {
  installWithout('@typescript', 'esbuild')
  const refused = run('infra/build.mjs', '--to-run')
  expect(refused.status).toBe(1)
  expect(refused.told).toMatch(/^overround is not built.*npm ci.*npm run build/)
  cpSync(join(projectRoot, 'dist'), join(clone, 'dist'), { recursive: true })
  const used = run('infra/build.mjs', '--to-run')
  expect(used.status).toBe(0)
  expect(used.told).toMatch(/nothing is compiled. Using the build of \d{4}-/)
  // Without `--to-run` the build might be packed, so it fails.
  expect(run('infra/build.mjs').status).toBe(1)
})

describe('a fresh clone, its packages installed by npm,', () => {
  beforeEach(() => {
    rmSync(clone, { recursive: true })
    for (const file of filesOfClone()) {
      mkdirSync(join(clone, dirname(file)), { recursive: true })
      cpSync(join(projectRoot, file), join(clone, file))
    }
  })

  test('starts and answers without optional packages', async () => {
    npm('ci', '--omit=optional')
    expect(existsSync(join(clone, 'node_modules', 'chdb'))).toBe(false)
    await startsAndAnswers()
    // The command line needs generated files that are not in git.
    const { status, told } = run('dist/api/command-line/main.js', '--help')
    expect(status, told).toBe(0)
  })

  test('gives advice without development packages, and starts once it has been built', async () => {
    npm('ci', '--omit=dev')
    const { status, stderr } = spawnSync('npm', ['start'], { cwd: clone, encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain(
      'overround is not built, and the packages that build it are not installed. Run npm ci and npm run build;',
    )
    // The commands in the message are those of the guide.
    const guide = readFileSync(join(clone, 'docs', 'listeners.md'), 'utf8')
    for (const command of ['npm ci', 'npm run build', 'npm prune --omit=dev', 'npm pack']) {
      expect(stderr).toContain(command)
      expect(guide).toContain(command)
    }
    npm('ci')
    npm('run', 'build')
    npm('prune', '--omit=dev')
    expect(existsSync(join(clone, 'node_modules', 'typescript'))).toBe(false)
    expect(await startsAndAnswers()).toMatch(/nothing is compiled. Using the build of \d{4}-/)
  })

  /** Returns the files of a clone: those that git tracks here, or would track. */
  function filesOfClone(): string[] {
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    const files = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8' }).split('\0')
    return files.filter((file) => file !== '' && existsSync(join(projectRoot, file)))
  }

  function npm(command: string, ...options: readonly string[]) {
    const quietly = ['--no-audit', '--no-fund', '--prefer-offline']
    const args = [command, ...options, ...(command === 'run' ? [] : quietly)]
    execFileSync('npm', args, { cwd: clone, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  /** @returns the output of `npm start` */
  async function startsAndAnswers(): Promise<string> {
    const child = spawn('npm', ['start'], {
      cwd: clone,
      env: { ...inherited(), OVERROUND_PORT: '0', OVERROUND_LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const exited = once(child, 'exit')
    let told = ''
    child.stderr.on('data', (text) => {
      told += text
    })
    try {
      let address: string | undefined
      for await (const line of createInterface({ input: child.stdout })) {
        told += `${line}\n`
        address = /overround is at (\S+)/.exec(line)?.[1]
        if (address !== undefined) break
      }
      if (address === undefined) throw new Error(`it ended before it greeted:\n${told}`)
      const answer = await fetch(`${address}/health`)
      expect(answer.status, told).toBe(200)
    } finally {
      // The processes that npm started are in its group.
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM')
    }
    await exited
    return told
  }
})
