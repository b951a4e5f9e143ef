import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

const config = `
export default { test: { globalSetup: ${JSON.stringify(join(projectRoot, 'test', 'leftovers.ts'))} } }
`
const passing = `
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
test('starts a process', async () => {
  const child = spawn('sleep', ['86400'], { detached: true, stdio: 'ignore' })
  writeFileSync('pid', String(child.pid))
  if (process.env.ENDS) {
    child.kill()
    await new Promise((resolve) => child.on('exit', resolve))
  }
})
`

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'overround-leftovers-'))
  symlinkSync(join(projectRoot, 'node_modules'), join(project, 'node_modules'))
  writeFileSync(join(project, 'vitest.config.mjs'), config)
  writeFileSync(join(project, 'one.test.mjs'), passing)
})
afterEach(() => {
  if (existsSync(join(project, 'pid')) && isThere()) process.kill(pid(), 'SIGKILL')
  rmSync(project, { recursive: true })
})

const pid = () => Number(readFileSync(join(project, 'pid'), 'utf8'))

function isThere(): boolean {
  try {
    return readFileSync(`/proc/${pid()}/cmdline`, 'utf8').startsWith('sleep')
  } catch {
    return false
  }
}

function run(environment: object) {
  const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run'], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', ...environment },
  })
  return { status, told: stdout + stderr }
}

test('a run whose tests pass and leave a process behind fails, and the process is ended', async () => {
  const { status, told } = run({})
  expect(told).toMatch(/Tests +1 passed/)
  expect(told).toContain(`behind, which are ended now:\n  ${pid()} sleep 86400`)
  expect(status).toBe(1)
  await expect.poll(isThere).toBe(false)
})

test('a run whose tests end what they start passes', () => {
  const { status, told } = run({ ENDS: '1' })
  expect(told).toMatch(/Tests +1 passed/)
  expect(told).not.toContain('left processes behind')
  expect(status).toBe(0)
})
