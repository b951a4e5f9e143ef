/**
 * What streams can be narrowed by, one row each: from it follow what an address and a frame mean, what
 * `subscribed` says, and when one subscription asks for less than another. The values are read and
 * described in `schemas/stream/parameters.ts` and `frames.ts`.
 */

import { streamBoundsQuery } from '../../schemas/http/opportunities/contracts.ts'
import type { OddsFilterQuery } from '../ask/odds-filter.ts'
import { type BoundName, boundNames, streamBounds } from '../opportunities/bounds.ts'

type AskedBounds = Readonly<Partial<Record<BoundName, number | undefined>>>

/** Bounds of opportunities are in percent, the size of middles in points. */
export interface StreamFilters extends OddsFilterQuery, AskedBounds {
  /** The members rows are told with, beside `id`, which always is one. */
  readonly fields?: readonly string[] | undefined
}

export type FilterName = keyof StreamFilters

interface FilterRow {
  /** As addresses name it. */
  readonly name: FilterName
  /** As frames of the WebSocket do; absent where they have none. */
  readonly frame?: string
  /**
   * How a narrower value compares with a wider: part of a list, higher, lower, or neither; a filter
   * of opportunities, which is `own`, does not narrow prices.
   */
  readonly narrows: 'list' | 'least' | 'most' | 'exact' | 'own'
  /** What `subscribed` says where nothing is asked; absent where it then says nothing. */
  readonly fallback?: number | null
}

const defaults = streamBounds({})
const boundsInFrames = boundNames.filter((name) => name in streamBoundsQuery)

/** In the order of `subscribed`. */
const rows: readonly FilterRow[] = [
  { name: 'sport', frame: 'sports', narrows: 'list', fallback: null },
  { name: 'sportsbook', frame: 'sportsbooks', narrows: 'list', fallback: null },
  { name: 'league', frame: 'leagues', narrows: 'list', fallback: null },
  { name: 'market', frame: 'markets', narrows: 'list', fallback: null },
  { name: 'event', frame: 'eventIds', narrows: 'list', fallback: null },
  ...boundsInFrames.map(
    (name): FilterRow => ({ name, frame: name, narrows: 'own', fallback: defaults[name] }),
  ),
  { name: 'min_odds', frame: 'min_odds', narrows: 'least' },
  { name: 'max_odds', frame: 'max_odds', narrows: 'most' },
  { name: 'add_sportsbook', frame: 'add_sportsbooks', narrows: 'exact' },
  { name: 'live', frame: 'live', narrows: 'exact' },
  { name: 'team', frame: 'teams', narrows: 'exact' },
  { name: 'date', frame: 'date', narrows: 'exact' },
  { name: 'q', frame: 'q', narrows: 'exact' },
  { name: 'is_main_line', frame: 'is_main_line', narrows: 'exact' },
  { name: 'fields', frame: 'fields', narrows: 'exact' },
  ...boundNames
    .filter((name) => !boundsInFrames.includes(name))
    .map((name): FilterRow => ({ name, narrows: 'own' })),
]

const inFrames = rows.filter(({ frame }) => frame !== undefined)

/** What an address asks; what it does not name is absent. */
export function filtersOf(query: StreamFilters): StreamFilters {
  const filters: Record<string, unknown> = {}
  for (const { name } of rows) if (query[name] !== undefined) filters[name] = query[name]
  return filters
}

/** What a frame gives goes in place of what was there; null is all. */
export function withFilters(
  before: StreamFilters,
  given: Readonly<Record<string, unknown>>,
): StreamFilters {
  const merged: Record<string, unknown> = { ...before }
  for (const { name, frame } of inFrames) {
    const value = given[frame!]
    if (value === null) delete merged[name]
    else if (value !== undefined) merged[name] = value
  }
  return merged
}

/**
 * The filters as `subscribed` says them.
 * @param echo the lists in our ids, by the names of addresses
 */
export function toldFilters(
  filters: StreamFilters,
  echo: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const told: Record<string, unknown> = {}
  for (const { name, frame, narrows, fallback } of inFrames) {
    const value = (narrows === 'list' ? echo[name] : filters[name]) ?? fallback
    if (value !== undefined) told[frame!] = value
  }
  return told
}

/** Equal texts for equal questions. */
export const filterKey = (filters: StreamFilters) =>
  JSON.stringify(rows.map(({ name }) => filters[name] ?? ''))

/** Whether all prices that are asked for now were asked for before. */
export const isNarrower = (wide: StreamFilters, narrow: StreamFilters) =>
  rows.every(({ name, narrows }) => comparisons[narrows](wide[name], narrow[name])) &&
  // Which line is the main one follows from the sportsbooks asked for.
  (narrow.is_main_line === undefined || comparisons.exact(wide.sportsbook, narrow.sportsbook))

type Value = StreamFilters[FilterName]

const comparisons: Readonly<Record<FilterRow['narrows'], (wide: Value, narrow: Value) => boolean>> =
  {
    list(wide, narrow) {
      const [all, part] = [wide, narrow] as (readonly string[] | undefined)[]
      return !all || (part?.every((value) => all.includes(value)) ?? false)
    },
    least: (wide, narrow) =>
      (wide ?? Number.NEGATIVE_INFINITY) <= (narrow ?? Number.NEGATIVE_INFINITY),
    most: (wide, narrow) =>
      (wide ?? Number.POSITIVE_INFINITY) >= (narrow ?? Number.POSITIVE_INFINITY),
    exact: (wide, narrow) => JSON.stringify(wide) === JSON.stringify(narrow),
    own: () => true,
  }
