/**
 * The counts that API processes share, so that together they keep to the limits of a key: the row of one process in
 * the compacted topic `api-processes`. A row has the changes since the one before; when a process learns of a new
 * one, its next row has everything.
 */
export interface ApiProcessRow {
  /** A random id, new with each start. */
  readonly process: string
  /** When the row was written, epoch ms by the clock of the process. */
  readonly saidAt: number
  /** The minute of `requests`, as minutes since 1970-01-01. */
  readonly minute: number
  /** Requests let through in that minute so far, by key. */
  readonly requests: Readonly<Record<string, number>>
  /** Open streams, by key; 0 for a key that has none left. */
  readonly streams: Readonly<Record<string, number>>
}
