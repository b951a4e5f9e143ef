/**
 * Market types: the nine of the catalogue and the finer ones that rows carry, the aliases a filter
 * accepts, and which type a sport's main line has.
 *
 * `sides` is what makes a market complete when nothing else is offered. A moneyline that quotes a
 * draw is three-way whatever the sport, because the same type serves both; `marketSides` knows the
 * one sport in which a moneyline without a draw is unfinished.
 */

import { memoise } from '../memoise.ts'
import rows from './markets.json' with { type: 'json' }
import { foldAccents } from './normalise-name.ts'

export type Sides = 'home_away' | 'home_away_draw' | 'over_under' | 'yes_no' | 'other'

export interface Market {
  readonly id: string
  /** Assigned once, dense from 1, never reused. */
  readonly numericalId: number
  readonly name: string
  readonly description: string
  readonly hasLine: boolean
  readonly sides: Sides
  /** `game`, or the segment that also starts the id: `1st_half`, `1st_5_innings`, `1st_set`. */
  readonly period: string
  /** The catalogue id it belongs to. */
  readonly category: string
  readonly sports: readonly string[]
  readonly examples: readonly string[]
  readonly isPlayerProp: boolean
}

// The cast narrows `sides`, which JSON can only type as string; a test checks the values.
export const markets: readonly Market[] = rows as readonly Market[]

const byId = new Map(markets.map((market) => [market.id, market]))

/** The market types of this prefix are the alias `props`. */
export const playerPropPrefix = 'player_'

/** Filter aliases and the types they stand for. */
export const marketAliases: Readonly<
  Record<'main' | 'spread' | 'total' | 'props', readonly string[]>
> = {
  main: ['moneyline', 'point_spread', 'total_points'],
  spread: ['point_spread', 'puck_line', 'run_line', 'set_handicap'],
  total: ['total_points', 'total_goals', 'total_runs', 'total_games', 'total_rounds', 'team_total'],
  props: markets.map(({ id }) => id).filter((id) => id.startsWith(playerPropPrefix)),
}

/** The market type with exactly this id. */
export function findMarket(id: string): Market | undefined {
  return byId.get(id)
}

/**
 * Whether a market gives one side points and takes them from the other, so that its two sides have
 * opposite lines. Any other line (a race to 20 points) is the same for both.
 */
export const isHandicap: (marketType: string) => boolean = memoise((marketType) => {
  const market = byId.get(marketType)
  if (market) return market.hasLine && market.sides === 'home_away'
  return /(^|_)(handicap|spread|run_line|puck_line)(_|$)/.test(marketType)
})

/**
 * The market types that one value of a `market` filter names, an alias or one exact type.
 * @param onBoard types that rows carry now but the registry does not list; valid in a filter too
 * @returns undefined for a value that is neither
 */
export function expandMarketFilter(
  text: string,
  onBoard: Iterable<string> = [],
): string[] | undefined {
  const value = text.trim().toLowerCase()
  if (value === 'props') {
    const unlisted = [...onBoard].filter((id) => id.startsWith(playerPropPrefix))
    return [...new Set([...marketAliases.props, ...unlisted])]
  }
  if (value === 'main' || value === 'spread' || value === 'total') return [...marketAliases[value]]
  if (byId.has(value)) return [value]
  for (const id of onBoard) if (id === value) return [value]
  return undefined
}

/**
 * The id for a market type we do not list: lower case, accents removed, words joined by `_`;
 * `+` and an inner `-` stay ("Moneyline 3-Way" is `moneyline_3-way`). `unknown` for none.
 */
export const slugMarket: (text: string) => string = memoise(
  (text) =>
    foldAccents(text)
      .replace(/['’‘`´]/g, '')
      .replace(/[^\p{L}\p{N}+-]+/gu, '_')
      .replace(/(?<![\p{L}\p{N}])-+|-+(?![\p{L}\p{N}])/gu, '')
      .replace(/_{2,}/g, '_')
      .replace(/^_+|_+$/g, '') || 'unknown',
)

export type MainKind = 'moneyline' | 'spread' | 'total' | 'team_total'

/** What a bare "spread", "total" or "team total" is called where it is not counted in points. */
const mainTypes: Readonly<Record<string, Partial<Record<MainKind, string>>>> = {
  hockey: { spread: 'puck_line', total: 'total_goals', team_total: 'team_total_goals' },
  baseball: { spread: 'run_line', total: 'total_runs', team_total: 'team_total_runs' },
  // Goals are handicapped under the common name; `asian_handicap` is one sportsbook's own label.
  soccer: { total: 'total_goals', team_total: 'team_total_goals' },
  lacrosse: { total: 'total_goals', team_total: 'team_total_goals' },
  tennis: { spread: 'set_handicap', total: 'total_games', team_total: 'team_total_games' },
  cricket: { total: 'total_runs', team_total: 'team_total_runs' },
  mma: { total: 'total_rounds' },
  boxing: { total: 'total_rounds' },
  esports: { spread: 'map_handicap', total: 'total_maps' },
  snooker: { spread: 'frame_handicap', total: 'total_frames' },
  darts: { spread: 'leg_handicap', total: 'total_legs' },
}

const commonTypes: Readonly<Record<MainKind, string>> = {
  moneyline: 'moneyline',
  spread: 'point_spread',
  total: 'total_points',
  team_total: 'team_total',
}

/**
 * The market type of a sport's main line; the only place that knows these names.
 * A tennis handicap that is counted in games is `game_handicap`: a feed that says so must not ask
 * here. Within one set only games can be counted, so there the answer is in games.
 * @param period `game`, or a segment id such as `1st_half` that is put before the type
 */
export function mainMarketType(sport: string, kind: MainKind, period = 'game'): string {
  const type = mainTypes[sport]?.[kind] ?? commonTypes[kind]
  if (period === 'game') return type
  const within = sport === 'tennis' && type === 'set_handicap' ? 'game_handicap' : type
  return `${period}_${within}`
}

/**
 * The sides that make a market complete in a sport. Soccer is settled after 90 minutes, so its
 * moneyline has a draw even when a feed forgets to send it. Unlisted types are `other`.
 */
export function marketSides(marketType: string, sport: string): Sides {
  const market = byId.get(marketType)
  if (!market) return 'other'
  const isMoneyline = marketType === 'moneyline' || marketType.endsWith('_moneyline')
  return isMoneyline && sport === 'soccer' ? 'home_away_draw' : market.sides
}
