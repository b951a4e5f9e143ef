/** The time of the recording that the service replays, if any. */

import type { RecordedTime } from '../../schemas/recorded-time.ts'
import { topics } from '../../schemas/topics.ts'
import type { View } from './view.ts'

export interface RecordedTimeView extends View {
  /** Epoch ms, the latest of all partitions; null while the service uses the machine's time. */
  readonly at: number | null
}

export function createRecordedTimeView(): RecordedTimeView {
  const byPartition = new Map<number, number>()
  let furthest: number | null = null

  return {
    tables: [topics.recordedTime],
    get at() {
      return furthest
    },
    reset() {
      byPartition.clear()
      furthest = null
    },
    apply(records) {
      for (const { topic, partition, value } of records) {
        if (topic.name !== topics.recordedTime.name) continue
        if (value === null) byPartition.delete(partition)
        else byPartition.set(partition, (value as RecordedTime).at)
        furthest = byPartition.size === 0 ? null : Math.max(...byPartition.values())
      }
    },
  }
}
