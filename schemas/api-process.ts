/**
 * What one API process says to the others, so that together they keep to the limits of a key: the row of
 * the process in the compacted topic `api-processes`. Rows tell what has changed since the one before;
 * when a process hears of a new one, its next row tells everything.
 */
export interface ApiProcessRow {
  /** Random, a new one with each start. */
  readonly process: string
  /** Epoch ms by the clock of the process. */
  readonly saidAt: number
  /** That of `requests`, as minutes since 1970-01-01. */
  readonly minute: number
  /** Requests let through in that minute so far, by key. */
  readonly requests: Readonly<Record<string, number>>
  /** Streams open, by key; 0 for a key that has none any more. */
  readonly streams: Readonly<Record<string, number>>
}
