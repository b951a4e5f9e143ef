/** The package as npm packs it: installed without development dependencies in an empty folder, it starts. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

const folder = mkdtempSync(join(tmpdir(), 'overround-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

test('starts from its tarball in an empty folder', async () => {
  const packed = npm(
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    projectRoot,
  )
  const [{ filename, files }] = JSON.parse(packed)
  const paths: string[] = files.map((file: { path: string }) => file.path)
  expect(paths.filter((path) => /^(test|benchmarks|data)\/|\.tsbuildinfo$/.test(path))).toEqual([])

  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', filename], folder)
  const { devDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  expect(devDependencies).toHaveProperty('typescript')
  expect(existsSync(join(folder, 'node_modules', 'typescript'))).toBe(false)

  const child = spawn(join(folder, 'node_modules', '.bin', 'overround'), ['start'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      OVERROUND_PORT: '0',
      OVERROUND_LOG_LEVEL: 'silent',
      // A setting of the command line must not stop the service.
      OVERROUND_URL: 'http://127.0.0.1:3000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const address = await greeting(child.stdout)
    const headers = { 'X-API-Key': 'sk_test_sandbox_sharp' }
    const answer = await fetch(`${address}/odds?limit=1`, { headers })
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(1)
    const { port } = new URL(address)
    expect(await healthCheck({ OVERROUND_PORT: port })).toBe(0)
    expect(await healthCheck({ OVERROUND_PORT: '9' })).toBe(1)
    const pipeline = { OVERROUND_ROLE: 'pipeline', OVERROUND_PORT: '9' }
    expect(await healthCheck({ ...pipeline, OVERROUND_HEALTH_PORT: port })).toBe(0)
    expect(await healthCheck({ ...pipeline, OVERROUND_HEALTH_PORT: '9' })).toBe(1)
  } finally {
    child.kill('SIGTERM')
  }
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

test('becomes an image from the files of the build, with the dependencies of the lock file', () => {
  const context = join(folder, 'context')
  const image = join(folder, 'image')
  for (const path of [context, image]) mkdirSync(join(path, 'bin'), { recursive: true })
  const ignored = readFileSync(join(projectRoot, '.dockerignore'), 'utf8')
  for (const [, path] of ignored.matchAll(/^!(.+)$/gm)) {
    cpSync(join(projectRoot, path!), join(context, path!), { recursive: true })
  }
  const modules = [join(projectRoot, 'node_modules'), join(context, 'node_modules')]
  execFileSync('cp', ['-al', ...modules])
  npm(['pack', '--pack-destination', folder], context)
  const [packed] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  cpSync(join(projectRoot, 'package-lock.json'), join(image, 'package-lock.json'))

  const [, install] = /^RUN (tar (?:.*\\\n)*.*)$/m.exec(dockerfile)!
  const here = install!
    .replaceAll('/tmp/overround.tgz', join(folder, packed!))
    .replaceAll('/opt/overround', image)
    .replaceAll('/usr/local/bin', join(image, 'bin'))
    .replace('npm ci', 'npm ci --prefer-offline')
    .replace(/&& rm (?:.*\\\n)*.*$/, '')
  execFileSync('sh', ['-ec', here], { cwd: image, stdio: ['ignore', 'pipe', 'pipe'] })
  expect(existsSync(join(image, 'node_modules', 'typescript'))).toBe(false)
  const { packages } = JSON.parse(readFileSync(join(image, 'package-lock.json'), 'utf8'))
  const avsc = JSON.parse(readFileSync(join(image, 'node_modules/avsc/package.json'), 'utf8'))
  expect(avsc.version).toBe(packages['node_modules/avsc'].version)
  const help = execFileSync(join(image, 'bin', 'overround'), ['--help'], { encoding: 'utf8' })
  expect(help).toContain('topics')
})

const dockerfile = readFileSync(join(projectRoot, 'infra', 'docker', 'Dockerfile'), 'utf8')

/** Runs the health check of the Dockerfile. */
async function healthCheck(settings: Readonly<Record<string, string>>): Promise<number> {
  const [, written] = /^HEALTHCHECK[^[]*CMD (\[.*\])$/m.exec(dockerfile)!
  const [command, ...args] = JSON.parse(written!) as string[]
  const child = spawn(command!, args, { env: { PATH: process.env.PATH, ...settings } })
  const [code] = await once(child, 'exit')
  return code
}

async function greeting(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /overround is at (\S+)/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('it ended before it greeted')
}
