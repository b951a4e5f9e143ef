/** The US state of deep links: that of the request, else that of the caller's profile. */

import type { QueryShape } from '../../schemas/http/query.ts'
import { usStates } from '../../schemas/reference/us-states.ts'

/** Returns whether a route takes the US state of its links. Other routes have other parameters of that name. */
export const takesLinkState = ({ state }: QueryShape): boolean => state?.meta()?.enum === usStates

/**
 * Returns the query with the profile's state added if it has none, for a route that takes one.
 * @param own the state of the caller's profile, lower case; null without one
 */
export const withLinkState = <Query extends object>(query: Query, own: string | null): Query =>
  own === null || (query as { readonly state?: string }).state !== undefined
    ? query
    : { ...query, state: own }
