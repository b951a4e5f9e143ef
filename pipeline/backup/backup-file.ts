/**
 * The file of a backup: a gzipped tar with the files of a data directory and, as its last entry, a
 * manifest with the checksum of each. A file that is cut short has no manifest.
 *
 * It may come from anywhere, so only content known to `backup-names.ts` and `archive-statements.ts`
 * is unpacked. Files go into directories made here. Links of the archive's engine are made last,
 * when all else is unpacked and checked, so no file can be written through a link.
 */

import { createHash } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  statfs,
  symlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, type Header, pack } from 'tar-stream'
import { z } from 'zod'
import { foreignPart, hasStatements, isOnlyName, mostStatementBytes } from './archive-statements.ts'
import { isKnownFile, isKnownFolder, isKnownLink } from './backup-names.ts'

/** An error with a message for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** @param done bytes of `total` */
export type OnProgress = (done: number, total: number) => void

const manifestName = 'backup.json'
const format = 1
/** A low level is enough: the archive's files are compressed, and the log is repetitive. */
const level = 3
/** The most bytes of a manifest: it has a line per file, and an archive has thousands of files. */
const mostManifestBytes = 64 * 1_024 ** 2

const manifestSchema = z.object({
  format: z.literal(format),
  created_at: z.iso.datetime(),
  /** The SHA-256 of a file in hex, or the target of a link, by path. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
})
export type Manifest = z.infer<typeof manifestSchema>

interface Found {
  readonly root: string
  readonly path: string
  readonly bytes: number
  readonly isLink: boolean
}

/**
 * Packs the content of directories, which must not change meanwhile. The file gets its name when it
 * is complete.
 * @throws BackupError for a file that exists already, and for content that would not be unpacked
 */
export async function packDirectories(
  directories: readonly string[],
  file: string,
  createdAt: Date,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Manifest> {
  if (await exists(file)) throw new BackupError(`${file} is there already; name another file.`)
  const found = (await Promise.all(directories.map((root) => filesIn(root)))).flat()
  await requireOwnStatements(found)
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0)
  const part = `${file}.part`
  const tar = pack()
  const files: Record<string, string> = {}

  async function fill() {
    let done = 0
    for (const { root, path, bytes, isLink } of found) {
      const hash = createHash('sha256')
      if (isLink) {
        const linkname = await readlink(join(root, path))
        hash.update(linkname)
        tar.entry({ name: path, type: 'symlink', linkname })
      } else {
        const entry = tar.entry({ name: path, size: bytes, mode: 0o600 })
        const counted = through((chunk) => {
          hash.update(chunk)
          done += chunk.length
          onProgress(done, total)
        })
        await pipeline(createReadStream(join(root, path)), counted, entry, { signal })
      }
      files[path] = hash.digest('hex')
    }
    const manifest: Manifest = { format, created_at: createdAt.toISOString(), files }
    tar.entry({ name: manifestName, mode: 0o600 }, JSON.stringify(manifest))
    tar.finalize()
    return manifest
  }

  try {
    // Removes the remains of a killed backup, and a link that would redirect the write.
    await rm(part, { force: true })
    const output = createWriteStream(part, { flags: 'wx', mode: 0o600 })
    const writing = pipeline(tar, createGzip({ level }), output, { signal })
    const [manifest] = await Promise.all([fill(), writing]).catch((error) => {
      tar.destroy(error)
      return writing.catch(() => {}).then(() => Promise.reject(error))
    })
    await flush(part)
    await rename(part, file)
    return manifest
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/**
 * Unpacks a file into a new, empty directory, and checks each file of it.
 * @throws BackupError for a file that is no backup, is cut short or is damaged, or has content that no data directory
 * has
 */
export async function unpackDirectory(
  file: string,
  directory: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Manifest> {
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) throw new BackupError(`${file} cannot be read.`)
  const total = found.size
  const folder = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return await unpackInto(createTarget(folder, directory))
  } finally {
    await folder.close()
  }

  async function unpackInto(target: Target): Promise<Manifest> {
    let manifestText: string | null = null
    let done = 0
    const tar = extract()
    const counted = through((chunk) => {
      done += chunk.length
      onProgress(done, total)
    })
    const reading = pipeline(createReadStream(file), counted, createGunzip(), tar, { signal })
    // If reading fails while an entry is written, writing fails too, and that error is thrown.
    reading.catch(() => {})
    try {
      for await (const entry of tar) {
        const { name, type } = entry.header
        if (manifestText !== null) throw foreign(name)
        if (name === manifestName && type === 'file') {
          manifestText = (await contentOf(name, entry, mostManifestBytes)).toString()
        } else await target.take(entry.header, entry)
      }
      await reading
    } catch (error) {
      const cause = await reading.then(
        () => error,
        (thrown: unknown) => thrown,
      )
      if (signal.aborted || error instanceof BackupError || isOfDisk(error)) throw error
      throw new BackupError(`${file} is damaged or cut short: ${(cause as Error).message}.`)
    }
    const manifest = checked(file, manifestText, target.hashes)
    await target.finish()
    return manifest
  }
}

const foreign = (name: string) =>
  new BackupError(`${JSON.stringify(name.slice(0, 200))} does not belong into a backup.`)

/** @throws BackupError for a longer entry */
async function contentOf(
  name: string,
  entry: AsyncIterable<unknown>,
  mostBytes: number,
): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of entry as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > mostBytes) throw foreign(name)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

interface Advice {
  /** The advice for a name that a newer version may have. */
  readonly ofNewer: string
  readonly ofOthers: string
}

/** @param text the statements */
function notOurs(path: string, part: string, text: string, { ofNewer, ofOthers }: Advice) {
  const shown = JSON.stringify(part.slice(0, 200))
  return new BackupError(
    isOnlyName(part, text)
      ? `${path} is not as overround writes it in this version (${shown}). ${ofNewer}`
      : `${path} is not as overround writes it (${shown}), and the archive's engine could read, write or send data by it. ${ofOthers}`,
  )
}

async function requireOwnStatements(found: readonly Found[]) {
  for (const { root, path, bytes } of found) {
    if (!hasStatements(path)) continue
    const isLong = bytes > mostStatementBytes
    const text = isLong ? '' : await readFile(join(root, path), 'utf8')
    const part = isLong ? `${bytes} bytes` : foreignPart(path, text)
    if (part === null) continue
    throw notOurs(path, part, text, {
      ofNewer:
        'If a newer version ran on this directory, back up with that version; what no version made has to be removed first.',
      ofOthers: 'Remove that table or change first: no backup with it is restored.',
    })
  }
}

function checked(file: string, text: string | null, hashes: ReadonlyMap<string, string>): Manifest {
  if (text === null) throw new BackupError(`${file} is no backup, or is cut short.`)
  const read = manifestSchema.safeParse(jsonIn(text))
  if (!read.success) {
    throw new BackupError(`${file} is not of a form that this version reads.`)
  }
  const files = new Map(Object.entries(read.data.files))
  for (const name of new Set([...files.keys(), ...hashes.keys()])) {
    if (files.get(name) !== hashes.get(name)) {
      throw new BackupError(`${file} is damaged: ${name} is not as it was written.`)
    }
  }
  return read.data
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Target = ReturnType<typeof createTarget>

/** Creates a new directory that only this process fills. */
function createTarget(folder: FileHandle, directory: string) {
  // Addressed by its handle, in case its name changes meanwhile; by its path if the system has no
  // handle paths.
  const base = process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : directory
  const at = (path: string) => join(base, path)
  /** The SHA-256 of the written bytes, in hex. */
  const hashes = new Map<string, string>()
  const folders = new Set<string>([''])
  const links = new Map<string, string>()
  /** Lowercase names, because on some systems two names that differ only in case are one file. */
  const taken = new Set<string>()

  async function makeFolder(path: string) {
    if (folders.has(path)) return
    if (!isKnownFolder(path)) throw foreign(path)
    const above = path.includes('/') ? dirname(path) : ''
    await makeFolder(above)
    claim(path)
    folders.add(path)
    await mkdir(at(path), { mode: 0o700 })
  }

  function claim(path: string) {
    const name = path.toLowerCase()
    if (taken.has(name)) throw new BackupError(`${path} is in the backup twice.`)
    taken.add(name)
  }

  /** Checks the statements of a file before the archive's engine can execute them. */
  async function writeStatements(path: string, entry: AsyncIterable<unknown>) {
    const content = await contentOf(path, entry, mostStatementBytes)
    const text = content.toString()
    const part = foreignPart(path, text)
    if (part !== null) {
      throw notOurs(path, part, text, {
        ofNewer: 'Nothing is restored; restore it with the version that wrote the backup.',
        ofOthers: 'Nothing is restored; take a backup that overround wrote.',
      })
    }
    await writeFile(path, content.length, [content])
  }

  async function writeFile(
    path: string,
    bytes: number,
    entry: AsyncIterable<unknown> | Iterable<unknown>,
  ) {
    const { bavail, bsize } = await statfs(base)
    if (bytes > bavail * bsize) {
      throw new BackupError(`The disk has no room for ${path}, which has ${bytes} bytes.`)
    }
    await makeFolder(dirname(path))
    claim(path)
    const hash = createHash('sha256')
    const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
    const file = await open(at(path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    try {
      for await (const chunk of entry as AsyncIterable<Buffer> | Iterable<Buffer>) {
        hash.update(chunk)
        await file.appendFile(chunk)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    hashes.set(path, hash.digest('hex'))
  }

  return {
    hashes: hashes as ReadonlyMap<string, string>,

    async take(
      { name, type, linkname, size }: Header,
      entry: AsyncIterable<unknown> & { resume(): unknown },
    ) {
      if (type === 'file' && isKnownFile(name)) {
        if (hasStatements(name)) return writeStatements(name, entry)
        return writeFile(name, size ?? 0, entry)
      }
      const to = linkname ?? ''
      if (type === 'symlink' && isKnownLink(name, to)) {
        claim(name)
        links.set(name, to)
        hashes.set(name, createHash('sha256').update(to).digest('hex'))
      } else if (type === 'directory') await makeFolder(name.replace(/\/$/, ''))
      else throw foreign(name)
      entry.resume()
    },

    /** To be called when everything is unpacked unchanged: makes the links, and flushes the directories to the disk. */
    async finish() {
      for (const [name, to] of links) {
        const above = dirname(name)
        if (!folders.has(join(above, to))) {
          throw new BackupError(`${name} leads to ${to}, which is not in the backup.`)
        }
        await makeFolder(above)
        await symlink(to, at(name))
      }
      for (const path of folders) await flush(at(path))
    },
  }
}

const isOfDisk = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EIO'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

async function filesIn(root: string, under = ''): Promise<Found[]> {
  const found: Found[] = []
  const entries = await readdir(join(root, under), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = under === '' ? entry.name : `${under}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await filesIn(root, path)))
    else if (entry.isSymbolicLink()) {
      const to = await readlink(join(root, path))
      // A backup with any other link could not be unpacked.
      if (isKnownLink(path, to)) found.push({ root, path, bytes: 0, isLink: true })
    } else if (entry.isFile() && isKnownFile(path)) {
      const { size } = await lstat(join(root, path))
      found.push({ root, path, bytes: size, isLink: false })
    }
  }
  return found
}

async function flush(path: string) {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

function through(look: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback) {
      look(chunk)
      done(null, chunk)
    },
  })
}
