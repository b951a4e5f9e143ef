/** Opportunities as a scope sees them: what they come to is worked out by the view. */

import type { Item, ListedOpportunity, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import { betsAt, type Scope, visibilityIndex } from '../access/scope.ts'

/** What an opportunity comes to, as the scope may know it; null when it is none any more. */
export const valueIn = (scope: Scope, entry: ListedOpportunity): Valued | null =>
  scope.opportunities.value(entry, visibilityIndex(scope))

/** The same of one that the scope has and that may be bet on now. */
export function standingIn(
  scope: Scope,
  entry: ListedOpportunity | undefined,
  now: number,
): Valued | null {
  if (!entry || (entry.row.scopes & scope.visibility) === 0) return null
  const value = valueIn(scope, entry)
  return value && scope.opportunities.stands(value, now) ? value : null
}

/** The same with its prices. */
export function findStanding(
  scope: Scope,
  entry: ListedOpportunity | undefined,
  now: number,
): Item | null {
  const value = standingIn(scope, entry, now)
  return value && scope.opportunities.item(value)
}

/** Rows that were found for one request: those that the scope has, and that may be bet on now. */
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
