/** The odds that a client holds: rows by id, kept by merging what the stream says. */

import { type ChecksummedRow, checksumText, rowChecksum } from './checksum.ts'

/** An odds item; beside what is named here it has what `GET /odds` shows of a row. */
export interface OddsItem extends ChecksummedRow {
  readonly sportsbook: string
  readonly event_id: string
  readonly sport: string
  readonly league: string
  readonly market_type: string
  readonly [member: string]: unknown
}

/** A row as the stream sends it: whole, or only what may have moved. */
export type SentRow = Partial<OddsItem> & { readonly id: string }

export interface OddsBook {
  readonly rows: ReadonlyMap<string, OddsItem>
  /**
   * Merges a row into the one of its id.
   * @returns false for part of a row that is not held, which is then left out
   */
  merge(row: SentRow): boolean
  remove(id: string): void
  clear(): void
  /** Takes out the rows that are not to be kept. */
  prune(isKept: (row: OddsItem) => boolean): void
  /** See `checksum.ts`. Costs what has changed since it was last asked for. */
  checksum(): string
}

export function createOddsBook(): OddsBook {
  const rows = new Map<string, OddsItem>()
  /** What rows add to the sum, but for those in `changed`. */
  const added = new Map<string, number>()
  const changed = new Set<string>()
  let sum = 0

  function leaveSum(id: string) {
    sum -= added.get(id) ?? 0
    added.delete(id)
  }

  function remove(id: string) {
    if (!rows.delete(id)) return
    leaveSum(id)
    changed.delete(id)
  }

  return {
    rows,
    merge(row) {
      const before = rows.get(row.id)
      if (!before && !isWhole(row)) return false
      rows.set(row.id, isWhole(row) ? row : ({ ...before, ...row } as OddsItem))
      leaveSum(row.id)
      changed.add(row.id)
      return true
    },
    remove,
    clear() {
      rows.clear()
      added.clear()
      changed.clear()
      sum = 0
    },
    prune(isKept) {
      for (const row of [...rows.values()]) if (!isKept(row)) remove(row.id)
    },
    checksum() {
      for (const id of changed) {
        const own = rowChecksum(rows.get(id)!)
        added.set(id, own)
        // Below 2^53 by far: as many rows as fit into memory add 2^32 each at most.
        sum += own
      }
      changed.clear()
      return checksumText(sum % 2 ** 32)
    },
  }
}

/** Only a whole row says whose it is. */
const isWhole = (row: SentRow): row is OddsItem =>
  row.sportsbook !== undefined && row.event_id !== undefined
