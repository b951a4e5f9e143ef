/**
 * A copy of the embedded engine's directory, taken while the engine writes. ClickHouse never
 * changes a part of a table: it makes a part under another name, renames it, and keeps the parts it
 * was merged from for eight minutes. So all parts in a directory are whole, and links to their
 * files keep them. Only small files are copied.
 *
 * Tables are copied one after the other while rows come. The archiver inserts into the table beside
 * another first, and after a restore it continues where the main table ends. So tables beside
 * others are copied last: extra rows do no harm there, but a missing row would never come.
 */

import { copyFile, link, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { besideTables } from './archived-tables.ts'

/** Matches `202611_1_21_2`, also with the version of a mutation after it. */
const isPart = (name: string) => /_\d+_\d+_\d+(_\d+)?$/.test(name)

/** Returns whether it is a part that the engine has not finished, or has dropped. */
const isOwn = (name: string) =>
  /^(tmp|delete_tmp|clone|detached$|shadow$|moving$)/.test(name) || name.endsWith('.tmp')

const mostTries = 5

/** @param to a new directory on the same file system */
export async function snapshotArchive(from: string, to: string): Promise<void> {
  const last = await directoriesBeside(from)
  await tree(from, to, last)
  for (const source of last)
    await directory(source, join(to, relative(resolve(from), source)), none)
}

const none: ReadonlySet<string> = new Set()

/** Returns the directories of the tables that are beside others. */
async function directoriesBeside(archive: string): Promise<ReadonlySet<string>> {
  const data = join(archive, 'data')
  const databases = await readdir(data).catch(() => [])
  const found = new Set<string>()
  for (const database of databases) {
    for (const table of besideTables) {
      const link = await readlink(join(data, database, table)).catch(() => null)
      if (link !== null) found.add(resolve(data, database, link))
    }
  }
  return found
}

/** @param last directories to leave out */
async function tree(from: string, to: string, last: ReadonlySet<string>): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (isOwn(entry.name) || last.has(resolve(source))) continue
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.isFile()) await copyFile(source, target)
    else if (entry.isDirectory()) await directory(source, target, last)
  }
}

/**
 * Copies a table's parts. If one disappears meanwhile, it was merged into a new one, so all are
 * listed again.
 */
async function directory(from: string, to: string, last: ReadonlySet<string>) {
  for (let tries = 1; ; tries++) {
    try {
      const names = await readdir(from)
      if (!names.some(isPart)) return await tree(from, to, last)
      const entries = await readdir(from, { withFileTypes: true })
      await mkdir(to)
      for (const entry of entries) {
        const [source, target] = [join(from, entry.name), join(to, entry.name)]
        if (isOwn(entry.name)) continue
        if (isPart(entry.name)) await linked(source, target)
        else if (entry.isDirectory()) await tree(source, target, last)
        else await copyFile(source, target)
      }
      return
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isGone || tries === mostTries) throw error
      await rm(to, { recursive: true, force: true })
    }
  }
}

async function linked(from: string, to: string) {
  await mkdir(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await linked(source, target)
    else await link(source, target)
  }
}
