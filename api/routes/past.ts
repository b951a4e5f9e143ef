/** `as_of` on the routes of the board: their responses as of a past time. */

import { asOf as asOfParameter } from '../../schemas/http/odds-query.ts'
import { findLeague, slugLeague } from '../../schemas/reference/leagues.ts'
import { findSport, slugSport } from '../../schemas/reference/sports.ts'
import { scopeOver } from '../access/scope.ts'
import { requireFeature } from '../access/tiers.ts'
import {
  archiveErrors,
  eventIdsNamed,
  historyFeature,
  mostEventIds,
} from '../ask/archive-questions.ts'
import { invalid } from '../errors.ts'
import type { PastBoards } from '../past-boards.ts'
import type { ReadRoute } from '../route.ts'

/** Extends a route to boards of the past. */
export const ofThePastToo =
  (boards: PastBoards, clock: () => number) =>
  (route: ReadRoute): ReadRoute => ({
    ...route,
    query: { ...route.query, as_of: asOfParameter },
    errors: [...new Set([...route.errors, 'tier_restricted' as const, ...archiveErrors])],
    scopeThen({ query, scope, caller, charged }) {
      const pastQuery = query as PastQuery
      if (pastQuery.as_of === undefined) return null
      requireFeature({ requires: historyFeature }, caller)
      const asOf = Math.max(0, Math.floor(pastQuery.as_of / 1_000))
      if (asOf > clock()) throw refused('as_of is in the future.')
      return boards
        .at({ at: asOf, ...narrowing(pastQuery) }, { caller, charged })
        .then(({ board, archivedUntil }) => scopeOver(scope, board, { asOf, archivedUntil }))
    },
  })

interface PastQuery {
  readonly as_of?: number
  readonly event?: readonly string[]
  readonly league?: readonly string[]
  readonly sport?: readonly string[]
}

const refused = (message: string) => invalid(['as_of'], message)

/** Returns the events to load. The route selects their prices. */
function narrowing({ event, league, sport }: PastQuery) {
  if (!event && !league && !sport) {
    throw refused('as_of needs one of event, league and sport beside it.')
  }
  const eventIds = event && eventIdsNamed(event)
  if (event && !eventIds) {
    throw refused(`as_of takes ${mostEventIds} events at most; an id without its end counts as 12.`)
  }
  return {
    eventIds,
    leagues: league?.map((name) => findLeague(name)?.id ?? slugLeague(name)),
    sports: sport?.map((name) => findSport(name)?.id ?? slugSport(name)),
  }
}
