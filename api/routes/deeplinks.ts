/** GET /api/v1/deeplinks and POST /api/v1/deeplinks/batch: addresses at sportsbooks, as JSON (interface 4.11). */

import {
  deepLinkBatchBody,
  deepLinkBatchObject,
  deepLinksObject,
  exampleDeepLinkBatchBody,
} from '../../schemas/http/deep-links.ts'
import { formed, required, usState } from '../../schemas/http/query.ts'
import { isOddsId, isOpportunityId, linksOf, withState } from '../answer/deep-links.ts'
import { objectBody } from '../answer/json.ts'
import { objectResource } from '../answer/resource.ts'
import type { SignedLinks } from '../answer/signed-links.ts'
import { withLinkState } from '../ask/link-state.ts'
import { ApiError, invalid } from '../errors.ts'
import { opportunityObject } from '../opportunities/opportunity-answer.ts'
import { keyAction, type Route } from '../route.ts'

const requires = { feature: 'deep_links', otherwise: 'tier_restricted' } as const

export function createDeepLinksRoutes(clock: () => number, links: SignedLinks): readonly Route[] {
  return [getDeepLinks(clock, links), batchDeepLinks(clock, links)]
}

function getDeepLinks(clock: () => number, signed: SignedLinks): Route {
  return objectResource({
    path: '/api/v1/deeplinks',
    access: 'key',
    tag: 'deep links',
    summary: 'Sportsbook links of an opportunity or a price',
    description: 'Sportsbooks without links are left out.',
    requires,
    query: {
      id: required(
        formed({
          description: 'The id of an opportunity, 16 hex digits, or of a price, 15 digits.',
          example: 'b04d5f1182e9c37a',
          pattern: /^(?:[0-9a-f]{16}|\d{15})$/,
          problem: 'is 16 hex digits, or 15 digits',
        }),
      ),
      state: usState({
        description: 'US state, by its two letters; default: that of your profile, else pa.',
      }),
    },
    answer: { description: 'A link for each sportsbook.', schema: deepLinksObject },
    errors: ['not_found'],
    read({ query, scope }) {
      const { id, state } = query
      if (id === undefined || !(isOddsId(id) || isOpportunityId(id))) {
        throw invalid(['id'], 'id is 16 hex digits, or 15 digits.')
      }
      return opportunityObject(scope, clock, (now) => {
        const found = linksOf(id, scope, state, now)
        if (!found) throw new ApiError('not_found', 'Nothing on the board has this id now.')
        const redirect = withState(signed.pathOf(id), state)
        const data = { id, deep_links: { ...found.links }, redirect }
        return { data, updatedAt: found.updatedAt }
      })
    },
  })
}

function batchDeepLinks(clock: () => number, signed: SignedLinks): Route {
  return keyAction({
    method: 'post',
    path: '/api/v1/deeplinks/batch',
    tag: 'deep links',
    summary: 'Sportsbook links of many opportunities or prices',
    description:
      'For a price, the path that redirects to it (with `state`, to the pages of that state). For an opportunity, a link for each sportsbook. Null if there is none, or nothing has this id now.',
    requires,
    query: {},
    body: {
      as: 'json',
      schema: deepLinkBatchBody,
      maxBytes: 64 * 1024,
      example: exampleDeepLinkBatchBody,
    },
    answer: { description: 'By id.', schema: deepLinkBatchObject },
    errors: ['payload_too_large'],
    handle({ body, scope, profile }) {
      const { state } = withLinkState(body, profile.state)
      const now = clock()
      const ids = [...new Set(body.ids)]
      let updatedAt = 0
      const found = ids.map((id) => {
        const known = linksOf(id, scope, state, now)
        if (!known) return [id, null] as const
        updatedAt = Math.max(updatedAt, known.updatedAt)
        const hasLink = Object.keys(known.links).length > 0
        const link = isOddsId(id) ? withState(signed.pathOf(id), state) : known.links
        return [id, hasLink ? link : null] as const
      })
      const meta = { count: ids.length, found: found.filter(([, link]) => link !== null).length }
      return { body: objectBody(Object.fromEntries(found), updatedAt, meta) }
    },
  })
}
