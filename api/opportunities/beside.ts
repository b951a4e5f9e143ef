/** Opportunities of other kinds on the same line or with the same legs. */

import { ruleOf } from '../../pipeline/rules/odds/opportunity-figures.ts'
import { rungKey } from '../../pipeline/rules/odds/questions.ts'
import type { Priced } from '../../pipeline/views/opportunities/priced.ts'
import type { OpportunityKind } from '../../schemas/opportunity.ts'
import type { Moment } from './kind.ts'
import { standingIn } from './priced.ts'

/** Returns the greatest worth of a kind on an item's line; null if there is none. */
export function worthOnLine(kind: OpportunityKind, { row, legs }: Priced, moment: Moment) {
  const { block, marketType, isLive, selection } = legs[0]!
  const { rows } = moment.scope.board
  const rung = rungKey(marketType, selection)
  const isOnLine = (id: number) => {
    const at = rows.find(id)
    if (at < 0 || rows.block(at) !== block || rows.isLive(at) !== isLive) return false
    return rows.isActive(at) && rungKey(marketType, rows.selection(at)) === rung
  }
  // Most opportunities are on one line. An opportunity with bets on two lines counts for both.
  return greatestWorth(kind, row.eventId, moment, (ids) => ids.some(isOnLine))
}

/** Returns the greatest worth of a kind that shares a leg with an item; null if there is none. */
export const worthOfLegs = (kind: OpportunityKind, { row }: Priced, moment: Moment) =>
  greatestWorth(kind, row.eventId, moment, (ids) => ids.some((id) => row.legs.includes(id)))

function greatestWorth(
  kind: OpportunityKind,
  eventId: string,
  { scope, now }: Moment,
  isBeside: (legs: readonly number[]) => boolean,
): number | null {
  const { worth } = ruleOf(kind)
  let most: number | null = null
  for (const entry of scope.opportunities.ofEvent(eventId, kind)) {
    const value = isBeside(entry.row.legs) ? standingIn(scope, entry, now) : null
    if (value) most = Math.max(most ?? Number.NEGATIVE_INFINITY, worth(value.figures))
  }
  return most
}
