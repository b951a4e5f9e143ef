/** Filters of lists and alerts in words. */

import { americanToDecimal } from '../../../../pipeline/rules/odds/odds.ts'
import { writePrice } from '../../../../pipeline/rules/odds/price-formats.ts'
import type { PriceFormat } from '../../../../schemas/price-format.ts'
import type { AlertFilters, OpportunityFilters } from '../../wire.ts'
import { marketText } from './names.ts'

/** Display names by id, and the reader's odds format. */
export interface FilterNames {
  readonly format: PriceFormat
  readonly leagues: ReadonlyMap<string, string>
  readonly sportsbooks: ReadonlyMap<string, string>
}

type Words = (value: string, names: FilterNames) => string

const list = (value: string, nameOf: (id: string) => string) =>
  value
    .split(',')
    .map((id) => nameOf(id))
    .join(', ')
const booksText = (value: string, { sportsbooks }: FilterNames) =>
  list(value, (id) => (id === 'mine' ? 'my sportsbooks' : (sportsbooks.get(id) ?? id)))
/** @param value American odds, as the service takes bounds of prices; 0, between the two signs, stays. */
const boundText = (value: string, { format }: FilterNames) => {
  const american = Number(value)
  return Number.isFinite(american) && Math.abs(american) >= 100
    ? writePrice(americanToDecimal(american), format)
    : value
}

/** The filters of lists of opportunities and of alerts. */
type Filter = OpportunityFilters[keyof OpportunityFilters] | AlertFilters[keyof AlertFilters]

/** Those not here read well by name and value: `team knicks`. */
const words = {
  league: (value, { leagues }) => list(value, (id) => leagues.get(id) ?? id),
  sport: (value) => list(value, marketText),
  market: (value) => list(value, marketText),
  sportsbook: booksText,
  books: (value, names) => `among ${booksText(value, names)}`,
  live: (value) => (value === 'true' ? 'in play' : 'before the start'),
  is_main_line: (value) => (value === 'true' ? 'main lines' : 'other lines'),
  is_book_main_line: (value) =>
    value === 'true' ? 'the main line of each sportsbook' : 'other lines of each sportsbook',
  is_stale_pregame_price: (value) =>
    value === 'true' ? 'left over from before the start' : 'not left over from before the start',
  q: (value) => `“${value}”`,
  selection: (value) => `on ${value}`,
  player_name: (value) => `player ${value}`,
  stat_category: (value) => marketText(value),
  date: (value) => `on ${value}`,
  date_range: (value) => `games ${value.replaceAll('_', ' ')}`,
  add_sportsbook: (value, names) => `and ${booksText(value, names)}`,
  is_player_prop: (value) => (value === 'true' ? 'player props' : 'no player props'),
  is_alternate_line: (value) => (value === 'true' ? 'alternate lines' : 'main lines'),
  arb_available: (value) => (value === 'true' ? 'with an arbitrage' : 'without an arbitrage'),
  min_market_width: (value) => `overround of the sharp market ${value} % or more`,
  max_market_width: (value) => `overround of the sharp market ${value} % or less`,
  min_kelly: (value) => `Kelly stake of ${value} % or more`,
  max_kelly: (value) => `Kelly stake of ${value} % or less`,
  min_confidence: (value) => `confidence of ${value} or more`,
  max_confidence: (value) => `confidence of ${value} or less`,
  min_ev: (value) => `EV of ${value} % or more`,
  max_ev: (value) => `EV of ${value} % or less`,
  min_profit: (value) => `profit of ${value} % or more`,
  min_size: (value) => `gap of ${value} ${value === '1' ? 'point' : 'points'} or more`,
  max_hold: (value) => `hold of ${value} % or less`,
  min_odds: (value, names) => `odds of ${boundText(value, names)} or better`,
  max_odds: (value, names) => `odds of ${boundText(value, names)} or shorter`,
  min_line: (value) => `line of ${value} or higher`,
  max_line: (value) => `line of ${value} or lower`,
  min_drop: (value) => `drops by ${value} % or more`,
  of: (value) => (value === 'best' ? 'the best price' : 'each price'),
  min_books: (value) => `${value} sportsbooks or more`,
  min_move: (value) => `each by ${value} percentage points of probability or more`,
  direction: (value) => (value === 'shortened' ? 'prices shorten' : 'prices drift'),
  seconds: (value) => `within ${value} s`,
  starts_within_minutes: (value) => `starts within ${value} min`,
  min_age_ms: (value) => `listed for ${Number(value) / 1_000} s or longer`,
  max_odds_age: (value) => `prices seen within ${value} s`,
} satisfies Readonly<Record<Exclude<Filter, 'event' | 'team' | 'player'>, Words>>

const wordsByName: Readonly<Record<string, Words>> = words

/** Describes a filter. */
export const filterText = (name: string, value: string, names: FilterNames): string =>
  wordsByName[name]?.(value, names) ?? `${name.replaceAll('_', ' ')} ${value}`

/** Says that a list is empty, with the bounds that apply. */
export function noneText(bounds: readonly (readonly [string, number])[], names: FilterNames) {
  const texts = bounds.map(([name, value]) => filterText(name, String(value), names))
  return texts.length === 0 ? 'None right now.' : `None right now with ${texts.join(', ')}.`
}
