/** A small disk of its own for a broker, which can be filled. It is a tmpfs, which only root can mount. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Disk {
  /** Takes all room that is left. */
  fill(): void
  /** Gives it back. */
  free(): void
  close(): void
}

const megabytes = 1_024
const pieceBytes = 1 << 20

/** @param path where the disk is mounted @returns null where this process may not mount one */
export function openDisk(path: string): Disk | null {
  mkdirSync(path, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  } catch {
    return null
  }
  const ballast = join(path, 'ballast')
  return {
    fill() {
      for (let bytes = pieceBytes; bytes >= 1; bytes >>= 10) {
        const piece = Buffer.alloc(bytes)
        for (;;) {
          try {
            writeFileSync(ballast, piece, { flag: 'a' })
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
            break
          }
        }
      }
    },
    free: () => rmSync(ballast, { force: true }),
    // A broker that was just killed may still have files open.
    close: () => execFileSync('umount', ['-l', path]),
  }
}
