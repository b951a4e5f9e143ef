/**
 * Gives each partition its own state. Records and ticks of one partition change no table of
 * another. So a commit writes to one partition only, and the log needs to fence only that.
 */

import { groupBy } from '../../schemas/grouping.ts'
import type { Append } from '../log/log.ts'
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
          const changes: Append[] = []
          for (const [partition, own] of groupBy(records, (record) => record.partition)) {
            changes.push(...stateOf(partition).decide(own))
          }
          return changes
        },
      }
    },
  }
}
