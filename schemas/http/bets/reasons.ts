/** Why a bet has no closing line value, and why it is open. */

import { missingCloseReasons } from '../../closing-line.ts'

/**
 * Why a bet has no closing line value. `no_close_yet`: its game has not started or only just has,
 * or none of its closes was captured so far; `archive_behind`: its close was captured, but is not
 * in the archive yet; `withheld`: the guard withheld the sharp book's close. The values of
 * `MissingCloseReason` are the sharp book's reasons for having no close of the price.
 */
export const betReasons = [
  'no_such_event',
  'several_events',
  'selection_unknown',
  'archive_not_ready',
  'placed_after_start',
  'no_close_yet',
  'archive_behind',
  'close_not_kept',
  'no_reference',
  'no_price_at_line',
  'not_devigged',
  'withheld',
  ...missingCloseReasons,
] as const
export type BetReason = (typeof betReasons)[number]

/**
 * Why a bet is open. `not_by_score`: a final score does not settle the market, or the sport;
 * `no_period_score`: the bet is on a part of the game whose score nobody reported;
 * `result_not_kept`: the archive has no result of the game; `postponed`: the game was postponed, or
 * played at another time; `placed_after_start`: a handicap in play that sportsbooks settle by
 * different scores.
 */
export const openReasons = [
  'not_started',
  'not_over',
  'postponed',
  'cancelled',
  'no_final_score',
  'scores_differ',
  'game_shortened',
  'no_period_score',
  'not_by_score',
  'result_not_kept',
  ...betReasons,
] as const
export type OpenReason = (typeof openReasons)[number]
