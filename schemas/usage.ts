/**
 * One API process's counts for one key on one UTC day: a row of the compacted topic `usage`, partitioned by account.
 * Each process writes only its own rows, so the sum over the writers is the usage, however often a process restarts
 * and however many there are.
 */
export interface UsageRow {
  readonly accountId: string
  readonly keyId: string
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  /** The writing process; a new id with each start. */
  readonly writer: string
  /** The requests on that day so far, without those of test keys. */
  readonly requests: number
  /** The newest minute with a request, as minutes since 1970-01-01, and its requests by this writer. */
  readonly minute: number
  readonly minuteRequests: number
  /** The requests of the day by family of routes; earlier rows have none. */
  readonly byFamily: Readonly<Record<string, number>>
}

/**
 * Returns the family of a route: its chapter of the document, as in `deep_links`; for streams,
 * `streams`.
 */
export const usageFamily = (chapter: string) => chapter.toLowerCase().replaceAll(' ', '_')

/** Returns the row's key in its table. */
export const usageKey = ({ keyId, day, writer }: Pick<UsageRow, 'keyId' | 'day' | 'writer'>) =>
  `${keyId}|${day}|${writer}`
