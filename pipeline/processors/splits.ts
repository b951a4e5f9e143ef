/**
 * The table `splits`: the latest splits of each source book on each event, in the event's own
 * frame. If there is an archive, the first splits in every five minutes go to `split-snapshots`,
 * changed or not. So a snapshot has the figures of that time, and a silent source has no snapshots.
 * A row is removed when its source sends no splits for it any more. It is also removed with all
 * else of the source on the event, at the latest when the event is over.
 */

import type { SplitsRecord } from '../../schemas/feed-record.ts'
import { type SplitsRow, snapshotEveryMs, splitsKey } from '../../schemas/splits.ts'
import { topics } from '../../schemas/topics.ts'
import { nonEmptySplits, turnedSplits } from '../rules/odds/splits.ts'
import type { EventTable, EventTableParts, EventTableState } from './event-tables.ts'
import type { Taken } from './events/events.ts'
import type { Offer } from './events/offer.ts'

/** @param keepsHistory whether snapshots are taken */
export const splits = (keepsHistory: boolean): EventTable => ({
  inputs: [topics.feedSplits],
  tables: [topics.splits],
  create: (parts) => createSplits(parts, keepsHistory),
})

function createSplits({ emit, count }: EventTableParts, keepsHistory: boolean): EventTableState {
  const rows = new Map<string, SplitsRow>()

  function take(record: SplitsRecord, { offer, swapped }: Taken) {
    const { sportsbook, observedAt: at } = record
    const { id: eventId, league, flipped } = offer.event.row
    const key = splitsKey(eventId, sportsbook)
    const before = rows.get(key)
    if (before && at < before.observedAt) return count('stale_splits')
    const stated = nonEmptySplits(record)
    if (!stated) return withdraw(offer)
    const oriented = swapped ? turnedSplits(stated) : stated
    const isNewSlot = before === undefined || slotOf(at) > slotOf(before.snapshotAt)
    const snapshotAt = isNewSlot ? at : before.snapshotAt
    const row = { eventId, league, sportsbook, ...oriented, observedAt: at, snapshotAt }
    rows.set(key, row)
    emit({ topic: topics.splits, partitionKey: league, key, value: row })
    if (!keepsHistory || !isNewSlot) return
    const value = { eventId, league, sportsbook, ...oriented, at, flipped }
    emit({ topic: topics.splitSnapshots, partitionKey: league, key, value })
  }

  function withdraw({ event, sportsbook }: Offer) {
    const key = splitsKey(event.id, sportsbook)
    if (!rows.delete(key)) return
    emit({ topic: topics.splits, partitionKey: event.row.league, key, value: null })
  }

  return {
    restore({ key, value }) {
      if (value === null) rows.delete(key)
      else rows.set(key, value as SplitsRow)
    },
    take: { splits: take },
    withdraw,
  }
}

const slotOf = (at: number) => Math.floor(at / snapshotEveryMs)
