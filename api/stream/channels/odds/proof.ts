/** The proof of a client's book: its number of rows and their checksum (docs/streams.md). */

import { crc32 } from 'node:zlib'
import { decimalToAmerican, shownPrice } from '../../../../pipeline/rules/odds/odds.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import { type CompiledFilter, compile } from '../../../../pipeline/views/query/compiled-filter.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'

export interface Proof {
  readonly rows: number
  /** 8 hexadecimal digits. */
  readonly checksum: string
}

/** The proof of one book. The sum of an event is reused until one of its prices changes. */
export interface BookProof {
  /**
   * Works on outdated sums for a few milliseconds.
   * @returns the proof as of now; null while sums are outdated
   */
  step(filter: OddsFilter): Proof | null
}

export interface Prover {
  open(): BookProof
}

/** The rows of one event in a book. */
interface EventSum {
  /** The board's stamp. */
  readonly summedAt: number
  readonly count: number
  readonly sum: number
}

/** Checksums computed in one step. */
const madeAtOnce = 4_000
/** Cached checksums that are read in the time of computing one. */
const readAsOneMade = 32

/** Caches the checksum of each row until it changes. */
export function createProver(view: BoardView): Prover {
  let sums = new Uint32Array(0)
  /** The board's stamp of each row when its checksum was computed. */
  let stamps = new Float64Array(0)
  let journal = view.journal
  /** Work of the current step, in computed checksums. */
  let looked = 0

  function sumOf(row: number): number {
    const stamp = view.journal.stamps[row]!
    if (stamps[row] === stamp) return sums[row]!
    const { rows } = view
    const price = rows.price(row)
    const sum = crc32(
      `${rows.id(row)} ${shownPrice(price)} ${decimalToAmerican(price)} ${view.line(row)} ${rows.isLive(row)} ${rows.isActive(row)}`,
    )
    stamps[row] = stamp
    sums[row] = sum
    looked++
    return sum
  }

  function makeRoom() {
    const { length } = view.journal.stamps
    if (journal === view.journal && stamps.length >= length) return
    journal = view.journal
    sums = new Uint32Array(length)
    stamps = new Float64Array(length)
  }

  function sumOfEvent(event: ViewEvent, compiled: CompiledFilter): EventSum {
    let count = 0
    let sum = 0
    for (const block of event.blocks) {
      if (!compiled.enter(block)) continue
      looked += block.count / readAsOneMade
      for (let i = 0; i < block.count; i++) {
        const row = block.rows[i]!
        if (!compiled.names(row)) continue
        count++
        sum = (sum + sumOf(row)) >>> 0
      }
    }
    return { summedAt: view.watermark, count, sum }
  }

  return {
    open() {
      let eventSums = new Map<ViewEvent, EventSum>()
      let summed: { readonly compiled: CompiledFilter; readonly journal: unknown } | undefined
      return {
        step(filter) {
          makeRoom()
          const compiled = compile(view, filter)
          if (summed?.compiled !== compiled || summed.journal !== view.journal) {
            summed = { compiled, journal: view.journal }
            eventSums = new Map()
          }
          /** Sums of the events that still match. */
          const current = new Map<ViewEvent, EventSum>()
          const next = compiled.events()
          looked = 0
          let count = 0
          let sum = 0
          for (let event = next(); event; event = next()) {
            let part = eventSums.get(event)
            if (!part || event.pricedAt > part.summedAt) {
              if (looked >= madeAtOnce) return null
              part = sumOfEvent(event, compiled)
              eventSums.set(event, part)
            }
            current.set(event, part)
            count += part.count
            sum = (sum + part.sum) >>> 0
          }
          eventSums = current
          return { rows: count, checksum: sum.toString(16).padStart(8, '0') }
        },
      }
    },
  }
}
