/**
 * Feeds a view late: holds changes for a fixed time, then applies them in order. A delayed tier reads tables as they
 * were; no filter can show it newer rows.
 */

import type { LogRecord, Position } from '../pipeline/log/log.ts'
import type { View } from '../pipeline/views/view.ts'

export interface DelayOptions {
  readonly delayMs: number
  /**
   * Returns when a row took its current value (epoch ms), for rows from before the start. Not called for tombstones,
   * which count as old, so that a removed row is not shown for another minute.
   */
  instantOf(record: LogRecord): number
  /** Returns whether the view needs a record of its tables. Others are not held. */
  isKept(record: LogRecord): boolean
}

export function createDelayLine(
  view: View,
  { delayMs, instantOf, isKept }: DelayOptions,
): Required<View> {
  const tables = new Set(view.tables.map(({ name }) => name))
  let queue: { dueAt: number; records: readonly LogRecord[]; position: Position }[] = []
  let head = 0
  /** During the replay, a row's age is computed from its own time. */
  let isReplaying = true
  /** Keys with a replayed record in the queue. */
  const waiting = new Set<string>()

  const keyOf = ({ topic, key }: LogRecord) => `${topic.name} ${key}`

  function hold(records: readonly LogRecord[], position: Position, now: number) {
    queue.push({ dueAt: now + delayMs, records, position })
  }

  /**
   * Applies replayed rows that are old enough; younger rows wait. The value replaced by a waiting row is unknown, so
   * nothing is shown in its place. Records of one key keep their order: later ones wait behind one that waits.
   */
  function applyReplayed(records: readonly LogRecord[], position: Position, now: number) {
    const old: LogRecord[] = []
    const young: LogRecord[] = []
    for (const record of records) {
      const isOld = record.value === null || instantOf(record) + delayMs <= now
      // Usually nothing waits, and there are very many keys, so none is built.
      if (isOld && (waiting.size === 0 || !waiting.has(keyOf(record)))) old.push(record)
      else {
        waiting.add(keyOf(record))
        young.push(record)
      }
    }
    view.apply(old, position, now - delayMs)
    if (young.length > 0) hold(young, position, now)
  }

  function advance(now: number) {
    while (head < queue.length && queue[head]!.dueAt <= now) {
      const { records, position, dueAt } = queue[head++]!
      // Same stamps as in the live view, so that a client that changes tier misses nothing.
      view.apply(records, position, dueAt - delayMs)
    }
    view.advance?.(now - delayMs)
    if (head > 1_024 && 2 * head > queue.length) {
      queue = queue.slice(head)
      head = 0
    }
  }

  return {
    tables: view.tables,
    reset(now) {
      view.reset(now - delayMs)
      queue = []
      head = 0
      isReplaying = true
      waiting.clear()
    },
    apply(records, position, now) {
      const kept = records.filter((record) => tables.has(record.topic.name) && isKept(record))
      if (isReplaying) applyReplayed(kept, position, now)
      else hold(kept, position, now)
    },
    ended: () => view.ended?.(),
    caughtUp(now) {
      isReplaying = false
      waiting.clear()
      advance(now)
    },
    advance,
    doDeferred: () => view.doDeferred?.() ?? false,
  }
}
