/** Says why a page of prices is empty (interface supplement 3.12). */

import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { EventStatus } from '../../schemas/feed-record.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { offersOf } from './events.ts'

/** Returns the event's status if no sportsbook of the scope has prices on it, else undefined. */
export const statusWithoutPrices = (event: ViewEvent, scope: Scope): EventStatus | undefined =>
  offersOf(event, scope).length === 0 ? event.row.status : undefined

/** Returns the `meta.store` of an empty page. @param status see `statusWithoutPrices`, if one event was requested */
export function storeState(scope: Scope, status: EventStatus | undefined) {
  const hasPrices = scope.board
    .sportsbooksWithRows()
    .some((sportsbook) => seesSportsbook(scope, sportsbook))
  return {
    ready: true,
    reason: hasPrices ? 'no_match' : 'store_empty',
    ...(status && { event_status: status }),
  }
}
