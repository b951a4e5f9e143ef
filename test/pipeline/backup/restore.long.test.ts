/** Archives that `backup` did not write: nothing of them is written to disk, and the fault is named. */

import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { restoreBackup, writeBackup } from '../../../pipeline/backup/backup.ts'
import { BackupError } from '../../../pipeline/backup/backup-file.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { topics } from '../../../schemas/topics.ts'

const { signal } = new AbortController()
const quiet = { onProgress: () => {}, signal }

let folder: string
let target: string
let outside: string
/** A log as in a backup. */
let log: Buffer
beforeAll(async () => {
  const made = mkdtempSync(join(tmpdir(), 'overround-origin-'))
  const origin = await openEmbeddedLog({ path: join(made, 'log') })
  const value = { sportsbook: 'b', status: 'up', since: 1, audience: 'all' } as const
  await origin.append([{ topic: topics.sportsbookStatus, partitionKey: 'b', key: 'b', value }])
  await origin.close()
  log = readFileSync(join(made, 'log', 'data.mdb'))
  rmSync(made, { recursive: true })
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'overround-restore-'))
  target = join(folder, 'target')
  outside = join(folder, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'there'), 'as it was')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Entry = Partial<Header> & {
  readonly name: string
  readonly body?: Buffer | string
}

const uuid = '2f4f7391-7be8-42bd-9ccd-05d1ff86ffc9'
const stored = `archive/store/2f4/${uuid}`
const ofLog = (): Entry => ({ name: 'log/data.mdb', body: log })

/** Returns a backup with these entries, each with its right checksum. */
async function backupOf(entries: readonly Entry[], manifest?: string) {
  const tar = pack()
  const written = buffer(tar)
  const files: Record<string, string> = {}
  for (const { body = '', ...header } of entries) {
    const contents = header.linkname ?? body
    files[header.name] = createHash('sha256').update(contents).digest('hex')
    if (header.type && header.type !== 'file') tar.entry(header)
    else tar.entry(header, body as string)
  }
  const text =
    manifest ?? JSON.stringify({ format: 1, created_at: new Date().toISOString(), files })
  tar.entry({ name: 'backup.json' }, text)
  tar.finalize()
  return written
}

/** @returns the message */
async function restoring(tar: Buffer): Promise<string> {
  const file = join(folder, 'backup.tar.gz')
  writeFileSync(file, gzipSync(tar))
  return restoreBackup({ file, dataDir: target, ...quiet }).then(
    () => 'restored',
    (error) => {
      expect(error).toBeInstanceOf(BackupError)
      return error.message
    },
  )
}

/** Checks that nothing was created, in the target or elsewhere. */
function expectNothing() {
  expect(readdirSync(folder).sort()).toEqual(['backup.tar.gz', 'outside'])
  expect(readdirSync(outside)).toEqual(['there'])
  expect(readFileSync(join(outside, 'there'), 'utf8')).toBe('as it was')
}

test('a log and the links of an archive are restored, with rights for their owner only', async () => {
  const entries: Entry[] = [
    ofLog(),
    { name: 'archive/metadata/overround', type: 'symlink', linkname: `../store/2f4/${uuid}` },
    { name: 'archive/data/overround/t', type: 'symlink', linkname: `../../store/2f4/${uuid}` },
    { name: `${stored}/all_1_1_0/data%2Ebin`, body: 'x' },
  ]
  expect(await restoring(await backupOf(entries))).toBe('restored')
  const through = join(target, 'archive', 'data', 'overround', 't', 'all_1_1_0', 'data%2Ebin')
  expect(readFileSync(through, 'utf8')).toBe('x')
  expect(statSync(target).mode & 0o777).toBe(0o700)
  expect(statSync(through).mode & 0o777).toBe(0o600)
  const again = await openEmbeddedLog({ path: join(target, 'log') })
  expect(again.continues).toHaveLength(1)
  await again.close()
  expect(readdirSync(folder).sort()).toEqual(['backup.tar.gz', 'outside', 'target'])
  // The restored store is backed up and restored again.
  const file = join(folder, 'second.tar.gz')
  const { files } = await writeBackup({ dataDir: target, file, ...quiet })
  expect(Object.keys(files).sort()).toEqual(entries.map(({ name }) => name).sort())
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const second = join(folder, 'second')
  await restoreBackup({ file, dataDir: second, ...quiet })
  expect(readdirSync(join(second, 'archive', 'data', 'overround'))).toEqual(['t'])
})

const link = (name: string, linkname: string): Entry => ({ name, type: 'symlink', linkname })
const long = 'a'.repeat(300)

test('an archive whose log cannot be moved to its place is not left behind', async () => {
  const file = join(folder, 'backup.tar.gz')
  const entries = [ofLog(), { name: `${stored}/all_1_1_0/data%2Ebin`, body: 'x' }]
  writeFileSync(file, gzipSync(await backupOf(entries)))
  mkdirSync(target)
  const inTheWay = join(target, 'log')
  const onProgress = () => writeFileSync(inTheWay, 'made meanwhile')
  await expect(restoreBackup({ file, dataDir: target, onProgress, signal })).rejects.toThrow()
  expect(readdirSync(target)).toEqual(['log'])
  rmSync(inTheWay)
  await restoreBackup({ file, dataDir: target, ...quiet })
  expect(readdirSync(target).sort()).toEqual(['archive', 'log'])
})

describe('a backup is refused, and nothing is written, for', () => {
  test.each<readonly [string, () => readonly Entry[]]>([
    ['an absolute link', () => [link('archive/data/x', outside)]],
    ['a link at the place of a file', () => [link('archive/data/d/x', outside)]],
    [
      'a link of the right form to nothing',
      () => [link('archive/metadata/d', `../store/2f4/${uuid}`)],
    ],
    [
      'a file behind a link',
      () => [
        { name: `${stored}/x`, body: 'x' },
        link('archive/data/d/t', `../../store/2f4/${uuid}`),
        { name: 'archive/data/d/t/planted', body: 'x' },
      ],
    ],
    [
      'two links, one through the other',
      () => [
        link('archive/data/a', '../../..'),
        link('archive/data/b', 'a/outside'),
        { name: 'archive/data/b/planted', body: 'x' },
      ],
    ],
    ['a link for the lock', () => [link('log/lock.mdb', join(outside, 'there'))]],
    ['a link for the log', () => [link('log/data.mdb', join(outside, 'there'))]],
    [
      'a hard link',
      () => [{ name: 'archive/data/x', type: 'link', linkname: join(outside, 'there') }],
    ],
    ['a lock', () => [{ name: 'log/lock.mdb', body: 'x' }]],
    ['a FIFO', () => [{ name: 'archive/data/x', type: 'fifo' }]],
    [
      'a character device',
      () => [{ name: 'archive/data/x', type: 'character-device', devmajor: 1, devminor: 3 }],
    ],
    [
      'a block device',
      () => [{ name: 'archive/data/x', type: 'block-device', devmajor: 8, devminor: 0 }],
    ],
    ['..', () => [{ name: '../outside/planted', body: 'x' }]],
    ['.. within', () => [{ name: 'archive/data/../../../outside/planted', body: 'x' }]],
    ['an absolute name', () => [{ name: join(outside, 'planted'), body: 'x' }]],
    ['a name with a backslash', () => [{ name: 'archive\\..\\..\\planted', body: 'x' }]],
    ['a name with a line break', () => [{ name: 'archive/data/a\nb', body: 'x' }]],
    ['an empty part', () => [{ name: 'archive//data/x', body: 'x' }]],
    ['a part of one dot', () => [{ name: 'archive/./data/x', body: 'x' }]],
    ['a folder of another name', () => [{ name: 'schemas/x', body: 'x' }]],
    [
      'a folder of another name in the archive',
      () => [{ name: 'archive/user_scripts/x', body: 'x' }],
    ],
    ...[
      'access/users.list',
      'config.xml',
      'metadata_dropped/overround.x.sql',
      'named_collections/c.sql',
      'user_defined/function_f.sql',
    ].map((name) => [name, () => [{ name: `archive/${name}`, body: 'x' }]] as const),
    ['another file in the log', () => [{ name: 'log/x', body: 'x' }]],
    ['a file at the root', () => [{ name: 'x', body: 'x' }]],
    ['a directory of another name', () => [{ name: '../outside/planted/', type: 'directory' }]],
    [
      'a file twice',
      () => [
        { name: 'archive/data/x', body: 'x' },
        { name: 'archive/data/x', body: 'x' },
      ],
    ],
    [
      'names that differ in case',
      () => [
        { name: 'archive/data/x', body: 'x' },
        { name: 'archive/data/X', body: 'x' },
      ],
    ],
    [
      'a file that is a folder too',
      () => [
        { name: 'archive/data/x', body: 'x' },
        { name: 'archive/data/x/y', body: 'x' },
      ],
    ],
    ['a long name', () => [{ name: `archive/data/${long}`, body: 'x' }]],
    ['a deep name', () => [{ name: `archive/data/${'a/'.repeat(400)}x`, body: 'x' }]],
    [
      'a name by pax',
      () => [{ name: 'archive/data/x', pax: { path: '../../outside/planted' }, body: 'x' }],
    ],
    ['a link by pax', () => [{ ...link('archive/data/x', 'y'), pax: { linkpath: outside } }]],
    ['entries behind the manifest', () => [{ name: 'backup.json', body: '{}' }]],
  ])('%s', async (_of, entries) => {
    expect(await restoring(await backupOf([ofLog(), ...entries()]))).not.toBe('restored')
    expectNothing()
  })

  test('a table that a newer version may have', async () => {
    const name = `${stored}/price_steams.sql`
    const body = "ATTACH TABLE _ UUID '2f4f7391-7be8-42bd-9ccd-05d1ff86ffc9' ENGINE = MergeTree"
    expect(await restoring(await backupOf([ofLog(), { name, body }]))).toBe(
      `${name} is not as overround writes it in this version ("price_steams.sql"). Nothing is restored; restore it with the version that wrote the backup.`,
    )
    expectNothing()
  })

  test('a table that the archive does not have, by name', async () => {
    const name = `${stored}/prices.sql`
    const body =
      "ATTACH TABLE _ UUID '2f4f7391-7be8-42bd-9ccd-05d1ff86ffc9' ENGINE = URL('http://x')"
    const told = await restoring(await backupOf([ofLog(), { name, body }]))
    expect(told).toBe(
      `${name} is not as overround writes it ("URL"), and the archive's engine could read, write or send data by it. Nothing is restored; take a backup that overround wrote.`,
    )
    expectNothing()
  })
  test('a definition that is too long to be one', async () => {
    const body = 'ATTACH '.repeat(100_000)
    const entries = [ofLog(), { name: `${stored}/prices.sql`, body }]
    expect(await restoring(await backupOf(entries))).toMatch(/does not belong into a backup/)
    expectNothing()
  })

  test.each([
    [link('archive/data/x', '/etc')],
    [link('archive/data/a', '../../..'), link('archive/data/b', 'a/outside')],
    [link('log/lock.mdb', '/etc/hostname')],
    [link('log/data.mdb', '/etc/hostname')],
  ])('a file named in the refusal: %o', async (first, ...others) => {
    const told = await restoring(await backupOf([first, ...others, ofLog()]))
    expect(told).toBe(`"${first.name}" does not belong into a backup.`)
    expectNothing()
  })

  test('a size that the disk has no room for', async () => {
    const tar = Buffer.from(await backupOf([{ name: 'archive/data/x', body: 'x' }]))
    // The size is in octal digits. The header's checksum follows.
    tar.write('77777777777\0', 124)
    tar.fill(' ', 148, 156)
    const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0)
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const told = await restoring(tar)
    expect(told).toMatch(/no room for archive\/data\/x|damaged or cut short/)
    expectNothing()
  })

  test.each([
    ['no JSON', '{'],
    ['another form', '{"format":2}'],
    [
      'a file that is not there',
      JSON.stringify({
        format: 1,
        created_at: '2026-11-26T12:00:00Z',
        files: { 'archive/data/y': 'a'.repeat(64) },
      }),
    ],
  ])('a manifest of %s', async (_of, text) => {
    expect(await restoring(await backupOf([ofLog()], text))).toMatch(/not of a form|is damaged/)
    expectNothing()
  })
})

describe('a log is refused', () => {
  const inLog = (at: number, bytes: number[]) => {
    const changed = Buffer.from(log)
    changed.set(bytes, at)
    return changed
  }
  const pageSize = 4_096
  const full = Array.from({ length: 8 }, () => 255)
  test.each<readonly [string, () => Buffer | null]>([
    ['that is not there', () => null],
    ['that is empty', () => Buffer.alloc(0)],
    ['that is text', () => Buffer.from('no log'.repeat(2_000))],
    ['of zeros', () => Buffer.alloc(8 * pageSize)],
    ['that is cut short', () => log.subarray(0, 2 * pageSize + 100)],
    ['of two meta pages alone', () => log.subarray(0, 2 * pageSize)],
    [
      'whose roots lead nowhere',
      () => {
        const file = inLog(24 + 24 + 48 + 40, full)
        file.set([0xff, 0xff, 0xff, 0x7f], pageSize + 24 + 24 + 48 + 40)
        return file
      },
    ],
    [
      'whose pages are noise',
      () =>
        Buffer.concat([
          log.subarray(0, 2 * pageSize),
          Buffer.alloc(log.length - 2 * pageSize, 0xa5),
        ]),
    ],
  ])('%s, by name', async (_of, made) => {
    const body = made()
    const entries =
      body === null ? [{ name: 'log/topics.json', body: '{}' }] : [{ name: 'log/data.mdb', body }]
    expect(await restoring(await backupOf(entries))).toMatch(
      /^The log in .*backup\.tar\.gz is damaged: /,
    )
    expectNothing()
  })
})

describe('the target must not be', () => {
  const refused = async () => restoring(await backupOf([ofLog()]))

  test('a link', async () => {
    symlinkSync(outside, target)
    expect(await refused()).toMatch(/is a link/)
    expect(await refused()).toContain(`${target} is a link to ${outside};`)
    expect(readdirSync(outside)).toEqual(['there'])
  })
  test('a link to nothing', async () => {
    symlinkSync(join(folder, 'nothing'), target)
    expect(await refused()).toMatch(/is a link/)
    expect(existsSync(join(folder, 'nothing'))).toBe(false)
  })
  test('a file', async () => {
    writeFileSync(target, 'x')
    expect(await refused()).toMatch(/is no directory/)
    expect(readFileSync(target, 'utf8')).toBe('x')
  })
  test('a directory with something in it', async () => {
    mkdirSync(target)
    writeFileSync(join(target, '.x'), 'x')
    expect(await refused()).toMatch(/is not empty/)
    expect(readdirSync(target)).toEqual(['.x'])
  })
  test('but may be empty', async () => {
    mkdirSync(target)
    expect(await refused()).toBe('restored')
    expect(readdirSync(target)).toEqual(['log'])
  })
  test('but may be a directory that keeps its place, as a mount point does', async () => {
    mkdirSync(join(target, 'lost+found'), { recursive: true })
    // Left by a killed restore, which in a container has the same process id.
    mkdirSync(join(target, `.restoring-${process.pid}-x`))
    const { ino } = statSync(target)
    const entries: Entry[] = [{ name: `${stored}/all_1_1_0/x`, body: 'x' }, ofLog()]
    expect(await restoring(await backupOf(entries))).toBe('restored')
    expect(readdirSync(target).sort()).toEqual(['archive', 'log', 'lost+found'])
    expect(statSync(target).ino).toBe(ino)
    expect(statSync(join(target, 'log')).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(join(target, 'log'))) {
      expect([name, statSync(join(target, 'log', name)).mode & 0o777]).toEqual([name, 0o600])
    }
  })
  test('and stays empty, in its place, when the backup is refused', async () => {
    mkdirSync(target)
    expect(await restoring(await backupOf([{ name: 'log/data.mdb', body: 'x' }]))).toMatch(
      /damaged/,
    )
    expect(readdirSync(target)).toEqual([])
  })
})

test.skipIf(process.getuid?.() !== 0)(
  'a backup and a restore by root leave files that the owner of the directory can open (as root)',
  async () => {
    const [uid, gid] = [4_321, 4_322]
    mkdirSync(target)
    chownSync(target, uid, gid)
    const entries = [{ name: `${stored}/x`, body: 'x' }, ofLog()]
    expect(await restoring(await backupOf(entries))).toBe('restored')
    rmSync(join(target, 'log', 'lock.mdb'))
    await writeBackup({ dataDir: target, file: join(folder, 'again.tar.gz'), ...quiet })
    for (const name of ['.', ...readdirSync(target, { recursive: true })]) {
      expect(statSync(join(target, String(name))), String(name)).toMatchObject({ uid, gid })
    }
  },
)

test('a backup is made after a killed one with the same process id, as in a container', async () => {
  expect(await restoring(await backupOf([ofLog()]))).toBe('restored')
  for (const left of ['', '-x']) {
    mkdirSync(join(target, `.backup-${process.pid}${left}`))
    const file = join(folder, `after${left}.tar.gz`)
    await writeBackup({ dataDir: target, file, ...quiet })
    expect(readdirSync(target)).toEqual(['log'])
  }
})
