/** Two containers on one directory: the first process of each has the id 1, and LMDB tells readers apart by it. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../../../schemas/project-root.ts'

const dist = join(projectRoot, 'dist')
const asFirst = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath]
const canRun = spawnSync('unshare', [...asFirst, '--version']).status === 0
const named = (name: string) => (canRun ? name : `${name} (skipped: unshare may not be used)`)

/** Opens the log, appends a record, prints what became of it, and waits for the end of its input. */
const writing = (path: string) => `
  const { openEmbeddedLog } = await import('${dist}/pipeline/log/embedded/embedded-log.js')
  const { topics } = await import('${dist}/schemas/topics.js')
  try {
    const log = await openEmbeddedLog({ path: '${path}' })
    const value = { sportsbook: 'b', status: 'up', since: 1, audience: 'all' }
    await log.append([{ topic: topics.sportsbookStatus, partitionKey: 'b', key: 'b', value }])
    console.log('writes as ' + process.pid)
  } catch (error) {
    console.log(error.message)
    process.exit(1)
  }
  process.stdin.resume().on('end', () => process.exit(0))`

const evaluated = (script: string) => ['--input-type=module', '--eval', script]
let folder: string
let path: string
let service: ReturnType<typeof spawn>
let started = ''
beforeAll(async () => {
  if (!canRun) return
  folder = mkdtempSync(join(tmpdir(), 'overround-containers-'))
  path = join(folder, 'data', 'log')
  service = spawn('unshare', [...asFirst, ...evaluated(writing(path))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [said] = await Promise.race([once(service.stdout!, 'data'), once(service, 'exit')])
  started = String(said)
})
afterAll(async () => {
  if (!canRun) return
  service.stdin!.end()
  if (service.exitCode === null) await once(service, 'exit')
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) =>
  spawnSync('unshare', [...asFirst, ...args], { input: '', encoding: 'utf8' })

test.skipIf(!canRun)(named('a second service is told of the first'), () => {
  expect(started).toBe('writes as 1\n')
  const { status, stdout } = run(...evaluated(writing(path)))
  expect(stdout).toBe(
    `process 1 of another container writes to the log in ${path}: stop it, or give this one another data directory by OVERROUND_DATA_DIR\n`,
  )
  expect(status).toBe(1)
})

test.skipIf(!canRun)(named('a backup beside a service is made, and its failures are told'), () => {
  const command = join(dist, 'api', 'command-line', 'main.js')
  const backup = () =>
    run(command, 'backup', join(folder, 'a.tar.gz'), '--data-dir', join(folder, 'data'), '--json')
  const made = backup()
  expect([made.status, made.stderr]).toEqual([0, ''])
  expect(JSON.parse(made.stdout)).toMatchObject({ files: 1, in_use: true })
  expect(backup()).toMatchObject({ status: 1, stderr: expect.stringContaining('a.tar.gz') })
})
