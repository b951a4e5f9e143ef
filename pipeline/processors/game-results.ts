/**
 * The table of how games ended; decides when a row changes. A row is written when a sportsbook
 * reports the end of the game or of a period, and when an event closes or reopens. It stays for 30
 * days after the start, long after the event is removed. `rules/games/game-result.ts` reads the
 * reports.
 */

import type { EventRow } from '../../schemas/event.ts'
import type { GameResultRow } from '../../schemas/game-result.ts'
import { topics } from '../../schemas/topics.ts'
import type { Append } from '../log/log.ts'
import { isOpen } from '../rules/games/event-end.ts'
import {
  afterReport,
  isScoredByPoints,
  nothingReported,
  type TimedReport,
} from '../rules/games/game-result.ts'
import { compareTexts } from '../text/compare-texts.ts'

/** The time after the start of its game for which a row is kept. */
export const resultRetentionMs = 30 * 24 * 3_600_000
const sweepEveryMs = 3_600_000

type Event = Pick<EventRow, 'id' | 'sport' | 'league' | 'startsAt' | 'status'>

export function createGameResults(emit: (change: Append) => void) {
  const rows = new Map<string, GameResultRow>()
  let sweptAt = Number.NEGATIVE_INFINITY

  function write(event: Event, reports = rows.get(event.id)?.reports ?? []) {
    const { id: eventId, sport, league, startsAt, status } = event
    const value = { eventId, sport, league, startsAt, status, reports }
    rows.set(eventId, value)
    emit({ topic: topics.gameResults, partitionKey: league, key: eventId, value })
  }

  return {
    /** @param last the report of the sportsbook before; null for none */
    report(event: Event, sportsbook: string, last: TimedReport | null, now: TimedReport) {
      if (!isScoredByPoints(event.sport)) return
      const reports = rows.get(event.id)?.reports ?? []
      const known = reports.find((one) => one.sportsbook === sportsbook)
      if (known && now.observedAt < known.observedAt) return
      const before = known ?? nothingReported(sportsbook)
      const after = afterReport(before, event.sport, last, now)
      if (after === before) return
      const others = reports.filter((one) => one !== known)
      write(
        event,
        [...others, after].sort((a, b) => compareTexts(a.sportsbook, b.sportsbook)),
      )
    },

    /** Drops a sportsbook's reports if they were of another game, or of the other side. */
    remove(event: Event, sportsbook: string) {
      const reports = rows.get(event.id)?.reports
      const others = reports?.filter((one) => one.sportsbook !== sportsbook)
      if (others && others.length < reports!.length) write(event, others)
    },

    /** Handles a change of the event's row. */
    status(event: Event) {
      const row = rows.get(event.id)
      const isNews = row
        ? row.status !== event.status || row.startsAt !== event.startsAt
        : !isOpen(event.status)
      if (isNews) write(event)
    },

    tick(now: number) {
      if (now - sweptAt < sweepEveryMs) return
      sweptAt = now
      for (const { eventId, league, startsAt } of rows.values()) {
        if (now - startsAt <= resultRetentionMs) continue
        rows.delete(eventId)
        emit({ topic: topics.gameResults, partitionKey: league, key: eventId, value: null })
      }
    },

    restore(key: string, row: unknown) {
      if (row === null) rows.delete(key)
      else rows.set(key, row as GameResultRow)
    },
  }
}
