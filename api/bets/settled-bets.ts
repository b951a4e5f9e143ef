/**
 * Results of an account's bets: as stated by the bettor, else by the final score in the log or the archive. An open
 * bet has a reason.
 */

import { type Ask, mostBets, readResults } from '../../pipeline/archive/bets.ts'
import {
  isSameStart,
  isSettledByScore,
  outcomeOf,
  paid,
  returnOf,
  settleBet,
} from '../../pipeline/rules/bets/settle-bet.ts'
import { isOpen } from '../../pipeline/rules/games/event-end.ts'
import { gameResultOf, isScoredByPoints } from '../../pipeline/rules/games/game-result.ts'
import { countsFromBet } from '../../pipeline/rules/odds/in-play-handicaps.ts'
import type { BetOutcome, BetRow, BetSelection } from '../../schemas/bet.ts'
import type { EventStatus } from '../../schemas/feed-record.ts'
import type { GameResultRow, Score } from '../../schemas/game-result.ts'
import type { OpenReason } from '../../schemas/http/bets/reasons.ts'
import { questionOf } from '../../schemas/reference/markets.ts'
import { orWithoutArchive } from './archive-fallback.ts'
import type { LocatedBet } from './bet-closes.ts'

export interface SettledBet {
  readonly row: BetRow
  readonly found: BetSelection | null
  /** Null while the bet is open; `reason` then says why. */
  readonly outcome: BetOutcome | null
  readonly reason: OpenReason | null
  readonly settledBy: 'score' | 'hand' | null
  /** Result by the score. It may differ from the result of a bet settled by hand. */
  readonly byScore: BetOutcome | null
  /** Amount returned, including the stake. */
  readonly returned: number | null
  readonly profit: number | null
  /** The final score, home and away as in `found`. */
  readonly score: Score | null
}

export interface SettleOptions {
  readonly ask: Ask
  /** Returns the log's row of an event. */
  resultOf(eventId: string): GameResultRow | undefined
  /** Returns the current state of an event on the board; undefined if it is not there. */
  eventOf(eventId: string): { readonly startsAt: number; readonly status: EventStatus } | undefined
  mayShow(sportsbook: string): boolean
  /** Current time of the price clock (epoch ms). */
  readonly now: number
}

type Result = Pick<GameResultRow, 'sport' | 'startsAt' | 'status' | 'reports'>

/** A game with a final score counts as over this long after its start, even if no sportsbook has closed the event. */
const surelyOverMs = 12 * 3_600_000

export async function settleBets(
  bets: readonly LocatedBet[],
  options: SettleOptions,
): Promise<SettledBet[]> {
  const { now, resultOf, ask } = options
  const results = new Map<string, Result>()
  const notInLog = new Map<string, BetSelection>()
  for (const { match } of bets) {
    if ('reason' in match) continue
    const { eventId, startsAt } = match.found
    const row = resultOf(eventId)
    if (row) results.set(eventId, row)
    else if (startsAt <= now) notInLog.set(eventId, match.found)
  }
  const toRead = [...notInLog.values()]
  async function readArchived() {
    for (let from = 0; from < toRead.length; from += mostBets) {
      for (const row of await readResults(ask, toRead.slice(from, from + mostBets))) {
        results.set(row.eventId, row)
      }
    }
    return false
  }
  const isArchiveMissing = await orWithoutArchive(readArchived, () => true)
  return bets.map(({ row, match }) => {
    const found = 'found' in match ? match.found : null
    const byScore =
      'reason' in match
        ? match.reason
        : settleByScore(
            match.found,
            row.placedAt,
            results.get(match.found.eventId),
            options,
            isArchiveMissing,
          )
    return settle(row, found, byScore)
  })
}

export interface ByScore {
  readonly outcome: BetOutcome
  readonly score: Score
}

function settle(row: BetRow, found: BetSelection | null, by: ByScore | OpenReason): SettledBet {
  const scored = typeof by === 'string' ? null : by
  const { verdict } = row
  const outcome = verdict?.outcome ?? scored?.outcome ?? null
  const returned =
    outcome === null
      ? null
      : (verdict?.returned ?? returnOf(row, outcome, verdict?.sharedBy ?? null))
  return {
    row,
    found,
    outcome,
    reason: outcome === null ? (by as OpenReason) : null,
    settledBy: verdict ? 'hand' : scored ? 'score' : null,
    byScore: scored?.outcome ?? null,
    returned,
    profit: returned === null ? null : paid(returned - row.stake, row.stake),
    score: scored?.score ?? null,
  }
}

/**
 * Settles a selection by the reported score, or returns why that is impossible.
 * @param placedAt when the bet was placed (epoch ms)
 */
export function settleByScore(
  found: Pick<
    BetSelection,
    'eventId' | 'sport' | 'startsAt' | 'marketType' | 'selectionType' | 'line'
  >,
  placedAt: number,
  result: Result | undefined,
  { eventOf, mayShow, now }: Pick<SettleOptions, 'eventOf' | 'mayShow' | 'now'>,
  isArchiveMissing: boolean,
): ByScore | OpenReason {
  const event = eventOf(found.eventId)
  const startsAt = event?.startsAt ?? result?.startsAt ?? found.startsAt
  const status = event?.status ?? result?.status ?? null
  if (status === 'postponed' || status === 'cancelled') return status
  if (!isSameStart(found.startsAt, startsAt)) return 'postponed'
  if (startsAt > now) return 'not_started'
  if (!result) {
    if (event && isOpen(event.status)) return 'not_over'
    return isArchiveMissing ? 'archive_not_ready' : 'result_not_kept'
  }
  const reports = result.reports.filter(({ sportsbook }) => mayShow(sportsbook))
  const game = gameResultOf(found.sport, startsAt, reports, found.marketType)
  const isOver = status === 'final' || now - startsAt > surelyOverMs
  if (!isOver) return 'not_over'
  if (!isSettledByScore(found.marketType) || !isScoredByPoints(found.sport)) return 'not_by_score'
  if (typeof game === 'string') return game
  const { answers } = questionOf(found.marketType)
  if (placedAt > startsAt && countsFromBet(answers, found.sport)) return 'placed_after_start'
  const settled = settleBet(found, game)
  return settled === null ? 'no_period_score' : { outcome: outcomeOf(settled), score: game.final! }
}
