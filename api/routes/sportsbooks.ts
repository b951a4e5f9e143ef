/**
 * GET /api/v1/sportsbooks and /api/v1/sportsbooks/:bookId (supplement 3.1).
 *
 * Every tier gets the same sportsbooks of the reference data, with or without data now. A list of "those with data"
 * would reveal what is offered outside the tier. Whether one is a reference, and its data on the board (counts,
 * times, sports, markets, and sportsbooks missing from the reference data), are shown only within the scope. Outside
 * of it they are 0, null and empty lists.
 */

import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { countLevel, eventListKey } from '../../pipeline/views/board/board-index.ts'
import { type BoardView, compareMarkets } from '../../pipeline/views/board/board-view.ts'
import { objectOf } from '../../schemas/http/envelope.ts'
import { listQuery } from '../../schemas/http/list-query.ts'
import { choice, flag } from '../../schemas/http/query.ts'
import {
  regions,
  sportsbookDetail,
  sportsbookItem,
  sportsbookList,
} from '../../schemas/http/reference.ts'
import { questionOf } from '../../schemas/reference/markets.ts'
import {
  findSportsbook,
  listedSportsbooks,
  type Sportsbook,
  slugSportsbook,
  sportsbooks,
} from '../../schemas/reference/sportsbooks.ts'
import { requiredTier } from '../../schemas/reference/tier-books.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { itemOfRow } from '../answer/items.ts'
import { instant } from '../answer/json.ts'
import { listResource, objectResource } from '../answer/resource.ts'
import { countEvents, countsVersion, type SeenCount } from '../answer/scope-counts.ts'
import { given } from '../ask/odds-filter.ts'
import { ApiError } from '../errors.ts'
import { countsNote } from './sports.ts'

const tag = 'Reference'

/** Former sportsbooks. They are valid in filters but have no prices. */
const retired = sportsbooks.filter(({ status }) => status === 'inactive').map(({ id }) => id)

export const listSportsbooks = listResource({
  path: '/api/v1/sportsbooks',
  access: 'public-list',
  tag,
  summary: 'Sportsbooks.',
  description: `Every tier gets the same active sportsbooks, with or without prices now; \`requires_tier\` says who sees the prices. In the order of \`numerical_id\`, then unlisted ones. ${countsNote}`,
  query: {
    region: choice(regions, { description: 'Only those that take bets there.', example: 'US' }),
    sharp: flag({ description: 'Only those whose prices lead the market, or only the others.' }),
    catalog: flag({ description: 'All of the reference data, whatever their status.' }),
    include_inactive: flag({ description: 'Also those that are no longer active.' }),
    include_unlisted: flag({
      description:
        'Also those missing in the reference data, such as names you push, if they have prices now or are a reference in the settings. Default true.',
    }),
    ...listQuery,
  },
  answer: {
    description: 'All of them, or a page; `retired` are ids that have no prices any more.',
    schema: sportsbookList,
  },
  tool: {
    name: 'get_sportsbooks',
    description:
      'All sportsbooks; `requires_tier` is the lowest tier that sees their prices. ' +
      'Their ids are values of `sportsbook`.',
    inputs: ['region', 'sharp'],
    shape: {
      items: ['data'],
      without: ['features', 'short_name', 'active', 'coming_soon', 'unlisted', 'retired'],
    },
  },
  errors: [],
  read({ query, scope }) {
    const { limit, offset, ...named } = query
    const { region, sharp, catalog, include_inactive, include_unlisted } = named
    const listed = catalog || include_inactive ? sportsbooks : listedSportsbooks
    const isNamed = (book: Described) =>
      (!region || book.regions.includes(region)) && (sharp === undefined || book.isSharp === sharp)
    const meta = { filters: given(named) }
    return {
      version: () => countsVersion(scope) + scope.statuses.version,
      now() {
        const { all, sportsbooks: shown } = countEvents(scope)
        const own = include_unlisted === false ? [] : namesIn(scope, shown.keys())
        const unlisted = own.filter((id) => !isListed(id)).sort(compareTexts)
        const described = unlisted.map((id) => describeUnlisted(id, scope.board))
        const rows = [...listed, ...described].filter(isNamed)
        return { rows, updatedAt: () => all.seenAt, meta, last: { retired } }
      },
      show: (book: Described) => itemOf(book, countEvents(scope).sportsbooks.get(book.id), scope),
    }
  },
})

export const getSportsbook = objectResource({
  path: '/api/v1/sportsbooks/:bookId',
  access: 'public-list',
  tag,
  summary: 'One sportsbook, with what it offers now.',
  description: `Every sportsbook of the reference data. ${countsNote}`,
  query: {},
  pathParameters: { bookId: 'Its id, name or another spelling, in any case.' },
  answer: { description: 'The sportsbook.', schema: objectOf(sportsbookDetail) },
  errors: ['not_found'],
  read({ path, scope }) {
    const { board } = scope
    const text = path.bookId ?? ''
    const listed = findSportsbook(text)
    const id = listed?.id ?? slugSportsbook(text)
    return {
      version: () => countsVersion(scope) + scope.statuses.version,
      now() {
        const { sportsbooks: shown } = countEvents(scope)
        const count = shown.get(id)
        if (!listed && !namesIn(scope, shown.keys()).includes(id)) {
          throw new ApiError('not_found', 'No sportsbook has this id.', {
            reference: '/api/v1/sportsbooks',
          })
        }
        const book = listed ?? describeUnlisted(id, board)
        const offered = count ? offeredBy(id, board) : { sports: [], markets: [] }
        const data = { ...itemOf(book, count, scope), ...offered }
        return { data, updatedAt: count?.seenAt ?? 0 }
      },
    }
  },
})

/** Fields of a sportsbook that do not depend on the board. */
type Described = Omit<
  Sportsbook,
  'numericalId' | 'category' | 'requiresTier' | 'deepLinks' | 'aliases'
> & {
  readonly numericalId: number | null
  readonly category: Sportsbook['category'] | 'unlisted'
  readonly requiresTier: Sportsbook['requiresTier']
}

/** Returns the sportsbooks visible to the scope: those with prices now, and all references. */
const namesIn = (scope: Scope, priced: Iterable<string>): string[] => {
  const references = [...scope.board.references].filter((id) => seesSportsbook(scope, id))
  return [...new Set([...priced, ...references])]
}

const isListed = (id: string) => findSportsbook(id)?.id === id

/** Describes a sportsbook without reference data by its rows. */
function describeUnlisted(id: string, board: BoardView): Described {
  const books = [board.book(id)].filter((book) => book !== undefined)
  const hasLiveOdds = board.total(countLevel.all, books, true) > 0
  const hasPlayerProps = board
    .marketTypes()
    .some(
      (type) =>
        questionOf(type).isPlayerProp && board.total(countLevel.market(type), books, undefined) > 0,
    )
  return {
    id,
    numericalId: null,
    displayName: id,
    shortName: id,
    category: 'unlisted',
    isSharp: false,
    regions: [],
    status: 'active',
    hasLiveOdds,
    hasPlayerProps,
    features: [...(hasLiveOdds ? ['live'] : []), ...(hasPlayerProps ? ['player_props'] : [])],
    requiresTier: requiredTier(id),
  }
}

function itemOf(book: Described, count: SeenCount | undefined, scope: Scope) {
  const source = seesSportsbook(scope, book.id) ? scope.statuses.sportsbook(book.id) : undefined
  const status = book.status === 'active' && source?.status === 'down' ? 'limited' : book.status
  return itemOfRow(sportsbookItem, book, {
    name: book.id,
    slug: book.id,
    active: status === 'active',
    status,
    is_reference: scope.board.references.has(book.id) && seesSportsbook(scope, book.id),
    event_count: count?.events ?? 0,
    last_update: instant(count?.seenAt ?? 0),
    source_status: source?.status ?? null,
    source_since: instant(source?.since ?? 0),
    coming_soon: false,
    unlisted: book.category === 'unlisted',
  })
}

/** Returns the sports and market types of a sportsbook's rows. */
function offeredBy(sportsbook: string, { events, marketTypes, total, book }: BoardView) {
  const sports = new Set<string>()
  for (const event of events(eventListKey.book(sportsbook))) sports.add(event.row.sport)
  const number = book(sportsbook)
  const markets =
    number === undefined
      ? []
      : marketTypes().filter((type) => total(countLevel.market(type), [number], undefined) > 0)
  return { sports: [...sports].sort(compareTexts), markets: markets.sort(compareMarkets) }
}
