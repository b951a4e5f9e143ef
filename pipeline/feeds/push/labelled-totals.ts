/**
 * Totals whose names do not say whose they are: "Hits O/U", "Points Over/Under". By themselves they
 * are the game's. A label that names a player or a side ("Aaron Judge Over 1.5") makes them the
 * player's or the team's.
 */

import type { IngestMarket } from '../../../schemas/http/ingest.ts'
import {
  findMarketNamed,
  isStatisticOverUnder,
  marketTypeOf,
} from '../../../schemas/reference/market-names.ts'
import { findMarket, slugMarket } from '../../../schemas/reference/markets.ts'
import type { NamedGame, SideOptions } from '../../rules/names/game-sides.ts'
import { isBareOutcome } from '../../rules/names/labelled-player.ts'
import { nameKindOf } from '../../rules/names/team-names.ts'
import { isTeamTotal } from '../../rules/odds/team-totals.ts'
import {
  isGameTotal,
  type TotalOwner,
  totalOwner,
  unclearOwner,
} from '../../rules/odds/total-owners.ts'

/** A stated market, or a part of one, with our type of it. */
export interface TypedMarket {
  readonly market: IngestMarket
  readonly marketType: string
}

/** Returns whether a market is a game's total unless a label names a player or a side. */
export function isOfLabels({ market, marketType }: TypedMarket, sport: string): boolean {
  return (
    market.player_name == null &&
    isGameTotal(marketType) &&
    isStatisticOverUnder(market.market_type, sport)
  )
}

/**
 * Returns the market of each player and team that the labels of such a total name. A bare over or
 * under belongs to the only one named; if several are named, it is unknown whose it is.
 */
export function totalsByLabel(
  total: TypedMarket,
  game: NamedGame,
  options: SideOptions,
): readonly TypedMarket[] {
  const { market, marketType } = total
  const owners = market.selections.map(({ selection }) =>
    totalOwner(selection, marketType, game, options),
  )
  const named = owners.filter((owner) => owner !== null)
  const [first] = named
  if (first === undefined) return [total]
  const only = named.every(({ name }) => name === first.name) ? first : unclearOwner
  const byOwner = new Map<string | null, { owner: TotalOwner; of: typeof market.selections }>()
  for (const [at, selection] of market.selections.entries()) {
    const owner = owners[at] ?? (isBareOutcome(selection.selection ?? null) ? only : unclearOwner)
    const others = byOwner.get(owner.name)
    if (others) others.of.push(selection)
    else byOwner.set(owner.name, { owner, of: [selection] })
  }
  return [...byOwner.values()].map(({ owner, of }) =>
    totalOf(owner, { ...market, selections: of }, options.sport),
  )
}

/** The first word of a total's type if its owner is uncertain or has no such market. */
const unclear = 'unclear'

/** Returns whether a type is of a total with an uncertain owner. */
export const isUnclearTotal = (marketType: string) => marketType.startsWith(`${unclear}_`)

/**
 * Returns the player's or the team's own total; a suspended one if the owner is uncertain or the
 * market not listed. The type is not only a slug of the name, which the price processor would read
 * as the game's total.
 */
function totalOf(
  { name: player, side }: TotalOwner,
  market: IngestMarket,
  sport: string,
): TypedMarket {
  const { market_type: name, stat_category: category } = market
  const none = {
    market: { ...market, suspended: true },
    marketType: slugMarket(`${unclear} ${name}`),
  }
  if (player === null) return none
  const owned = { ...market, player_name: player }
  const stated = { marketType: name, playerName: player, statCategory: category ?? null }
  const ofPlayer = marketTypeOf(stated, sport)
  const isOwnPlayer = nameKindOf(sport) === 'person' && findMarket(ofPlayer)?.isPlayerProp
  if (side === null || isOwnPlayer) return { market: owned, marketType: ofPlayer }
  const ofTeam = teamTotalOf(name, sport)
  return ofTeam === undefined ? none : { market: owned, marketType: ofTeam }
}

/** Returns the team total that counts the same as a name: "Corners O/U" is `team_total_corners`. */
const teamTotalOf = (name: string, sport: string) =>
  [`team ${name}`, `team total ${name}`]
    .map((ofTeam) => findMarketNamed(ofTeam, sport))
    .find((marketType) => marketType !== undefined && isTeamTotal(marketType))
