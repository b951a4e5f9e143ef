/**
 * Market types: the nine types of the catalogue and the finer types that rows have, each with its
 * question, the aliases a filter accepts, and the type of a sport's main line.
 *
 * A row of `markets.json` fully defines a type; adding one is adding a row. The consequences of the columns (which
 * outcomes are complete, how a line is turned) are in `pipeline/rules/odds/questions.ts`. A type without a row gets a
 * guess from `unlisted-markets.ts`.
 */

import {
  count,
  figure,
  flag,
  listOf,
  oneOf,
  optional,
  readDataFile,
  row,
  type TypeOf,
  text,
  texts,
} from '../data-file.ts'
import { memoise } from '../memoise.ts'
import {
  answersOfMarkets,
  type Counted,
  countedByMarkets,
  filterAliases,
  type MarketAlias,
  type MarketQuestion,
} from './market-question.ts'
import rows from './markets.json' with { type: 'json' }
import { foldAccents } from './normalise-name.ts'
import { guessQuestion } from './unlisted-markets.ts'

/** A row of the file, without values that follow from the id and without empty ones. */
const market = row({
  id: text,
  /** Assigned once, dense from 1, never reused. */
  numericalId: count,
  name: text,
  description: text,
  /** The type that rows have instead; this one is another name of it. */
  sameAs: optional(text),
  answers: oneOf(answersOfMarkets),
  isPlayerProp: flag,
  /** Whether each price usually has a line. */
  hasLine: flag,
  /**
   * Which words of an `open` outcome name a side or the draw, if any; only in such markets does `1`
   * mean home and `x` the draw.
   */
  sideWords: optional(oneOf(['each', 'first'])),
  /**
   * What the result counts (`market-question.ts`); absent if no model gives the chances of its
   * results.
   */
  counts: optional(oneOf(countedByMarkets)),
  /** How many of the occurrences a game usually has; needed for a handicap on them. */
  usualCount: optional(figure),
  /** Filter values that include it. */
  aliases: optional(listOf(oneOf(filterAliases))),
  /** `game`, or the segment that also starts the id: `1st_half`, `1st_5_innings`, `1st_set`. */
  period: text,
  /** The catalogue id it belongs to. */
  category: text,
  sports: texts,
  examples: texts,
  /** Its other names among people and sources; `market-names.ts` reads them. */
  nicknames: optional(texts),
})

type Row = TypeOf<typeof market>

export interface Market
  extends MarketQuestion,
    Omit<Row, keyof typeof absent | 'answers' | 'isPlayerProp'> {
  readonly sameAs: string | null
  readonly sideWords: Row['sideWords'] | null
  readonly counts: Counted | null
  readonly usualCount: number | null
  readonly nicknames: readonly string[]
  /** The id without its period: `total_goals` of `1st_half_total_goals`. */
  readonly base: string
  /** The statistic of a player: `points` of `player_points`. */
  readonly statistic: string
}

/** The values of absent columns. */
const absent = {
  sameAs: null,
  sideWords: null,
  counts: null,
  usualCount: null,
  aliases: [],
  nicknames: [],
}

const playerPrefix = 'player_'

function withParts(stated: Row): Market {
  const { id, period } = stated
  const base = period === 'game' || id === period ? id : id.slice(period.length + 1)
  const statistic = base.startsWith(playerPrefix) ? base.slice(playerPrefix.length) : base
  return { ...absent, ...stated, base, statistic }
}

export const markets: readonly Market[] = readDataFile(
  'schemas/reference/markets.json',
  listOf(market),
  rows,
).map(withParts)

const byId = new Map(markets.map((market) => [market.id, market]))

/** Returns the market type with exactly this id. */
export function findMarket(id: string): Market | undefined {
  return byId.get(id)
}

/** Returns the type under which rows have the market `id`: itself, or its `sameAs`. */
export const rowType = (id: string): string => byId.get(id)?.sameAs ?? id

/** Returns the question of a market type: its columns, or a guess if it has none. */
export const questionOf: (id: string) => MarketQuestion = memoise(
  (id) => byId.get(id) ?? guessQuestion(id),
)

/** Returns the id of the same question about a part of the game; for `game`, the id itself. */
export const typeInPeriod = (id: string, period: string) =>
  period === 'game' ? id : `${period}_${id}`

const catalogueRank = (market: Market) => byId.get(market.category)!.numericalId

const withAlias = (alias: MarketAlias) =>
  markets
    .filter(({ aliases }) => aliases.includes(alias))
    .sort((a, b) => catalogueRank(a) - catalogueRank(b) || a.numericalId - b.numericalId)
    .map(({ id }) => id)

/** Filter aliases with the listed types they include, in the order of the catalogue. */
export const marketAliases: Readonly<Record<MarketAlias, readonly string[]>> = {
  main: withAlias('main'),
  spread: withAlias('spread'),
  total: withAlias('total'),
  props: withAlias('props'),
}

const isAlias = (value: string): value is MarketAlias => Object.hasOwn(marketAliases, value)

/**
 * Returns the market types that one value of a `market` filter names, an alias or one exact type.
 * @param onBoard returns types that rows carry now, listed or not: those are valid in a filter too. Called only for
 *   values that need it
 * @returns undefined for a value that is neither
 */
export function expandMarketFilter(
  text: string,
  onBoard: () => ReadonlySet<string> = noTypes,
): string[] | undefined {
  const value = text.trim().toLowerCase()
  if (isAlias(value)) {
    const unlisted = [...onBoard()].filter((id) => questionOf(id).aliases.includes(value))
    return [...new Set([...marketAliases[value], ...unlisted])]
  }
  if (byId.has(value)) return [rowType(value)]
  return onBoard().has(value) ? [value] : undefined
}

const none: ReadonlySet<string> = new Set()
const noTypes = () => none

/**
 * Returns the id for a market type we do not list: lower case, accents removed, words joined by `_`; `+` and an inner
 * `-` stay ("Moneyline 3-Way" is `moneyline_3-way`). `unknown` for none.
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

const goals = { total: 'total_goals', team_total: 'team_total_goals' }

/** The main markets of sports that do not count points, by the plain words for them. */
const mainTypes: Readonly<Record<string, Partial<Record<MainKind, string>>>> = {
  hockey: { spread: 'puck_line', total: 'total_goals', team_total: 'team_total_goals' },
  baseball: { spread: 'run_line', total: 'total_runs', team_total: 'team_total_runs' },
  soccer: goals,
  lacrosse: goals,
  tennis: { spread: 'set_handicap', total: 'total_games', team_total: 'team_total_games' },
  cricket: { total: 'total_runs', team_total: 'team_total_runs' },
  mma: { total: 'total_rounds' },
  boxing: { total: 'total_rounds' },
  esports: { spread: 'map_handicap', total: 'total_maps' },
  snooker: { spread: 'frame_handicap', total: 'total_frames' },
  darts: { spread: 'leg_handicap', total: 'total_legs' },
  handball: goals,
  futsal: goals,
  beach_soccer: goals,
  floorball: goals,
  field_hockey: goals,
  water_polo: goals,
  bandy: goals,
}

const commonTypes: Readonly<Record<MainKind, string>> = {
  moneyline: 'moneyline',
  spread: 'point_spread',
  total: 'total_points',
  team_total: 'team_total',
}

/**
 * Returns the market type of a sport's main line; only this function knows these names. A feed that
 * states a tennis handicap in games must use `game_handicap` and not call this. Within one set the
 * handicap is always in games.
 * @param period `game`, or a segment id such as `1st_half` that is put before the type
 */
export function mainMarketType(sport: string, kind: MainKind, period = 'game'): string {
  const type = mainTypes[sport]?.[kind] ?? commonTypes[kind]
  const isInSet = period !== 'game' && type === 'set_handicap'
  return typeInPeriod(isInSet ? 'game_handicap' : type, period)
}
