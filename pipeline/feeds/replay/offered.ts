/**
 * The offers of each sportsbook, for recordings with full readings of events. If a sportsbook had
 * prices in an event's last reading but has none in this one, it has withdrawn them: an empty
 * snapshot reports that. If an event is missing from a reading, its prices stay, because the
 * recorder left it out.
 */

import type { FeedEvent, OddsRecord } from '../../../schemas/feed-record.ts'

export function createOffered() {
  const byEvent = new Map<string, Map<string, FeedEvent>>()
  return {
    /**
     * Replaces the last reading of one event.
     * @param records all offers on the event at `at`, with prices
     * @returns the empty snapshots of sportsbooks that offer nothing any more
     */
    replace(eventKey: string, records: readonly OddsRecord[], at: number): OddsRecord[] {
      const before = byEvent.get(eventKey) ?? new Map<string, FeedEvent>()
      byEvent.set(eventKey, new Map(records.map(({ sportsbook, event }) => [sportsbook, event])))
      const now = records[0]?.event
      return [...before]
        .filter(([sportsbook]) => !records.some((record) => record.sportsbook === sportsbook))
        .map(([sportsbook, last]) => {
          const event = now ?? { ...last, isLive: last.startsAt <= at }
          return { type: 'odds', sportsbook, mode: 'snapshot', observedAt: at, event, markets: [] }
        })
    },
  }
}
