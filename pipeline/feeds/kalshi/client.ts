/**
 * Polls Kalshi's market data, which needs no key: for each league the open events of its series, with
 * markets and milestones, page by page. All series of a league together are what is offered on its
 * games, so the records are snapshots, and a league of which one series fails waits for the next round.
 */

import type { Feed } from '../feed.ts'
import { FetchError, type GetJson, type HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { parseEventsPage, parseKalshi } from './parse.ts'

export interface KalshiSettings {
  /** Default `https://api.elections.kalshi.com`, which serves all categories. */
  readonly baseUrl?: string
  /** As their series have them: `NBA` of `KXNBAGAME`, `EPL` of `KXEPLSPREAD`. */
  readonly leagues: readonly string[]
  /** What is asked of a league. Default `['GAME', 'SPREAD', 'TOTAL']`; soccer also has `BTTS`. */
  readonly kinds?: readonly string[]
  /** Whether the book of every open market is asked for, for those that state no sizes. Default false. */
  readonly orderBooks?: boolean
  /** Default 15 s. */
  readonly intervalMs?: number
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (league: string, error: unknown) => void
}

/** A series has fewer; a cursor that never ends is none. */
const mostPages = 50

export function createKalshiFeed(settings: KalshiSettings): Feed {
  const {
    baseUrl = 'https://api.elections.kalshi.com',
    leagues,
    kinds = ['GAME', 'SPREAD', 'TOTAL'],
    orderBooks = false,
    intervalMs = 15_000,
    ...polling
  } = settings
  const api = `${baseUrl}/trade-api/v2`

  async function readSeries(series: string, get: GetJson) {
    const events: unknown[] = []
    const milestones: unknown[] = []
    let cursor: string | null = null
    for (let page = 0; page < mostPages; page++) {
      const query = new URLSearchParams({
        series_ticker: series,
        status: 'open',
        with_nested_markets: 'true',
        with_milestones: 'true',
        limit: '200',
        ...(cursor !== null && { cursor }),
      })
      const { body, receivedAt } = await get(`${api}/events?${query}`)
      const read = parseEventsPage(body)
      if (!read) throw new FetchError('malformed', `events of ${series}`)
      events.push(...read.events)
      milestones.push(...read.milestones)
      cursor = read.cursor
      if (cursor === null) return { events, milestones, receivedAt }
    }
    throw new FetchError('malformed', `events of ${series}: more than ${mostPages} pages`)
  }

  return createPollingFeed<string>({
    ...polling,
    name: 'kalshi',
    sportsbooks: ['kalshi'],
    targets: leagues,
    intervalMs,
    openReader: () =>
      async function* read(league, get) {
        const events: unknown[] = []
        const milestones: unknown[] = []
        let receivedAt = 0
        for (const kind of kinds) {
          const series = await readSeries(`KX${league}${kind}`, get)
          events.push(...series.events)
          milestones.push(...series.milestones)
          receivedAt = series.receivedAt
        }
        const books = new Map<string, unknown>()
        for (const ticker of orderBooks ? tickersOf(events) : []) {
          const answer = await get(`${api}/markets/${encodeURIComponent(ticker)}/orderbook`)
          books.set(ticker, answer.body)
          receivedAt = answer.receivedAt
        }
        yield parseKalshi({ events, milestones, books }, { league, receivedAt })
      },
  })
}

function tickersOf(events: readonly unknown[]): string[] {
  return events.flatMap((event) => {
    const { markets } = Object(event) as { markets?: unknown }
    return (Array.isArray(markets) ? markets : []).flatMap((market) => {
      const { ticker } = Object(market) as { ticker?: unknown }
      return typeof ticker === 'string' ? [ticker] : []
    })
  })
}
