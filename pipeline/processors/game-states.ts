/**
 * States of games in play: each sportsbook's last report of a game, and the state merged from the reports for each
 * set of sportsbooks that a tier may see. Decides when a row changes; the merge itself is in
 * `rules/games/game-state.ts`.
 * - A report older than the last of its sportsbook on the game is ignored and counted.
 * - A sportsbook's report is dropped if it is silent for as long as in-play prices may be. It is
 *   also dropped if the sportsbook ends the game, lists another game instead, corrects the sides,
 *   or says that the game has not begun. Before the start, a sportsbook that does not call the game
 *   live says just that.
 * - Reports of the end of the game and of its periods are kept for longer, see `game-results.ts`.
 * - A game that is over or postponed, or has no reports, has no row. A report of a running game
 *   reopens an event that only one sportsbook has ended (`rules/games/event-end.ts`).
 *
 * At-least-once safe: replaying a batch ends on the same rows.
 */

import type { GameStateRecord } from '../../schemas/feed-record.ts'
import {
  type GameReport,
  type GameState,
  type GameStateRow,
  stateFor,
} from '../../schemas/game-state.ts'
import { ownerVisibility, type Visibility, visibilityOf } from '../../schemas/opportunity.ts'
import { topics } from '../../schemas/topics.ts'
import { isOpen, isOver } from '../rules/games/event-end.ts'
import { flipSides, isRunning, mergeReports, readReport } from '../rules/games/game-state.ts'
import { liveExpiryMs } from '../rules/odds/freshness.ts'
import { compareTexts } from '../text/compare-texts.ts'
import type { EventTable, EventTableParts, EventTableState } from './event-tables.ts'
import type { Taken } from './events/events.ts'
import { createGameResults } from './game-results.ts'

export const gameStates: EventTable = {
  inputs: [topics.feedGameState],
  tables: [topics.gameStates, topics.gameResults],
  create: createGameStates,
}

const visibilities: readonly Visibility[] = [0, 1, 2, ownerVisibility]

/** A report's time may be this far ahead of the last tick; later times are cut to that. */
const aheadMs = 5_000

function createGameStates(parts: EventTableParts): EventTableState {
  const { events, emit, count, isOwnersOnly } = parts
  const rows = new Map<string, GameStateRow>()
  const results = createGameResults(emit)
  let lastTickAt = Number.POSITIVE_INFINITY

  const visibilityOfReport = ({ sportsbook }: GameReport) =>
    isOwnersOnly(sportsbook) ? ownerVisibility : visibilityOf(sportsbook)

  function merge(
    sport: string,
    reports: readonly GameReport[],
    before: readonly GameState[],
  ): GameState[] {
    const states: GameState[] = []
    let seen = 0
    for (const fromLevel of visibilities) {
      const visible = reports.filter((report) => visibilityOfReport(report) <= fromLevel)
      // A set that adds no sportsbook to the set before has the same state.
      if (visible.length === seen) continue
      seen = visible.length
      const state = mergeReports(sport, visible, stateFor(before, 1 << fromLevel))
      if (state) states.push({ fromLevel, ...state })
    }
    return states
  }

  function write(
    of: Omit<GameStateRow, 'reports' | 'states'>,
    reports: readonly GameReport[],
    before: readonly GameState[] = rows.get(of.eventId)?.states ?? [],
  ) {
    const { eventId, sport, league } = of
    for (const { sportsbook } of rows.get(eventId)?.reports ?? [])
      events.offer(eventId, sportsbook).tellsPlayAt = Number.NEGATIVE_INFINITY
    noteTelling(of, reports)
    const addressed = { topic: topics.gameStates, partitionKey: league, key: eventId }
    if (reports.length === 0) {
      rows.delete(eventId)
      emit({ ...addressed, value: null })
      return
    }
    const value = { eventId, sport, league, reports, states: merge(sport, reports, before) }
    rows.set(eventId, value)
    emit({ ...addressed, value })
  }

  function noteTelling(
    { eventId, sport }: Pick<GameStateRow, 'eventId' | 'sport'>,
    reports: readonly GameReport[],
  ) {
    for (const report of reports)
      if (isRunning(sport, report))
        events.offer(eventId, report.sportsbook).tellsPlayAt = report.observedAt
  }

  function take(record: GameStateRecord, { offer, swapped }: Taken) {
    const { sportsbook, observedAt, state } = record
    const { id: eventId, sport, league, status } = offer.event.row
    const row = rows.get(eventId)
    const last = row?.reports.find((report) => report.sportsbook === sportsbook)
    const cut = Math.min(observedAt, lastTickAt + aheadMs)
    // Ticks may go back: another process with a slower clock may send them now.
    const at = last ? Math.max(cut, Math.min(observedAt, last.observedAt)) : cut
    if (last && at < last.observedAt) return count('stale_game_state')
    // Before a game's start, a sportsbook that does not call it live has only an empty scoreboard.
    const hasBegun = record.event.isLive || offer.event.startsAt <= at
    if (!hasBegun) count('game_state_before_start')
    const read = hasBegun
      ? readReport(sport, state, () => count('game_state_member_left_out'), league)
      : null
    const opens = isOver(status) && read !== null && isRunning(sport, read)
    const oriented = read && swapped ? flipSides(read) : read
    if (oriented) {
      results.report(offer.event.row, sportsbook, last ?? null, { observedAt: at, ...oriented })
    }
    if (!isOpen(status) && !opens) return count('game_state_of_closed_event')
    const others = row?.reports.filter((report) => report !== last) ?? []
    if (!oriented) {
      if (last) write({ eventId, sport, league }, others)
      return
    }
    const { endedIn: _, ...report } = oriented
    const reports = [...others, { sportsbook, observedAt: at, ...report }]
    reports.sort((a, b) => compareTexts(a.sportsbook, b.sportsbook))
    write({ eventId, sport, league }, reports)
  }

  /** Takes a score that comes after the report that the game is over. */
  function takeLate({ sportsbook, observedAt, state }: GameStateRecord, { offer, swapped }: Taken) {
    const { row } = offer.event
    const read = readReport(row.sport, state, () => count('game_state_member_left_out'), row.league)
    if (!read || isRunning(row.sport, read)) return
    const oriented = swapped ? flipSides(read) : read
    results.report(row, sportsbook, null, { observedAt, ...oriented })
  }

  function tick(now: number) {
    lastTickAt = now
    results.tick(now)
    for (const row of rows.values()) {
      const { eventId, reports } = row
      const { event } = events.offer(eventId, reports[0]!.sportsbook)
      const heard = isOpen(event.row.status)
        ? reports.filter(({ observedAt }) => now - observedAt <= liveExpiryMs)
        : []
      if (heard.length === reports.length) continue
      write(row, heard)
      events.review(event, now)
    }
  }

  return {
    restore({ topic, key, value }) {
      if (topic.name === topics.gameResults.name) return results.restore(key, value)
      if (!value) return
      const row = value as GameStateRow
      rows.set(key, row)
      noteTelling(row, row.reports)
    },
    take: {
      game_state: take,
      tick: ({ observedAt }) => tick(observedAt),
      // The record may change which accounts see the sportsbook; the status table has already
      // applied it.
      book_status({ sportsbook, audience }) {
        if (!audience) return
        for (const row of rows.values()) {
          // The state shown before may come from a sportsbook that is hidden now.
          if (row.reports.some((report) => report.sportsbook === sportsbook))
            write(row, row.reports, [])
        }
      },
    },
    takeLate,
    changed: ({ row }) => results.status(row),
    withdraw({ event, sportsbook }, why) {
      if (why === 'mistaken') results.remove(event.row, sportsbook)
      const row = rows.get(event.id)
      const left = row?.reports.filter((report) => report.sportsbook !== sportsbook)
      if (row && left && left.length < row.reports.length) write(row, left)
    },
  }
}
