/**
 * Computes +EV on request from the current board, with the pipeline's own detector: by other sharp
 * books than the operator's, or by another method. The table has only +EV by the operator's sharp
 * books.
 */

import { pushAll } from '../../pipeline/memory/push-all.ts'
import type { PricedRow, SeenOffer } from '../../pipeline/processors/opportunities/price-lines.ts'
import {
  type PricedGame,
  type ValueMeasure,
  valuesAnew,
} from '../../pipeline/processors/opportunities/values-anew.ts'
import {
  allBooksOf,
  booksOf,
  type Chains,
  chainOf,
  haveConsensus,
} from '../../pipeline/rules/odds/chains.ts'
import { consensus } from '../../pipeline/rules/odds/sharp-books.ts'
import { eventListKey } from '../../pipeline/views/board/board-index.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { EventBlock, ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { type DevigMethod, measureBy } from '../../schemas/fair-measure.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { ApiError } from '../errors.ts'
import { pricedRowAt } from '../priced-rows.ts'
import type { NamedPart, OtherRows } from './kind.ts'

/** Measuring so many prices takes some seconds, in steps. */
const mostPrices = 1_500_000

/** Prices measured in one step, before other work runs: some milliseconds. The games of a step are whole. */
const pricesAtOnce = 2_000
/** Prices of games that are looked at in one step, to see which have to be measured. */
const lookedAtOnce = 40_000

/**
 * Computes at least the +EV that is within `part`, measured by `chain` alone.
 * @param chain the sharp books of each game
 * @param method the method of removing their margin
 * @param now decides which prices are too old (epoch ms)
 * @throws ApiError validation_error if too many prices have to be measured
 */
export function* rowsMeasuredBy(
  chain: Chains,
  method: DevigMethod,
  { board, opportunities: table, sources }: Scope,
  part: NamedPart,
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
  let looked = 0
  const ids = yield* measuredEvents(chain, board, part)
  for (const id of ids) {
    const event = board.find(id)
    const blocks = event && measuredBlocks(event, chain, board, part)
    looked += event?.rowCount ?? 0
    if (blocks && blocks.size > 0) {
      games.push(pricedGame(event, blocks, board))
      priceCount += countPrices(blocks)
    }
    if (priceCount < pricesAtOnce && looked < lookedAtOnce) continue
    pushAll(rows, valuesAnew(games, sources, by, now))
    games = []
    priceCount = looked = 0
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
function* measuredEvents(
  chain: Chains,
  board: BoardView,
  part: NamedPart,
): Generator<void, ReadonlySet<string>> {
  const lists = haveConsensus(chain) ? [eventListKey.all] : allBooksOf(chain).map(eventListKey.book)
  const events = new Set(lists.flatMap((list) => board.events(list)).filter(part.isOfEvent))
  const ids = new Set([...events].map(({ id }) => id))
  const all = [...events].reduce((sum, { rowCount }) => sum + rowCount, 0)
  if (all <= mostPrices) return ids
  let priceCount = 0
  let looked = 0
  for (const event of events) {
    priceCount += countPrices(measuredBlocks(event, chain, board, part))
    if (priceCount > mostPrices) throw tooMuch(`Measuring anew more than ${mostPrices} prices`)
    looked += event.rowCount
    if (looked < lookedAtOnce) continue
    looked = 0
    yield
  }
  return ids
}

/** The message leaves out the number, which would count prices that the tier does not see. */
export const tooMuch = (what: string) =>
  new ApiError(
    'validation_error',
    `${what} takes too long; name an event, a league, a sport, a market or a sportsbook.`,
    { parameters: ['devig_book', 'devig_books', 'devig_method'] },
  )

const countPrices = (blocks: ReadonlySet<EventBlock>) => {
  let priceCount = 0
  for (const { count } of blocks) priceCount += count
  return priceCount
}

/**
 * Returns the markets of an event that may have +EV of the part: those with prices of a measuring sportsbook and of
 * one that may be bet at. A line is judged by the prices of its market alone.
 */
function measuredBlocks(
  event: ViewEvent,
  chains: Chains,
  { rows }: BoardView,
  { markets, sportsbooks }: NamedPart,
): ReadonlySet<EventBlock> {
  const chain = chainOf(chains, event.row)
  let blocks = new Set(event.blocks)
  if (markets) {
    for (const block of blocks) if (!markets.has(block.marketType)) blocks.delete(block)
  }
  const keepThoseOf = (books: Iterable<string>) => {
    if (blocks.size === 0) return
    const some = new Set<EventBlock>()
    for (const book of books) {
      const offer = event.offers.get(book)
      if (!offer) continue
      for (let row = offer.head; row >= 0; row = rows.next(row)) some.add(rows.block(row))
    }
    blocks = new Set([...blocks].filter((block) => some.has(block)))
  }
  if (sportsbooks) keepThoseOf(sportsbooks)
  if (!chain.includes(consensus)) keepThoseOf(booksOf(chain))
  return blocks
}

function pricedGame(
  event: ViewEvent,
  blocks: ReadonlySet<EventBlock>,
  board: BoardView,
): PricedGame {
  const prices: PricedRow[] = []
  for (const { rows, count } of blocks) {
    for (let at = 0; at < count; at++) prices.push(pricedRowAt(board, rows[at]!))
  }
  const live = liveBooks(event, board)
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

/** Returns the sportsbooks that have a price in play, in any market. */
function liveBooks({ offers, liveRowCount }: ViewEvent, { rows }: BoardView): ReadonlySet<string> {
  const live = new Set<string>()
  if (liveRowCount === 0) return live
  for (const { sportsbook, head } of offers.values()) {
    for (let row = head; row >= 0; row = rows.next(row)) {
      if (!rows.isLive(row)) continue
      live.add(sportsbook)
      break
    }
  }
  return live
}
