/**
 * Feeds a view late: holds changes for a fixed time, then applies them in order. A delayed tier reads tables as they
 * were; no filter can show it newer rows.
 */

import type { LogRecord, Position } from '../pipeline/log/log.ts'
import type { View } from '../pipeline/views/view.ts'

export interface DelayOptions {
  readonly delayMs: number
  /**
   * Returns when a row took its current value (epoch ms), for rows from before the start. Not
   * called for tombstones: they count as old, so that a removed row is not shown for another
   * minute. Nor is it called for rows that follow a group.
   */
  instantOf(record: LogRecord): number
  /** Returns the part of a record that the view may have; null for nothing. */
  keep(record: LogRecord): LogRecord | null
  /** Returns the group that a row is in; null for a row that no other follows. */
  groupOf?(record: LogRecord): string | null
  /**
   * Returns the group that a row without a time of its own follows, also for a tombstone; null for other rows. A row
   * that follows a group changes with the group's rows, so after a start it waits where one of them does.
   */
  followedBy?(record: LogRecord): string | null
  /** Returns whether the rows of the record's table do nothing but move a time forward. */
  movesTime?(record: LogRecord): boolean
  /**
   * Returns such a row as of an earlier time (epoch ms); null if the view has no row whose time it
   * moves.
   */
  cut?(record: LogRecord, at: number): LogRecord | null
}

export function createDelayLine(
  view: View,
  { delayMs, instantOf, keep, groupOf, followedBy, movesTime, cut }: DelayOptions,
): Required<View> {
  const tables = new Set(view.tables.map(({ name }) => name))
  let queue: { dueAt: number; records: readonly LogRecord[]; position: Position }[] = []
  let head = 0
  /** During the replay, a row's age is computed from its own time. */
  let isReplaying = true
  /** Keys with a replayed record in the queue. */
  const waiting = new Set<string>()
  /** Groups with a replayed row in the queue. */
  const waitingGroups = new Set<string>()
  /**
   * The newest replayed row of each key that follows a group. Whether a row of the group waits is
   * known only at the end of the replay.
   */
  const following = new Map<string, LogRecord>()
  /**
   * The newest replayed row of each key, of rows that only move a time and wait. Null for a key
   * whose older row is in the view already.
   */
  const moving = new Map<string, LogRecord | null>()
  let replayedTo: Position | null = null

  const keyOf = ({ topic, key }: LogRecord) => `${topic.name} ${key}`

  function hold(records: readonly LogRecord[], position: Position, now: number) {
    queue.push({ dueAt: now + delayMs, records, position })
  }

  /**
   * Applies replayed rows that are old enough; younger rows wait. The value replaced by a waiting
   * row is unknown, so nothing is shown in its place, unless the row only moves a time
   * (`applyCut`). Records of one key keep their order: later ones wait behind one that waits.
   */
  function applyReplayed(records: readonly LogRecord[], position: Position, now: number) {
    const old: LogRecord[] = []
    const young: LogRecord[] = []
    replayedTo = position
    for (const record of records) {
      if (followedBy && followedBy(record) !== null) {
        following.set(keyOf(record), record)
        continue
      }
      const isOld = record.value === null || instantOf(record) + delayMs <= now
      // Usually nothing waits, so the key is not built: there are very many rows.
      if (isOld && (waiting.size === 0 || !waiting.has(keyOf(record)))) {
        old.push(record)
        if (movesTime?.(record)) moving.set(keyOf(record), null)
      } else {
        waiting.add(keyOf(record))
        young.push(record)
        if (movesTime?.(record) && moving.get(keyOf(record)) !== null) {
          moving.set(keyOf(record), record)
        }
        const group = record.value === null ? null : groupOf?.(record)
        if (group) waitingGroups.add(group)
      }
    }
    view.apply(old, position, now - delayMs)
    if (young.length > 0) hold(young, position, now)
  }

  function applyFollowing(now: number) {
    if (!replayedTo || following.size === 0) return
    const old: LogRecord[] = []
    const young: LogRecord[] = []
    for (const record of following.values()) {
      const isYoung = waitingGroups.has(followedBy!(record)!)
      ;(isYoung ? young : old).push(record)
    }
    view.apply(old, replayedTo, now - delayMs)
    hold(young, replayedTo, now)
  }

  /**
   * Applies the waiting rows that only move a time, cut to the view's time. The price whose time
   * they move was there before; without the cut it would show the time of its last change, which
   * may be hours ago. A row that has become old enough during the replay is not cut further than
   * its own time.
   */
  function applyCut(now: number) {
    const at = now - delayMs
    const rows: LogRecord[] = []
    for (const record of moving.values()) {
      if (!record || record.value === null) continue
      const earlier = cut?.(record, Math.min(at, instantOf(record)))
      if (earlier) rows.push(earlier)
    }
    if (replayedTo && rows.length > 0) view.apply(rows, replayedTo, at)
  }

  function forgetReplay() {
    waiting.clear()
    moving.clear()
    waitingGroups.clear()
    following.clear()
    replayedTo = null
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
      forgetReplay()
    },
    apply(records, position, now) {
      const kept: LogRecord[] = []
      for (const record of records) {
        const one = tables.has(record.topic.name) ? keep(record) : null
        if (one) kept.push(one)
      }
      if (isReplaying) applyReplayed(kept, position, now)
      else hold(kept, position, now)
    },
    ended: () => view.ended?.(),
    caughtUp(now) {
      isReplaying = false
      applyFollowing(now)
      applyCut(now)
      forgetReplay()
      advance(now)
    },
    advance,
    doDeferred: () => view.doDeferred?.() ?? false,
  }
}
