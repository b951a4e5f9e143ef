/** What a client's book must come to: how many rows, and a checksum over them (described in docs/streams.md). */

import { crc32 } from 'node:zlib'
import { decimalToAmerican, shownPrice } from '../../../../pipeline/rules/odds.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import { compile } from '../../../../pipeline/views/query/compiled-filter.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'

export interface Proof {
  readonly rows: number
  /** 8 hexadecimal digits. */
  readonly checksum: string
}

export interface Prover {
  prove(filter: OddsFilter): Proof
}

/** Checksums of single rows are kept until they change. */
export function createProver(view: BoardView): Prover {
  let sums = new Uint32Array(0)
  /** When each was made, as the view counts. */
  let stamps = new Float64Array(0)
  let changes = view.changes

  function sumOf(row: number): number {
    const stamp = view.changes.stamps[row]!
    if (stamps[row] === stamp) return sums[row]!
    const { rows } = view
    const price = rows.price(row)
    const sum = crc32(
      `${rows.id(row)} ${shownPrice(price)} ${decimalToAmerican(price)} ${view.line(row)} ${rows.isLive(row)} ${rows.isActive(row)}`,
    )
    stamps[row] = stamp
    sums[row] = sum
    return sum
  }

  return {
    prove(filter) {
      const { length } = view.changes.stamps
      if (changes !== view.changes || stamps.length < length) {
        changes = view.changes
        sums = new Uint32Array(length)
        stamps = new Float64Array(length)
      }
      const asked = compile(view, filter)
      const next = asked.events()
      let count = 0
      let sum = 0
      for (let event = next(); event; event = next()) {
        for (const block of event.blocks) {
          if (!asked.enter(block)) continue
          for (let i = 0; i < block.count; i++) {
            const row = block.rows[i]!
            if (!asked.names(row)) continue
            count++
            sum = (sum + sumOf(row)) >>> 0
          }
        }
      }
      return { rows: count, checksum: sum.toString(16).padStart(8, '0') }
    },
  }
}
