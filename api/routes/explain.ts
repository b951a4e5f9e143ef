/** GET /api/v1/opportunities/:id/explain: how an opportunity comes about. */

import type { z } from 'zod'
import { explainQuery, explanationObject } from '../../schemas/http/explain.ts'
import { opportunityId } from '../answer/deep-links.ts'
import { objectResource } from '../answer/resource.ts'
import { ApiError } from '../errors.ts'
import { kindOf } from '../opportunities/all-kinds.ts'
import { explained } from '../opportunities/explain.ts'
import { newestSeen, opportunityObject } from '../opportunities/opportunity-answer.ts'
import { findStanding } from '../opportunities/priced.ts'
import type { ReadRoute } from '../route.ts'
import { booksErrors, requireOpportunityId } from './opportunities.ts'

export function createExplainRoute(clock: () => number): ReadRoute {
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
        pattern: opportunityId,
      },
    },
    answer: 'The explanation.',
    contract: explanationObject,
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
    read({ path: { id = '' }, query, scope }) {
      requireOpportunityId(id)
      scope.among?.set?.require()
      return opportunityObject(scope, clock, (now) => {
        const entry = scope.opportunities.find(id)
        const kind = entry && kindOf(entry.row.kind)
        const item = kind && findStanding(scope, entry, now)
        if (!item) throw new ApiError('not_found', 'No current opportunity has this id.')
        const data = explained(item, kind, scope, now, query) as Explanation
        return { data, updatedAt: newestSeen([item]) }
      })
    },
  })
}

type Explanation = z.output<typeof explanationObject>['data']
