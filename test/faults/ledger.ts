/**
 * What was acknowledged, in a file of its own that is forced to the disk with every entry: the truth that the
 * board is held against, whatever becomes of the processes.
 */

import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

export interface Ledger {
  readonly entries: number
  /** @param writer whose statement it is @param seq its number */
  add(writer: string, seq: number): void
  /** The newest acknowledged number of each writer, read back from the file. */
  newest(): ReadonlyMap<string, number>
  close(): void
}

export function openLedger(path: string): Ledger {
  const file = openSync(path, 'a')
  let entries = 0
  return {
    get entries() {
      return entries
    },
    add(writer, seq) {
      writeSync(file, `${writer}\t${seq}\n`)
      fsyncSync(file)
      entries++
    },
    newest() {
      const found = new Map<string, number>()
      for (const line of readFileSync(path, 'utf8').split('\n')) {
        const [writer, seq] = line.split('\t')
        if (writer && seq) found.set(writer, Math.max(found.get(writer) ?? 0, Number(seq)))
      }
      return found
    },
    close: () => closeSync(file),
  }
}
