/**
 * The feed port. A feed turns one source into feed records until it is told to stop; a source that
 * fails says so in a `book_status` record and keeps trying, and never delays another feed.
 */

import type { FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import type { Audience } from '../../schemas/source.ts'
import type { Health } from './kit/source-health.ts'

/** Something in a payload that could not be placed: counted by sportsbook and reason, never guessed. */
export interface Skip {
  /** snake_case, few distinct values: `unmapped_market`, `no_price`, `not_two_sided`, `outright`, … */
  readonly reason: string
  /** What was left out, short, for the log and the dead letters. */
  readonly detail: string
  /**
   * The label that was not understood, in the source's words and without names of teams or players:
   * its market or its period. So that what a source has and we lack can be counted.
   */
  readonly label?: string
}

/** What a pure parser gives: records for the log, and what it left out. */
export interface Parsed {
  readonly records: readonly FeedRecord[]
  readonly skipped: readonly Skip[]
}

/** What a metered source says of its allowance; null where it says nothing. */
export interface Credits {
  readonly left: number | null
  readonly used: number | null
  /** What the source may use in a month, by its settings. */
  readonly perMonth: number | null
}

/** Where feeds put their records. `publish` resolves once the log has acknowledged them. */
export interface FeedSink {
  publish(records: readonly (FeedRecord | TickRecord)[]): Promise<void>
  /** Counts what a source sent that was not placed. */
  skipped(sportsbook: string, skips: readonly Skip[]): void
  /**
   * How a live source is, whenever it was asked; absent where nobody listens.
   * @param cursor what whoever runs the feed next has to know, in the feed's own words; null for nothing
   */
  report?(health: Health, credits: Credits | null, cursor: string | null): void
}

/** What is known of a live source before it is asked. */
export interface SourceDescription {
  /** Who may see its prices. */
  readonly audience: Audience
  /** Whether it is read without an official access of its operator. */
  readonly isExperimental: boolean
}

export interface Feed {
  /** The name used in OVERROUND_FEEDS, logs and metrics. */
  readonly name: string
  /** True for a recording, whose instants are those of its own past. */
  readonly isRecorded?: boolean
  /** Of a live source, which is watched (`sources.ts`); absent for the simulator and recordings. */
  readonly source?: SourceDescription
  /**
   * Runs until `signal` aborts; rejects only when the sink does.
   * @param cursor what it reported last, in whichever process; null or absent for nothing
   */
  run(sink: FeedSink, signal: AbortSignal, cursor?: string | null): Promise<void>
}
