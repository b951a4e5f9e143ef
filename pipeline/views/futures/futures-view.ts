/**
 * The tables of futures in memory: markets by id, each with the offers of its sportsbooks. Written
 * only by the changelogs. A market is listed while at least one sportsbook offers it.
 */

import {
  type FuturePrice,
  type FutureRow,
  type FutureSighting,
  futureKey,
} from '../../../schemas/future.ts'
import { topics } from '../../../schemas/topics.ts'
import { selectionKey } from '../../rules/odds/futures.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { readTables, type TableView, takeRows } from '../table.ts'

/** The offer of one sportsbook on a market. */
export interface FutureOffer {
  readonly row: FutureRow
  /** The keys of the selections, in the order of `row.prices`. Equal keys at two sportsbooks are the same selection. */
  readonly keys: readonly string[]
  /** Epoch ms. */
  readonly lastSeenAt: number
}

export interface FutureMarket {
  readonly id: string
  /** Offers by sportsbook; never empty. */
  readonly offers: ReadonlyMap<string, FutureOffer>
}

export interface FuturesView extends TableView {
  /** Returns the markets, sorted by id. */
  markets(): readonly FutureMarket[]
  find(id: string): FutureMarket | undefined
  /** Returns the price with an id, and the offer that has it. */
  findPrice(id: number): { readonly offer: FutureOffer; readonly price: FuturePrice } | undefined
  /** All sportsbooks seen since the process started. */
  readonly sportsbooks: ReadonlySet<string>
  /** A number that increases with every change. */
  readonly version: number
}

interface Market extends FutureMarket {
  readonly offers: Map<string, FutureOffer>
}

export function createFuturesView(): FuturesView {
  const markets = new Map<string, Market>()
  const seenAt = new Map<string, number>()
  /** The row of each price, by price id. */
  const rowByPrice = new Map<number, FutureRow>()
  const sportsbooks = new Set<string>()
  let inOrder: readonly FutureMarket[] | null = null
  let version = 0

  function remove(marketId: string, sportsbook: string) {
    const market = markets.get(marketId)
    const offer = market?.offers.get(sportsbook)
    if (!market || !offer) return
    for (const { id } of offer.row.prices) rowByPrice.delete(id)
    market.offers.delete(sportsbook)
    if (market.offers.size > 0) return
    markets.delete(marketId)
    inOrder = null
  }

  function add(row: FutureRow) {
    const { marketId, sportsbook, prices } = row
    sportsbooks.add(sportsbook)
    let market = markets.get(marketId)
    if (!market) {
      market = { id: marketId, offers: new Map() }
      markets.set(marketId, market)
      inOrder = null
    }
    const keys = prices.map(({ selection }) => selectionKey(selection, row, sportsbook))
    const lastSeenAt = seenAt.get(futureKey(marketId, sportsbook)) ?? row.observedAt
    market.offers.set(sportsbook, { row, keys, lastSeenAt })
    for (const { id } of prices) rowByPrice.set(id, row)
  }

  function see({ marketId, sportsbook, lastSeenAt }: FutureSighting) {
    seenAt.set(futureKey(marketId, sportsbook), lastSeenAt)
    const offers = markets.get(marketId)?.offers
    const offer = offers?.get(sportsbook)
    if (offer) offers?.set(sportsbook, { ...offer, lastSeenAt })
  }

  return {
    ...readTables(
      takeRows(topics.futures, (row, key) => {
        version++
        const split = key.lastIndexOf('|')
        remove(key.slice(0, split), key.slice(split + 1))
        if (row) add(row)
      }),
      takeRows(topics.futureSightings, (sighting, key) => {
        version++
        if (sighting) see(sighting)
        else seenAt.delete(key)
      }),
    ),
    reset() {
      markets.clear()
      seenAt.clear()
      rowByPrice.clear()
      inOrder = null
      version++
    },
    markets() {
      inOrder ??= [...markets.values()].sort((a, b) => compareTexts(a.id, b.id))
      return inOrder
    },
    find: (id) => markets.get(id),
    findPrice(id) {
      const row = rowByPrice.get(id)
      const offer = row && markets.get(row.marketId)?.offers.get(row.sportsbook)
      const price = offer?.row.prices.find((one) => one.id === id)
      return offer && price && { offer, price }
    },
    sportsbooks,
    get version() {
      return version
    },
  }
}
