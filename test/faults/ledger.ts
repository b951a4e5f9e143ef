/**
 * The acknowledged statements, in a file that is synced to disk with every entry. The board is held against
 * it, whatever happens to the processes.
 */

import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

export interface Ledger {
  readonly entries: number
  /** @param writer the writer of the statement @param seq its number */
  add(writer: string, seq: number): void
  /** Returns each writer's acknowledged numbers in order, read back from the file. */
  read(): ReadonlyMap<string, readonly number[]>
  /** Returns the newest number of each writer. */
  newest(): ReadonlyMap<string, number>
  close(): void
}

export function openLedger(path: string): Ledger {
  const file = openSync(path, 'a')
  let entries = 0

  function read() {
    const found = new Map<string, number[]>()
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const [writer, seq] = line.split('\t')
      if (!writer || !seq) continue
      const seqs = found.get(writer) ?? []
      seqs.push(Number(seq))
      found.set(writer, seqs)
    }
    return found
  }

  return {
    get entries() {
      return entries
    },
    add(writer, seq) {
      writeSync(file, `${writer}\t${seq}\n`)
      fsyncSync(file)
      entries++
    },
    read,
    newest: () => new Map([...read()].map(([writer, seqs]) => [writer, Math.max(...seqs)])),
    close: () => closeSync(file),
  }
}
