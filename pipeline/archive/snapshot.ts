/**
 * A copy of the embedded engine's directory, taken while the engine writes. ClickHouse never changes a part of a
 * table: it makes it under another name, renames it, and keeps those that it was merged from for eight minutes. So
 * the parts that a directory has at one time are whole, and links to their files keep them; only small files are
 * copied.
 */

import { copyFile, link, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Matches `202611_1_21_2`, also with the version of a change behind. */
const isPart = (name: string) => /_\d+_\d+_\d+(_\d+)?$/.test(name)

/** Returns whether it is a part that the engine has not finished, or has dropped. */
const isOwn = (name: string) =>
  /^(tmp|delete_tmp|clone|detached$|shadow$|moving$)/.test(name) || name.endsWith('.tmp')

const mostTries = 5

/** @param to a new directory on the same file system */
export async function snapshotArchive(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (isOwn(entry.name)) continue
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.isFile()) await copyFile(source, target)
    else if (entry.isDirectory()) await directory(source, target)
  }
}

/** Takes a table's parts together: one that goes meanwhile has been merged into one that came. */
async function directory(from: string, to: string) {
  for (let tries = 1; ; tries++) {
    try {
      const names = await readdir(from)
      if (!names.some(isPart)) return await snapshotArchive(from, to)
      const entries = await readdir(from, { withFileTypes: true })
      await mkdir(to)
      for (const entry of entries) {
        const [source, target] = [join(from, entry.name), join(to, entry.name)]
        if (isOwn(entry.name)) continue
        if (isPart(entry.name)) await linked(source, target)
        else if (entry.isDirectory()) await snapshotArchive(source, target)
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
