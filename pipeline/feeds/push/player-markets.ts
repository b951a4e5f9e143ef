/**
 * Pushed markets of players that state none: the labels of their selections may name one or several, each of whom
 * then has a market of his own.
 */

import type { IngestRecord } from '../../../schemas/http/ingest.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import type { NamedGame } from '../../rules/names/game-sides.ts'
import { isBareAnswer, labelledPlayer } from '../../rules/names/labelled-player.ts'

type IngestMarket = Extract<IngestRecord, { type: 'odds' }>['markets'][number]

/** @param marketType our type of the market */
export function marketsByPlayer(
  market: IngestMarket,
  marketType: string,
  game: NamedGame,
  sport: string,
): readonly IngestMarket[] {
  if (market.player_name != null || findMarket(marketType)?.isPlayerProp !== true) return [market]
  const players = market.selections.map(({ selection }) =>
    selection == null ? null : labelledPlayer(selection, game, sport),
  )
  const named = new Set(players.filter((player) => player !== null))
  if (named.size === 0) return [market]
  // "Over" and "Under" beside the name of one player are his.
  const [only] = named.size === 1 ? named : []
  const byPlayer = new Map<string | null, IngestMarket['selections']>()
  for (const [at, selection] of market.selections.entries()) {
    const isBare = isBareAnswer(selection.selection ?? null)
    const player = players[at] ?? (isBare ? only : undefined) ?? null
    const others = byPlayer.get(player)
    if (others) others.push(selection)
    else byPlayer.set(player, [selection])
  }
  return [...byPlayer].map(([player_name, selections]) => ({ ...market, player_name, selections }))
}
