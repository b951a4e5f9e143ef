/** The command itself, as a process: its arguments and its line of progress. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const aDay = ['2025-11-20', '2025-11-21'] as const

type Variables = Readonly<Record<string, string>>

/** Runs the command. @param options its options @returns its exit code and what it printed */
async function run(options: readonly string[], variables: Variables) {
  const program = 'dist/api/export/main.js'
  const env = { ...process.env, TZ: 'America/New_York', ...variables }
  const command = spawn(process.execPath, [program, ...options], { env })
  let output = ''
  command.stderr.on('data', (text) => {
    output += text
  })
  const [code] = await once(command, 'close')
  return { code, output }
}

/** Runs the command for a day against a service that answers with this CSV. */
const exportOf = (answer: string, ...more: string[]) => exportFrom(aDay, answer, ...more)

async function exportFrom(
  [from, to]: readonly [from: string, to: string],
  answer: string,
  ...more: string[]
) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://a')
    asked.push(`${searchParams.get('from')} to ${searchParams.get('to')}`)
    response.end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'overround-export-'))
  try {
    const { port } = server.address() as AddressInfo
    const out = join(folder, 'day.csv')
    const options = ['changes', from, to, '--format', 'csv', '--out', out]
    const where = { OVERROUND_URL: `http://127.0.0.1:${port}`, OVERROUND_KEY: 'sk_test' }
    const { code, output } = await run([...options, ...more], where)
    const written = await readFile(out, 'utf8').catch(() => null)
    return { code, output, out, written, asked }
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

test('an export reads times in UTC, unless they name a zone', async () => {
  const { code, asked } = await exportFrom(['2025-11-20T10:00', '2025-11-20 14:30+02:00'], '"at"\n')
  expect(asked).toEqual(['2025-11-20T10:00:00.000Z to 2025-11-20T12:30:00.000Z'])
  expect(code).toBe(0)
})

test.each(['2025-9-1', '2025-11-31'])('an export refuses %j, which is no time', async (from) => {
  const { code, output, asked } = await exportFrom([from, '2025-12-01'], '"at"\n')
  expect(output).toContain('from and to are days or times such as 2026-09-01T18:00Z')
  expect([code, asked]).toEqual([2, []])
})

/** A module for `node --import` with which the engine's package is not found. */
const withoutEngine = moduleOf(`
  import { register } from 'node:module'
  register('${moduleOf(`export function resolve(name, context, next) {
    if (name === 'chdb') throw new Error('not installed')
    return next(name, context)
  }`)}')
`)

function moduleOf(text: string) {
  return `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
}

test('an export of Parquet without the engine is refused before anything is loaded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overround-export-'))
  try {
    const { code, output } = await run(['changes', ...aDay, '--out', join(folder, 'day.parquet')], {
      OVERROUND_URL: 'http://127.0.0.1:9',
      OVERROUND_KEY: 'sk_test',
      NODE_OPTIONS: `--import=${withoutEngine}`,
    })
    expect(output.trim()).toBe(
      'Parquet needs the package chdb, which does not load here: run npm install chdb, or choose --format csv or ndjson.',
    )
    expect([code, await readdir(folder)]).toEqual([1, []])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('an export takes address and key where the other commands take them', async () => {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers['x-api-key'])
    response.writeHead(401).end('{"error":{"message":"No such key."}}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'overround-export-'))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const keyFile = join(folder, 'key')
    await writeFile(keyFile, 'sk_file\n')
    const day = (name: string) => [
      'changes',
      ...aDay,
      '--format',
      'csv',
      '--out',
      join(folder, name),
    ]
    const both = { OVERROUND_URL: url, OVERROUND_KEY: 'sk_usual' }
    const ended = [
      await run(day('a'), both),
      await run(day('b'), { ...both, OVERROUND_EXPORT_KEY: 'sk_export' }),
      await run([...day('c'), '--key-file', keyFile], both),
      await run([...day('d'), '--url', url], {}),
    ]
    expect(keys).toEqual(['sk_usual', 'sk_export', 'sk_file', 'sk_test_sandbox_sharp'])
    for (const { code, output } of ended) {
      expect([code, output.trim()]).toEqual([4, 'No such key.'])
    }
    const refused = [
      await run([...day('e'), '--key', 'sk_seen'], both),
      await run(day('f'), { OVERROUND_URL: 'http://192.0.2.1' }),
    ]
    expect(refused.map(({ code }) => code)).toEqual([2, 2])
    expect(refused[1]!.output).toContain('set OVERROUND_KEY, or name a file with --key-file')
    expect(keys).toHaveLength(4)
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
})
