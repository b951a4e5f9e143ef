/**
 * Query parameters: text in, values of our own words out. Names are singular, several values are
 * comma-separated, repeated keys join the list; every refusal names the parameter.
 */

import type { BoardView } from '../pipeline/views/board-view.ts'
import { findLeague, slugLeague } from '../schemas/reference/leagues.ts'
import { expandMarketFilter } from '../schemas/reference/markets.ts'
import { findSport, slugSport } from '../schemas/reference/sports.ts'
import { findSportsbook, slugSportsbook } from '../schemas/reference/sportsbooks.ts'
import { ApiError } from './errors.ts'

export interface Params {
  /** The text of the first of these names that was given. */
  text(...names: string[]): string | undefined
  /** Values of all these names, split at commas; undefined when none is given. */
  list(...names: string[]): readonly string[] | undefined
  boolean(name: string): boolean | undefined
  /** A whole number >= `min`, at most `max` (larger ones are brought down to it). */
  integer(name: string, range: { min: number; max: number; fallback: number }): number
}

export function readParams(query: string): Params {
  const given = new URLSearchParams(query)

  function text(...names: string[]): string | undefined {
    for (const name of names) {
      const value = given.get(name)
      if (value !== null && value !== '') return value
    }
    return undefined
  }

  return {
    text,
    list(...names) {
      const values = names
        .flatMap((name) => given.getAll(name))
        .flatMap((value) => value.split(','))
        .map((value) => value.trim())
        .filter((value) => value !== '')
      return values.length > 0 ? [...new Set(values)] : undefined
    },
    boolean(name) {
      const value = text(name)?.toLowerCase()
      if (value === undefined) return undefined
      if (value === 'true' || value === '1') return true
      if (value === 'false' || value === '0') return false
      throw new ApiError('validation_error', `${name} is true or false, got "${value}".`)
    },
    integer(name, { min, max, fallback }) {
      const value = text(name)
      if (value === undefined) return fallback
      if (!/^[+-]?\d{1,15}$/.test(value) || Number(value) < min) {
        throw new ApiError('validation_error', `${name} is a whole number from ${min}.`)
      }
      return Math.min(Number(value), max)
    },
  }
}

/** The board filters of a request, in our ids; every one is undefined when it was not given. */
export interface BoardFilters {
  readonly sports: readonly string[] | undefined
  readonly leagues: readonly string[] | undefined
  readonly sportsbooks: readonly string[] | undefined
  readonly marketTypes: readonly string[] | undefined
}

type Filter = 'sport' | 'league' | 'sportsbook' | 'market'

/**
 * Validates the filters against the reference data and what is on the board, in that order.
 * @throws ApiError invalid_filter naming every value that is neither
 */
export function readFilters(params: Params, board: BoardView): BoardFilters {
  const unknown: Partial<Record<Filter, string[]>> = {}

  function resolve(
    filter: Filter,
    values: readonly string[] | undefined,
    find: (value: string) => readonly string[] | undefined,
  ): readonly string[] | undefined {
    if (!values) return undefined
    const found = new Set<string>()
    for (const value of values) {
      const ids = find(value)
      if (ids) for (const id of ids) found.add(id)
      else unknown[filter] = [...(unknown[filter] ?? []), value]
    }
    return [...found]
  }

  const filters = {
    sports: resolve('sport', params.list('sport'), (value) => {
      const sport = findSport(value)?.id
      if (sport !== undefined) return [sport]
      const id = slugSport(value)
      return board.leagues().some((known) => known.sport === id) ? [id] : undefined
    }),
    leagues: resolve('league', params.list('league'), (value) => {
      const id = findLeague(value)?.id ?? slugLeague(value)
      return board.leagues().some((known) => known.league === id) || findLeague(value)
        ? [id]
        : undefined
    }),
    sportsbooks: resolve('sportsbook', params.list('sportsbook', 'add_sportsbook'), (value) => {
      const id = findSportsbook(value)?.id ?? slugSportsbook(value)
      return findSportsbook(value) || board.book(id) !== undefined ? [id] : undefined
    }),
    marketTypes: resolve('market', params.list('market', 'market_type'), (value) =>
      expandMarketFilter(value, board.marketTypes()),
    ),
  }
  const fields = Object.keys(unknown) as Filter[]
  if (fields.length > 0) {
    throw new ApiError(
      'invalid_filter',
      `Unknown ${fields.map((field) => `${field}: ${unknown[field]?.join(', ')}`).join('; ')}.`,
      {
        details: { fields: unknown },
      },
    )
  }
  return filters
}
