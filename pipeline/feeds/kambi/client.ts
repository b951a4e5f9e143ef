/**
 * Kambi's offering as a feed of one operator. Each round lists the events of every path and asks
 * for their boards one by one, because only a board names all that is offered; games in
 * play are one call of their own, for their state and main price between two boards.
 */

import type { Feed, Parsed } from '../feed.ts'
import { FetchError, type GetJson, type HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { eventIdsOf, parseKambi, sportsbookByOperator } from './parse.ts'

export interface KambiConfig {
  /** Kambi's code of the operator: `ub`, `rsiusnj`. */
  readonly operator: string
  /** Our slug of the operator; needed for a code that `sportsbookByOperator` does not list. */
  readonly sportsbook?: string
  /** List view paths such as `baseball/mlb`. */
  readonly paths: readonly string[]
  /** Whether to ask for games in play as well. Default true. */
  readonly live?: boolean
  /** Default 10 s. */
  readonly intervalMs?: number
  readonly market?: string
  readonly baseUrl?: string
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (path: string, error: unknown) => void
}

const livePath = 'live'

export function createKambiFeed(config: KambiConfig): Feed {
  const { operator, paths, live = true, intervalMs = 10_000, market = 'GB' } = config
  const sportsbook = config.sportsbook ?? sportsbookByOperator[operator]
  if (sportsbook === undefined) {
    throw new RangeError(`Kambi operator ${operator} is not listed: name its sportsbook`)
  }
  const baseUrl = config.baseUrl ?? 'https://eu-offering-api.kambicdn.com'

  const urlOf = (path: string) => {
    const url = new URL(`/offering/v2018/${operator}/${path}.json`, baseUrl)
    url.search = new URLSearchParams({ lang: 'en_GB', market }).toString()
    return url
  }

  async function* read(path: string, get: GetJson): AsyncGenerator<Parsed> {
    if (path === livePath) {
      const { body, receivedAt } = await get(urlOf('event/live/open'))
      yield parseKambi(body, { sportsbook: sportsbook as string, receivedAt })
      return
    }
    const list = await get(urlOf(`listView/${path}/all/all/matches`))
    if (typeof list.body !== 'object' || list.body === null || !('events' in list.body)) {
      throw new FetchError('unexpected_answer', path)
    }
    const failures: unknown[] = []
    for (const id of eventIdsOf(list.body)) {
      try {
        const { body, receivedAt } = await get(urlOf(`betoffer/event/${id}`))
        yield parseKambi(body, { sportsbook: sportsbook as string, receivedAt })
      } catch (error) {
        // The others are read all the same; what this event offers is unknown until next round.
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  return createPollingFeed({
    name: 'kambi',
    sportsbooks: [sportsbook],
    targets: live ? [...paths, livePath] : paths,
    intervalMs,
    openReader: () => read,
    ...(config.downAfterRounds !== undefined && { downAfterRounds: config.downAfterRounds }),
    ...(config.http && { http: config.http }),
    ...(config.onFailure && { onFailure: config.onFailure }),
  })
}
