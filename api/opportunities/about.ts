/**
 * What every opportunity shows of its event, its player and itself. Each kind names these members in its items one by
 * one: an object that begins with what another has gets a shape of its own, and is slow to make and to write.
 */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { Priced } from '../../pipeline/views/opportunities/priced.ts'
import { questionOf } from '../../schemas/reference/markets.ts'
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
 * Since when it has been there (epoch ms). Measured against a hidden price, since when its own price has been what
 * it is: the instant at which the value began would say when the hidden one crossed it.
 */
export function detectedAt(item: Priced, scope: Scope): number {
  if (!isVeiled(item, scope)) return item.row.detectedAt
  const [{ changedAt, offer }] = item.legs as readonly [Quote]
  return changedAt ?? offer.lastSeenAt
}

export const isPlayerProp = ({ legs }: Priced) =>
  isOfPlayer(legs[0]!.selection, legs[0]!.marketType)

export const isOfPlayer = ({ playerName }: Quote['selection'], marketType: string): boolean =>
  playerName !== null || questionOf(marketType).isPlayerProp

/**
 * Whether what it rests on may not be what it seems: the phantom guard suspects a price of it, or a
 * sportsbook contradicts itself in one.
 */
export const isSuspected = ({ row, legs }: Priced, board: BoardView): boolean =>
  row.isSuspected || legs.some((leg) => contradictsItself(board, leg))

/** The warnings of its kind; that of a price under suspicion goes last. */
export const warningsOf = (isSuspected: boolean, ofKind: readonly string[]): readonly string[] =>
  isSuspected ? [...ofKind, 'MARKET_MISMATCH_SUSPECTED'] : ofKind
