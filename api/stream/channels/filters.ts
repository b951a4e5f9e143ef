/**
 * The filters of a stream query: read from an address or frames, written to `subscribed`, compared.
 * `schemas/stream/filters.ts` lists them.
 */

import type { Family } from '../../../schemas/opportunity.ts'
import { type StreamFilterRow, streamFilters } from '../../../schemas/stream/filters.ts'
import type { OddsFilterQuery } from '../../ask/odds-filter.ts'
import { type BoundName, streamBounds } from '../../opportunities/bounds.ts'

type RequestedBounds = Readonly<Partial<Record<BoundName, number | undefined>>>

/** Filters of a stream. Bounds of opportunities are in percent, the size of middles in points. */
export interface StreamFilters extends OddsFilterQuery, RequestedBounds {
  /** Fields of each row besides `id`. */
  readonly fields?: readonly string[] | undefined
  /** Families of opportunities. */
  readonly kinds?: readonly Family[] | undefined
  /** Sportsbooks to consider as if there were no others. */
  readonly books?: readonly string[] | undefined
  readonly min_age_ms?: number | undefined
  readonly event_cooldown_ms?: number | undefined
  readonly again_if_better?: boolean | undefined
}

/** Bounds in `subscribed` if the client gave none. */
const defaults: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(streamBounds({})).flatMap((ofKind) => Object.entries(ofKind)),
)

interface FilterRow extends StreamFilterRow {
  readonly name: keyof StreamFilters
}

/** Filters in the order of `subscribed`'s fields. */
const rows: readonly FilterRow[] = Array.from(streamFilters, ([name, row]) => ({
  name: name as keyof StreamFilters,
  ...row,
}))

const inFrames = rows.flatMap(({ name, narrows, frame }) =>
  frame ? [{ name, narrows, field: frame.name }] : [],
)

/** Returns the filters of an address. Filters that it does not name are absent. */
export function filtersOf(query: StreamFilters): StreamFilters {
  const filters: Record<string, unknown> = {}
  for (const { name } of rows) if (query[name] !== undefined) filters[name] = query[name]
  return filters
}

/** Replaces the filters that a frame names. Null removes a filter. */
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
 * Returns the filters as fields of `subscribed`.
 * @param echo the filters that are lists, with our ids, by their names in addresses
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

/** Returns equal texts for equal filters. */
export const filterKey = (filters: StreamFilters) =>
  JSON.stringify(rows.map(({ name }) => filters[name] ?? ''))

/** Returns whether every price that matches `narrow` also matches `wide`. */
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
