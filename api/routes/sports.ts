/** GET /api/v1/sports and /api/v1/sports/:sportId (interface 2.10, supplement 3.2). */

import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import { listOf, objectOf } from '../../schemas/http/envelope.ts'
import { listExample, objectExample, sportExample } from '../../schemas/http/examples/reference.ts'
import { listQuery } from '../../schemas/http/list-query.ts'
import { flag } from '../../schemas/http/query.ts'
import { sportItem } from '../../schemas/http/reference.ts'
import { findSport, slugSport, sports } from '../../schemas/reference/sports.ts'
import type { Scope } from '../access/scope.ts'
import { listBody, objectBody } from '../answer/json.ts'
import { listPage } from '../answer/list-page.ts'
import { countEvents, countsVersion } from '../answer/scope-counts.ts'
import { ApiError } from '../errors.ts'
import { readRoute } from '../route.ts'

const tag = 'Reference'

/** What every reference list says of its numbers. */
export const countsNote =
  'Counts are of what the key may see, and are brought up to date once a second.'

export const includeEmpty = flag({
  description: 'Also those of the reference data that have no events now. Default false.',
})

export const listSports = readRoute({
  path: '/api/v1/sports',
  access: 'public-list',
  tag,
  summary: 'Sports with events now.',
  description: `In the order of \`numerical_id\`, then those that the reference data does not list. ${countsNote}`,
  query: { include_empty: includeEmpty, ...listQuery },
  answers: {
    200: {
      description: 'All of them, or a page.',
      schema: listOf(sportItem),
      example: listExample(sportExample),
    },
  },
  errors: [],
  prepare({ query, scope }) {
    const withEmpty = query.include_empty ?? false
    return {
      version: () => countsVersion(scope),
      write(page) {
        const { all, sports: shown } = countEvents(scope)
        const listed = sports.map(({ id }) => id).filter((id) => withEmpty || shown.has(id))
        const unlisted = [...shown.keys()].filter((id) => !findSport(id)).sort(compareTexts)
        const filters = query.include_empty === undefined ? {} : { include_empty: withEmpty }
        const { data, pagination } = listPage([...listed, ...unlisted], query)
        const items = data.map((id) => itemOf(id, scope))
        const list = { pagination, updatedAt: all.updatedAt, meta: { filters } }
        appendText(page, listBody(items, list))
        return {}
      },
    }
  },
})

export const getSport = readRoute({
  path: '/api/v1/sports/:sportId',
  access: 'public-list',
  tag,
  summary: 'One sport.',
  description: `Answers for every sport of the reference data, with events or without. ${countsNote}`,
  query: {},
  pathParameters: { sportId: 'Its id, name or another spelling of it, in any case.' },
  answers: {
    200: {
      description: 'The sport.',
      schema: objectOf(sportItem),
      example: objectExample(sportExample),
    },
  },
  errors: ['not_found'],
  prepare({ path, scope }) {
    const text = path.sportId ?? ''
    const listed = findSport(text)?.id
    const id = listed ?? slugSport(text)
    return {
      version: () => countsVersion(scope),
      write(page) {
        const count = countEvents(scope).sports.get(id)
        if (listed === undefined && !count) {
          throw new ApiError('not_found', 'No sport has this id.', { reference: '/api/v1/sports' })
        }
        const body = objectBody(itemOf(id, scope), count?.updatedAt ?? 0)
        appendText(page, JSON.stringify(body))
        return {}
      },
    }
  },
})

function itemOf(id: string, scope: Scope): object {
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
