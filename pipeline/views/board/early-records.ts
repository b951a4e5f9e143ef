/** Records of prices and sightings that came before the event they are of: topics keep no order between each other. */

import { topics } from '../../../schemas/topics.ts'
import type { LogRecord } from '../../log/log.ts'

export interface EarlyRecords {
  wait(eventId: string, record: LogRecord): void
  /** Takes out what waits for an event, in the order it came. */
  take(eventId: string): readonly LogRecord[]
  /** A price was withdrawn: it may be among those that wait. */
  withdraw(record: LogRecord): void
  clear(): void
}

export function createEarlyRecords(): EarlyRecords {
  /** By event. */
  const waiting = new Map<string, LogRecord[]>()
  /** The event that a price among them waits for, by its key. */
  const eventOfPrice = new Map<string, string>()
  const isPrice = ({ topic }: LogRecord) => topic.name === topics.odds.name

  return {
    wait(eventId, record) {
      if (isPrice(record)) eventOfPrice.set(record.key, eventId)
      const early = waiting.get(eventId)
      if (early) early.push(record)
      else waiting.set(eventId, [record])
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
