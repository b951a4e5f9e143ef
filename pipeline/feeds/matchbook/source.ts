/**
 * Polls Matchbook with an account's session: the open events of a sport with all of their markets and
 * prices, page by page, so the records are snapshots.
 */

import { z } from 'zod'
import { createAsk, readByPosition } from '../kit/ask.ts'
import { midBookOf, midSetting } from '../kit/exchange-mid.ts'
import { definePolledSource, ids, secret } from '../kit/source.ts'
import { eventsPage, parseMatchbook } from './parse.ts'

const eventsPerPage = 100

export const matchbook = definePolledSource({
  name: 'matchbook',
  isOfficial: true,
  settings: {
    username: z.string().min(1),
    password: secret,
    sports: ids.describe('Ids of sports, as `/edge/rest/lookups/sports` lists them: 15 is soccer.'),
    mid: midSetting('matchbook'),
  },
  baseUrl: 'https://api.matchbook.com',
  intervalMs: 10_000,
  sportsbooks: ({ mid }) => ['matchbook', ...(mid ? [midBookOf('matchbook')] : [])],
  measures: ({ mid }) => (mid ? [midBookOf('matchbook')] : []),
  session: ({ baseUrl, username, password }) => ({
    /** A session is valid for about six hours. */
    lifetimeMs: 5 * 3_600_000,
    headers: (token) => ({ 'session-token': token }),
    async login(get) {
      const body = { username, password }
      const url = `${baseUrl}/bpapi/rest/security/session`
      return (await createAsk(get).ask(url, sessionAnswer, { body }))['session-token']
    },
  }),
  targets: ({ sports }) => sports,
  read: ({ baseUrl, mid = false }) => ({
    async gather(sport, ask) {
      const events = await readByPosition(
        `events of ${sport}`,
        eventsPerPage,
        async (offset: number) => {
          const query = new URLSearchParams({
            'sport-ids': String(sport),
            states: 'open,suspended',
            'exchange-type': 'back-lay',
            'odds-type': 'DECIMAL',
            'include-prices': 'true',
            // The best may be offered for too little to count.
            'price-depth': '3',
            offset: String(offset),
            'per-page': String(eventsPerPage),
          })
          const page = await ask(`${baseUrl}/edge/rest/events?${query}`, eventsPage)
          return { items: page.events, total: page.total }
        },
      )
      return (receivedAt) => parseMatchbook(events, receivedAt, mid)
    },
  }),
})

const sessionAnswer = z.object({ 'session-token': z.string().min(1) })
