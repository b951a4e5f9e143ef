/**
 * Reads the board filters of a request into our ids. A value is valid if the reference data has it or the caller's
 * scope shows it now. A value that only other scopes show gets the same response as one that does not exist.
 */

import { countLevel } from '../../pipeline/views/board/board-index.ts'
import { findLeague, slugLeague } from '../../schemas/reference/leagues.ts'
import { marketsNamed } from '../../schemas/reference/market-names.ts'
import { expandMarketFilter, findMarket } from '../../schemas/reference/markets.ts'
import { findSport, slugSport } from '../../schemas/reference/sports.ts'
import { findSportsbook, slugSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { type Scope, scopedSportsbooks, seesSportsbook } from '../access/scope.ts'
import { ApiError } from '../errors.ts'
import { type Filter, suggest } from './suggestions.ts'

export type { Filter } from './suggestions.ts'

export interface FilterQuery {
  readonly sport?: readonly string[] | undefined
  readonly league?: readonly string[] | undefined
  readonly sportsbook?: readonly string[] | undefined
  readonly add_sportsbook?: readonly string[] | undefined
  readonly market?: readonly string[] | undefined
}

/** Filters as our ids. A field is undefined if its parameter was not sent. */
export interface BoardFilters {
  readonly sports: readonly string[] | undefined
  readonly leagues: readonly string[] | undefined
  /** The sportsbooks named in the request. */
  readonly named: readonly string[] | undefined
  /** The named sportsbooks in its scope; all of the scope if none is named. */
  readonly sportsbooks: readonly string[] | undefined
  /** Current market types: those of an alias such as `props` grow with the board. */
  readonly marketTypes: readonly string[] | undefined
  /** Whether the market types come from such an alias. */
  readonly isGrowing: boolean
  /** These filters as `meta.filters` shows them. */
  readonly echo: Readonly<Record<string, readonly string[]>>
  /** The requested values in a form that does not change with the board. */
  readonly requestedValues: Readonly<Record<string, readonly string[] | undefined>>
}

/** The list that has the values of each filter. */
const references: Readonly<Record<Filter, string>> = {
  sport: '/api/v1/sports',
  league: '/api/v1/leagues',
  sportsbook: '/api/v1/sportsbooks',
  market: '/api/v1/markets',
}

/**
 * @param isShownElsewhere whether the scope shows anything with this id that is not on the board
 * @throws ApiError invalid_filter naming each unknown value, tier_restricted for a sportsbook outside the scope
 */
export function readFilters(
  query: FilterQuery,
  scope: Scope,
  isShownElsewhere: (filter: Filter, id: string) => boolean = () => false,
): BoardFilters {
  const unknown: Partial<Record<Filter, string[]>> = {}
  const shown = shownBy(scope)

  function resolve(
    filter: Filter,
    values: readonly string[] | undefined,
    find: (value: string) => readonly string[] | undefined,
  ): readonly string[] | undefined {
    if (!values) return undefined
    const found = new Set<string>()
    const strangers: string[] = []
    for (const value of values) {
      const ids = find(value)
      if (ids) for (const id of ids) found.add(id)
      else strangers.push(value)
    }
    if (strangers.length > 0) unknown[filter] = [...(unknown[filter] ?? []), ...strangers]
    return [...found]
  }

  const sports = resolve('sport', query.sport, (value) => {
    const known = findSport(value)
    if (known) return [known.id]
    const id = slugSport(value)
    const isSeen = shown.has(countLevel.sport(id)) || isShownElsewhere('sport', id)
    return isSeen ? [id] : undefined
  })
  const leagues = resolve('league', query.league, (value) => {
    const known = findLeague(value)
    if (known) return [known.id]
    const id = slugLeague(value)
    return shown.leagues().has(id) || isShownElsewhere('league', id) ? [id] : undefined
  })
  const sportsbook = (value: string) => {
    const known = findSportsbook(value)
    if (known) return [known.id]
    const id = slugSportsbook(value)
    const { board } = scope
    const isNamed = board.book(id) !== undefined || board.references.has(id)
    const isSeen = isNamed || isShownElsewhere('sportsbook', id)
    return seesSportsbook(scope, id) && isSeen ? [id] : undefined
  }
  const chosen = resolve('sportsbook', query.sportsbook, sportsbook)
  const added = resolve('sportsbook', query.add_sportsbook, sportsbook)
  const marketTypes = resolve('market', query.market, (value) => expandMarket(value, shown))
  if (Object.keys(unknown).length > 0) throw unknownValues(unknown)

  // Without `sportsbook` all of the scope is shown, so `add_sportsbook` is only checked.
  if (added) scopedSportsbooks(scope, added)
  const named = chosen && [...new Set([...chosen, ...(added ?? [])])]
  const { market } = query
  const isGrowing = market?.some((value) => value.toLowerCase() === 'props') ?? false
  const marketsNow = () => {
    if (!isGrowing || !market) return marketTypes
    const shownNow = shownBy(scope)
    return [...new Set(market.flatMap((value) => expandMarket(value, shownNow) ?? []))].sort()
  }
  return {
    sports,
    leagues,
    named,
    sportsbooks: among(scope, scopedSportsbooks(scope, named)),
    get marketTypes() {
      return marketsNow()
    },
    isGrowing,
    get echo() {
      const markets = marketsNow()
      return {
        ...(sports && { sport: sports }),
        ...(leagues && { league: leagues }),
        ...(named && { sportsbook: named }),
        ...(scope.among && { books: scope.among.named }),
        ...(markets && { market: markets }),
      }
    },
    requestedValues: {
      sports,
      leagues,
      named,
      market: market?.map((value) => value.toLowerCase()).sort(),
    },
  }
}

/** Limits sportsbooks, or all of the scope, to those chosen by `books`. */
function among({ among: chosen }: Scope, sportsbooks: readonly string[] | undefined) {
  if (!chosen) return sportsbooks
  return sportsbooks
    ? sportsbooks.filter((sportsbook) => chosen.sportsbooks.has(sportsbook))
    : [...chosen.sportsbooks]
}

function expandMarket(value: string, shown: Shown): readonly string[] | undefined {
  const exact = expandMarketFilter(value, shown.marketTypes)
  const isListed = exact?.every((id) => findMarket(id) !== undefined)
  if (exact && (isListed || exact.length > 1)) return exact
  // A name that is no market in one sport may be one in another.
  const named = marketsNamed(value) ?? []
  return exact || named.length > 0 ? [...new Set([...(exact ?? []), ...named])] : undefined
}

/** Keeps what a scope shows at one time. The board is walked at most once for each list, however many values ask. */
interface Shown {
  /** Returns whether it shows any row of a count level. */
  has(level: string): boolean
  leagues(): ReadonlySet<string>
  marketTypes(): ReadonlySet<string>
}

function shownBy({ board, sportsbooks }: Scope): Shown {
  const books = sportsbooks?.flatMap((sportsbook) => board.book(sportsbook) ?? [])
  const has = (level: string) => board.total(level, books, undefined) > 0
  let leagues: ReadonlySet<string> | undefined
  let marketTypes: ReadonlySet<string> | undefined
  return {
    has,
    leagues() {
      leagues ??= new Set(
        board.leagues().flatMap((known) => (has(countLevel.league(known)) ? known.league : [])),
      )
      return leagues
    },
    marketTypes() {
      marketTypes ??= new Set(board.marketTypes().filter((type) => has(countLevel.market(type))))
      return marketTypes
    },
  }
}

function unknownValues(fields: Partial<Record<Filter, string[]>>): ApiError {
  const filters = Object.keys(fields) as Filter[]
  const hints = () =>
    filters.flatMap((filter) =>
      // The number of suggestions is limited, so that a long list of nonsense costs no more than a short one.
      (fields[filter] ?? []).slice(0, 10).flatMap((value) => suggest(filter, value) ?? []),
    )
  const said = filters.map((filter) => `${filter}: ${fields[filter]?.map(shortened).join(', ')}`)
  return new ApiError('invalid_filter', `Unknown ${said.join('; ')}.`, {
    details: {
      fields,
      reference: Object.fromEntries(filters.map((filter) => [filter, references[filter]])),
      // Computed only when shown, because it is slow.
      get did_you_mean() {
        return hints()
      },
    },
  })
}

const shortened = (value: string) => (value.length > 60 ? `${value.slice(0, 60)}…` : value)
