/**
 * Tables that follow from other tables. They are worked out from the changes that a processor has
 * decided, and are committed with them: between two commits all tables agree, nothing is read back
 * from the log, and all of them restart together.
 */

import type { Topic } from '../../schemas/topics.ts'
import type { Append, LogRecord } from '../log/log.ts'
import type { Processor, ProcessorState } from './processor.ts'

export interface Derived {
  /** The tables it keeps, beside those of the processor it follows. */
  readonly tables: readonly Topic[]
  create(counts: Map<string, number>): DerivedState
}

export interface DerivedState {
  /** Applies one changelog record, of the processor's tables or its own. */
  restore(record: LogRecord): void
  /** Takes one record that the processor has taken: the time, for one, is in no table. */
  observe(record: LogRecord): void
  /** Takes one change of the processor's tables. */
  change(change: Append): void
  /** The changes that follow from everything taken since the last call. */
  flush(): readonly Append[]
}

/** A processor and the tables derived from its own, as one. */
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
