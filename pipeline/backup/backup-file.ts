/**
 * The file of a backup: a gzipped tar with the files of a data directory and, as its last entry, the
 * manifest, which has the checksum of each. A file that is cut short has none, so it is known to be.
 */

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, type Header, pack } from 'tar-stream'
import { z } from 'zod'

/** Told to the person as it is. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** @param done bytes of `total` */
export type OnProgress = (done: number, total: number) => void

const manifestName = 'backup.json'
const format = 1
/** The archive's files are compressed already, and most of the log is repetition. */
const level = 3

const manifestSchema = z.object({
  format: z.literal(format),
  created_at: z.iso.datetime(),
  /** Of what contents each file is, by path: SHA-256 in hex, of a link where it points. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
})
export type Manifest = z.infer<typeof manifestSchema>

interface Found {
  readonly path: string
  readonly bytes: number
  readonly isLink: boolean
}

/**
 * Packs a directory, which does not change meanwhile. The file has its name when it is whole.
 * @throws BackupError for a file that is there already
 */
export async function packDirectory(
  directory: string,
  file: string,
  createdAt: Date,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Manifest> {
  if (await exists(file)) throw new BackupError(`${file} is there already; name another file.`)
  const found = await filesIn(directory)
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0)
  const part = `${file}.part`
  const tar = pack()
  const files: Record<string, string> = {}

  async function fill() {
    let done = 0
    for (const { path, bytes, isLink } of found) {
      const hash = createHash('sha256')
      if (isLink) {
        const linkname = await readlink(join(directory, path))
        hash.update(linkname)
        tar.entry({ name: path, type: 'symlink', linkname })
      } else {
        const entry = tar.entry({ name: path, size: bytes, mode: 0o600 })
        const counted = through((chunk) => {
          hash.update(chunk)
          done += chunk.length
          onProgress(done, total)
        })
        await pipeline(createReadStream(join(directory, path)), counted, entry, { signal })
      }
      files[path] = hash.digest('hex')
    }
    const manifest: Manifest = { format, created_at: createdAt.toISOString(), files }
    tar.entry({ name: manifestName, mode: 0o600 }, JSON.stringify(manifest))
    tar.finalize()
    return manifest
  }

  try {
    const writing = pipeline(tar, createGzip({ level }), createWriteStream(part, { mode: 0o600 }), {
      signal,
    })
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
 * Unpacks a file into a new directory, and checks each file of it.
 * @throws BackupError for a file that is no backup, is cut short or is damaged
 */
export async function unpackDirectory(
  file: string,
  directory: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Manifest> {
  const { size: total } = await lstat(file).catch(() => {
    throw new BackupError(`${file} cannot be read.`)
  })
  const hashes = new Map<string, string>()
  let manifestText: string | null = null
  let done = 0
  const tar = extract()
  const counted = through((chunk) => {
    done += chunk.length
    onProgress(done, total)
  })
  const reading = pipeline(createReadStream(file), counted, createGunzip(), tar, { signal })
  // It may fail while an entry of it is written, which fails by it.
  reading.catch(() => {})
  try {
    for await (const entry of tar) {
      const { name } = entry.header
      if (name === manifestName) {
        const parts: Buffer[] = []
        for await (const part of entry) parts.push(part as Buffer)
        manifestText = Buffer.concat(parts).toString()
      } else hashes.set(name, await unpackEntry(entry.header, entry, directory))
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
  return checked(file, manifestText, hashes)
}

function checked(file: string, text: string | null, hashes: ReadonlyMap<string, string>): Manifest {
  if (text === null) throw new BackupError(`${file} is no backup, or is cut short.`)
  const read = manifestSchema.safeParse(JSON.parse(text))
  if (!read.success) {
    throw new BackupError(`${file} is not of a form that this version reads.`)
  }
  const { files } = read.data
  const names = new Set([...Object.keys(files), ...hashes.keys()])
  for (const name of names) {
    if (files[name] !== hashes.get(name)) {
      throw new BackupError(`${file} is damaged: ${name} is not as it was written.`)
    }
  }
  return read.data
}

/** @returns the checksum of what was written */
async function unpackEntry(
  { name, type, linkname }: Header,
  entry: AsyncIterable<unknown> & { resume(): unknown },
  directory: string,
): Promise<string> {
  if (!isInside(name)) throw new BackupError(`${name} does not belong into a backup.`)
  const target = join(directory, name)
  const hash = createHash('sha256')
  await mkdir(dirname(target), { recursive: true })
  if (type === 'symlink' && linkname) {
    if (!isInside(join(dirname(name), linkname))) {
      throw new BackupError(`${name} points out of the backup.`)
    }
    await symlink(linkname, target)
    entry.resume()
    return hash.update(linkname).digest('hex')
  }
  if (type !== 'file') throw new BackupError(`${name} does not belong into a backup.`)
  const counted = through((chunk) => hash.update(chunk))
  // A file of its own: a name that comes twice does not write over the first.
  await pipeline(
    entry as AsyncIterable<Buffer>,
    counted,
    createWriteStream(target, { flags: 'wx', mode: 0o600 }),
  )
  await flush(target)
  return hash.digest('hex')
}

/** Only what a data directory has. */
const isInside = (name: string) => /^(log|archive)\//.test(name) && normalize(name) === name

const isOfDisk = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EIO'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

async function filesIn(directory: string, under = ''): Promise<Found[]> {
  const found: Found[] = []
  const entries = await readdir(join(directory, under), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = under === '' ? entry.name : `${under}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await filesIn(directory, path)))
    else if (entry.isSymbolicLink()) found.push({ path, bytes: 0, isLink: true })
    else {
      const { size } = await lstat(join(directory, path))
      found.push({ path, bytes: size, isLink: false })
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
