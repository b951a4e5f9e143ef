/** `/api/v1/admin/aliases`: the operator lists and corrects the meanings of spellings. */

import { type AliasRow, aliasId, anySportsbook, keyOfAlias } from '../../schemas/alias.ts'
import {
  aliasDeletionAnswer,
  aliasesAnswer,
  aliasFilters,
  aliasItem,
  aliasOrders,
  aliasOrdersAnswer,
  exampleOrder,
} from '../../schemas/http/aliases.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { findLeague, leagueById, slugLeague } from '../../schemas/reference/leagues.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import type { AliasDesk } from '../access/aliases.ts'
import { csvHeaders, csvText } from '../answer/csv.ts'
import { itemOfRow } from '../answer/items.ts'
import { instant, objectBody } from '../answer/json.ts'
import { datedList } from '../answer/list-page.ts'
import { ApiError } from '../errors.ts'
import { adminActions, jsonBody, type Route } from '../route.ts'
import { exampleBody, exampleList, pageQuery } from './account.ts'

const action = adminActions('/api/v1/admin/aliases', { aliasId: 'The id of the alias.' })
const bodyBytes = 1_048_576

export function createAliasRoutes(aliases: AliasDesk, clock: () => number): Route[] {
  return [
    action('get', '', {
      summary: 'The meanings of spellings of sides, by league.',
      description:
        'Learnt from prices or set by the operator; `watched` and `ambiguous` ones are in doubt and not used.',
      query: { ...pageQuery, ...aliasFilters },
      answer: {
        description: 'The aliases.',
        schema: aliasesAnswer,
        example: exampleList(aliasItem),
        csv: csvOf([exampleOf(aliasItem)]),
      },
      handle({ query }) {
        const { league, sportsbook, state, format, ...page } = query
        const leagues = league?.map(leagueIdOf)
        const books = sportsbook?.map(sportsbookIdOf)
        const rows = aliases
          .list()
          .filter(
            (row) =>
              (leagues?.includes(row.league) ?? true) &&
              (books?.includes(row.sportsbook) ?? true) &&
              (state?.includes(row.state) ?? true),
          )
        if (format === 'csv') {
          return { headers: csvHeaders('aliases'), body: csvOf(rows.map(itemOf)) }
        }
        const filters = {
          ...(leagues && { league: leagues }),
          ...(books && { sportsbook: books }),
          ...(state && { state }),
        }
        return { body: datedList(rows, page, itemOf, { filters }) }
      },
    }),

    action('post', '', {
      summary: 'Confirms, corrects or forbids aliases, or imports them.',
      description:
        'In effect from the response on. A confirmed alias replaces the earlier meaning of the spelling. For a forbidden pair, joined games are separated at once; their prices return with the next snapshot.',
      body: jsonBody(aliasOrders, bodyBytes, { aliases: [exampleOrder] }),
      answer: {
        description: 'The aliases as they are now.',
        schema: aliasOrdersAnswer,
        example: exampleBody(aliasOrdersAnswer),
      },
      async handle({ body }) {
        const rows = await aliases.order(
          body.aliases.map((stated) => ({
            ...stated,
            league: leagueIdOf(stated.league),
            sportsbook: sportsbookIdOf(stated.sportsbook),
          })),
        )
        return { body: objectBody({ aliases: rows.map(itemOf), count: rows.length }, clock()) }
      },
    }),

    action('delete', '/:aliasId', {
      summary: 'Removes an alias or a forbidden pair, as if it had never been set or learnt.',
      description:
        'An alias learnt from prices may be learnt again; forbid the pair to prevent that.',
      answer: {
        description: 'The alias is removed.',
        schema: aliasDeletionAnswer,
        example: exampleBody(aliasDeletionAnswer),
      },
      async handle({ path: { aliasId: id = '' } }) {
        const row = aliases.find(id)
        if (!row) throw new ApiError('not_found', 'No alias has this id.')
        await aliases.remove(row)
        return { body: objectBody({ deleted: true, id }, clock()) }
      },
    }),
  ]
}

const leagueIdOf = (text: string) => (leagueById(text) ?? findLeague(text))?.id ?? slugLeague(text)

const sportsbookIdOf = (text: string) => (text === anySportsbook ? text : idOfSportsbook(text))

const isOfOperator = ({ revision }: AliasRow) => revision !== ''

const itemOf = (row: AliasRow) =>
  itemOfRow(aliasItem, row, {
    id: aliasId(keyOfAlias(row)),
    decided_by: isOfOperator(row) ? 'operator' : 'prices',
    created_at: instant(row.createdAt)!,
    updated_at: instant(row.updatedAt)!,
  })

const columns = [
  ...(['league', 'sportsbook', 'spelling', 'team', 'state', 'decided_by', 'readings'] as const),
  ...(['evenings', 'event_id', 'teams', 'event_ids', 'updated_at', 'id'] as const),
]

function csvOf(items: readonly ReturnType<typeof itemOf>[]): string {
  const lines = items.map((item) => {
    const cells = columns.map((column) => item[column] ?? '')
    return cells.map((cell) => (typeof cell === 'object' ? cell.join('; ') : cell))
  })
  return csvText([columns, ...lines])
}
