/** GET /api/v1/sports and /api/v1/sports/:sportId (interface 2.10, supplement 3.2). */

import type { z } from 'zod'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { listOf, objectOf } from '../../schemas/http/envelope.ts'
import { listQuery } from '../../schemas/http/list-query.ts'
import { flag } from '../../schemas/http/query.ts'
import { sportItem } from '../../schemas/http/reference.ts'
import { findSport, slugSport, sports } from '../../schemas/reference/sports.ts'
import type { Scope } from '../access/scope.ts'
import { listResource, objectResource } from '../answer/resource.ts'
import { countEvents, countsVersion } from '../answer/scope-counts.ts'
import { given } from '../ask/odds-filter.ts'
import { ApiError } from '../errors.ts'

const tag = 'Reference'

/** Note on the counts of every reference list. */
export const countsNote = 'Counts include only what the key may see; updated once a second.'

export const includeEmpty = flag({
  description: 'Also those of the reference data that have no events now. Default false.',
})

export const listSports = listResource({
  path: '/api/v1/sports',
  access: 'public-list',
  tag,
  summary: 'Sports with events now.',
  description: `In the order of \`numerical_id\`, then those missing in the reference data. ${countsNote}`,
  query: { include_empty: includeEmpty, ...listQuery },
  answer: { description: 'All of them, or a page.', schema: listOf(sportItem) },
  tool: {
    name: 'get_sports',
    description: 'Sports with events now, and how many. Their ids are values of `sport`.',
    inputs: ['include_empty'],
    shape: { items: ['data'], without: ['markets'] },
  },
  errors: [],
  read({ query: { include_empty }, scope }) {
    const filters = given({ include_empty })
    return {
      version: () => countsVersion(scope),
      now() {
        const { all, sports: shown } = countEvents(scope)
        const listed = sports.map(({ id }) => id).filter((id) => include_empty || shown.has(id))
        const unlisted = [...shown.keys()].filter((id) => !findSport(id)).sort(compareTexts)
        const updatedAt = () => all.changedAt
        return { rows: [...listed, ...unlisted], updatedAt, meta: { filters } }
      },
      show: (id: string) => itemOf(id, scope),
    }
  },
})

export const getSport = objectResource({
  path: '/api/v1/sports/:sportId',
  access: 'public-list',
  tag,
  summary: 'One sport.',
  description: `Every sport of the reference data, with or without events. ${countsNote}`,
  query: {},
  pathParameters: { sportId: 'Its id, name or another spelling, in any case.' },
  answer: { description: 'The sport.', schema: objectOf(sportItem) },
  errors: ['not_found'],
  read({ path, scope }) {
    const text = path.sportId ?? ''
    const listed = findSport(text)?.id
    const id = listed ?? slugSport(text)
    return {
      version: () => countsVersion(scope),
      now() {
        const count = countEvents(scope).sports.get(id)
        if (listed === undefined && !count) {
          throw new ApiError('not_found', 'No sport has this id.', { reference: '/api/v1/sports' })
        }
        return { data: itemOf(id, scope), updatedAt: count?.changedAt ?? 0 }
      },
    }
  },
})

function itemOf(id: string, scope: Scope): z.output<typeof sportItem> {
  const { sports: shown, leagues } = countEvents(scope)
  const sport = findSport(id)
  const name = sport?.name ?? id
  const count = shown.get(id)
  return {
    id,
    numerical_id: sport?.numericalId ?? null,
    name,
    display_name: name,
    slug: id,
    active: count !== undefined,
    leagues: leagues
      .filter((league) => league.sport === id)
      .map(({ league }) => league)
      .sort(compareTexts),
    event_count: count?.events ?? 0,
    live_count: count?.live ?? 0,
  }
}
