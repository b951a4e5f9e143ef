/** Tells in the text log when pushes that have an id come onto the boards, and when they go out to streams. */

import type { Logger } from 'pino'
import type { View } from '../pipeline/views/view.ts'
import { topics } from '../schemas/topics.ts'
import type { TracedPush, TracesRow } from '../schemas/trace.ts'

export interface PushTraces {
  /** To be fed behind the boards: what it is told of is on them. */
  readonly view: View
  /**
   * What is on the boards has been told to streams.
   * @param streams that are open @param writes to their sockets
   */
  delivered(streams: number, writes: number): void
}

export function createPushTraces(logger: Logger): PushTraces {
  /** On the boards, and not yet told to streams. */
  let undelivered: TracedPush[] = []
  let isCaughtUp = false
  return {
    view: {
      tables: [topics.traces],
      reset() {
        isCaughtUp = false
        undelivered = []
      },
      caughtUp() {
        isCaughtUp = true
      },
      apply(records) {
        // What was there before this process was is told by those that were.
        if (!isCaughtUp || !logger.isLevelEnabled('debug')) return
        for (const { topic, partition, value } of records) {
          if (topic.name !== topics.traces.name || value === null) continue
          for (const push of (value as TracesRow).pushes) {
            logger.debug({ ...push, partition }, 'push on the board')
            undelivered.push(push)
          }
        }
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
