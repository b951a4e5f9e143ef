/**
 * Tables derived from other tables. They are computed from the changes that a processor has decided, and are
 * committed with them: between commits all tables agree, no table is read back from the log, and
 * all restart together.
 */

import type { Topic } from '../../schemas/topics.ts'
import type { Append, LogRecord } from '../log/log.ts'
import type { Processor, ProcessorState } from './processor.ts'

export interface Derived {
  /** The tables it keeps, besides those of the processor it follows. */
  readonly tables: readonly Topic[]
  create(counts: Map<string, number>): DerivedState
}

export interface DerivedState {
  /** Applies one changelog record, of the processor's tables or its own. */
  restore(record: LogRecord): void
  /** Observes one record that the processor has taken, such as a tick, which is in no table. */
  observe(record: LogRecord): void
  /** Observes one change of the processor's tables. */
  change(change: Append): void
  /** Returns the changes derived from everything observed since the last call. */
  flush(): readonly Append[]
}

/** Joins a processor and the tables derived from its own. */
export function withDerived(processor: Processor, derived: Derived): Processor {
  return {
    ...processor,
    tables: [...processor.tables, ...derived.tables],
    create(counts = new Map()) {
      const base = processor.create(counts)
      const follower = derived.create(counts)
      const ownTables = new Set(derived.tables.map(({ name }) => name))
      const state: ProcessorState = {
        counts: base.counts,
        restore(record) {
          if (!ownTables.has(record.topic.name)) base.restore(record)
          follower.restore(record)
        },
        decide(records) {
          const changes = base.decide(records)
          for (const record of records) follower.observe(record)
          for (const change of changes) follower.change(change)
          const more = follower.flush()
          return more.length === 0 ? changes : [...changes, ...more]
        },
      }
      return state
    },
  }
}
