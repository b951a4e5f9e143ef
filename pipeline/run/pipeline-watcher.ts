/** Events in a pipeline's life, for the parts that show its state. */

import type { Assigned, Committed, Restored } from './run.ts'

/** Callbacks for health and metrics. The pipeline calls them inside its work, so each has to be quick. */
export interface PipelineWatcher {
  /** Called when the feeds are open, and the log has accepted a first record or is full. */
  started(): void
  /** Called when a tick was written. */
  ticked(): void
  /** Called when work on the log ended because it did not respond, and restarts. */
  logAway(reason: string): void
  /** Called when a process of another deployment was refused, or has taken over the log. */
  strangerCame(): void
  /** Called when another pipeline writes the ticks from now on. */
  clockReleased(): void
  /** Called before the tables of this partition are restored. */
  assigned(assigned: Assigned): void
  restored(restored: Restored): void
  /** Called when a batch was committed; `counts` has the records left out since the start, by code. */
  committed(batch: Committed): void
  /** Called when the partition has moved to another pipeline, or the log is away. */
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

/** Returns one watcher that calls all of them. */
export function watcherOf(watchers: readonly Partial<PipelineWatcher>[]): PipelineWatcher {
  const call = (name: (typeof events)[number]) => (event: never) => {
    for (const watcher of watchers) watcher[name]?.(event)
  }
  return Object.fromEntries(events.map((name) => [name, call(name)])) as unknown as PipelineWatcher
}
