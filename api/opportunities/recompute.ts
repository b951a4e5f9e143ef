/**
 * Computes opportunities on request from the current board, with the same processor: +EV by other sharp books than
 * the operator's, or by another method. The table has those of the operator's sharp books.
 */

import { opportunities } from '../../pipeline/processors/opportunities/opportunities.ts'
import { allBooksOf, type Chains, haveConsensus } from '../../pipeline/rules/odds/chains.ts'
import { eventListKey } from '../../pipeline/views/board/board-index.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { type DevigMethod, measureBy } from '../../schemas/fair-measure.ts'
import type { OpportunityKind, OpportunityRow } from '../../schemas/opportunity.ts'
import { sightingKey } from '../../schemas/sighting.ts'
import { topics } from '../../schemas/topics.ts'
import type { Scope } from '../access/scope.ts'
import { ApiError } from '../errors.ts'
import { pricedRowAt } from '../priced-rows.ts'

/** More prices than this take too long for one request. */
const mostPrices = 20_000

/**
 * Returns the rows of a kind, measured by these alone.
 * @param chain of each game
 * @param method of removing their margin
 * @param isOfEvent whether an event is included
 * @throws ApiError validation_error if these events have too many prices
 */
export function rowsMeasuredBy(
  chain: Chains,
  method: DevigMethod,
  kind: OpportunityKind,
  scope: Scope,
  isOfEvent: (event: ViewEvent) => boolean,
  now: number,
): readonly OpportunityRow[] {
  const { board } = scope
  const lists = haveConsensus(chain) ? [eventListKey.all] : allBooksOf(chain).map(eventListKey.book)
  const events = [...new Set(lists.flatMap((key) => board.events(key)))].filter(isOfEvent)
  const prices = events.reduce((sum, { rowCount }) => sum + rowCount, 0)
  if (prices > mostPrices) {
    throw new ApiError(
      'validation_error',
      // The message leaves out the number, which would count prices that the tier does not see.
      `Measuring anew on more than ${mostPrices} prices takes too long; name an event, a league or a sport.`,
      { parameters: ['devig_book', 'devig_books', 'devig_method'] },
    )
  }
  return detect(scope, events, chain, method, now).filter((row) => row.kind === kind)
}

/** Returns the rows of all kinds. */
function detect(
  { board, opportunities: table, sources }: Scope,
  events: readonly ViewEvent[],
  chain: Chains,
  method: DevigMethod,
  now: number,
): OpportunityRow[] {
  const state = opportunities(chain, table.fees, false, board.references, measureBy(method)).create(
    new Map(),
  )
  const change = (topic: { readonly name: string }, key: string, value: object) =>
    state.change({ topic: topic as never, partitionKey: 0, key, value })
  for (const sportsbook of new Set([...sources.down, ...sources.ownersOnly])) {
    const status = sources.down.has(sportsbook) ? 'down' : 'up'
    const audience = sources.ownersOnly.has(sportsbook) ? 'owner' : 'all'
    change(topics.sportsbookStatus, sportsbook, { sportsbook, status, since: 0, audience })
  }
  for (const event of events) {
    change(topics.events, event.id, event.row)
    const live = new Set<string>()
    for (const { rows, count } of event.blocks) {
      for (let at = 0; at < count; at++) {
        const priced = pricedRowAt(board, rows[at]!)
        change(topics.odds, String(priced.id), priced)
        if (priced.isLive) live.add(priced.sportsbook)
      }
    }
    for (const { sportsbook, lastSeenAt } of event.offers.values()) {
      const isLive = live.has(sportsbook)
      const sighting = { eventId: event.id, sportsbook, lastSeenAt, isLive, hasGivenPrices: true }
      change(topics.sightings, sightingKey(event.id, sportsbook), sighting)
    }
  }
  state.observe({
    topic: topics.feedOdds as never,
    partition: 0,
    offset: 0,
    key: 'tick',
    value: { type: 'tick', observedAt: now },
  })
  return state.flush().flatMap(({ topic, value }) => {
    const row = value as OpportunityRow | null
    return topic.name === topics.opportunities.name && row ? [row] : []
  })
}
