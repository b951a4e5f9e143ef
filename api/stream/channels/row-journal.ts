/**
 * Rows of one shared query and their changes, in order, each with the row before and after. A client that is behind
 * gets the difference since its position, each key once.
 */

export interface RowChange<Row> {
  readonly key: string
  /** Null if there was none. */
  readonly before: Row | null
  /** Null if it is removed. */
  readonly row: Row | null
}

export interface RowJournal<Row> {
  /** Number of changes so far. */
  readonly position: number
  /** The current rows, by key. */
  readonly rows: ReadonlyMap<string, Row>
  /** Records a change. @param row null for a removal */
  note(key: string, row: Row | null): RowChange<Row>
  /** Returns the difference since a position; null if older changes are forgotten. */
  since(position: number): readonly RowChange<Row>[] | null
}

/** At twice as many changes the older half is dropped. */
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
