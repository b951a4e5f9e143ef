/**
 * The filters of one subscription: from an address and from frames, as `subscribed` says them, and
 * whether one asks for less than another. Which filters there are says `schemas/stream/filters.ts`.
 */

import type { Family } from '../../../schemas/opportunity.ts'
import { type StreamFilterRow, streamFilters } from '../../../schemas/stream/filters.ts'
import type { OddsFilterQuery } from '../../ask/odds-filter.ts'
import { type BoundName, streamBounds } from '../../opportunities/bounds.ts'

type RequestedBounds = Readonly<Partial<Record<BoundName, number | undefined>>>

/** Bounds of opportunities are in percent, the size of middles in points. */
export interface StreamFilters extends OddsFilterQuery, RequestedBounds {
  /** The members rows are told with, beside `id`, which always is one. */
  readonly fields?: readonly string[] | undefined
  /** Of opportunities. */
  readonly kinds?: readonly Family[] | undefined
  readonly min_age_ms?: number | undefined
  readonly event_cooldown_ms?: number | undefined
  readonly again_if_better?: boolean | undefined
}

/** What `subscribed` says of bounds where nothing is asked. */
const defaults: Readonly<Record<string, number>> = streamBounds({})

interface FilterRow extends StreamFilterRow {
  readonly name: keyof StreamFilters
}

/** In the order of `subscribed`. */
const rows: readonly FilterRow[] = Array.from(streamFilters, ([name, row]) => ({
  name: name as keyof StreamFilters,
  ...row,
}))

const inFrames = rows.flatMap(({ name, narrows, frame }) =>
  frame ? [{ name, narrows, field: frame.name }] : [],
)

/** What an address asks; what it does not name is absent. */
export function filtersOf(query: StreamFilters): StreamFilters {
  const filters: Record<string, unknown> = {}
  for (const { name } of rows) if (query[name] !== undefined) filters[name] = query[name]
  return filters
}

/** What a frame gives goes in place of what was there; null is all. */
export function withFilters(
  before: StreamFilters,
  changes: Readonly<Record<string, unknown>>,
): StreamFilters {
  const merged: Record<string, unknown> = { ...before }
  for (const { name, field } of inFrames) {
    const value = changes[field]
    if (value === null) delete merged[name]
    else if (value !== undefined) merged[name] = value
  }
  return merged
}

/**
 * The filters as `subscribed` says them.
 * @param echo the lists in our ids, by the names of addresses
 */
export function subscribedFilters(
  filters: StreamFilters,
  echo: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for (const { name, field, narrows } of inFrames) {
    const value = narrows === 'list' ? (echo[name] ?? null) : (filters[name] ?? defaults[name])
    if (value !== undefined) fields[field] = value
  }
  return fields
}

/** Equal texts for equal questions. */
export const filterKey = (filters: StreamFilters) =>
  JSON.stringify(rows.map(({ name }) => filters[name] ?? ''))

/** Whether all prices that are asked for now were asked for before. */
export const isNarrower = (wide: StreamFilters, narrow: StreamFilters) =>
  rows.every(({ name, narrows }) => comparisons[narrows](wide[name], narrow[name]))

type Value = StreamFilters[keyof StreamFilters]

const comparisons: Readonly<
  Record<StreamFilterRow['narrows'], (wide: Value, narrow: Value) => boolean>
> = {
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
  pace: () => true,
}
