/** A small file system in memory, to be filled; for users who may mount one. */

import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'

/** @returns a function that unmounts it; undefined where mounting is not allowed */
export function mountSmallDisk(path: string, megabytes: number): (() => void) | undefined {
  mkdirSync(path)
  try {
    const size = `size=${megabytes}m`
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return () => execFileSync('umount', ['-l', path])
}

/** Writes a file until the disk is full. */
export function fillDisk(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let bytes = 65_536; bytes >= 1; bytes = Math.floor(bytes / 16)) writeAll(file, bytes)
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, bytes: number) {
  const content = Buffer.alloc(bytes)
  try {
    for (;;) writeSync(file, content)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
