/** Opportunities of other kinds on the same line or with the same legs. */

import { ruleOf } from '../../pipeline/rules/odds/opportunity-figures.ts'
import { rungKey } from '../../pipeline/rules/odds/questions.ts'
import type { OpportunityView } from '../../pipeline/views/opportunities/opportunity-view.ts'
import type { ListedOpportunity, Priced } from '../../pipeline/views/opportunities/priced.ts'
import type { OpportunityKind, OpportunityRow } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import type { Moment } from './kind.ts'
import { standingIn } from './priced.ts'

/** Returns the greatest worth of a kind on an item's line; null if there is none. */
export const worthOnLine = (kind: OpportunityKind, item: Priced, moment: Moment) =>
  greatestWorth(kind, item, moment, isOnLine)

/** Returns the greatest worth of a kind that shares a leg with an item; null if there is none. */
export const worthOfLegs = (kind: OpportunityKind, item: Priced, moment: Moment) =>
  greatestWorth(kind, item, moment, sharesLeg)

/** Returns whether one with these legs is beside an item. */
type IsBeside = (ids: readonly number[], item: Priced, scope: Scope) => boolean

// Most opportunities are on one line. An opportunity with bets on two lines counts for both.
function isOnLine(ids: readonly number[], { legs }: Priced, { board: { rows } }: Scope): boolean {
  const { block, marketType, isLive, selection } = legs[0]!
  const rung = rungKey(marketType, selection)
  return ids.some((id) => {
    const at = rows.find(id)
    if (at < 0 || rows.block(at) !== block || rows.isLive(at) !== isLive) return false
    return rows.isActive(at) && rungKey(marketType, rows.selection(at)) === rung
  })
}

const sharesLeg = (ids: readonly number[], { row }: Priced) =>
  ids.some((id) => row.legs.includes(id))

function greatestWorth(
  kind: OpportunityKind,
  item: Priced,
  moment: Moment,
  isBeside: IsBeside,
): number | null {
  const { scope, now } = moment
  const { worth } = ruleOf(kind)
  let most: number | null = null
  for (const entry of besides(kind, item, scope, isBeside)) {
    const value = standingIn(scope, entry, now)
    if (value) most = Math.max(most ?? Number.NEGATIVE_INFINITY, worth(value.figures))
  }
  return most
}

interface Besides {
  readonly isBeside: IsBeside
  readonly opportunities: OpportunityView
  /** While these are the same, so are the opportunities. */
  readonly changes: number
  readonly offerChanges: number
  readonly some: readonly ListedOpportunity[]
}

const ofRows = new WeakMap<OpportunityRow, Besides>()

/** Returns the opportunities of a kind beside an item, found once until one of its event comes or goes. */
function besides(
  kind: OpportunityKind,
  item: Priced,
  scope: Scope,
  isBeside: IsBeside,
): readonly ListedOpportunity[] {
  const { opportunities } = scope
  const { row, legs } = item
  const changes = opportunities.changesOn(row.eventId, kind)
  const { offerChanges } = legs[0]!.block
  const known = ofRows.get(row)
  if (
    known?.isBeside === isBeside &&
    known.opportunities === opportunities &&
    known.changes === changes &&
    known.offerChanges === offerChanges
  ) {
    return known.some
  }
  const some: ListedOpportunity[] = []
  for (const entry of opportunities.ofEvent(row.eventId, kind)) {
    if (isBeside(entry.row.legs, item, scope)) some.push(entry)
  }
  ofRows.set(row, { isBeside, opportunities, changes, offerChanges, some })
  return some
}
