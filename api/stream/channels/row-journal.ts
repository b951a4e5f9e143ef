/**
 * What a channel publishes to those who ask for the same: each change of a row in its order, by key, with the row
 * before and after. A client that is behind is told what the changes since its own position come to, each key once.
 */

export interface RowChange<Row> {
  readonly key: string
  /** Null where there was none. */
  readonly before: Row | null
  /** Null once it has gone. */
  readonly row: Row | null
}

export interface RowJournal<Row> {
  /** How many changes there have been. */
  readonly position: number
  /** As they are now, by key. */
  readonly rows: ReadonlyMap<string, Row>
  /** @param row null for one that goes */
  note(key: string, row: Row | null): RowChange<Row>
  /** Null where the changes since are not all remembered. */
  since(position: number): readonly RowChange<Row>[] | null
}

/** Of twice as many changes the older half is forgotten. */
const mostRemembered = 20_000

export function createRowJournal<Row>(
  isSame: (before: Row | null, row: Row | null) => boolean,
): RowJournal<Row> {
  const rows = new Map<string, Row>()
  let changes: RowChange<Row>[] = []
  let forgotten = 0
  return {
    get position() {
      return forgotten + changes.length
    },
    rows,
    note(key, row) {
      const change = { key, before: rows.get(key) ?? null, row }
      if (row === null) rows.delete(key)
      else rows.set(key, row)
      changes.push(change)
      if (changes.length >= 2 * mostRemembered) {
        changes = changes.slice(mostRemembered)
        forgotten += mostRemembered
      }
      return change
    },
    since(position) {
      if (position < forgotten) return null
      const known = new Map<string, Row | null>()
      for (const { key, before } of changes.slice(position - forgotten)) {
        if (!known.has(key)) known.set(key, before)
      }
      return Array.from(known, ([key, before]) => ({
        key,
        before,
        row: rows.get(key) ?? null,
      })).filter(({ before, row }) => !isSame(before, row))
    },
  }
}
