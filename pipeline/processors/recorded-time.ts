/**
 * The time that a recording has reached, by which the API judges ages; removed once the clock is
 * live.
 */

import type { RecordedTime } from '../../schemas/recorded-time.ts'
import { topics } from '../../schemas/topics.ts'
import type { EventTable } from './event-tables.ts'

const key = 'now'

export const recordedTime: EventTable = {
  inputs: [topics.feedOdds],
  tables: [topics.recordedTime],
  create({ emit }) {
    let known: RecordedTime | null = null
    return {
      restore({ value }) {
        known = value as RecordedTime | null
      },
      take: {
        tick({ observedAt: at, isRecorded = false }, partition) {
          if (isRecorded ? known !== null && at <= known.at : known === null) return
          known = isRecorded ? { at } : null
          // Each partition has its own row, to be restored from.
          emit({ topic: topics.recordedTime, partitionKey: partition, key, value: known })
        },
      },
    }
  },
}
