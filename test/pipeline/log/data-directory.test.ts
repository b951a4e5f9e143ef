import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeToOthers, ownerText, requireOwnLog } from '../../../pipeline/log/data-directory.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { openLog } from '../../../pipeline/log/open-log.ts'
import { createClock } from '../../../pipeline/process/clock.ts'
import { readConfig, StartError } from '../../../pipeline/settings/config.ts'
import { topics } from '../../../schemas/topics.ts'

let folder: string
let dataDir: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'overround-directory-'))
  dataDir = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function used() {
  const log = await openEmbeddedLog({ path: join(dataDir, 'log') })
  const value = { sportsbook: 'b', status: 'up', since: 1, audience: 'all' } as const
  await log.append([{ topic: topics.sportsbookStatus, partitionKey: 'b', key: 'b', value }])
  await log.close()
}

const file = () => join(dataDir, 'log', 'data.mdb')
const mode = (path: string) => statSync(path).mode & 0o777

describe('a log is created', () => {
  test('in a directory that is missing, empty, or left by a killed start', async () => {
    await requireOwnLog(dataDir)
    mkdirSync(dataDir)
    await requireOwnLog(dataDir)
    mkdirSync(join(dataDir, 'log'))
    writeFileSync(join(dataDir, 'log', 'lock.mdb'), 'x')
    await requireOwnLog(dataDir)
    writeFileSync(file(), '')
    await requireOwnLog(dataDir)
  })

  test('in no directory that was in use', async () => {
    await used()
    await requireOwnLog(dataDir)
    truncateSync(file())
    await expect(requireOwnLog(dataDir)).rejects.toThrow(/data\.mdb has 0 bytes.*overround restore/)
    rmSync(file())
    await expect(requireOwnLog(dataDir)).rejects.toThrow(/data\.mdb is missing.*topics\.json/)
  })

  test.each([true, false])('beside no archive (its directory there: %s)', async (isThere) => {
    mkdirSync(join(dataDir, 'archive', 'metadata'), { recursive: true })
    if (isThere) mkdirSync(join(dataDir, 'log'))
    await expect(requireOwnLog(dataDir)).rejects.toThrow(/data\.mdb is missing.*archive/)
    expect(existsSync(file())).toBe(false)
  })
})

test('a directory whose log may be on Kafka is refused, and what to set is named', async () => {
  mkdirSync(join(dataDir, 'archive', 'metadata'), { recursive: true })
  const { message } = (await requireOwnLog(dataDir).catch((thrown: Error) => thrown)) as Error
  expect(message).not.toContain('Kafka')
  mkdirSync(join(dataDir, 'schemas'))
  await expect(requireOwnLog(dataDir)).rejects.toThrow(
    /there is .*archive.*If its log was on Kafka, as .*schemas shows, .*OVERROUND_KAFKA_BROKERS/,
  )
})

describe('a start on Kafka', () => {
  const kafka = {
    OVERROUND_KAFKA_BROKERS: '127.0.0.1:1',
    OVERROUND_SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1',
  }

  /** Starts until the brokers have not answered. @returns the lines of the text log */
  async function startOnKafka() {
    const lines: { msg: string; unused?: string }[] = []
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const stop = new AbortController()
    const config = readConfig({ ...kafka, OVERROUND_DATA_DIR: dataDir })
    const options = { signal: stop.signal, onWaiting: () => stop.abort() }
    expect(await openLog(config, logger, createClock(), options)).toBeNull()
    return lines
  }

  test('closes its data directory to others too', async () => {
    mkdirSync(join(dataDir, 'archive'), { recursive: true })
    for (const path of [dataDir, join(dataDir, 'archive')]) chmodSync(path, 0o755)
    const lines = await startOnKafka()
    expect([mode(dataDir), mode(join(dataDir, 'archive'))]).toEqual([0o700, 0o700])
    expect(lines[0]!.msg).toContain('the data directory was open to others')
    expect(lines.filter(({ unused }) => unused)).toEqual([])
  })

  test('names an embedded log that it does not read', async () => {
    await used()
    const named = (await startOnKafka()).filter(({ unused }) => unused)
    expect(named).toMatchObject([
      { unused: join(dataDir, 'log'), msg: expect.stringContaining('accounts, keys, bets') },
    ])
  })

  test('goes on without a data directory, which it does not need', async () => {
    symlinkSync(dataDir, dataDir)
    const lines = await startOnKafka()
    expect(lines[0]!.msg).toBe('the data directory cannot be used')
  })
})

describe('others', () => {
  test('cannot look into a new directory', async () => {
    expect(await closeToOthers(dataDir)).toBe(false)
    expect(mode(dataDir)).toBe(0o700)
  })

  test('cannot look into an older one, nor read its files', async () => {
    await used()
    mkdirSync(join(dataDir, 'archive'))
    for (const path of [dataDir, join(dataDir, 'log'), join(dataDir, 'archive')])
      chmodSync(path, 0o755)
    chmodSync(file(), 0o644)
    expect(await closeToOthers(dataDir)).toBe(true)
    expect(await closeToOthers(dataDir)).toBe(false)
    for (const path of [dataDir, join(dataDir, 'log'), join(dataDir, 'archive')])
      expect(mode(path)).toBe(0o700)
    const files = readdirSync(join(dataDir, 'log')).map((name) => mode(join(dataDir, 'log', name)))
    expect(new Set(files)).toEqual(new Set([0o600]))
  })

  test('keep a directory that has other things too', async () => {
    await used()
    writeFileSync(join(dataDir, 'theirs'), '')
    chmodSync(dataDir, 0o755)
    chmodSync(join(dataDir, 'log'), 0o755)
    expect(await closeToOthers(dataDir)).toBe(true)
    expect([mode(dataDir), mode(join(dataDir, 'log'))]).toEqual([0o755, 0o700])
  })
})

test('a directory that cannot be read is named, with its setting', async () => {
  // A link to itself: root may read all others.
  symlinkSync(dataDir, dataDir)
  const config = readConfig({ OVERROUND_DATA_DIR: dataDir })
  const opening = openLog(config, pino({ level: 'silent' }), createClock(), {
    signal: new AbortController().signal,
  })
  const error = await opening.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StartError)
  expect((error as Error).message).toContain(
    `${dataDir} (OVERROUND_DATA_DIR) cannot be used: ELOOP`,
  )
})

test('the owner of a directory is named where a right is missing', async () => {
  const denied = Object.assign(new Error('EACCES'), { code: 'EACCES', path: folder })
  expect(await ownerText(dataDir, denied)).toBe('')
  vi.spyOn(process, 'getuid').mockReturnValue(statSync(folder).uid + 1)
  expect(await ownerText(dataDir, denied)).toContain(
    ` ${folder} is of user ${statSync(folder).uid}, `,
  )
  expect(await ownerText(dataDir, Object.assign(new Error('EIO'), { code: 'EIO' }))).toBe('')
  vi.restoreAllMocks()
})
