/** GET /api/v1/teams: the teams that names are understood as (supplement 3.4). */

import { z } from 'zod'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import { listOf } from '../../schemas/http/envelope.ts'
import { listExample, teamExample } from '../../schemas/http/examples/reference.ts'
import { list, offsetUpTo, pageLimit, text } from '../../schemas/http/query.ts'
import { teamItem } from '../../schemas/http/reference.ts'
import { foldAccents } from '../../schemas/reference/normalise-name.ts'
import { type Team, teams } from '../../schemas/reference/teams.ts'
import { listBody } from '../answer/json.ts'
import { countEvents, countsVersion, countTeams, type TeamGame } from '../answer/scope-counts.ts'
import { readFilters } from '../ask/filters.ts'
import { readRoute } from '../route.ts'
import { countsNote } from './sports.ts'

const maxLimit = 500

const meta = {
  sport_filter: z.string().nullable().describe('Sport ids, separated by commas.'),
  league_filter: z.string().nullable().describe('League ids, separated by commas.'),
  query: z.string().nullable(),
  total_events: z.int().describe('Events that any team of the filters plays in.'),
  total_live: z.int().describe('Those of them that are in play.'),
}

export const listTeams = readRoute({
  path: '/api/v1/teams',
  access: 'key',
  tag: 'Reference',
  summary: 'Teams of the reference data.',
  description: `In the order of \`numerical_id\`; all filters must hold. ${countsNote}`,
  query: {
    sport: list({ description: 'Sports, by id or another spelling.', example: 'basketball' }),
    league: list({ description: 'Leagues, by id or another spelling.', example: 'nba' }),
    q: text({
      description: 'Part of a name or alias, without regard to case and accents.',
      example: 'celtics',
      maxLength: 100,
    }),
    limit: pageLimit({
      description: 'Items of a page.',
      max: maxLimit,
      fallback: maxLimit,
    }),
    offset: offsetUpTo(1_000_000),
  },
  answers: {
    200: {
      description: 'A page of teams.',
      schema: listOf(teamItem, meta),
      example: listExample(
        teamExample,
        {
          filters: { league: ['nba'], q: 'celtics' },
          sport_filter: null,
          league_filter: 'nba',
          query: 'celtics',
          total_events: 2,
          total_live: 1,
        },
        maxLimit,
      ),
    },
  },
  errors: ['invalid_filter'],
  prepare({ query, scope }) {
    const { limit, offset, q } = query
    const { sports, leagues, echo } = readFilters(query, scope)
    const part = q === undefined ? undefined : foldAccents(q.trim())
    const matching = teams.filter(
      (team) =>
        (!sports || sports.includes(team.sport)) &&
        (!leagues || team.leagues.some((league) => leagues.includes(league))) &&
        (!part || isNamed(team, part)),
    )
    const items = matching.slice(offset, offset + limit)
    const hasMore = offset + items.length < matching.length
    const pagination = {
      limit,
      offset,
      count: items.length,
      total: matching.length,
      has_more: hasMore && items.length > 0,
      next_offset: hasMore && items.length > 0 ? offset + items.length : null,
    }
    return {
      version: () => countsVersion(scope),
      write(page) {
        const games = countTeams(scope)
        const played = new Set(matching.flatMap((team) => games.get(team) ?? []))
        const data = items.map((team) => itemOf(team, games.get(team) ?? []))
        const body = listBody(data, {
          pagination,
          updatedAt: countEvents(scope).all.updatedAt,
          meta: {
            sport_filter: sports?.join(',') ?? null,
            league_filter: leagues?.join(',') ?? null,
            query: q ?? null,
            total_events: played.size,
            total_live: liveOf([...played]),
            filters: { ...echo, ...(q !== undefined && { q }) },
          },
        })
        appendText(page, body)
        return {}
      },
    }
  },
})

const isNamed = ({ name, aliases }: Team, part: string) =>
  [name, ...aliases].some((known) => foldAccents(known).includes(part))

const liveOf = (games: readonly TeamGame[]) => games.filter(({ isLive }) => isLive).length

function itemOf(team: Team, games: readonly TeamGame[]): object {
  return {
    id: team.id,
    numerical_id: team.numericalId,
    name: team.name,
    abbreviation: team.abbreviation,
    logo: null,
    city: team.city,
    mascot: team.mascot,
    conference: team.conference,
    division: team.division,
    sport: team.sport,
    leagues: team.leagues,
    aliases: team.aliases,
    event_count: games.length,
    live_count: liveOf(games),
  }
}
