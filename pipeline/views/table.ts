/**
 * Reads tables for views: passes each change to the function for the table's rows, and joins rows
 * about events with the events' rows. A view adds its indexes and its read methods.
 */

import type { EventRow } from '../../schemas/event.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import type { LogRecord } from '../log/log.ts'
import type { View } from './view.ts'

/** A view that needs neither positions nor times. */
export interface TableView extends View {
  reset(): void
  apply(records: readonly LogRecord[]): void
}

interface TakenTable {
  readonly topic: Topic
  take(row: unknown, key: string, partition: number): void
}

/** @param take called with each change of the table; the row is null if it was removed */
export const takeRows = <Row>(
  topic: Topic<Row>,
  take: (row: Row | null, key: string, partition: number) => void,
) => ({ topic, take }) as TakenTable

/** Keeps the rows of a table by key. */
export const keepRows = <Row>(topic: Topic<Row>, rows: Map<string, Row>) =>
  takeRows(topic, (row, key) => putRow(rows, key, row))

/** Applies a change to rows by key: a null row is a deletion. */
export function putRow<Row>(rows: Map<string, Row>, key: string, row: Row | null) {
  if (row === null) rows.delete(key)
  else rows.set(key, row)
}

/** Returns how a view reads its tables. The log is read in their order; records of others are skipped. */
export const readTables = (
  ...taken: readonly TakenTable[]
): Pick<TableView, 'tables' | 'apply'> => ({
  tables: taken.map(({ topic }) => topic),
  apply(records) {
    for (const { topic, key, value, partition } of records) {
      for (const table of taken) {
        if (table.topic.name === topic.name) table.take(value, key, partition)
      }
    }
  },
})

/**
 * Returns how a view reads a table of rows about events, and the events.
 * @param joined called with a key when its row or event has changed; `row` is null if it was
 * removed, `event` undefined while there is none
 * @param clear called when a fresh replay begins
 */
export function readWithEvents<Row extends { readonly eventId: string }>(
  topic: Topic<Row>,
  joined: (key: string, row: Row | null, event: EventRow | undefined) => void,
  clear: () => void,
): Pick<TableView, 'tables' | 'apply' | 'reset'> {
  const events = new Map<string, EventRow>()
  const rows = new Map<string, Row>()
  const keysByEvent = new Map<string, Set<string>>()
  return {
    ...readTables(
      takeRows(topics.events, (event, id) => {
        putRow(events, id, event)
        for (const key of keysByEvent.get(id) ?? []) joined(key, rows.get(key)!, events.get(id))
      }),
      takeRows(topic, (row, key) => {
        const eventId = (row ?? rows.get(key))?.eventId
        if (eventId === undefined) return
        putRow(rows, key, row)
        const keys = keysByEvent.get(eventId) ?? new Set()
        if (row) keysByEvent.set(eventId, keys.add(key))
        else if (keys.delete(key) && keys.size === 0) keysByEvent.delete(eventId)
        joined(key, row, events.get(eventId))
      }),
    ),
    reset() {
      events.clear()
      rows.clear()
      keysByEvent.clear()
      clear()
    },
  }
}
