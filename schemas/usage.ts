/**
 * What one API process has counted for one key on one UTC day: a row of the compacted topic
 * `usage`, partitioned by account. Each process writes only rows of its own, so the sum over the
 * writers is the usage, however often a process restarts and however many there are.
 */
export interface UsageRow {
  readonly accountId: string
  readonly keyId: string
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  /** The process; a new one with each start. */
  readonly writer: string
  /** Requests answered on that day so far, those of test keys not counted. */
  readonly requests: number
  /** The newest minute with a request, as minutes since 1970-01-01, and its requests by this writer. */
  readonly minute: number
  readonly minuteRequests: number
  /** The requests of the day by family of routes; earlier rows have none. */
  readonly byFamily: Readonly<Record<string, number>>
}

/** The family of a route: its chapter of the document, as in `deep_links`; of streams, `streams`. */
export const usageFamily = (chapter: string) => chapter.toLowerCase().replaceAll(' ', '_')

/** Where a row stands in its table. */
export const usageKey = ({ keyId, day, writer }: Pick<UsageRow, 'keyId' | 'day' | 'writer'>) =>
  `${keyId}|${day}|${writer}`
