/** Events in a pipeline's life, for those that show how it is. */

import type { Assigned, Committed, Restored } from './run.ts'

/** Callbacks for health and metrics. The pipeline calls them inside its work, so each has to be quick. */
export interface PipelineWatcher {
  /** The feeds are open, and the log has taken a first record or is full. */
  started(): void
  /** A tick was written. */
  ticked(): void
  /** Work on the log ended because it did not answer, and begins again. */
  logAway(reason: string): void
  /** A process of another deployment was refused, or has taken over the log. */
  strangerCame(): void
  /** Another pipeline writes the ticks from now on. */
  clockReleased(): void
  /** The tables of this partition are about to be restored. */
  assigned(assigned: Assigned): void
  restored(restored: Restored): void
  /** A batch was committed; `counts` has the records left out since the start, by code. */
  committed(batch: Committed): void
  /** The partition has gone to another pipeline, or the log is away. */
  released(assigned: Assigned): void
}

const events = [
  'started',
  'ticked',
  'logAway',
  'strangerCame',
  'clockReleased',
  'assigned',
  'restored',
  'released',
  'committed',
] as const satisfies readonly (keyof PipelineWatcher)[]

/** One watcher that calls all of them. */
export function watcherOf(watchers: readonly Partial<PipelineWatcher>[]): PipelineWatcher {
  const call = (name: (typeof events)[number]) => (event: never) => {
    for (const watcher of watchers) watcher[name]?.(event)
  }
  return Object.fromEntries(events.map((name) => [name, call(name)])) as unknown as PipelineWatcher
}
