/**
 * Totals whose names do not say whose they are: "Hits O/U", "Corners O/U". Without more they are the game's; a label
 * that names a player or a side ("Aaron Judge Over 1.5") makes them his, or the team's.
 */

import type { IngestRecord } from '../../../schemas/http/ingest.ts'
import {
  findMarketNamed,
  isStatisticOverUnder,
  marketTypeOf,
} from '../../../schemas/reference/market-names.ts'
import { findMarket, slugMarket } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { isBareSideName } from '../../rules/names/bare-side-name.ts'
import type { NamedGame, SideOptions } from '../../rules/names/game-sides.ts'
import { isBareOutcome, labelledPlayer, withoutOutcome } from '../../rules/names/labelled-player.ts'
import { nameKindOf } from '../../rules/names/team-names.ts'
import { type GameSide, isTeamTotal, statedSide } from '../../rules/odds/team-totals.ts'

type IngestMarket = Extract<IngestRecord, { type: 'odds' }>['markets'][number]

/** A stated market, or a part of one, with our type of it. */
export interface TypedMarket {
  readonly market: IngestMarket
  readonly marketType: string
}

/** Returns whether a market is a game's total only as long as no label names a player or a side. */
export function isOfLabels({ market, marketType }: TypedMarket, sport: string): boolean {
  return (
    market.player_name == null &&
    findMarket(marketType)?.answers === 'over_under' &&
    findMarket(marketType)?.isPlayerProp !== true &&
    isStatisticOverUnder(market.market_type, sport)
  )
}

/**
 * Returns the market of each player and team that the labels of such a total name. A bare over or under belongs to the
 * only one named; among several it is of an unlisted market, which is compared with no other.
 */
export function totalsByLabel(
  total: TypedMarket,
  game: NamedGame,
  options: SideOptions,
): readonly TypedMarket[] {
  const { market } = total
  const owners = market.selections.map(({ selection }) => ownerIn(selection, game, options))
  const named = owners.filter((owner) => owner !== null)
  const [first] = named
  if (first === undefined) return [total]
  const only = named.every(({ name }) => name === first.name) ? first : unclear
  const byOwner = new Map<string | null, { owner: Owner; of: typeof market.selections }>()
  for (const [at, selection] of market.selections.entries()) {
    const owner = owners[at] ?? (isBareOutcome(selection.selection ?? null) ? only : unclear)
    const others = byOwner.get(owner.name)
    if (others) others.of.push(selection)
    else byOwner.set(owner.name, { owner, of: [selection] })
  }
  return [...byOwner.values()].map(({ owner, of }) =>
    totalOf(owner, { ...market, selections: of }, options.sport),
  )
}

/** Whose a total is by its label. */
interface Owner {
  /** The player, or the side as the game names it; null where that is not certain. */
  readonly name: string | null
  readonly side: GameSide | null
}

const unclear: Owner = { name: null, side: null }

/** Returns whom a label names; null where it names nobody, or the two sides. */
function ownerIn(
  label: string | null | undefined,
  game: NamedGame,
  options: SideOptions,
): Owner | null {
  if (label == null || isBareOutcome(label)) return null
  const text = withoutOutcome(label)
  const side = statedSide(label, game, options)
  if (side !== null) {
    const isBare = normaliseName(text) === side || isBareSideName(text, game[side], options)
    return isBare ? { name: game[side], side } : unclear
  }
  const player = labelledPlayer(label, game, options.sport)
  if (player === null || !isCapitalised(player)) return null
  const words = normaliseName(player).split(' ')
  const hasWordOf = (name: string) =>
    normaliseName(name)
      .split(' ')
      .some((word) => words.includes(word))
  if (hasWordOf(game.home) && hasWordOf(game.away)) return null
  return /\s\p{Pd}\s/u.test(player) ? unclear : { name: player, side: null }
}

/** Returns whether two words or more have capitals, as in a person's name: not so in "Más de". */
const isCapitalised = (name: string) => (name.match(/(?<![\p{L}\p{M}'’])\p{Lu}/gu) ?? []).length > 1

/** Returns the player's or the team's own total, where it is listed. */
function totalOf({ name: player, side }: Owner, market: IngestMarket, sport: string): TypedMarket {
  const { market_type: name, stat_category: category } = market
  const unlisted = { market, marketType: slugMarket(name) }
  if (player === null) return unlisted
  const owned = { ...market, player_name: player }
  const stated = { marketType: name, playerName: player, statCategory: category ?? null }
  const ofPlayer = marketTypeOf(stated, sport)
  const isOwnPlayer = nameKindOf(sport) === 'person' && findMarket(ofPlayer)?.isPlayerProp
  if (side === null || isOwnPlayer) return { market: owned, marketType: ofPlayer }
  const ofTeam = teamTotalOf(name, sport)
  return ofTeam === undefined ? unlisted : { market: owned, marketType: ofTeam }
}

/** Returns a team's total of what a name counts: "Corners O/U" is `team_total_corners`. */
const teamTotalOf = (name: string, sport: string) =>
  [`team ${name}`, `team total ${name}`]
    .map((ofTeam) => findMarketNamed(ofTeam, sport))
    .find((marketType) => marketType !== undefined && isTeamTotal(marketType))
