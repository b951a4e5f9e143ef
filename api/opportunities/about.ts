/**
 * Fields that all opportunities share. Each kind lists them in its items one by one: an object that begins with the
 * fields of another gets its own hidden class and is slow to create and serialise.
 */

import { isOfPlayer } from '../../pipeline/rules/odds/questions.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { stalePregameBit } from '../../pipeline/views/board/row-table.ts'
import type { Priced } from '../../pipeline/views/opportunities/priced.ts'
import type { Scope } from '../access/scope.ts'
import { eventName } from '../answer/events.ts'
import { contradictsItself } from './contradictions.ts'
import { isVeiled, type Quote, selectionOf } from './quotes.ts'

export function aboutOf(item: Priced) {
  const { row, event } = item
  const first = item.legs[0]!
  const { selection } = first
  const { sport, league, homeTeam, awayTeam, startsAt } = event.row
  return {
    id: row.id,
    event_id: event.id,
    event_name: eventName(event),
    sport,
    league,
    market_type: first.marketType,
    home_team: homeTeam,
    away_team: awayTeam,
    start_time: isoTime(startsAt),
    line: selectionOf(first).line,
    is_live: first.isLive,
    is_player_prop: isPlayerProp(item),
    player_name: selection.playerName,
    stat_category: first.statCategory,
  }
}

/**
 * Returns since when the opportunity exists (epoch ms). If it is measured by a hidden price,
 * returns since when its own price is unchanged. Its real start would reveal when the hidden price
 * crossed the threshold.
 */
export function detectedAt(item: Priced, scope: Scope): number {
  if (!isVeiled(item, scope)) return item.row.detectedAt
  const [{ changedAt, offer }] = item.legs as readonly [Quote]
  return changedAt ?? offer.lastSeenAt
}

export const isPlayerProp = ({ legs }: Priced) =>
  isOfPlayer(legs[0]!.marketType, legs[0]!.selection.playerName)

/**
 * Returns whether an opportunity may rest on a wrong price: the phantom guard suspects one, or a sportsbook
 * contradicts itself.
 */
export const isSuspected = ({ row, legs }: Priced, board: BoardView): boolean =>
  row.isSuspected || legs.some((leg) => contradictsItself(board, leg))

/** Returns the warnings about its prices, which do not depend on the time. */
export function doubtsOf(item: Priced, scope: Scope): readonly string[] {
  const { board } = scope
  const { rows } = board
  // A warning must not reveal a price that the caller does not see.
  const measuredBy = isVeiled(item, scope) ? [] : item.reference
  const isOfBefore = ({ id }: Quote) => {
    const row = rows.find(id)
    return row >= 0 && (rows.state(row) & stalePregameBit) !== 0
  }
  return [
    ...([...item.legs, ...measuredBy].some(isOfBefore) ? ['STALE_PREGAME_PRICE'] : []),
    ...(isSuspected(item, board) ? ['MARKET_MISMATCH_SUSPECTED'] : []),
  ]
}
