/**
 * Polls Matchbook with an account's session: the open events of a sport with all of their markets and
 * prices, page by page, so the records are snapshots.
 */

import type { Feed } from '../feed.ts'
import { FetchError, type HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { createSession } from '../session.ts'
import { parseEventsPage, parseMatchbook } from './parse.ts'

export interface MatchbookSettings {
  /** Default `https://api.matchbook.com`. */
  readonly baseUrl?: string
  readonly username: string
  readonly password: string
  /** Their sport ids, as `/edge/rest/lookups/sports` lists them: 15 is soccer. */
  readonly sports: readonly number[]
  /** Default 10 s. */
  readonly intervalMs?: number
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (sport: number, error: unknown) => void
}

const eventsPerPage = 100
/** A sport has fewer; a total that never comes is none. */
const mostPages = 50
/** A session is good for about six hours. */
const lifetimeMs = 5 * 3_600_000

export function createMatchbookFeed(settings: MatchbookSettings): Feed {
  const {
    baseUrl = 'https://api.matchbook.com',
    username,
    password,
    sports,
    intervalMs = 10_000,
    ...polling
  } = settings
  const loggedIn = createSession({
    lifetimeMs,
    headers: (token) => ({ 'session-token': token }),
    async login(get) {
      const answer = await get(`${baseUrl}/bpapi/rest/security/session`, {
        body: { username, password },
      })
      const token = (Object(answer.body) as { 'session-token'?: unknown })['session-token']
      if (typeof token !== 'string' || token === '') throw new FetchError('malformed', 'session')
      return token
    },
  })
  return createPollingFeed<number>({
    ...polling,
    name: 'matchbook',
    sportsbooks: ['matchbook'],
    targets: sports,
    intervalMs,
    openReader: () =>
      async function* read(sport, plainGet) {
        const get = loggedIn(plainGet)
        const events: unknown[] = []
        for (let page = 0; page < mostPages; page++) {
          const query = new URLSearchParams({
            'sport-ids': String(sport),
            states: 'open,suspended',
            'exchange-type': 'back-lay',
            'odds-type': 'DECIMAL',
            'include-prices': 'true',
            'price-depth': '1',
            offset: String(page * eventsPerPage),
            'per-page': String(eventsPerPage),
          })
          const { body, receivedAt } = await get(`${baseUrl}/edge/rest/events?${query}`)
          const read = parseEventsPage(body)
          if (!read) throw new FetchError('malformed', `events of ${sport}`)
          events.push(...read.events)
          if (events.length < read.total && read.events.length > 0) continue
          yield parseMatchbook(events, { receivedAt })
          return
        }
        throw new FetchError('malformed', `events of ${sport}: more than ${mostPages} pages`)
      },
  })
}
