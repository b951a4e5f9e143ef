/**
 * The port of a view: one or more tables in memory, written only by their changelogs.
 * `api/follower.ts` feeds views; each view has its own read methods.
 */

import type { Topic } from '../../schemas/topics.ts'
import type { LogRecord, Position } from '../log/log.ts'

export interface View {
  /** The tables it reads, referenced tables before those that refer to them. */
  readonly tables: readonly Topic[]
  /** Empties the view, because a fresh replay begins. @param at now (epoch ms) */
  reset(at: number): void
  /**
   * Applies the changes of its tables, and skips the records of others.
   * @param position the view's position afterwards
   * @param at when the records came (epoch ms)
   */
  apply(records: readonly LogRecord[], position: Position, at: number): void
  /** Called when the replay has ended: later records are new. */
  caughtUp?(at: number): void
  /** Called when following has ended: nothing more comes. */
  ended?(): void
  /** Called when nothing more came until `at` (epoch ms). */
  advance?(at: number): void
  /**
   * Does a piece (some milliseconds) of work that can wait: a request that needs it sooner does it
   * itself.
   * @returns whether there is more
   */
  doDeferred?(): boolean
}
