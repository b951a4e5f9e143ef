/**
 * A source: one feed that this service fetches prices from, such as `the-odds-api`. Rows of the
 * table `sources` have its state; the pipeline that runs it writes them. Rows of `source-pauses`
 * have the operator's setting, and rows of `added-sources` the settings of added sources; the API
 * writes both.
 */

/**
 * - `up`: every request got its response.
 * - `degraded`: some did, or it fails for the moment, or has yet to respond for the first time.
 * - `down`: it fails permanently, until it responds again.
 * - `needs_key`: it refuses our key or our login.
 * - `out_of_credits`: the paid calls are used up.
 * - `paused`: the operator has paused it.
 */
export const sourceStates = [
  'up',
  'degraded',
  'down',
  'needs_key',
  'out_of_credits',
  'paused',
] as const
export type SourceState = (typeof sourceStates)[number]

/** Returns whether the prices of a source in this state count: its sportsbooks are up through it. */
export const isServing = (state: SourceState) => state === 'up' || state === 'degraded'

/** The audience of a source's data: everybody by their tier, or only the operator's own accounts. */
export const audiences = ['all', 'owner'] as const
export type Audience = (typeof audiences)[number]

/** The state of a source. Times are epoch ms. Counts are since the process that runs the source took it over. */
export interface SourceRow {
  readonly source: string
  readonly state: SourceState
  /** Why it is not `up`: `http_401`, `timeout`, …; null when it is. */
  readonly reason: string | null
  /** When it came into this state. */
  readonly since: number
  readonly lastSuccessAt: number | null
  /** When the next request is due; null for an open stream, and while it is paused. */
  readonly nextTryAt: number | null
  /** The number of prices it has sent. */
  readonly rows: number
  /** The number of unmatched things it has sent: unknown markets, periods, teams. */
  readonly unmatched: number
  /** All things it has sent that were left out, by reason, including the unmatched ones. */
  readonly skipped: Readonly<Record<string, number>>
  /** The credits of a metered source, as it reports them; null for others, and before its first report. */
  readonly creditsLeft: number | null
  readonly creditsUsed: number | null
  /** The credits it may use in a month; null for a source that is not metered. */
  readonly creditsPerMonth: number | null
  readonly audience: Audience
  /** Whether it is read without its operator's explicit permission. */
  readonly isExperimental: boolean
  /** The sportsbooks it has sent prices of. */
  readonly sportsbooks: readonly string[]
  /** The process that runs it, by host and process id; null in rows of builds that did not write it. */
  readonly holder: string | null
  /** The position for the next process that runs it, in its feed's own format; null for none. */
  readonly cursor: string | null
  /** When this row was written: while the source runs, every few seconds. */
  readonly updatedAt: number
}

/** The operator's setting for a source. The newest row wins. */
export interface SourcePause {
  readonly source: string
  readonly isPaused: boolean
  /** When it was set (epoch ms). */
  readonly at: number
}

/** A source that the operator added through the API. The newest row wins; a tombstone removes the source. */
export interface AddedSource {
  readonly source: string
  /** Its settings as JSON, with its keys and passwords. */
  readonly settings: string
  /** When it was added or changed (epoch ms). */
  readonly at: number
}

/** How often a pipeline writes the rows of its running sources (ms); it also writes when a state changes. */
export const sourceWriteMs = 5_000
/** The time without a write after which the process that ran the source counts as ended (ms). */
export const sourceSilentMs = 6 * sourceWriteMs
/** The time without a write after which no process runs the source any more (ms). */
export const sourceForgottenMs = 10 * 60_000
