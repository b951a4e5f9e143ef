/**
 * Gives each partition its own state. The records and the ticks of one partition change no table of another, so the
 * commit of a partition writes to that partition alone, and the log needs to fence only that.
 */

import type { Append, LogRecord } from '../log/log.ts'
import type { Processor, ProcessorState } from './processor.ts'

export function perPartition(processor: Processor): Processor {
  return {
    ...processor,
    create(counts = new Map()) {
      const states = new Map<number, ProcessorState>()
      const stateOf = (partition: number) => {
        let state = states.get(partition)
        if (!state) {
          state = processor.create(counts)
          states.set(partition, state)
        }
        return state
      }
      return {
        counts,
        restore: (record) => stateOf(record.partition).restore(record),
        decide(records) {
          const [first] = records
          const isOne = records.every(({ partition }) => partition === first?.partition)
          if (first && isOne) return stateOf(first.partition).decide(records)
          const byPartition = new Map<number, LogRecord[]>()
          for (const record of records) {
            const others = byPartition.get(record.partition)
            if (others) others.push(record)
            else byPartition.set(record.partition, [record])
          }
          const changes: Append[] = []
          for (const [partition, own] of byPartition) {
            changes.push(...stateOf(partition).decide(own))
          }
          return changes
        },
      }
    },
  }
}
