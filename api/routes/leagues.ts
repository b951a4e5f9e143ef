/** GET /api/v1/leagues and /api/v1/leagues/:leagueId (interface 2.10 and 4.2, supplement 3.2). */

import type { z } from 'zod'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { filters, listOf, objectOf } from '../../schemas/http/envelope.ts'
import { example } from '../../schemas/http/example.ts'
import { listQuery } from '../../schemas/http/list-query.ts'
import { list } from '../../schemas/http/query.ts'
import { leagueItem } from '../../schemas/http/reference.ts'
import { findLeague, leagueById, leagues, slugLeague } from '../../schemas/reference/leagues.ts'
import { listResource, objectResource } from '../answer/resource.ts'
import { countEvents, countsVersion, type LeagueCount } from '../answer/scope-counts.ts'
import { readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { ApiError } from '../errors.ts'
import { countsNote, includeEmpty } from './sports.ts'

const tag = 'Reference'

export const listLeagues = listResource({
  path: '/api/v1/leagues',
  access: 'public-list',
  tag,
  summary: 'Leagues with events now.',
  description: `In the order of \`numerical_id\`, then those missing in the reference data; such a name is listed once for each sport that has it. ${countsNote}`,
  query: {
    sport: list({ description: 'Sports, by id or another spelling.', example: 'soccer,hockey' }),
    include_empty: includeEmpty,
    ...listQuery,
  },
  answer: {
    description: 'All of them, or a page.',
    schema: listOf(leagueItem, { filters: example(filters, { sport: ['soccer'] }) }),
  },
  tool: {
    name: 'get_leagues',
    description: 'Leagues with events now, and how many. Their ids are values of `league`.',
    inputs: ['sport', 'include_empty'],
    shape: { items: ['data'] },
  },
  errors: ['invalid_filter'],
  read({ query: { sport, include_empty }, scope }) {
    const { sports, echo } = readFilters({ sport }, scope)
    const isOfThese = (id: string) => !sports || sports.includes(id)
    const meta = { filters: { ...echo, ...given({ include_empty }) } }
    return {
      version: () => countsVersion(scope),
      now() {
        const counts = countEvents(scope)
        const shown = counts.leagues.filter(({ sport }) => isOfThese(sport))
        const empty = include_empty
          ? leagues
              .filter(
                ({ id, sport }) => isOfThese(sport) && !shown.some((count) => count.league === id),
              )
              .map(({ id, sport }) => withoutEvents(id, sport))
          : []
        const changed = sports ? sports.map((id) => counts.sports.get(id)) : [counts.all]
        const updatedAt = () => Math.max(0, ...changed.map((count) => count?.changedAt ?? 0))
        return { rows: [...shown, ...empty].sort(inOrder), updatedAt, meta }
      },
      show: itemOf,
    }
  },
})

export const getLeague = objectResource({
  path: '/api/v1/leagues/:leagueId',
  access: 'public-list',
  tag,
  summary: 'One league.',
  description: `Every league of the reference data, with or without events. For an unlisted name of several sports, the league with the most events. ${countsNote}`,
  query: {},
  pathParameters: { leagueId: 'Its id, name or another spelling, in any case.' },
  answer: { description: 'The league.', schema: objectOf(leagueItem) },
  errors: ['not_found'],
  read({ path, scope }) {
    const text = path.leagueId ?? ''
    const listed = findLeague(text)
    const id = listed?.id ?? slugLeague(text)
    return {
      version: () => countsVersion(scope),
      now() {
        const [count] = countEvents(scope)
          .leagues.filter(({ league }) => league === id)
          .sort((a, b) => b.events - a.events || compareTexts(a.sport, b.sport))
        const found = count ?? (listed && withoutEvents(id, listed.sport))
        if (!found) {
          throw new ApiError('not_found', 'No league has this id.', {
            reference: '/api/v1/leagues',
          })
        }
        return { data: itemOf(found), updatedAt: found.changedAt }
      },
    }
  },
})

const withoutEvents = (league: string, sport: string): LeagueCount => ({
  league,
  sport,
  events: 0,
  live: 0,
  seenAt: 0,
  mark: 0,
  changedAt: 0,
})

const place = ({ league }: LeagueCount) => leagueById(league)?.numericalId ?? 1e9

function inOrder(a: LeagueCount, b: LeagueCount): number {
  return place(a) - place(b) || compareTexts(a.league, b.league) || compareTexts(a.sport, b.sport)
}

function itemOf({ league: id, sport, events, live }: LeagueCount): z.output<typeof leagueItem> {
  const league = leagueById(id)
  const name = league?.name ?? id
  return {
    id,
    numerical_id: league?.numericalId ?? null,
    name,
    display_name: name,
    slug: id,
    sport,
    sport_id: sport,
    country: league?.country ?? null,
    active: events > 0,
    event_count: events,
    live_count: live,
  }
}
