/**
 * Pinnacle's guest API as a feed: two calls per league and round. The answers carry no time, so
 * prices are as old as their arrival; a cache on the way can still hand out an answer that is older
 * than the one before, which the versions of its markets give away.
 */

import type { Feed, Parsed } from '../feed.ts'
import { FetchError, type GetJson, type HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { parseLeague, versionsOf } from './parse.ts'

export interface PinnacleConfig {
  /** League ids: 889 is the NFL. */
  readonly leagues: readonly number[]
  /** The guest key that the public site sends. */
  readonly apiKey: string
  /** Default 8 s. */
  readonly intervalMs?: number
  readonly baseUrl?: string
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (league: number, error: unknown) => void
}

export function createPinnacleFeed(config: PinnacleConfig): Feed {
  const { leagues, apiKey, intervalMs = 8_000 } = config
  const baseUrl = config.baseUrl ?? 'https://guest.api.arcadia.pinnacle.com'
  const headers = { accept: 'application/json', 'x-api-key': apiKey }
  const order = new Map(leagues.map((league) => [league, createAnswerOrder()]))

  async function* read(league: number, get: GetJson): AsyncGenerator<Parsed> {
    const matchups = await get(`${baseUrl}/0.1/leagues/${league}/matchups`, { headers })
    const markets = await get(`${baseUrl}/0.1/leagues/${league}/markets/straight`, { headers })
    if (order.get(league)?.isLate(versionsOf(markets.body))) {
      throw new FetchError('late_answer', `league ${league}`)
    }
    yield parseLeague(
      { matchups: matchups.body, markets: markets.body },
      { receivedAt: markets.receivedAt },
    )
  }

  return createPollingFeed({
    name: 'pinnacle',
    sportsbooks: ['pinnacle'],
    targets: leagues,
    intervalMs,
    openReader: () => read,
    ...(config.downAfterRounds !== undefined && { downAfterRounds: config.downAfterRounds }),
    ...(config.http && { http: config.http }),
    ...(config.onFailure && { onFailure: config.onFailure }),
  })
}

/**
 * Tells a late answer: a version in it is lower than the one we have. After three in a row the
 * source is believed, because then it has begun to count anew.
 */
export function createAnswerOrder() {
  let versions: ReadonlyMap<string, number> = new Map()
  let lateCount = 0
  return {
    isLate(next: ReadonlyMap<string, number>): boolean {
      const late = [...next].some(([key, version]) => version < (versions.get(key) ?? version))
      lateCount = late ? lateCount + 1 : 0
      if (late && lateCount <= 3) return true
      lateCount = 0
      versions = next
      return false
    },
  }
}
