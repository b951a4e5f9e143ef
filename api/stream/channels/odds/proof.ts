/** What a client's book must come to: how many rows, and a checksum over them (described in docs/streams.md). */

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

/** The proof of one book. What it has of an event stands while no price of the event has changed. */
export interface BookProof {
  /**
   * Goes on with what does not stand, for a few milliseconds at a time.
   * @returns the proof as of now; null while there is more to be looked at
   */
  step(filter: OddsFilter): Proof | null
}

export interface Prover {
  open(): BookProof
}

/** What an event has of a book. */
interface EventSum {
  readonly heldAt: number
  readonly count: number
  readonly sum: number
}

/** Checksums that are made in one step. */
const madeAtOnce = 4_000
/** As many that stand are read in the time in which one is made. */
const readAsOneMade = 32

/** Checksums of single rows are kept until they change. */
export function createProver(view: BoardView): Prover {
  let sums = new Uint32Array(0)
  /** When each was made, as the view counts. */
  let stamps = new Float64Array(0)
  let journal = view.journal
  /** What the step under way has done, in checksums made. */
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
    return { heldAt: view.watermark, count, sum }
  }

  return {
    open() {
      let known = new Map<ViewEvent, EventSum>()
      let of: { readonly compiled: CompiledFilter; readonly journal: unknown } | undefined
      return {
        step(filter) {
          makeRoom()
          const compiled = compile(view, filter)
          if (of?.compiled !== compiled || of.journal !== view.journal) {
            of = { compiled, journal: view.journal }
            known = new Map()
          }
          /** Those that stand: what else is known is of events that are gone. */
          const current = new Map<ViewEvent, EventSum>()
          const next = compiled.events()
          looked = 0
          let count = 0
          let sum = 0
          for (let event = next(); event; event = next()) {
            let part = known.get(event)
            if (!part || event.pricedAt > part.heldAt) {
              if (looked >= madeAtOnce) return null
              part = sumOfEvent(event, compiled)
              known.set(event, part)
            }
            current.set(event, part)
            count += part.count
            sum = (sum + part.sum) >>> 0
          }
          known = current
          return { rows: count, checksum: sum.toString(16).padStart(8, '0') }
        },
      }
    },
  }
}
