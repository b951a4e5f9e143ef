/**
 * A view fed late: it holds changes until they are of an age, then applies them in order. So a tier
 * with a delay reads tables as they were, never newer rows through a filter.
 */

import type { LogRecord, Position } from '../pipeline/log/log.ts'
import type { View } from '../pipeline/views/view.ts'

export interface DelayOptions {
  readonly delayMs: number
  /**
   * When a row took its present value (epoch ms); tells the age of rows from before the start. Not
   * called for a tombstone: that counts as old, so that the row it ended is not shown for another
   * minute.
   */
  instantOf(record: LogRecord): number
  /** Whether the view takes a record of its tables at all; others are not held for it. */
  isKept(record: LogRecord): boolean
}

export function createDelayLine(
  view: View,
  { delayMs, instantOf, isKept }: DelayOptions,
): Required<View> {
  const tables = new Set(view.tables.map(({ name }) => name))
  let queue: { dueAt: number; records: readonly LogRecord[]; position: Position }[] = []
  let head = 0
  /** Until the replay has ended, the rows' own instants tell their age. */
  let isReplaying = true
  /** Keys with a replayed record in the queue. */
  const waiting = new Set<string>()

  const keyOf = ({ topic, key }: LogRecord) => `${topic.name} ${key}`

  function hold(records: readonly LogRecord[], position: Position, now: number) {
    queue.push({ dueAt: now + delayMs, records, position })
  }

  /**
   * A replayed row is as old as its own instant says. A row too young waits; the value it replaced is
   * not known any more, so nothing is shown in its place until then. Records of one key keep their
   * order: behind one that waits, the later ones wait too.
   */
  function applyReplayed(records: readonly LogRecord[], position: Position, now: number) {
    const old: LogRecord[] = []
    const young: LogRecord[] = []
    for (const record of records) {
      const isOld = record.value === null || instantOf(record) + delayMs <= now
      // Most often nothing waits, and there are very many keys.
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
      // Its stamps are those of the live view, so that a client which changes tier loses nothing.
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
    doPutOff: () => view.doPutOff?.() ?? false,
  }
}
