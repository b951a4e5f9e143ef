/** The period and events of a request to the archive. */

import { always, type Period } from '../../pipeline/archive/price-history.ts'
import type { Scope } from '../access/scope.ts'
import { invalid } from '../errors.ts'
import { eventIdsNamed, mostEventIds, seenThen } from './archive-questions.ts'
import type { BoardFilters } from './filters.ts'

const dayMs = 86_400_000

/** The parameters of a period (epoch µs). */
export interface PeriodQuery {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Clamps a time (epoch ms) to the epoch and to the archive's end of time. */
export const withinArchive = (at: number) => Math.min(always.to, Math.max(always.from, at))

/** Converts a parameter from epoch µs to epoch ms, clamped like `withinArchive`. */
export const msOf = (micros: number | undefined) =>
  micros === undefined ? undefined : withinArchive(Math.floor(micros / 1_000))

export const periodOf = (query: PeriodQuery): Period => ({
  from: msOf(query.from) ?? always.from,
  to: msOf(query.to) ?? always.to,
})

/** @throws ApiError validation_error */
export function requireSpan({ from, to }: Period, mostDays: number) {
  if (from >= to) throw invalid(['from', 'to'], 'from has to be before to.')
  if (to - from <= mostDays * dayMs) return
  const days = mostDays === 1 ? 'a day' : `${mostDays} days`
  throw invalid(['from', 'to'], `from and to are ${days} apart at most.`)
}

/** Returns the conditions of a query to the archive that a request's filters state. @throws ApiError validation_error */
export function archiveFilter(
  event: readonly string[] | undefined,
  filters: BoardFilters,
  scope: Scope,
) {
  const eventIds = event && eventIdsNamed(event)
  if (event && !eventIds) {
    throw invalid(
      ['event'],
      `event names ${mostEventIds} events at most; an id without its end counts as 12.`,
    )
  }
  const { leagues, sports, marketTypes } = filters
  return { eventIds, leagues, sports, marketTypes, sportsbooks: seenThen(scope, filters) }
}
