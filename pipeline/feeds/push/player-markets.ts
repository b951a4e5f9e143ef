/**
 * Reads from labels what the fields of a pushed market's selections lack. If a market of players
 * states no player, labels name them, and each gets his own market. And a label may say that the
 * line itself wins ("25+").
 */

import { addTo } from '../../../schemas/grouping.ts'
import type { IngestMarket, IngestSelection } from '../../../schemas/http/ingest.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import type { NamedGame } from '../../rules/names/game-sides.ts'
import { isBareOutcome, labelledPlayer } from '../../rules/names/labelled-player.ts'
import type { Warning } from './warnings.ts'

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
  // "Over" and "Under" beside the name of a single player belong to him.
  const [only] = named.size === 1 ? named : []
  const byPlayer = new Map<string | null, IngestMarket['selections']>()
  for (const [at, selection] of market.selections.entries()) {
    const isBare = isBareOutcome(selection.selection ?? null)
    const player = players[at] ?? (isBare ? only : undefined) ?? null
    addTo(byPlayer, player, selection)
  }
  return [...byPlayer].map(([player_name, selections]) => ({ ...market, player_name, selections }))
}

/**
 * Returns the line of a selection. An over labelled "25+" at line 25 wins at 25, so its line is
 * 24.5.
 * @param ofMarket the market's own line
 */
export function statedLine(
  selection: IngestSelection,
  ofMarket: number | null | undefined,
): number | null {
  const stated = selection.line ?? ofMarket ?? null
  return stated !== null && isLeast(selection, stated) ? stated - 0.5 : (selection.line ?? null)
}

/** Returns whether a selection is an over whose label says that its line wins: "25+" at line 25. */
function isLeast({ selection_type, selection }: IngestSelection, line: number): boolean {
  const [, least] = /(?<![\p{L}\p{N}.,+-])(\d+)\+(?![\p{L}\p{N}+])/u.exec(selection ?? '') ?? []
  return least !== undefined && Number(least) === line && /(?:^|_)over$/.test(selection_type)
}

/**
 * Removes the unders at line 25 beside an over "25+": it is uncertain whether 25 loses or returns
 * the stake, and an under that is sent alone would be read at another line.
 */
export function withoutUnclearUnders(market: IngestMarket, warnings: Warning[]): IngestMarket {
  const lineOf = ({ line }: IngestSelection) => line ?? market.line ?? null
  const placeOf = (type: string, line: number | null) => `${type.replace(/over$/, 'under')}|${line}`
  const leasts = market.selections.filter((of) => isLeast(of, lineOf(of) ?? Number.NaN))
  if (leasts.length === 0) return market
  const places = new Set(leasts.map((of) => placeOf(of.selection_type, lineOf(of))))
  const selections = market.selections.map((stated) => {
    const { selection_type: selection, removed } = stated
    const line = lineOf(stated)
    const isUnclear = !removed && /under$/.test(selection) && places.has(placeOf(selection, line))
    if (!isUnclear) return stated
    const { market_type: marketType } = market
    const message = `${marketType} ${selection} ${line}: the over beside it is labelled "${line}+"; it is left out`
    const code = 'contradictory_lines'
    warnings.push({ code, message, marketType, selection, isLeftOut: true })
    return { ...stated, removed: true }
  })
  return { ...market, selections }
}
