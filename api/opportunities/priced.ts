/** Opportunities as a scope sees them. The view computes their figures. */

import type { Item, ListedOpportunity, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import { betsAt, type Scope, visibilityIndex } from '../access/scope.ts'

/** Returns an opportunity's figures as the scope may see them; null if it has ended. */
export const valueIn = (scope: Scope, entry: ListedOpportunity): Valued | null =>
  scope.opportunities.value(entry, visibilityIndex(scope))

/** Returns the figures of an opportunity in the scope that can be bet on now; else null. */
export function standingIn(
  scope: Scope,
  entry: ListedOpportunity | undefined,
  now: number,
): Valued | null {
  if (!entry || (entry.row.scopes & scope.visibility) === 0) return null
  const value = valueIn(scope, entry)
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
  const level = visibilityIndex(scope)
  return rows
    .flatMap((row) => opportunities.valueRow(row, level) ?? [])
    .filter(
      (one) =>
        one.taken.legs.every((row) => betsAt(scope, board.rows.sighted(row).sportsbook)) &&
        opportunities.stands(one, now),
    )
}
