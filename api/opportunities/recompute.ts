/**
 * Computes +EV on request from the current board, with the pipeline's own detector: by other sharp
 * books than the operator's, or by another method. The table has only +EV by the operator's sharp
 * books.
 */

import { pushAll } from '../../pipeline/memory/push-all.ts'
import type { SeenOffer } from '../../pipeline/processors/opportunities/price-lines.ts'
import {
  type PricedGame,
  type ValueMeasure,
  valuesAnew,
} from '../../pipeline/processors/opportunities/values-anew.ts'
import { allBooksOf, type Chains, haveConsensus } from '../../pipeline/rules/odds/chains.ts'
import { eventListKey } from '../../pipeline/views/board/board-index.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { type DevigMethod, measureBy } from '../../schemas/fair-measure.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { ApiError } from '../errors.ts'
import { pricedRowAt } from '../priced-rows.ts'
import type { OtherRows } from './kind.ts'

/** More prices than this may have more +EV than one answer can sort. */
const mostPrices = 250_000

/** Prices measured in one step, before other work runs: some milliseconds. The games of a step are whole. */
const pricesAtOnce = 2_000

/**
 * Computes the +EV of the games that `isOfEvent` accepts, measured by `chain` alone.
 * @param chain the sharp books of each game
 * @param method the method of removing their margin
 * @param now decides which prices are too old (epoch ms)
 * @throws ApiError validation_error if these games have too many prices
 */
export function* rowsMeasuredBy(
  chain: Chains,
  method: DevigMethod,
  { board, opportunities: table, sources }: Scope,
  isOfEvent: (event: ViewEvent) => boolean,
  now: number,
): OtherRows {
  const by: ValueMeasure = {
    chain,
    fees: table.fees,
    references: board.references,
    method: measureBy(method),
  }
  const rows: OpportunityRow[] = []
  let games: PricedGame[] = []
  let priceCount = 0
  for (const id of measuredEvents(chain, board, isOfEvent)) {
    const event = board.find(id)
    if (!event) continue
    games.push(pricedGame(event, board))
    priceCount += event.rowCount
    if (priceCount < pricesAtOnce) continue
    pushAll(rows, valuesAnew(games, sources, by, now))
    games = []
    priceCount = 0
    yield
  }
  pushAll(rows, valuesAnew(games, sources, by, now))
  return rows
}

/** Runs the steps without a pause. Meant for few games. @returns the rows */
export function rowsAtOnce(steps: OtherRows): readonly OpportunityRow[] {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/**
 * Returns the ids of the games on which the chain may measure anything. @throws ApiError validation_error if they have
 * too many prices
 */
function measuredEvents(
  chain: Chains,
  board: BoardView,
  isOfEvent: (event: ViewEvent) => boolean,
): ReadonlySet<string> {
  const lists = haveConsensus(chain) ? [eventListKey.all] : allBooksOf(chain).map(eventListKey.book)
  const events = new Set(lists.flatMap((list) => board.events(list)).filter(isOfEvent))
  const priceCount = [...events].reduce((sum, { rowCount }) => sum + rowCount, 0)
  if (priceCount > mostPrices) {
    throw new ApiError(
      'validation_error',
      // The message leaves out the number, which would count prices that the tier does not see.
      `Measuring anew on more than ${mostPrices} prices takes too long; name an event, a league or a sport.`,
      { parameters: ['devig_book', 'devig_books', 'devig_method'] },
    )
  }
  return new Set([...events].map(({ id }) => id))
}

function pricedGame(event: ViewEvent, board: BoardView): PricedGame {
  const live = new Set<string>()
  const prices = event.blocks.flatMap(({ rows, count }) =>
    Array.from({ length: count }, (_, at) => {
      const price = pricedRowAt(board, rows[at]!)
      if (price.isLive) live.add(price.sportsbook)
      return price
    }),
  )
  const sightings = Array.from(
    event.offers.values(),
    ({ sportsbook, lastSeenAt }): SeenOffer => ({
      eventId: event.id,
      sportsbook,
      lastSeenAt,
      isLive: live.has(sportsbook),
      hasGivenPrices: true,
    }),
  )
  return { row: event.row, prices, sightings }
}
