/** GET /api/v1/opportunities/:id/explain: the prices and figures behind an opportunity. */

import type { z } from 'zod'
import type { Valued } from '../../pipeline/views/opportunities/priced.ts'
import { explainQuery, explanationObject } from '../../schemas/http/explain.ts'
import type { Query } from '../../schemas/http/query.ts'
import { objectWithState, opportunityIdPattern } from '../answer/deep-links.ts'
import { objectResource } from '../answer/resource.ts'
import { findEvent } from '../ask/event-filters.ts'
import { ApiError } from '../errors.ts'
import { kindOf } from '../opportunities/all-kinds.ts'
import { explained } from '../opportunities/explain.ts'
import type { Moment } from '../opportunities/kind.ts'
import { ev } from '../opportunities/kinds/ev.ts'
import { newestSeen, opportunityObject } from '../opportunities/opportunity-answer.ts'
import { standingIn, standingRows } from '../opportunities/priced.ts'
import { rowsAtOnce } from '../opportunities/recompute.ts'
import type { ReadRoute } from '../route.ts'
import { booksErrors, type OpportunityParts, requireOpportunityId } from './opportunities.ts'

export function createExplainRoute({ clock, chain }: OpportunityParts): ReadRoute {
  return objectResource({
    path: '/api/v1/opportunities/:id/explain',
    access: 'key',
    tag: 'opportunities',
    summary: 'The explanation of an opportunity, and what would end it',
    description:
      'The prices used, with their ages and positions among all changes, the result of every devig method, the stakes, and what would end it. Figures are unrounded fractions, except stakes. If the tier does not see the sharp book, its prices are hidden and the figures that follow from them are rounded.',
    requires: { feature: 'arbitrage', otherwise: 'feature_required' },
    query: explainQuery,
    pathParameters: {
      id: {
        description: 'The id of an opportunity of any kind, 16 hex digits.',
        pattern: opportunityIdPattern,
      },
    },
    answer: { description: 'The explanation.', schema: explanationObject },
    tool: {
      name: 'explain_opportunity',
      description:
        'The explanation of one opportunity: its prices with their ages, the stakes, the result by devig ' +
        'method, and what would end it. Figures are fractions.',
      inputs: ['total', 'books'],
      shape: { items: ['data', 'devig'], without: ['as_of', 'changed_in_board_at'] },
      inPath: { id: 'opportunity_id' },
    },
    errors: ['not_found', ...booksErrors],
    readsProfile: true,
    read({ path: { id = '' }, query, scope, profile }) {
      requireOpportunityId(id)
      scope.among?.set?.require()
      return opportunityObject(scope, clock, (now) => {
        const moment = { scope, chain, now, state: undefined }
        // If the opportunity is outside the scope, not even its event is revealed.
        const standing = standingIn(scope, scope.opportunities.find(id), now)
        const named = query.event ?? standing?.entry.row.eventId
        const measured = measuredAnew(named, moment, query)
        const found = measured ? measured.find(({ entry: { row } }) => row.id === id) : standing
        if (!found) throw new ApiError('not_found', 'No current opportunity has this id.')
        const kind = kindOf(found.entry.row.kind)
        const item = scope.opportunities.item(found)
        const { total, unit, kelly } = query
        const wanted = { profile, total, unit, kelly }
        const explanation = explained(item, kind, moment, wanted) as Explanation
        const data = objectWithState(explanation, query.state)
        return { data, updatedAt: newestSeen([item]) }
      })
    },
  })
}

type Explanation = z.output<typeof explanationObject>['data']

/**
 * Returns the +EV of an event by other references or another method than the operator's; null if none are requested.
 * @throws ApiError not_found without the event, invalid_filter, tier_restricted
 */
function measuredAnew(
  eventId: string | undefined,
  moment: Moment,
  { devig_book, devig_books, devig_method }: Query<typeof explainQuery>,
): readonly Valued[] | null {
  const understood = ev.understand!({ devig_book, devig_books, devig_method })
  const event = eventId === undefined ? undefined : findEvent(moment.scope, eventId)
  const steps = ev.at(moment).otherRows!(understood, {
    isOfEvent: (one) => one === event,
    markets: undefined,
    sportsbooks: undefined,
  })
  if (!steps) return null
  if (eventId === undefined) {
    throw new ApiError(
      'not_found',
      'No current opportunity has this id by the usual references; name its event too.',
    )
  }
  return standingRows(moment.scope, rowsAtOnce(steps), moment.now)
}
