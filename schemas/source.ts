/**
 * A source: one feed that this service asks for prices, such as `the-odds-api`. Rows of the table
 * `sources` say how it is, and are written by the pipeline that runs it; rows of `source-pauses` say
 * what the operator wants of it, and are written by the API.
 */

/**
 * - `up`: everything that was asked for was answered.
 * - `degraded`: part of it was, or it fails for the moment, or has yet to answer for the first time.
 * - `down`: it fails for good, until it answers again.
 * - `needs_key`: it refuses our key or our login.
 * - `out_of_credits`: the calls that were paid for are used up.
 * - `paused`: the operator does not want it to be asked.
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

/** Whether the prices of a source in this state count: its sportsbooks are up through it. */
export const isServing = (state: SourceState) => state === 'up' || state === 'degraded'

/** Who may see what a source says: everybody by their tier, or the operator's own accounts alone. */
export const audiences = ['all', 'owner'] as const
export type Audience = (typeof audiences)[number]

/** Instants are epoch ms. Counts are since the process that runs the source took it over. */
export interface SourceRow {
  readonly source: string
  readonly state: SourceState
  /** Why it is not `up`: `http_401`, `timeout`, …; null when it is. */
  readonly reason: string | null
  /** When it came into this state. */
  readonly since: number
  readonly lastSuccessAt: number | null
  /** When it is asked next; null for a stream that is open, and while it is paused. */
  readonly nextTryAt: number | null
  /** Prices it has given. */
  readonly rows: number
  /** What it has sent that nothing of ours stands for: unknown markets, periods, teams. */
  readonly unmatched: number
  /** All it has sent that was left out, by reason; the unmatched too. */
  readonly skipped: Readonly<Record<string, number>>
  /** Of a metered source, as it says itself; null for others, and before it has said. */
  readonly creditsLeft: number | null
  readonly creditsUsed: number | null
  /** What it may use in a month; null for a source that is not metered. */
  readonly creditsPerMonth: number | null
  readonly audience: Audience
  /** Whether it is read without its operator's word that it may be. */
  readonly isExperimental: boolean
  /** Those it has given prices of. */
  readonly sportsbooks: readonly string[]
  /** The process that runs it, by host and process id; null in rows of builds that did not tell. */
  readonly holder: string | null
  /** What whoever runs it next has to know, in its feed's own words; null for nothing. */
  readonly cursor: string | null
  /** When this row was written: while the source runs, every few seconds. */
  readonly updatedAt: number
}

/** What the operator wants: the newest row of a source counts. */
export interface SourcePause {
  readonly source: string
  readonly isPaused: boolean
  /** When it was said (epoch ms). */
  readonly at: number
}

/** How often a pipeline writes the rows of its running sources (ms); it also writes when a state changes. */
export const sourceWriteMs = 5_000
/** After this long without a write, the process that ran the source has ended (ms). */
export const sourceSilentMs = 6 * sourceWriteMs
/** After this long without a write, no process runs the source any more (ms). */
export const sourceForgottenMs = 10 * 60_000
