/**
 * Whether the disk takes further records. It counts as full while some bytes are left, which are
 * reserved for other necessary writes.
 */

import { LogFullError, LogLockedError, LogUnavailableError } from '../log.ts'
import { freeBytes, noRoomCodes } from './store-file.ts'

/** The interval between checks of the disk. */
const lookEveryMs = 250

export interface DiskRoom {
  isFull(): boolean
  /** @throws LogFullError while the disk is full */
  require(): void
  /**
   * Returns the error of a failed write. Writes fail on a full disk with various errors, some of
   * which do not name the cause.
   */
  failureOf(action: string, cause: unknown): Error
}

export function createDiskRoom(path: string, reserveBytes: number): DiskRoom {
  let isFull = false
  /** A time on the clock of `performance.now`. */
  let knownUntil = 0

  const isShort = () => freeBytes(path) < reserveBytes
  const fullError = (options?: ErrorOptions) =>
    new LogFullError(`the disk of ${path} is full`, options)

  function note(full: boolean) {
    isFull = full
    knownUntil = performance.now() + lookEveryMs
  }

  function look() {
    if (performance.now() >= knownUntil) note(isShort())
    return isFull
  }

  return {
    isFull: look,
    require() {
      if (look()) throw fullError()
    },
    failureOf(action, cause) {
      if (cause instanceof LogUnavailableError || cause instanceof LogLockedError) return cause
      if (!noRoomCodes.has((cause as { code?: unknown }).code) && !isShort()) {
        return new LogUnavailableError(`${action} ${path}`, { cause })
      }
      note(true)
      return fullError({ cause })
    },
  }
}
