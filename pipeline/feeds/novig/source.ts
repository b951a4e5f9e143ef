/**
 * Polls Novig with the client credentials it issues: the open games of a league, then the markets of several of them
 * at once with their books. All of an event's markets come in one response, so the records are snapshots.
 */

import { z } from 'zod'
import { pushAll } from '../../memory/push-all.ts'
import { createAsk, inGroups, readByPosition } from '../kit/ask.ts'
import { definePolledSource, names, secret } from '../kit/source.ts'
import { eventIdsOf, parseNovig } from './parse.ts'

const statuses = ['OPEN_PREGAME', 'OPEN_INGAME']
const eventsPerPage = 100
const eventsPerRequest = 20

export const novig = definePolledSource({
  name: 'novig',
  isOfficial: true,
  settings: {
    clientId: z.string().min(1),
    clientSecret: secret,
    leagues: names.describe('Novig’s names of leagues: `NFL`, `NBA`.'),
  },
  baseUrl: 'https://api.novig.us',
  intervalMs: 10_000,
  session: ({ baseUrl, clientId: client_id, clientSecret: client_secret }) => ({
    /** A token expires after thirty minutes. */
    lifetimeMs: 25 * 60_000,
    headers: (token) => ({ authorization: `Bearer ${token}` }),
    async login(get) {
      const body = { grant_type: 'client_credentials', client_id, client_secret }
      const url = `${baseUrl}/nbx/v1/auth/emm-token`
      return (await createAsk(get).ask(url, tokenAnswer, { body })).access_token
    },
  }),
  targets: ({ leagues }) => leagues,
  read: ({ baseUrl }) => ({
    async gather(league, ask, askList) {
      const site = `${baseUrl}/nbx/v2/emm/events`
      const events: unknown[] = []
      for (const status of statuses) {
        const listed = await readByPosition(
          `events of ${league}`,
          eventsPerPage,
          async (offset: number) => {
            const page = { limit: String(eventsPerPage), offset: String(offset) }
            const query = new URLSearchParams({ league, type: 'Game', status, ...page })
            return { items: await askList(`${site}?${query}`, list) }
          },
        )
        pushAll(events, listed)
      }
      const markets: unknown[] = []
      for (const eventIds of inGroups(eventIdsOf(events), eventsPerRequest)) {
        const body = { eventIds, currency: 'CASH' }
        pushAll(markets, await ask(`${site}/getMarketsByEvents`, list, { body }))
      }
      return (receivedAt) => parseNovig(events, markets, receivedAt)
    },
  }),
})

const list = z.array(z.unknown())
const tokenAnswer = z.object({ access_token: z.string().min(1) })
