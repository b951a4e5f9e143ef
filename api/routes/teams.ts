/** GET /api/v1/teams: the known teams and their names (supplement 3.4). */

import { list, offsetUpTo, pageLimit, text } from '../../schemas/http/query.ts'
import { teamItem, teamList } from '../../schemas/http/reference.ts'
import { foldAccents } from '../../schemas/reference/normalise-name.ts'
import { type Team, teams } from '../../schemas/reference/teams.ts'
import { itemOfRow } from '../answer/items.ts'
import { listResource } from '../answer/resource.ts'
import { countEvents, countsVersion, countTeams, type TeamGame } from '../answer/scope-counts.ts'
import { readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { countsNote } from './sports.ts'

const maxLimit = 500

export const listTeams = listResource({
  path: '/api/v1/teams',
  access: 'key',
  tag: 'Reference',
  summary: 'Teams of the reference data.',
  description: `In the order of \`numerical_id\`; all filters must hold. ${countsNote}`,
  query: {
    sport: list({ description: 'Sports, by id or another spelling.', example: 'basketball' }),
    league: list({ description: 'Leagues, by id or another spelling.', example: 'nba' }),
    q: text({
      description: 'Part of a name or alias, ignoring case and accents.',
      example: 'celtics',
      maxLength: 100,
    }),
    limit: pageLimit({
      description: 'Items per response.',
      max: maxLimit,
      fallback: maxLimit,
    }),
    offset: offsetUpTo(1_000_000),
  },
  answer: { description: 'A page of teams.', schema: teamList },
  errors: ['invalid_filter'],
  read({ query, scope }) {
    const { q } = query
    const { sports, leagues, echo } = readFilters(query, scope)
    const part = q === undefined ? undefined : foldAccents(q.trim())
    const rows = teams.filter(
      (team) =>
        (!sports || sports.includes(team.sport)) &&
        (!leagues || team.leagues.some((league) => leagues.includes(league))) &&
        (!part || isNamed(team, part)),
    )
    return {
      version: () => countsVersion(scope),
      now() {
        const games = countTeams(scope)
        const played = new Set(rows.flatMap((team) => games.get(team) ?? []))
        return {
          rows,
          updatedAt: () => countEvents(scope).all.changedAt,
          meta: {
            sport_filter: sports?.join(',') ?? null,
            league_filter: leagues?.join(',') ?? null,
            query: q ?? null,
            total_events: played.size,
            total_live: liveOf([...played]),
            filters: { ...echo, ...given({ q }) },
          },
        }
      },
      show(team: Team) {
        const games = countTeams(scope).get(team) ?? []
        return itemOfRow(teamItem, team, {
          logo: null,
          event_count: games.length,
          live_count: liveOf(games),
        })
      },
    }
  },
})

const isNamed = ({ name, aliases }: Team, part: string) =>
  [name, ...aliases].some((known) => foldAccents(known).includes(part))

const liveOf = (games: readonly TeamGame[]) => games.filter(({ isLive }) => isLive).length
