/**
 * Polls SX Bet, which needs no key: the active markets of a league, page by page, then the orders on
 * them. Both together are all that is offered, so the records are snapshots.
 */

import type { Feed } from '../feed.ts'
import { FetchError, type GetJson, type HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { parseMarketsPage, parseOrders, parseSxBet } from './parse.ts'

export interface SxBetSettings {
  /** Default `https://api.sx.bet`. */
  readonly baseUrl?: string
  /** Their league ids, as `/leagues/active` lists them. */
  readonly leagues: readonly number[]
  /** Whether only main lines are asked for. Default true: a league has hundreds of others. */
  readonly mainLinesOnly?: boolean
  /** Default 15 s. */
  readonly intervalMs?: number
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (league: number, error: unknown) => void
}

/** As many hashes fit into an address. */
const marketsPerRequest = 30
/** A league has fewer; a key that never ends is none. */
const mostPages = 50

export function createSxBetFeed(settings: SxBetSettings): Feed {
  const {
    baseUrl = 'https://api.sx.bet',
    leagues,
    mainLinesOnly = true,
    intervalMs = 15_000,
    ...polling
  } = settings

  async function readMarkets(leagueId: number, get: GetJson) {
    const markets: unknown[] = []
    const hashes: string[] = []
    let next: string | null = null
    for (let page = 0; page < mostPages; page++) {
      const query = new URLSearchParams({
        leagueId: String(leagueId),
        onlyMainLine: String(mainLinesOnly),
        pageSize: '50',
        ...(next !== null && { paginationKey: next }),
      })
      const { body, receivedAt } = await get(`${baseUrl}/markets/active?${query}`)
      const read = parseMarketsPage(body)
      if (!read) throw new FetchError('malformed', `markets of ${leagueId}`)
      markets.push(...read.markets)
      hashes.push(...read.hashes)
      next = read.nextKey
      if (next === null) return { markets, hashes, receivedAt }
    }
    throw new FetchError('malformed', `markets of ${leagueId}: more than ${mostPages} pages`)
  }

  return createPollingFeed<number>({
    ...polling,
    name: 'sx-bet',
    sportsbooks: ['sx_bet'],
    targets: leagues,
    intervalMs,
    openReader: () =>
      async function* read(leagueId, get) {
        const { markets, hashes, ...read } = await readMarkets(leagueId, get)
        const orders: unknown[] = []
        let { receivedAt } = read
        for (let from = 0; from < hashes.length; from += marketsPerRequest) {
          const asked = hashes.slice(from, from + marketsPerRequest).join(',')
          const answer = await get(`${baseUrl}/orders?marketHashes=${encodeURIComponent(asked)}`)
          const page = parseOrders(answer.body)
          if (!page) throw new FetchError('malformed', `orders of ${leagueId}`)
          orders.push(...page)
          receivedAt = answer.receivedAt
        }
        yield parseSxBet({ markets, orders }, { receivedAt })
      },
  })
}
