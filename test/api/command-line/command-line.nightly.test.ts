/** The command itself, run as a process against a running service. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPipelineHealth, healthRoutes } from '../../../pipeline/process/health.ts'
import { openHealthPort } from '../../../pipeline/process/health-port.ts'
import { projectRoot } from '../../../schemas/project-root.ts'
import { playingLeague, type Service, startService } from '../../service.ts'
import { fillOpportunities } from '../filled-board.ts'
import { startInProcess } from '../service-in-process.ts'

const binary = join(projectRoot, 'dist', 'api', 'command-line', 'main.js')
const adminToken = 'admin-token-of-the-command-line'
const folder = mkdtempSync(join(tmpdir(), 'overround-command-'))
let service: Service
let url: string

beforeAll(async () => {
  service = await startService({
    env: {
      OVERROUND_DATA_DIR: join(folder, 'data'),
      OVERROUND_ADMIN_TOKEN: adminToken,
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_LOG_LEVEL: 'silent',
    },
  })
  url = service.address.replace('/api/v1', '')
})

afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

function spawned(args: readonly string[], environment: Record<string, string> = {}) {
  return spawn(process.execPath, [binary, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, OVERROUND_URL: url, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawned(args, environment)
  let [output, errors] = ['', '']
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  const [code] = await once(child, 'close')
  return { code, output, errors }
}

const asAdmin = { OVERROUND_ADMIN_TOKEN: adminToken }

test('a replay takes none of the settings of other feeds', async () => {
  const { code, errors } = await run(['replay', 'none.csv', '--data-dir', join(folder, 'none')], {
    ...{ OVERROUND_FEEDS_FILE: 'feeds.json', OVERROUND_SIMULATOR_RATE: '500' },
    ...{ OVERROUND_SIMULATOR_SEED: '2', OVERROUND_PORT: '0' },
  })
  expect(errors).toMatch(/none\.csv does not exist; name a recorded file/)
  expect(code).toBe(2)
})

test('a replay takes a file of any name', async () => {
  const name = 'nba 2023,24 what?.csv'
  const { code, errors } = await run(['replay', name, '--data-dir', join(folder, 'none')], {
    OVERROUND_PORT: '0',
  })
  expect(errors).toContain(`${name} does not exist; name a recorded file`)
  expect(code).toBe(2)
})

describe('best and top', () => {
  test('show one price per outcome, by the start of events', async () => {
    const league = await playingLeague(service.address)
    const { code, output } = await run(['best', '--league', league, '--limit', '200', '--json'])
    expect(code).toBe(0)
    const prices = JSON.parse(output)
    expect(prices.length).toBeGreaterThan(1)
    for (const { decimal, market, sportsbooks } of prices) {
      expect(decimal).toBeGreaterThan(1)
      expect(market).toBe('moneyline')
      expect(sportsbooks).toBeGreaterThan(0)
    }
    const starts = prices.map((price: { startsAt: string }) => price.startsAt)
    expect(starts).toEqual([...starts].sort())
  })

  test('are a table without colours if the output is no terminal', async () => {
    const league = await playingLeague(service.address)
    const { code, output } = await run(['top', '--league', league, '--limit', '3'])
    expect(code).toBe(0)
    expect(output.split('\n')[0]).toMatch(/^start \(UTC\) +selection +line +best +sportsbook/)
    expect(output.trim().split('\n')).toHaveLength(4)
    expect(output).not.toContain('\x1b')
  })
})

describe('tail', () => {
  test('prints changes until it is stopped', async () => {
    const child = spawned(['tail', '--json'])
    const lines = createInterface({ input: child.stdout })
    const [first] = await once(lines, 'line')
    expect(JSON.parse(first)).toHaveProperty('id')
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
  })

  test.each(['odds', 'arbitrage'])('reports that there is no service for %s', async (channel) => {
    const { code, errors } = await run(['tail', channel, '--url', 'http://127.0.0.1:9'])
    expect([code, errors]).toEqual([3, expect.stringContaining('overround start')])
  })

  test('shows the last content of an opportunity that is gone', async () => {
    const child = spawned(['tail', 'ev'])
    for await (const line of createInterface({ input: child.stdout })) {
      expect(line).toMatch(/^ev:(detected|expired) {2}.+ @ .+ {2}.+ % /)
      if (line.startsWith('ev:expired')) break
    }
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
  })

  test('ends when its key is revoked meanwhile', async () => {
    const made = await run(['keys', 'create', 'short', '--tier', 'enterprise', '--json'], asAdmin)
    const { account_id, key_id, key } = JSON.parse(made.output)
    const child = spawned(['tail'], { OVERROUND_KEY: key })
    const closed = once(child, 'close')
    let errors = ''
    child.stderr.on('data', (text) => {
      errors += text
    })
    await once(child.stdout, 'data')
    await run(['keys', 'revoke', account_id, key_id], asAdmin)
    expect(await closed).toEqual([4, null])
    expect(errors).toMatch(/^overround: .+ \(\w+\)\n$/)
  })

  test('refuses an unknown channel', async () => {
    const { code, errors } = await run(['tail', 'prices'])
    expect(code).toBe(2)
    expect(errors).toContain('odds, ev, arbitrage, middles, low_hold')
  })
})

describe('keys', () => {
  test('makes an account whose key works, and revokes it', async () => {
    const made = await run(['keys', 'create', 'desk', '--tier', 'pro', '--json'], asAdmin)
    expect(made.code).toBe(0)
    const { account_id, key_id, key } = JSON.parse(made.output)
    const keyFile = join(folder, 'key')
    writeFileSync(keyFile, `${key}\n`)
    expect((await run(['best', '--key-file', keyFile])).code).toBe(0)

    const listed = await run(['keys', 'list'], asAdmin)
    expect(listed.output).toContain(account_id)
    expect(listed.output).not.toContain(key)

    expect((await run(['keys', 'revoke', account_id, key_id], asAdmin)).code).toBe(0)
    expect((await run(['best', '--key-file', keyFile])).code).toBe(4)
  })

  test('takes the token from a file, and never as an argument', async () => {
    const file = join(folder, 'token')
    writeFileSync(file, adminToken)
    expect((await run(['keys', 'list', '--token-file', file])).code).toBe(0)
    expect((await run(['keys', 'list', '--token', adminToken])).code).toBe(2)
    expect((await run(['keys', 'list'])).code).toBe(2)
  })

  test('ends with 4 if the token is refused', async () => {
    const wrong = { OVERROUND_ADMIN_TOKEN: 'a-token-that-is-not-the-one' }
    expect((await run(['keys', 'list'], wrong)).code).toBe(4)
    expect((await run(['sources'], wrong)).code).toBe(4)
  })
})

test('sources are a list, empty if there are none', async () => {
  const { code, output } = await run(['sources', '--json'], asAdmin)
  expect([code, JSON.parse(output)]).toEqual([0, []])
})

describe('doctor', () => {
  const stateOf = (output: string, name: string) =>
    JSON.parse(output).find((check: { name: string }) => check.name === name)

  test('finds no fault while the service runs', async () => {
    const { code, output } = await run(['doctor', '--json'], { OVERROUND_PORT: '0' })
    expect(code).toBe(0)
    for (const name of ['node', 'settings', 'port', 'disk', 'service', 'clock', 'sources']) {
      expect([name, stateOf(output, name)?.state]).toEqual([name, 'ok'])
    }
  })

  test('advises on a wrong setting and a port in use', async () => {
    const wrong = await run(['doctor', '--json'], { OVERROUND_PROT: '1' })
    expect(wrong.code).toBe(1)
    expect(stateOf(wrong.output, 'settings').found).toContain('OVERROUND_PROT is not a setting')

    const { port } = new URL(url)
    const elsewhere = { OVERROUND_PORT: port, OVERROUND_URL: 'http://127.0.0.1:9' }
    const taken = await run(['doctor', '--json'], elsewhere)
    expect(taken.code).toBe(1)
    expect(stateOf(taken.output, 'port')).toMatchObject({ state: 'fail' })
  })

  /** Addresses at which nothing listens. */
  const onKafka = {
    OVERROUND_KAFKA_BROKERS: '127.0.0.1:1',
    OVERROUND_SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1',
  }

  test('tries the brokers and the registry, and gives advice', async () => {
    const { code, output } = await run(['doctor', '--json'], { ...onKafka, OVERROUND_PORT: '0' })
    expect(code).toBe(1)
    expect(stateOf(output, 'brokers')).toMatchObject({
      state: 'fail',
      found: expect.stringContaining('127.0.0.1:1'),
      next: expect.stringContaining('OVERROUND_KAFKA_BROKERS'),
    })
    expect(stateOf(output, 'registry')).toMatchObject({
      state: 'fail',
      next: expect.stringContaining('OVERROUND_SCHEMA_REGISTRY_URL'),
    })
    expect(stateOf(output, 'disk')).toBe(undefined)
  })

  test.each([
    ['takes a registry without schemas for one', { error_code: 40401, message: 'none' }, 'ok'],
    ['takes no other server for a registry', { error_code: 404, message: 'no such page' }, 'fail'],
  ])('%s', async (_, answer, state) => {
    const server = createServer((_, response) => {
      response.writeHead(404).end(JSON.stringify(answer))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const settings = { ...onKafka, OVERROUND_SCHEMA_REGISTRY_URL: registry, OVERROUND_PORT: '0' }
    const { output } = await run(['doctor', '--json'], settings)
    server.close()
    expect(stateOf(output, 'registry')).toMatchObject({
      state,
      found: expect.stringContaining(registry),
      ...(state === 'fail' && { next: expect.stringContaining('/apis/ccompat/v7') }),
    })
  })

  test.each([
    [{}, 'To keep it, set OVERROUND_CLICKHOUSE_URL, in all processes.'],
    [
      { OVERROUND_ARCHIVE: 'off' },
      'To keep it, unset OVERROUND_ARCHIVE and set OVERROUND_CLICKHOUSE_URL, in all processes.',
    ],
  ])('reports what an API lacks to keep history: %o', async (more, next) => {
    const settings = { ...onKafka, OVERROUND_ROLE: 'api', OVERROUND_PORT: '0', ...more }
    const { output } = await run(['doctor', '--json'], settings)
    expect(stateOf(output, 'archive')).toMatchObject({ state: 'warn', next })
  })

  test('asks a pipeline at its own port', async () => {
    const health = createPipelineHealth({ monotonic: () => 0, clockAheadMs: () => 0 })
    const port = await openHealthPort({
      ...{ host: '127.0.0.1', port: 0, setting: 'OVERROUND_HEALTH_PORT' },
      routes: healthRoutes(health, Date.now),
      onFailure() {},
    })
    const pipeline = { ...onKafka, OVERROUND_ROLE: 'pipeline', OVERROUND_URL: '' }
    const at = { OVERROUND_HEALTH_PORT: String(port.port) }
    const { output } = await run(['doctor', '--json'], { ...pipeline, ...at })
    await port.close()
    const place = `127.0.0.1:${port.port}`
    expect(stateOf(output, 'port').found).toBe(`overround listens on ${place}`)
    expect(stateOf(output, 'service').found).toBe(`answers at http://${place}/api/v1: down`)
    for (const name of ['listener', 'sandbox', 'sources']) {
      expect([name, stateOf(output, name)]).toEqual([name, undefined])
    }

    const silent = await run(['doctor', '--json'], pipeline)
    expect(stateOf(silent.output, 'port').next).toBe('Set OVERROUND_HEALTH_PORT.')
    expect(stateOf(silent.output, 'service')).toBe(undefined)
    const anyPort = await run(['doctor', '--json'], { ...pipeline, OVERROUND_HEALTH_PORT: '0' })
    expect(stateOf(anyPort.output, 'service')).toBe(undefined)
  })

  test.each([
    ['localhost', 'localhost'],
    ['::1', '[::1]'],
    ['0.0.0.0', '127.0.0.1'],
  ])('checks the service at the host it is set to listen on: %s', async (host, name) => {
    const settings = { OVERROUND_HOST: host, OVERROUND_PORT: '1', OVERROUND_URL: '' }
    const { output } = await run(['doctor', '--json'], settings)
    expect(stateOf(output, 'service').found).toContain(`http://${name}:1/`)
  })

  test('links to the guide for stale prices', async () => {
    const stale = await startInProcess()
    await fillOpportunities(stale)
    stale.advance(90_000)
    const settings = { OVERROUND_PORT: '0', OVERROUND_URL: `http://127.0.0.1:${stale.port}` }
    const { output } = await run(['doctor', '--json'], settings)
    await stale.close()
    expect(stateOf(output, 'data').next).toBe('See docs/monitoring.md#overroundpricesstale.')
  })
})

test.each([
  ['best', 'SIGINT'],
  ['keys list', 'SIGTERM'],
  ['topics diff', 'SIGINT'],
] as const)('%s that is stopped ends with 130', async (command, signal) => {
  let markAsked = () => {}
  const asked = new Promise<void>((resolve) => {
    markAsked = resolve
  })
  // Nobody answers, be it a service, a broker or a registry.
  const silent = createTcpServer(markAsked)
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  const place = `127.0.0.1:${(silent.address() as AddressInfo).port}`
  const child = spawned(command.split(' '), {
    ...asAdmin,
    OVERROUND_URL: `http://${place}`,
    ...(command === 'topics diff' && {
      OVERROUND_KAFKA_BROKERS: place,
      OVERROUND_SCHEMA_REGISTRY_URL: `http://${place}`,
    }),
  })
  const ended = once(child, 'close')
  await Promise.race([asked, ended])
  child.kill(signal)
  expect((await ended)[0]).toBe(130)
  silent.close()
})

test.each(['backup', 'repair'])('%s takes no directory by an empty name', async (name) => {
  const file = name === 'backup' ? ['no-such.tar.gz'] : []
  const { code, errors } = await run([name, ...file, '--data-dir', ''])
  expect([code, errors]).toEqual([2, expect.stringContaining('It must name a directory.')])
})

test('says its version', async () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  expect(await run(['--version'])).toEqual({ code: 0, output: `${version}\n`, errors: '' })
})

test('a backup is refused if the log is on Kafka, whatever is in ./data', async () => {
  const env = { OVERROUND_KAFKA_BROKERS: '127.0.0.1:9092' }
  const { code, errors } = await run(['backup', join(folder, 'file')], env)
  expect(code).toBe(1)
  expect(errors).toMatch(/The log is on Kafka .*schema registry.*docs\/deployment\.md/)
  expect(existsSync(join(folder, 'file'))).toBe(false)
})

test('a backup into a missing folder is a wrong argument', async () => {
  const { code, errors } = await run([
    'backup',
    join(folder, 'no-folder', 'file'),
    '--data-dir',
    'data',
  ])
  expect([code, errors]).toEqual([2, expect.stringMatching(/no-folder does not exist\. Create it/)])
})

test('exit codes distinguish an unknown command, a refused filter and a missing service', async () => {
  expect((await run(['nonsense'])).code).toBe(2)
  expect((await run(['best', '--limit', '0'])).code).toBe(2)
  expect((await run(['best', '--league', 'nosuch'])).code).toBe(2)
  expect((await run(['best', '--league', ''])).code).toBe(2)
  const { code, errors } = await run(['best', '--url', 'http://127.0.0.1:9'])
  expect(code).toBe(3)
  expect(errors).toContain('overround start')
  expect((await run(['--help'])).code).toBe(0)
})

test('backtest and export take their own arguments', async () => {
  const { code, output } = await run(['backtest', '--help'])
  expect([code, output.includes('--without <books>')]).toEqual([0, true])
  expect((await run(['export', 'nothing'])).code).toBe(2)
})
