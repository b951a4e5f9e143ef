/** Opportunities as a scope sees them. The view computes their figures. */

import type { Item, ListedOpportunity, Valued } from '../../pipeline/views/opportunities/priced.ts'
import {
  firstVisibilityOf,
  type OpportunityKind,
  type OpportunityRow,
} from '../../schemas/opportunity.ts'
import { betsAt, type Scope, visibilityOfScope } from '../access/scope.ts'
import type { ValuedAnew } from './found-ahead.ts'

/**
 * Returns whether the scope's tier has a kind. Rows of chosen sportsbooks do not show that: they
 * belong to every scope.
 */
const hasKind = (scope: Scope, kind: OpportunityKind) =>
  visibilityOfScope(scope) >= firstVisibilityOf(kind)

/** Returns whether the scope sees a row. */
export const isSeenIn = (scope: Scope, { kind, scopes }: OpportunityRow): boolean =>
  (scopes & scope.visibilityBit) !== 0 && hasKind(scope, kind)

/** Returns an opportunity's figures as the scope may see them; null if it has ended or the scope does not see it. */
export const valueIn = (scope: Scope, entry: ListedOpportunity): Valued | null =>
  isSeenIn(scope, entry.row) ? scope.opportunities.value(entry, visibilityOfScope(scope)) : null

/** Returns the figures of an opportunity in the scope that can be bet on now; else null. */
export function standingIn(
  scope: Scope,
  entry: ListedOpportunity | undefined,
  now: number,
): Valued | null {
  const value = entry ? valueIn(scope, entry) : null
  return value && scope.opportunities.stands(value, now) ? value : null
}

/** Returns the same with its prices. */
export function findStanding(
  scope: Scope,
  entry: ListedOpportunity | undefined,
  now: number,
): Item | null {
  const value = standingIn(scope, entry, now)
  return value && scope.opportunities.item(value)
}

/** Returns rows computed for one request, limited to the scope and to those that can be bet on now. */
export function standingRows(
  scope: Scope,
  rows: readonly OpportunityRow[],
  now: number,
): readonly Valued[] {
  const { board, opportunities } = scope
  const visibility = visibilityOfScope(scope)
  return rows
    .filter(({ kind }) => hasKind(scope, kind))
    .flatMap((row) => opportunities.valueRow(row, visibility) ?? [])
    .filter(
      (one) =>
        one.taken.legs.every((row) => betsAt(scope, board.rows.sighted(row).sportsbook)) &&
        opportunities.stands(one, now),
    )
}

/** Returns those of `standingRows` that can still be bet on. One whose price has moved since is valued again. */
export function stillStanding(
  scope: Scope,
  { some, since, statuses }: ValuedAnew,
  now: number,
): Valued[] {
  const { board, opportunities, sources } = scope
  const visibility = visibilityOfScope(scope)
  const { stamps } = board.journal
  const isSame = sources.version === statuses
  // A row that is gone has no stamp.
  const stands = (row: number) => stamps[row]! > 0 && stamps[row]! <= since
  const still: Valued[] = []
  for (const one of some) {
    const { legs, reference } = one.taken
    const isUnmoved = isSame && legs.every(stands) && reference.every(stands)
    const value = isUnmoved ? one : opportunities.valueRow(one.entry.row, visibility)
    if (value && opportunities.stands(value, now)) still.push(value)
  }
  return still
}
