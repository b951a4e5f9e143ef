/**
 * The feed port. A feed turns one source into feed records until its signal aborts. A source that
 * fails states it in a `book_status` record, keeps trying, and never delays another feed.
 */

import type { FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import type { Audience } from '../../schemas/source.ts'
import type { FetchError } from './kit/http-source.ts'
import type { Health } from './kit/source-health.ts'

/** Something in a payload that could not be placed: counted by sportsbook and reason, never guessed. */
export interface Skip {
  /** snake_case, few distinct values: `unmapped_market`, `no_price`, `not_two_sided`, `outright`, … */
  readonly reason: string
  /** The part that was left out, in a few words, for the log and the dead letters. */
  readonly detail: string
  /**
   * The unknown label, in the source's words and without names of teams or players: its market or its period. It names
   * what our table of markets lacks.
   */
  readonly label?: string
  /**
   * For a part that could not be read: the event or season (the source's id) and the sportsbook
   * that it may contain, if known. An offer that a reading lacks is withdrawn, unless such a part
   * may contain it.
   */
  readonly hides?: { readonly externalId: string; readonly sportsbook?: string }
}

/** The result of a parser: records for the log, and the parts that it left out. */
export interface Parsed {
  readonly records: readonly FeedRecord[]
  readonly skipped: readonly Skip[]
  /**
   * A call that failed, if the records are all the same whole: it is counted, and the health of the
   * source shows it.
   */
  readonly failure?: FetchError
}

/** The call credits of a metered source; null for a figure that the source does not state. */
export interface Credits {
  readonly left: number | null
  readonly used: number | null
  /** The allowance of a month by its settings. */
  readonly perMonth: number | null
}

/** The receiver of feeds' records. `publish` resolves once the log has acknowledged them. */
export interface FeedSink {
  publish(records: readonly (FeedRecord | TickRecord)[]): Promise<void>
  /** Counts the parts of a source's data that were not placed. */
  skipped(sportsbook: string, skips: readonly Skip[]): void
  /**
   * Receives the health of a live source after each call; absent where it is not used.
   * @param cursor the state that the next process continues from, in the feed's own form; null for none
   */
  report?(health: Health, credits: Credits | null, cursor: string | null): void
}

/** The facts about a live source that are known without a call to it. */
export interface SourceDescription {
  /** The accounts that may see its prices. */
  readonly audience: Audience
  /** Whether it is read without an official access of its operator. */
  readonly isExperimental: boolean
  /** Whether it passes on prices of sportsbooks that may have a source of their own. */
  readonly passesOn: boolean
}

export interface Feed {
  /** The name used in OVERROUND_FEEDS, logs and metrics. */
  readonly name: string
  /** True for a recording, whose times are of its own past. */
  readonly isRecorded?: boolean
  /**
   * Whether its recorded times are moved to now and run ahead of the clock. Then it cannot run
   * beside other feeds.
   */
  readonly runsAhead?: boolean
  /** Set for a live source, which is watched (`run/sources.ts`); absent for the simulator and recordings. */
  readonly source?: SourceDescription
  /**
   * Rejects with the reason if the feed can never run. Absent if that is only known when it runs.
   */
  check?(): Promise<void>
  /**
   * Runs until `signal` aborts; rejects only when the sink does.
   * @param cursor the last cursor that the feed reported, in any process; null or absent for none
   */
  run(sink: FeedSink, signal: AbortSignal, cursor?: string | null): Promise<void>
}
