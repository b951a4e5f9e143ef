/**
 * The rule of when an event is over, and which sportsbooks decide it. Only this file has it; `processors/events`
 * applies it.
 *
 * - **A sportsbook decides for its own prices.** Once it states `final` or `cancelled`, its prices
 *   on the event are withdrawn, and later ones are left out until it takes that back. It does so by
 *   another status, by a listing with another id, or by a start after the time of that statement.
 * - **An event ends when the sportsbooks with a vote agree.** A sportsbook has a vote if it offers prices, calls the
 *   game live or reports its score as running, or if its `final`, `cancelled` or `postponed` still
 *   holds. All of them, or more than half and at least two, close the event: `final` and
 *   `cancelled` withdraw all prices. A single sportsbook that is wrong or too early does not affect
 *   the others' prices.
 * - **A source of results ends it alone**: it has no prices of its own and reports only results.
 * - **An end holds** until a statement is taken back. If a single statement had ended the event, a
 *   sportsbook that was silent meanwhile reopens it with its prices or its score.
 * - **Postponed** means closed but not over: prices stay, but are not used. A later start, or play,
 *   ends a postponement.
 */

import type { EventStatus } from '../../../schemas/feed-record.ts'

/** The status of a closed event. Closed events have no opportunities. */
export type ClosedStatus = 'final' | 'cancelled' | 'postponed'

/** One sportsbook's statement on whether an event has ended. */
export interface Say {
  readonly sportsbook: string
  /** The status that it stated last; null if none counts. */
  readonly statedStatus: EventStatus | null
  /** Whether it offers prices, or reports the score of a running game. */
  readonly isPlaying: boolean
}

/** Sportsbook names of results without prices: score feeds, and the results of recordings. */
const resultSources: ReadonlySet<string> = new Set(['the_odds_api', 'football_data', 'multibook'])

/** Returns whether a game of this status is over: nothing on it can be bet on any more. */
export const isOver = (status: EventStatus | null): boolean =>
  status === 'final' || status === 'cancelled'

/** Returns whether a game of this status can have open bets. */
export const isOpen = (status: EventStatus): boolean => status === 'upcoming' || status === 'live'

/** Returns how the event ended; null while it is open. */
export function closedStatus(says: Iterable<Say>): ClosedStatus | null {
  let final = 0
  let cancelled = 0
  let postponed = 0
  let open = 0
  let result: ClosedStatus | null = null
  for (const { sportsbook, statedStatus, isPlaying } of says) {
    switch (statedStatus) {
      case 'final':
        final++
        break
      case 'cancelled':
        cancelled++
        break
      case 'postponed':
        postponed++
        break
      case 'live':
        open++
        continue
      default:
        if (isPlaying) open++
        continue
    }
    if (resultSources.has(sportsbook) && isStronger(statedStatus, result)) result = statedStatus
  }
  if (result !== null) return result
  const closed = final + cancelled + postponed
  const agree = open === 0 ? closed > 0 : closed > 1 && closed > open
  if (!agree) return null
  // In a tie, neither side ends the other's prices.
  if (postponed >= final + cancelled) return 'postponed'
  return final >= cancelled ? 'final' : 'cancelled'
}

const strength: Readonly<Record<ClosedStatus, number>> = { postponed: 1, cancelled: 2, final: 3 }

const isStronger = (status: ClosedStatus, than: ClosedStatus | null) =>
  than === null || strength[status] > strength[than]
