/**
 * A copy of the embedded engine's directory, taken while the engine writes. ClickHouse never changes a part of a
 * table: it makes it under another name, renames it, and keeps those that it was merged from for eight minutes. So
 * the parts that a directory has at one time are whole, and links to their files keep them; only small files are
 * copied.
 *
 * Tables are taken one after another while rows come. The archiver inserts the rows beside a table first, and after a
 * restore goes on where the table ends. So tables beside others are taken last: rows too many do no harm there, and one
 * that is missing would never come.
 */

import { copyFile, link, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { besideTables } from './archived-tables.ts'

/** Matches `202611_1_21_2`, also with the version of a change behind. */
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

/** Takes a table's parts together: one that goes meanwhile has been merged into one that came. */
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
