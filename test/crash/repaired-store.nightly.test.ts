/**
 * A seeded sweep of damage over a store on disk, each repaired: every entry without damage is kept at its
 * offsets, nothing else is, and the report says how many records are gone. Entries are located by their
 * bytes in the whole file, not by its trees.
 */

import { execFile } from 'node:child_process'
import {
  copyFileSync,
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
import { promisify } from 'node:util'
import { keyValueToBuffer, open } from 'lmdb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyLog } from '../../pipeline/log/embedded/backup.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import { scanEntry } from '../../pipeline/log/embedded/entry.ts'
import { repairLog } from '../../pipeline/log/embedded/repair.ts'
import { LogCorruptError } from '../../pipeline/log/log.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { topics } from '../../schemas/topics.ts'
import { inherited, type Service, startService } from '../service.ts'

/** `OVERROUND_TEST_DAMAGES=40` takes about four minutes. */
const damages = Number(process.env.OVERROUND_TEST_DAMAGES ?? 12)
const pageBytes = 4_096
const headerBytes = 24
const program = join(projectRoot, 'dist', 'api', 'command-line', 'main.js')
const now = new Date('2026-11-20T12:00:00Z')

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'overround-repaired-'))
  await writeStore(join(folder, 'used'))
  // The copy has no free pages, so each entry's bytes are in it once.
  await copyLog(join(folder, 'used'), join(folder, 'dense'))
  copyFileSync(join(folder, 'used', 'topics.json'), join(folder, 'dense', 'topics.json'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Writes two topics with small and large entries, compacted more than once. */
async function writeStore(path: string) {
  const log = await openEmbeddedLog({ path, tailRecords: 500 })
  const random = createRandom(1)
  const letter = (n: number) => ({
    topic: topics.feedRejected,
    partitionKey: 'b',
    key: 'b',
    value: {
      sportsbook: 'b',
      code: 'c',
      message: `m${n}`,
      receivedAt: n,
      text: 'x'.repeat(random(400)),
    },
  })
  const status = (n: number) => ({
    topic: topics.sportsbookStatus,
    partitionKey: 'b',
    key: `b${random(700)}`,
    value:
      random(10) === 0
        ? null
        : { sportsbook: `b${n}`, status: 'up' as const, since: n, audience: 'all' as const },
  })
  for (let n = 0; n < 600; n++) {
    const letters = n % 9 === 0 ? Array.from({ length: 300 }, (_, i) => letter(1_000 * n + i)) : []
    await log.append([
      letter(n),
      ...letters,
      ...Array.from({ length: 8 }, (_, i) => status(8 * n + i)),
    ])
  }
  await log.close()
}

interface Entry {
  readonly key: string
  readonly value: Buffer
  readonly records: number
  /** Byte ranges of the file that the entry needs, [from, to), in all copies of it. */
  readonly spans: readonly (readonly [from: number, to: number])[]
}

async function entriesOf(path: string): Promise<{ key: string; value: Buffer; records: number }[]> {
  const env = open(path, { noSubdir: false, maxDbs: 4, readOnly: true })
  try {
    const stored = env.openDB<Buffer, [number, number]>('entries', { encoding: 'binary' })
    return [...stored.getRange()].map(({ key, value }) => {
      let records = 0
      scanEntry(value, key[1], () => records++)
      return { key: key.join(' '), value: Buffer.from(value), records }
    })
  } finally {
    await env.close()
  }
}

/** Returns the byte ranges of an entry's node, of its value, and of the pointers to them on their page. */
function spansOf(file: Buffer, key: string, value: Buffer): [number, number][] {
  const keyBytes = Buffer.from(keyValueToBuffer(key.split(' ').map(Number)))
  const spans: [number, number][] = []
  const addNode = (nodeAt: number, bytes: number) => {
    const page = nodeAt - (nodeAt % pageBytes)
    spans.push([page, page + headerBytes], [nodeAt, nodeAt + bytes])
    const count = file.readUInt16LE(page + 20) / 2
    for (let at = page + headerBytes; at < page + headerBytes + 2 * count; at += 2) {
      if (page + headerBytes + file.readUInt16LE(at) === nodeAt) spans.push([at, at + 2])
    }
  }
  const places = (bytes: Buffer) => {
    const found: number[] = []
    for (let at = file.indexOf(bytes); at >= 0; at = file.indexOf(bytes, at + 1)) found.push(at)
    return found
  }
  for (const at of places(Buffer.concat([keyBytes, value]))) {
    addNode(at - 8, 8 + keyBytes.length + value.length)
  }
  for (const at of places(value).filter((place) => place % pageBytes === headerBytes)) {
    spans.push([at - headerBytes, at + value.length])
    const number = Buffer.alloc(8)
    number.writeBigUInt64LE(BigInt(Math.floor(at / pageBytes)))
    for (const node of places(Buffer.concat([keyBytes, number]))) {
      addNode(node - 8, 8 + keyBytes.length + 24)
    }
  }
  return spans
}

type Damage = (file: Buffer, random: (below: number) => number) => Buffer

const kinds: Record<string, Damage> = {
  'bytes flipped': (file, random) => {
    for (let n = 0; n <= random(12); n++) {
      // Half of them hit the small parts that matter most: headers and nodes of pages.
      const anywhere = random(file.length)
      const at = n % 2 ? anywhere : anywhere - (anywhere % pageBytes) + random(64)
      file[Math.min(at, file.length - 1)]! ^= 1 + random(255)
    }
    return file
  },
  'pages of zeros': (file, random) => {
    for (let n = 0; n <= random(4); n++) {
      const page = random(file.length / pageBytes)
      file.fill(0, page * pageBytes, (page + 1 + random(3)) * pageBytes)
    }
    return file
  },
  'pages in each other’s place': (file, random) => {
    const [from, to] = [random(file.length / pageBytes), random(file.length / pageBytes)]
    file.copy(file, to * pageBytes, from * pageBytes, (from + 1) * pageBytes)
    return file
  },
  'a file cut short': (file, random) => file.subarray(0, 2 * pageBytes + random(file.length)),
  'a sector of noise': (file, random) => {
    const at = random(file.length / 512) * 512
    for (let byte = at; byte < at + 512; byte++) file[byte] = random(256)
    return file
  },
}

/** Returns whether the damage changed bytes of the range. */
const touches = (whole: Buffer, damaged: Buffer, [from, to]: readonly [number, number]) =>
  to > damaged.length || !whole.subarray(from, to).equals(damaged.subarray(from, to))

describe.each(['dense', 'used'])('a %s store', (store) => {
  let whole: Buffer
  let entries: readonly Entry[]
  beforeAll(async () => {
    const path = join(folder, store)
    whole = readFileSync(join(path, 'data.mdb'))
    entries = (await entriesOf(path)).map((entry) => ({
      ...entry,
      spans: spansOf(whole, entry.key, entry.value),
    }))
    for (const { key, spans } of entries) expect(spans.length, key).toBeGreaterThan(2)
  })

  test.each(Object.keys(kinds))('after %s keeps intact entries, and no others', async (kind) => {
    const random = createRandom(20_261_123)
    const counts = { whole: 0, repaired: 0, refused: 0, lost: 0, unknown: 0 }
    for (let n = 0; n < damages; n++) {
      const path = join(folder, `case${n}`)
      mkdirSync(path)
      const damaged = kinds[kind]!(Buffer.from(whole), random)
      writeFileSync(join(path, 'data.mdb'), damaged)
      copyFileSync(join(folder, store, 'topics.json'), join(path, 'topics.json'))
      const untouched = entries.filter(({ spans }) =>
        spans.every((span) => !touches(whole, damaged, span)),
      )
      const about = `${kind}, case ${n}`
      try {
        const repair = await repairLog(path, [], now, async () => 0).catch((error) => {
          expect(error, about).toBeInstanceOf(LogCorruptError)
          return null
        })
        if (!repair) {
          // Without a root page nothing shows which pages are in use.
          expect(touches(whole, damaged, [0, pageBytes]), about).toBe(true)
          expect(touches(whole, damaged, [pageBytes, 2 * pageBytes]), about).toBe(true)
          counts.refused++
          continue
        }
        const log = await openEmbeddedLog({ path })
        await log.close()
        const kept = new Map((await entriesOf(path)).map(({ key, value }) => [key, value]))
        const live = new Map(entries.map(({ key, value }) => [key, value]))
        for (const [key, value] of kept)
          expect(live.get(key)?.equals(value), `${about}: ${key}`).toBe(true)
        const missing = untouched.filter(({ key }) => !kept.has(key)).map(({ key }) => key)
        expect(missing, `${about}: ${repair.damage.join('; ')}`).toEqual([])
        const lost = entries
          .filter(({ key }) => !kept.has(key))
          .reduce((sum, { records }) => sum + records, 0)
        if (repair.damagedAt === null) {
          counts.whole++
          expect(lost, about).toBe(0)
          continue
        }
        counts.repaired++
        counts.lost += lost
        expect(readFileSync(join(repair.damagedAt, 'data.mdb')).equals(damaged), about).toBe(true)
        const told = repair.losses.map((loss) => loss.lost)
        if (told.includes(null) || repair.namelessRecords > 0) counts.unknown++
        else
          expect(
            told.reduce((sum: number, one) => sum + one!, 0),
            about,
          ).toBe(lost)
        const again = await repairLog(path, [], now, async () => 0)
        expect([again.damagedAt, again.losses], about).toEqual([null, []])
      } finally {
        rmSync(path, { recursive: true })
        for (const name of readdirSync(folder)) {
          if (name.includes('.damaged-')) rmSync(join(folder, name), { recursive: true })
        }
      }
    }
    console.log(`${store}, ${kind}: ${JSON.stringify(counts)}`)
    expect(counts.repaired).toBeGreaterThan(damages / 4)
  })
})

const statusOf = async ({ address }: Service) =>
  (await fetch(`${address}/odds`, { headers: { 'x-api-key': 'sk_test_sandbox_sharp' } })).status

interface Health {
  readonly status: string
}

const adminToken = 'admin-token-of-the-test'
const admin = { authorization: `Bearer ${adminToken}` }

const settings = (dataDir: string, feeds: string) => ({
  OVERROUND_DATA_DIR: dataDir,
  OVERROUND_FEEDS: feeds,
  OVERROUND_ARCHIVE: 'off',
  OVERROUND_ADMIN_TOKEN: adminToken,
})

async function createAccount({ address }: Service, name: string) {
  const made = await fetch(`${address}/admin/accounts`, {
    method: 'POST',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ name, tier: 'pro' }),
  })
  expect(made.status).toBe(201)
}

test('a service starts on a repaired log, and serves its content', async () => {
  const dataDir = join(folder, 'data')
  const file = join(dataDir, 'log', 'data.mdb')
  const env = settings(dataDir, 'simulator')
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, [program, ...words, '--data-dir', dataDir, '--json'], {
      env: inherited(),
    }).then(
      ({ stdout }) => ({ code: 0, told: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, told: stderr }),
    )
  const name = 'the-account-that-is-kept'
  let service = await startService({ env })
  try {
    await expect.poll(() => statusOf(service)).toBe(200)
    await createAccount(service, name)
    expect((await run('repair')).told).toMatch(/writes to the log/)
    expect(await service.stop()).toBe(0)
    expect(JSON.parse((await run('repair')).told).damagedAt).toBeNull()

    const random = createRandom(7)
    const bytes = readFileSync(file)
    // The account must survive, so pages with its name are spared.
    const held = new Set<number>()
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
      held.add(Math.floor(at / pageBytes))
    }
    for (let damaged = 0; damaged < 40; ) {
      const page = 2 + random(bytes.length / pageBytes - 2)
      if (held.has(page)) continue
      bytes.fill(0, page * pageBytes, (page + 1) * pageBytes)
      damaged++
    }
    writeFileSync(file, bytes)
    const refused = await startService({ env, early: true })
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toMatch(/is damaged[ :].*overround repair/s)

    const { code, told } = await run('repair')
    expect(code, told).toBe(0)
    const repair = JSON.parse(told)
    expect(repair.losses.length).toBeGreaterThan(0)
    expect(existsSync(join(repair.damagedAt, 'repair.json'))).toBe(true)

    service = await startService({ env })
    await expect.poll(() => statusOf(service)).toBe(200)
    const accounts = await fetch(`${service.address}/admin/accounts`, { headers: admin })
    expect(await accounts.text()).toContain(name)
    await expect
      .poll(
        async () => ((await (await fetch(`${service.address}/health`)).json()) as Health).status,
      )
      .toBe('ok')
    expect(await service.stop()).toBe(0)
  } finally {
    await service.kill()
  }
})

test('a service that meets damage after its log was opened gives advice', async () => {
  const dataDir = join(folder, 'changed')
  const file = join(dataDir, 'log', 'data.mdb')
  const env = settings(dataDir, 'none')
  const name = 'the-account-that-is-changed'
  const service = await startService({ env })
  try {
    await createAccount(service, name)
    expect(await service.stop()).toBe(0)
  } finally {
    await service.kill()
  }
  // Page checks do not cover the contents of entries.
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) bytes[at]! ^= 1
  writeFileSync(file, bytes)
  const refused = await startService({ env, early: true })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toMatch(/is damaged: the entry .* of accounts .*overround repair/s)
})
