/** Records of prices and sightings that came before their event: topics keep no order between each other. */

import { addTo } from '../../../schemas/grouping.ts'
import { topics } from '../../../schemas/topics.ts'
import type { LogRecord } from '../../log/log.ts'

export interface EarlyRecords {
  wait(eventId: string, record: LogRecord): void
  /** Removes and returns the records waiting for an event, in order of arrival. */
  take(eventId: string): readonly LogRecord[]
  /** Drops a price that was withdrawn, if it is waiting. */
  withdraw(record: LogRecord): void
  clear(): void
}

export function createEarlyRecords(): EarlyRecords {
  /** Waiting records by event. */
  const waiting = new Map<string, LogRecord[]>()
  /** The event that each waiting price is for, by the price's key. */
  const eventOfPrice = new Map<string, string>()
  const isPrice = ({ topic }: LogRecord) => topic.name === topics.odds.name

  return {
    wait(eventId, record) {
      if (isPrice(record)) eventOfPrice.set(record.key, eventId)
      addTo(waiting, eventId, record)
    },
    take(eventId) {
      const early = waiting.get(eventId) ?? []
      waiting.delete(eventId)
      for (const record of early) if (isPrice(record)) eventOfPrice.delete(record.key)
      return early
    },
    withdraw({ key }) {
      const eventId = eventOfPrice.get(key)
      if (eventId === undefined) return
      eventOfPrice.delete(key)
      const early = waiting.get(eventId) ?? []
      const left = early.filter((record) => !isPrice(record) || record.key !== key)
      if (left.length > 0) waiting.set(eventId, left)
      else waiting.delete(eventId)
    },
    clear() {
      waiting.clear()
      eventOfPrice.clear()
    },
  }
}
