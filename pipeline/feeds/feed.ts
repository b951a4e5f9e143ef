/**
 * The feed port. A feed turns one source into feed records until its signal aborts. A source that
 * fails states it in a `book_status` record, keeps trying, and never delays another feed.
 */

import type { FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import type { Audience } from '../../schemas/source.ts'
import type { Health } from './kit/source-health.ts'

/** Something in a payload that could not be placed: counted by sportsbook and reason, never guessed. */
export interface Skip {
  /** snake_case, few distinct values: `unmapped_market`, `no_price`, `not_two_sided`, `outright`, … */
  readonly reason: string
  /** The part that was left out, in a few words, for the log and the dead letters. */
  readonly detail: string
  /**
   * The label that was not understood, in the source's words and without names of teams or players:
   * its market or its period. So that what a source has and we lack can be counted.
   */
  readonly label?: string
}

/** The result of a parser: records for the log, and the parts that it left out. */
export interface Parsed {
  readonly records: readonly FeedRecord[]
  readonly skipped: readonly Skip[]
}

/** The allowance of a metered source; null for a figure that it does not state. */
export interface Credits {
  readonly left: number | null
  readonly used: number | null
  /** The allowance of a month by its settings. */
  readonly perMonth: number | null
}

/** Where feeds put their records. `publish` resolves once the log has acknowledged them. */
export interface FeedSink {
  publish(records: readonly (FeedRecord | TickRecord)[]): Promise<void>
  /** Counts what a source sent that was not placed. */
  skipped(sportsbook: string, skips: readonly Skip[]): void
  /**
   * Takes the health of a live source after each call; absent where nobody listens.
   * @param cursor the state that the next process goes on from, in the feed's own form; null for none
   */
  report?(health: Health, credits: Credits | null, cursor: string | null): void
}

/** The facts of a live source that need no call. */
export interface SourceDescription {
  /** The accounts that may see its prices. */
  readonly audience: Audience
  /** Whether it is read without an official access of its operator. */
  readonly isExperimental: boolean
}

export interface Feed {
  /** The name used in OVERROUND_FEEDS, logs and metrics. */
  readonly name: string
  /** True for a recording, whose instants are those of its own past. */
  readonly isRecorded?: boolean
  /** Of a live source, which is watched (`run/sources.ts`); absent for the simulator and recordings. */
  readonly source?: SourceDescription
  /**
   * Runs until `signal` aborts; rejects only when the sink does.
   * @param cursor what it reported last, in whichever process; null or absent for nothing
   */
  run(sink: FeedSink, signal: AbortSignal, cursor?: string | null): Promise<void>
}
