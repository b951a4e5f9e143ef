/**
 * The Odds API as a feed: one call per sport and round, which costs credits by market and region.
 * Markets that only the per-event call has (player props) are asked for only when configured, and
 * are merged into the event before it is read, so that each record names all that a book offers.
 */

import type { Feed, Parsed } from '../feed.ts'
import type { GetJson, HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import {
  eventIdsOf,
  mergeEvents,
  type OddsFormat,
  type OddsOptions,
  parseOdds,
  parseScores,
} from './parse.ts'

/** Keys of who wins a competition, such as `golf_masters_tournament_winner`; they have one market. */
const outrightKey = /_winner$/
const outrights = ['outrights']

/** When the source last read a sportsbook's event, by both ids. */
type LastUpdates = Map<string, number>

export interface TheOddsApiConfig {
  readonly apiKey: string
  /** Keys such as `basketball_nba`. */
  readonly sports: readonly string[]
  /** Default `us`. */
  readonly regions?: readonly string[]
  /** Default `h2h`, `spreads`, `totals`. */
  readonly markets?: readonly string[]
  /** Markets of the per-event call, one call per event and round. Default none. */
  readonly eventMarkets?: readonly string[]
  /** Days back that scores are asked for; null (the default) asks for none. */
  readonly scoresDaysFrom?: number | null
  /** Default 60 s: the source itself refreshes upcoming games about that often. */
  readonly intervalMs?: number
  readonly oddsFormat?: OddsFormat
  readonly baseUrl?: string
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (sport: string, error: unknown) => void
}

export function createTheOddsApiFeed(config: TheOddsApiConfig): Feed {
  const {
    apiKey,
    sports,
    regions = ['us'],
    markets = ['h2h', 'spreads', 'totals'],
    eventMarkets = [],
    scoresDaysFrom = null,
    intervalMs = 60_000,
    oddsFormat = 'decimal',
    baseUrl = 'https://api.the-odds-api.com',
  } = config

  const urlOf = (path: string, query: Readonly<Record<string, string>>) => {
    const url = new URL(`/v4/sports/${path}`, baseUrl)
    url.search = new URLSearchParams({ apiKey, ...query }).toString()
    return url
  }
  const oddsQuery = (wanted: readonly string[]) => ({
    regions: regions.join(','),
    markets: wanted.join(','),
    oddsFormat,
    dateFormat: 'iso',
  })

  // Caches on the way may answer with less than they answered before.
  const lastRead = new Map<string, LastUpdates>()

  async function* read(sport: string, get: GetJson): AsyncGenerator<Parsed> {
    const before = lastRead.get(sport)
    const now: LastUpdates = new Map()
    const isOutdated = (eventId: string, bookmaker: string, updatedAt: number) => {
      const key = `${eventId}|${bookmaker}`
      const last = before?.get(key) ?? updatedAt
      now.set(key, Math.max(last, updatedAt))
      return updatedAt < last
    }
    const path = encodeURIComponent(sport)
    const isOutright = outrightKey.test(sport)
    const listed = await get(urlOf(`${path}/odds`, oddsQuery(isOutright ? outrights : markets)))
    if (isOutright || eventMarkets.length === 0 || !Array.isArray(listed.body)) {
      yield parseOdds(listed.body, { oddsFormat, receivedAt: listed.receivedAt, isOutdated })
    } else {
      yield* readEvents(path, listed.body, listed.receivedAt, isOutdated, get)
    }
    lastRead.set(sport, now)
    if (scoresDaysFrom !== null) {
      const scores = await get(urlOf(`${path}/scores`, { daysFrom: String(scoresDaysFrom) }))
      yield parseScores(scores.body, { receivedAt: scores.receivedAt })
    }
  }

  async function* readEvents(
    path: string,
    listed: readonly unknown[],
    receivedAt: number,
    isOutdated: NonNullable<OddsOptions['isOutdated']>,
    get: GetJson,
  ) {
    const failures: unknown[] = []
    for (const event of listed) {
      const [id] = eventIdsOf([event])
      if (id === undefined) {
        yield parseOdds([event], { oddsFormat, receivedAt, isOutdated })
        continue
      }
      try {
        const own = await get(
          urlOf(`${path}/events/${encodeURIComponent(id)}/odds`, oddsQuery(eventMarkets)),
        )
        const merged = mergeEvents(event, own.body)
        yield parseOdds([merged], { oddsFormat, receivedAt: own.receivedAt, isOutdated })
      } catch (error) {
        // Without its props the event would look withdrawn in part: it waits for the next round.
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  return createPollingFeed({
    name: 'the-odds-api',
    sportsbooks: [],
    targets: sports,
    intervalMs,
    read,
    ...(config.downAfterRounds !== undefined && { downAfterRounds: config.downAfterRounds }),
    ...(config.http && { http: config.http }),
    ...(config.onFailure && { onFailure: config.onFailure }),
  })
}
