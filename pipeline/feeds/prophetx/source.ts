/**
 * Polls ProphetX's Market Data API with the key it issues: the events of a tournament, then the markets of up to
 * fifty of them at a time. All of an event's markets come in one response, so the records are snapshots.
 */

import { inGroups } from '../kit/ask.ts'
import { definePolledSource, ids, secret } from '../kit/source.ts'
import { eventIdsOf, eventsAnswer, marketsAnswer, marketsByEvent, parseProphetX } from './parse.ts'

const eventsPerRequest = 50

export const prophetX = definePolledSource({
  name: 'prophetx',
  isOfficial: true,
  settings: {
    apiKey: secret.describe('The key of the Market Data API.'),
    tournaments: ids.describe('Ids of tournaments, as `/affiliate/get_tournaments` lists them.'),
  },
  baseUrl: 'https://cash.api.prophetx.co/partner',
  intervalMs: 15_000,
  // Only the key, without a scheme before it.
  headers: ({ apiKey }) => ({ authorization: apiKey }),
  targets: ({ tournaments }) => tournaments,
  read: ({ baseUrl }) => ({
    async gather(tournament, ask, askList) {
      const list = `${baseUrl}/affiliate/get_sport_events?tournament_id=${tournament}`
      const events = (await askList(list, eventsAnswer)).data.sport_events
      const markets = new Map<string, readonly unknown[]>()
      for (const group of inGroups(eventIdsOf(events), eventsPerRequest)) {
        const query = new URLSearchParams(group.map((id): [string, string] => ['event_ids', id]))
        const url = `${baseUrl}/v4/affiliate/get_multiple_markets?${query}`
        for (const [id, offered] of marketsByEvent(await ask(url, marketsAnswer))) {
          markets.set(id, offered)
        }
      }
      return (receivedAt) => parseProphetX(events, markets, receivedAt)
    },
  }),
})
