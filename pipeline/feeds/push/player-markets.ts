/**
 * What the labels of a pushed market's selections say beyond their fields: the players, in a market of players that
 * states none, each of whom then has a market of his own; and that a line is the least that wins ("25+").
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

type IngestSelection = IngestMarket['selections'][number]

/**
 * Returns the line of a selection as it is stated. An over labelled "25+" at line 25 wins at 25, so that its line is
 * 24.5.
 * @param ofMarket the market's own line
 */
export function statedLine(
  { selection_type, selection, line }: IngestSelection,
  ofMarket: number | null | undefined,
): number | null {
  const stated = line ?? ofMarket ?? null
  const [, least] = /(?<![\p{L}\p{N}.,+-])(\d+)\+(?![\p{L}\p{N}+])/u.exec(selection ?? '') ?? []
  const isLeast =
    least !== undefined && Number(least) === stated && /(?:^|_)over$/.test(selection_type)
  return isLeast ? Number(least) - 0.5 : (line ?? null)
}
