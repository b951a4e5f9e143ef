/**
 * The parameter `books`: the request sees these sportsbooks as if there were no others of its tier. Best prices and
 * opportunities are computed among them. The data that prices are judged by stays the same.
 */

import { emptyProfile, type ProfileRow } from '../../schemas/profile.ts'
import { booksOf, feesOf } from '../access/profiles.ts'
import { outsideTier, type RequestScopes, type Scope, seesSportsbook } from '../access/scope.ts'
import type { BookSetViews } from '../book-sets.ts'
import { invalid } from '../errors.ts'
import { readFilters } from './filters.ts'

/** The value that stands for the account's own sportsbooks. */
export const mine = 'mine'

export interface ChosenBooks {
  /**
   * Returns the scope chosen by a request; the same object for the same choice.
   * @throws ApiError invalid_filter, tier_restricted; validation_error if the account has no sportsbooks of its own
   */
  scopeOf: RequestScopes['among']
}

export interface ChosenBooksParts {
  readonly sets: Pick<BookSetViews, 'of'>
  readonly profileOf: (accountId: string) => ProfileRow
}

/** Most choices cached for each scope. */
const mostChoices = 500

export function createChosenBooks({ sets, profileOf }: ChosenBooksParts): ChosenBooks {
  const chosen = new WeakMap<Scope, Map<string, Scope>>()

  function create(scope: Scope, choice: string, named: readonly string[], profile: ProfileRow) {
    const { then, delaySeconds, isOwner } = scope
    const sportsbooks = new Set(named.filter((sportsbook) => seesSportsbook(scope, sportsbook)))
    // Delayed boards and boards of the past have no opportunities.
    const hasSets = !then && delaySeconds === 0
    const fees = feesOf(profile, scope.opportunities.fees)
    const set = hasSets ? sets.of({ sportsbooks, fees, isOwners: isOwner }) : null
    return {
      ...scope,
      name: `${scope.name} ${choice}`,
      asked: `${scope.asked} ${choice}`,
      among: { named, sportsbooks, set },
      opportunities: set ?? scope.opportunities,
    }
  }

  /** Returns the named sportsbooks that the tier includes. */
  function namedBy(scope: Scope, books: readonly string[], profile: ProfileRow) {
    const others = books.filter((book) => book !== mine)
    const own = books.includes(mine) ? booksOf(profile) : []
    if (books.includes(mine) && own.length === 0) {
      throw invalid(
        ['books'],
        'books=mine: the account names no sportsbooks of its own; PATCH /api/v1/account/profile.',
      )
    }
    const { named = [] } = others.length > 0 ? readFilters({ sportsbook: others }, scope) : {}
    const included = own.filter((sportsbook) => outsideTier(scope.tier, [sportsbook]) === undefined)
    return [...new Set([...included, ...(named as readonly string[])])].sort()
  }

  return {
    scopeOf(scope, books, caller) {
      if (!books) return scope
      const isOwn = books.includes(mine) && caller
      const profile = isOwn ? profileOf(caller.accountId) : emptyProfile('')
      const named = namedBy(scope, books, profile)
      const choice = ['among', named, profile.accountId, profile.revision].join(' ')
      let ofScope = chosen.get(scope)
      if (!ofScope) {
        ofScope = new Map()
        chosen.set(scope, ofScope)
      }
      const known = ofScope.get(choice) ?? create(scope, choice, named, profile)
      // The map is ordered by last use.
      ofScope.delete(choice)
      ofScope.set(choice, known)
      if (ofScope.size > mostChoices) ofScope.delete(ofScope.keys().next().value!)
      known.among?.set?.askedBy(caller?.accountId ?? '')
      return known
    },
  }
}
