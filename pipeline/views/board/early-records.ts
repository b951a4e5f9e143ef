/** Records of prices and sightings that came before their event: topics keep no order between each other. */

import type { LogRecord } from '../../log/log.ts'

export interface EarlyRecords {
  wait(eventId: string, record: LogRecord): void
  /** Removes and returns the records waiting for an event: the newest of each key, in order of arrival. */
  take(eventId: string): readonly LogRecord[]
  /** Drops the record of a row that was removed, if it is waiting. */
  withdraw(record: LogRecord): void
  clear(): void
}

export function createEarlyRecords(): EarlyRecords {
  /** Waiting records by event, then by `nameOf`. */
  const waiting = new Map<string, Map<string, LogRecord>>()
  /** The event that each waiting record is for, by `nameOf`. */
  const eventOf = new Map<string, string>()
  const nameOf = ({ topic, key }: LogRecord) => `${topic.name} ${key}`

  function withdraw(record: LogRecord) {
    const name = nameOf(record)
    const eventId = eventOf.get(name)
    if (eventId === undefined) return
    eventOf.delete(name)
    const early = waiting.get(eventId)!
    early.delete(name)
    if (early.size === 0) waiting.delete(eventId)
  }

  return {
    wait(eventId, record) {
      // The newest comes last.
      withdraw(record)
      const name = nameOf(record)
      let early = waiting.get(eventId)
      if (!early) {
        early = new Map()
        waiting.set(eventId, early)
      }
      early.set(name, record)
      eventOf.set(name, eventId)
    },
    take(eventId) {
      const early = waiting.get(eventId)
      if (!early) return nothing
      waiting.delete(eventId)
      for (const name of early.keys()) eventOf.delete(name)
      return [...early.values()]
    },
    withdraw,
    clear() {
      waiting.clear()
      eventOf.clear()
    },
  }
}

const nothing: readonly LogRecord[] = []
