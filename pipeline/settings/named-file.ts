/**
 * Reads the small files that settings name: secrets, certificates, settings of feeds. A link to a
 * file counts as a file, because Kubernetes and Docker mount secrets so. For a pipe (a shell makes
 * one of `<(…)`) it waits until a process has written to it and closed it. Anything else is refused
 * before it is opened, because reading it might never end.
 */

import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** The longest content. The certificates of all public authorities take a quarter of a megabyte. */
const longestBytes = 4 * 1_024 ** 2
const pieceBytes = 64 * 1_024
const waitMs = 50
const patienceMs = 5_000

/**
 * Returns the content as text. Blocks this thread while it waits for a pipe, so it is for the start of a process only.
 * @param patience how long to wait for a pipe in all, including between its bytes (ms)
 * @throws Error whose message says why it cannot be read, with a `code` if the system refused
 */
export function readNamedFile(path: string, patience = patienceMs): string {
  const reading = readInSteps(path, patience)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs)
  }
}

/** The same for a process that serves others meanwhile. */
export async function awaitNamedFile(path: string, patience = patienceMs): Promise<string> {
  const reading = readInSteps(path, patience)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
    await delay(waitMs)
  }
}

/** Reads a file; yields each time it should be resumed `waitMs` later. */
function* readInSteps(path: string, patienceMs: number): Generator<void, string> {
  const found = statSync(path)
  if (!(found.isFile() || found.isFIFO() || found.isDirectory())) {
    throw new Error('it is a device or a socket, not a file')
  }
  // Otherwise opening a pipe would block until a process writes to it.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const content = yield* readToEnd(file, found.isFIFO() ? patienceMs : 0)
    return content.toString('utf8')
  } finally {
    closeSync(file)
  }
}

/** @param patienceMs how long it may take; 0 for a file, whose bytes are all there */
function* readToEnd(file: number, patienceMs: number): Generator<void, Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  let waitedMs = 0
  for (;;) {
    const piece = readPiece(file)
    // A pipe without a writer ends at once, but a writer may still come.
    const isAwaited = piece === null || (piece.length === 0 && length === 0 && patienceMs > 0)
    if (isAwaited) {
      if (waitedMs >= patienceMs) {
        throw new Error(`it is a pipe that no process wrote to and closed within ${patienceMs} ms`)
      }
      yield
      waitedMs += waitMs
      continue
    }
    if (piece.length === 0) return Buffer.concat(pieces)
    length += piece.length
    if (length > longestBytes) throw new Error(`it has more than ${longestBytes} bytes`)
    pieces.push(piece)
  }
}

/** Returns the next bytes, none at the end; null while a pipe has none. */
function readPiece(file: number): Buffer | null {
  const piece = Buffer.allocUnsafe(pieceBytes)
  try {
    return piece.subarray(0, readSync(file, piece))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null
    throw error
  }
}
