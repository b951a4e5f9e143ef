/**
 * The port of a view: one table or several in memory, written by their changelogs alone. What feeds
 * views is `api/follower.ts`; what they answer is each view's own.
 */

import type { Topic } from '../../schemas/topics.ts'
import type { LogRecord, Position } from '../log/log.ts'

export interface View {
  /** The tables it reads, those first that others are about. */
  readonly tables: readonly Topic[]
  /** Empties the view: a fresh replay begins. @param at now (epoch ms) */
  reset(at: number): void
  /**
   * Takes the changes of its tables, and leaves out the records of others.
   * @param position what the view is true as of afterwards
   * @param at when the records came (epoch ms)
   */
  apply(records: readonly LogRecord[], position: Position, at: number): void
  /** The replay has ended: what comes from now on is new. */
  caughtUp?(at: number): void
  /** Following has ended: nothing more comes. */
  ended?(): void
  /** Nothing more came until `at` (epoch ms). */
  advance?(at: number): void
  /**
   * Does a piece, some milliseconds, of work that answers do not wait for, since whoever needs it sooner does it.
   * @returns whether there is more
   */
  doPutOff?(): boolean
}
