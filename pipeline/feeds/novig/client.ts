/**
 * Polls Novig with the client credentials it issues: the open games of a league, then the markets of
 * several of them at once with their books. All of an event's markets come in one answer, so the
 * records are snapshots.
 */

import type { Feed } from '../feed.ts'
import { FetchError, type HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { createSession } from '../session.ts'
import { parseEventsPage, parseNovig } from './parse.ts'

export interface NovigSettings {
  /** Default `https://api.novig.us`. */
  readonly baseUrl?: string
  readonly clientId: string
  readonly clientSecret: string
  /** As they have them: `NFL`, `NBA`. */
  readonly leagues: readonly string[]
  /** Default 10 s. */
  readonly intervalMs?: number
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (league: string, error: unknown) => void
}

const statuses = ['OPEN_PREGAME', 'OPEN_INGAME']
const eventsPerPage = 100
const eventsPerRequest = 20
/** A league has fewer; pages that are always full are none. */
const mostPages = 50
/** A token expires after thirty minutes. */
const lifetimeMs = 25 * 60_000

export function createNovigFeed(settings: NovigSettings): Feed {
  const {
    baseUrl = 'https://api.novig.us',
    clientId,
    clientSecret,
    leagues,
    intervalMs = 10_000,
    ...polling
  } = settings
  const loggedIn = createSession({
    lifetimeMs,
    headers: (token) => ({ authorization: `Bearer ${token}` }),
    async login(get) {
      const answer = await get(`${baseUrl}/nbx/v1/auth/emm-token`, {
        body: {
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: clientSecret,
        },
      })
      const token = (Object(answer.body) as { access_token?: unknown }).access_token
      if (typeof token !== 'string' || token === '') throw new FetchError('malformed', 'token')
      return token
    },
  })
  return createPollingFeed<string>({
    ...polling,
    name: 'novig',
    sportsbooks: ['novig'],
    targets: leagues,
    intervalMs,
    openReader: () =>
      async function* read(league, plainGet) {
        const get = loggedIn(plainGet)
        const events: unknown[] = []
        const ids: string[] = []
        let receivedAt = 0
        for (const status of statuses) {
          for (let page = 0; ; page++) {
            if (page === mostPages) throw new FetchError('malformed', `events of ${league}: no end`)
            const query = new URLSearchParams({
              league,
              type: 'Game',
              status,
              limit: String(eventsPerPage),
              offset: String(page * eventsPerPage),
            })
            const answer = await get(`${baseUrl}/nbx/v2/emm/events?${query}`)
            const read = parseEventsPage(answer.body)
            if (!read) throw new FetchError('malformed', `events of ${league}`)
            events.push(...read.events)
            ids.push(...read.ids)
            receivedAt = answer.receivedAt
            if (read.events.length < eventsPerPage) break
          }
        }
        const markets: unknown[] = []
        for (let from = 0; from < ids.length; from += eventsPerRequest) {
          const eventIds = ids.slice(from, from + eventsPerRequest)
          const answer = await get(`${baseUrl}/nbx/v2/emm/events/getMarketsByEvents`, {
            body: { eventIds, currency: 'CASH' },
          })
          if (!Array.isArray(answer.body)) throw new FetchError('malformed', `markets of ${league}`)
          markets.push(...answer.body)
          receivedAt = answer.receivedAt
        }
        yield parseNovig({ events, markets }, { receivedAt })
      },
  })
}
