/** The time of the recording that the service replays, if any. */

import { topics } from '../../schemas/topics.ts'
import { readTables, type TableView, takeRows } from './table.ts'

export interface RecordedTimeView extends TableView {
  /** Epoch ms, the latest of all partitions; null while the service uses the machine's time. */
  readonly at: number | null
}

export function createRecordedTimeView(): RecordedTimeView {
  const byPartition = new Map<number, number>()
  let furthest: number | null = null

  return {
    ...readTables(
      takeRows(topics.recordedTime, (row, _, partition) => {
        if (row) byPartition.set(partition, row.at)
        else byPartition.delete(partition)
        furthest = byPartition.size === 0 ? null : Math.max(...byPartition.values())
      }),
    ),
    get at() {
      return furthest
    },
    reset() {
      byPartition.clear()
      furthest = null
    },
  }
}
