/** Logs when pushes with a trace id reach the boards, and when they are sent to streams. */

import type { Logger } from 'pino'
import { readTables, takeRows } from '../pipeline/views/table.ts'
import type { View } from '../pipeline/views/view.ts'
import { topics } from '../schemas/topics.ts'
import type { TracedPush } from '../schemas/trace.ts'

export interface PushTraces {
  /** To be fed after the boards. */
  readonly view: View
  /**
   * Called when streams have been sent all changes on the boards.
   * @param streams number of open streams @param writes to their sockets
   */
  delivered(streams: number, writes: number): void
}

export function createPushTraces(logger: Logger): PushTraces {
  /** Pushes on the boards that have not been sent to streams yet. */
  let undelivered: TracedPush[] = []
  let isCaughtUp = false
  return {
    view: {
      ...readTables(
        takeRows(topics.traces, (row, _, partition) => {
          // Older pushes were logged by the processes that ran then.
          if (!row || !isCaughtUp || !logger.isLevelEnabled('debug')) return
          for (const push of row.pushes) {
            logger.debug({ ...push, partition }, 'push on the board')
            undelivered.push(push)
          }
        }),
      ),
      reset() {
        isCaughtUp = false
        undelivered = []
      },
      caughtUp() {
        isCaughtUp = true
      },
    },
    delivered(streams, writes) {
      if (undelivered.length === 0) return
      for (const { trace } of undelivered)
        logger.debug({ trace, streams, writes }, 'push told to streams')
      undelivered = []
    },
  }
}
