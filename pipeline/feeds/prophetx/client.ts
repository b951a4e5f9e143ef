/**
 * Polls ProphetX's Market Data API with the key it issues: the events of a tournament, then the
 * markets of up to fifty of them at a time. All of an event's markets come in one answer, so the
 * records are snapshots.
 */

import type { Feed } from '../feed.ts'
import { FetchError, type HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { parseEventsAnswer, parseMarketsAnswer, parseProphetX } from './parse.ts'

export interface ProphetXSettings {
  /** Default `https://cash.api.prophetx.co/partner`. */
  readonly baseUrl?: string
  readonly apiKey: string
  /** Their ids, as `/affiliate/get_tournaments` lists them. */
  readonly tournaments: readonly number[]
  /** Default 15 s. */
  readonly intervalMs?: number
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (tournament: number, error: unknown) => void
}

const eventsPerRequest = 50

export function createProphetXFeed(settings: ProphetXSettings): Feed {
  const {
    baseUrl = 'https://cash.api.prophetx.co/partner',
    apiKey,
    tournaments,
    intervalMs = 15_000,
    http,
    ...polling
  } = settings
  return createPollingFeed<number>({
    ...polling,
    name: 'prophetx',
    sportsbooks: ['prophetx'],
    targets: tournaments,
    intervalMs,
    // The key alone, without a scheme before it.
    http: { ...http, headers: { ...http?.headers, authorization: apiKey } },
    openReader: () =>
      async function* read(tournament, get) {
        const answer = await get(
          `${baseUrl}/affiliate/get_sport_events?tournament_id=${tournament}`,
        )
        const listed = parseEventsAnswer(answer.body)
        if (!listed) throw new FetchError('malformed', `events of ${tournament}`)
        const markets = new Map<string, unknown[]>()
        let { receivedAt } = answer
        for (let from = 0; from < listed.ids.length; from += eventsPerRequest) {
          const query = new URLSearchParams(
            listed.ids
              .slice(from, from + eventsPerRequest)
              .map((id): [string, string] => ['event_ids', id]),
          )
          const page = await get(`${baseUrl}/v4/affiliate/get_multiple_markets?${query}`)
          const read = parseMarketsAnswer(page.body)
          if (!read) throw new FetchError('malformed', `markets of ${tournament}`)
          for (const [event, ofEvent] of read) markets.set(event, ofEvent)
          receivedAt = page.receivedAt
        }
        yield parseProphetX({ events: listed.events, markets }, { receivedAt })
      },
  })
}
