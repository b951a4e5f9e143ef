/**
 * Polls Kalshi's market data, which needs no key: for each league the open events of its series, with markets and
 * milestones, page by page, and whether the exchange takes orders. All series of a league together
 * have all offers on its games, so the records are snapshots. If one series fails, the league waits
 * for the next round.
 *
 * If only the call for the status fails, the last one counts for a minute, the age up to which a
 * price in play may be used. After that, all contracts are suspended until it answers.
 */

import { z } from 'zod'
import { pushAll } from '../../memory/push-all.ts'
import { usableMs } from '../../rules/odds/freshness.ts'
import { readPages } from '../kit/ask.ts'
import { FetchError } from '../kit/http-source.ts'
import { definePolledSource, names } from '../kit/source.ts'
import { eventsPage, exchangeStatus, type Kind, kinds, parseKalshi, seriesOf } from './parse.ts'

const usualKinds: readonly Kind[] = ['GAME', 'SPREAD', 'TOTAL']

export const kalshi = definePolledSource({
  name: 'kalshi',
  isOfficial: true,
  settings: {
    leagues: names.describe(
      'Leagues by their names in series: `NBA` of `KXNBAGAME`, `EPL` of `KXEPLSPREAD`.',
    ),
    kinds: z
      .array(z.enum(kinds))
      .min(1)
      .optional()
      .describe(
        'Series that are read of a league: `GAME`, `MATCH` (its name in some sports), `SPREAD`, `TOTAL`, and `BTTS` of soccer. Default `GAME`, `SPREAD`, `TOTAL`.',
      ),
    orderBooks: z
      .boolean()
      .optional()
      .describe(
        'Whether the book of each open market is read, for markets that state no sizes. Default no.',
      ),
  },
  /** This host serves all categories. */
  baseUrl: 'https://api.elections.kalshi.com',
  intervalMs: 15_000,
  targets: ({ leagues }) => leagues,
  read({ baseUrl, kinds: read = usualKinds, orderBooks = false }) {
    const api = `${baseUrl}/trade-api/v2`
    /** Whether the exchange took orders at its last answer, and when that was (epoch ms). */
    let status: { readonly isTrading: boolean; readonly at: number } | null = null
    return {
      async gather(league, ask, askList) {
        const events: unknown[] = []
        const milestones: unknown[] = []
        for (const kind of read) {
          const series_ticker = seriesOf(league, kind)
          const filter = { status: 'open', with_nested_markets: 'true', with_milestones: 'true' }
          const pages = await readPages(
            `events of ${series_ticker}`,
            (cursor: string | null) => {
              const from = cursor === null ? {} : { cursor }
              const query = new URLSearchParams({ series_ticker, ...filter, limit: '200', ...from })
              return ask(`${api}/events?${query}`, eventsPage)
            },
            ({ cursor }) => cursor || null,
          )
          for (const page of pages) {
            pushAll(events, page.events)
            pushAll(milestones, page.milestones ?? [])
          }
        }
        const books = new Map<string, unknown>()
        for (const ticker of orderBooks ? tickersOf(events) : []) {
          const address = `${api}/markets/${encodeURIComponent(ticker)}/orderbook`
          books.set(ticker, await ask(address, z.unknown()))
        }
        // After the quotes: a pause that began while they were read counts. The quotes wait for it,
        // so it is asked for once.
        const answer = await askList(`${api}/exchange/status`, exchangeStatus, {
          retries: 0,
        }).catch(fetchError)
        return (receivedAt) => {
          if (!(answer instanceof FetchError)) {
            const isTrading = answer.exchange_active && answer.trading_active
            status = { isTrading, at: receivedAt }
          }
          const isKnown = status !== null && receivedAt - status.at <= usableMs(true)
          const isTrading = isKnown && status?.isTrading === true
          const offered = { events, milestones, books, isTrading }
          const parsed = parseKalshi(offered, { league, receivedAt })
          return answer instanceof FetchError ? { ...parsed, failure: answer } : parsed
        }
      },
    }
  },
})

/** @throws an error that is no failed call */
function fetchError(error: unknown): FetchError {
  if (error instanceof FetchError) return error
  throw error
}

const tickers = z.object({ markets: z.array(z.unknown()) })
const ticker = z.object({ ticker: z.string() })

const tickersOf = (events: readonly unknown[]) =>
  events
    .flatMap((event) => tickers.safeParse(event).data?.markets ?? [])
    .flatMap((market) => ticker.safeParse(market).data?.ticker ?? [])
