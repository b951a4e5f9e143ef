/** The client's rows by id, kept by merging the stream's updates. */

import { attributeNames } from '../generated/attributes.ts'
import { type ChecksummedRow, checksumText, rowChecksum } from './checksum.ts'

/** An odds item, with all fields of `GET /odds`. */
export interface OddsItem extends ChecksummedRow {
  readonly sportsbook: string
  readonly event_id: string
  readonly sport: string
  readonly league: string
  readonly market_type: string
  readonly [member: string]: unknown
}

/** A row of the stream: whole, or only the fields that may have changed. */
export type SentRow = Partial<OddsItem> & { readonly id: string }

export interface OddsBook {
  readonly rows: ReadonlyMap<string, OddsItem>
  /**
   * Merges a row into the one with its id.
   * @returns false for a partial row with an unknown id, which is ignored
   */
  merge(row: SentRow): boolean
  remove(id: string): void
  clear(): void
  /** Removes the rows for which `isKept` is false. */
  prune(isKept: (row: OddsItem) => boolean): void
  /** See `checksum.ts`. Hashes only rows that have changed since the last call. */
  checksum(): string
}

export function createOddsBook(): OddsBook {
  const rows = new Map<string, OddsItem>()
  /** The CRC-32s that are in `sum`: those of all rows except the ones in `changed`. */
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
      rows.set(row.id, isWhole(row) ? row : merged(before!, row))
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
        // Far below 2^53: each row adds less than 2^32.
        sum += own
      }
      changed.clear()
      return checksumText(sum % 2 ** 32)
    },
  }
}

/** Null says that an attribute no longer applies; a whole row leaves it out. */
function merged(before: OddsItem, row: SentRow): OddsItem {
  const after: Record<string, unknown> = { ...before, ...row }
  for (const name of attributeNames) if (after[name] === null) delete after[name]
  return after as OddsItem
}

/** Returns whether a row is whole. Only then it has its sportsbook and event. */
const isWhole = (row: SentRow): row is OddsItem =>
  row.sportsbook !== undefined && row.event_id !== undefined
