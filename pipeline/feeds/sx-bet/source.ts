/**
 * Polls SX Bet, which needs no key: the active markets of a league, page by page, then the orders on them. Both
 * together are all offers, so the records are snapshots.
 */

import { z } from 'zod'
import { pushAll } from '../../memory/push-all.ts'
import { inGroups, readPages } from '../kit/ask.ts'
import { definePolledSource, ids } from '../kit/source.ts'
import { hashesOf, marketsPage, ordersAnswer, parseSxBet } from './parse.ts'

/** The number of hashes that fit into an address. */
const marketsPerRequest = 30

export const sxBet = definePolledSource({
  name: 'sx-bet',
  isOfficial: true,
  settings: {
    leagues: ids.describe('Ids of leagues, as `/leagues/active` lists them.'),
    mainLinesOnly: z
      .boolean()
      .optional()
      .describe('Whether only main lines are read. Default yes: a league has hundreds of others.'),
  },
  baseUrl: 'https://api.sx.bet',
  intervalMs: 15_000,
  targets: ({ leagues }) => leagues,
  read: ({ baseUrl, mainLinesOnly = true }) => ({
    async gather(leagueId, ask, askList) {
      const pages = await readPages(
        `markets of ${leagueId}`,
        (paginationKey: string | null) => {
          const query = new URLSearchParams({
            leagueId: String(leagueId),
            onlyMainLine: String(mainLinesOnly),
            pageSize: '50',
            ...(paginationKey !== null && { paginationKey }),
          })
          return askList(`${baseUrl}/markets/active?${query}`, marketsPage)
        },
        ({ data: { nextKey } }) => nextKey || null,
      )
      const markets = pages.flatMap(({ data }) => data.markets)
      const orders: unknown[] = []
      for (const hashes of inGroups(hashesOf(markets), marketsPerRequest)) {
        const list = encodeURIComponent(hashes.join(','))
        pushAll(orders, (await ask(`${baseUrl}/orders?marketHashes=${list}`, ordersAnswer)).data)
      }
      return (receivedAt) => parseSxBet(markets, orders, receivedAt)
    },
  }),
})
