/** Polls FanDuel: the page of a league lists its events; each tab of each event is one request. */

import { z } from 'zod'
import { definePolledSource, names, secret, state } from '../kit/source.ts'
import { parseFanDuel } from './parse.ts'

export const fanDuel = definePolledSource({
  name: 'fanduel',
  isOfficial: false,
  settings: {
    state,
    applicationKey: secret.describe('The public key of the source’s own web page (`_ak`).'),
    pages: names.describe('The source’s own names of pages: `nfl`.'),
    tabs: names.optional().describe('Tabs that are read of each event. Default `popular`.'),
  },
  baseUrl: ({ state }) => `https://sbapi.${state.toLowerCase()}.sportsbook.fanduel.com`,
  intervalMs: 10_000,
  targets: ({ pages }) => pages,
  read({ baseUrl, applicationKey, tabs = ['popular'] }) {
    const address = (path: string, query: Readonly<Record<string, string>>) =>
      `${baseUrl}/api/${path}?${new URLSearchParams({ ...query, _ak: applicationKey })}`
    return {
      pages: {
        keyOf: (page) => page,
        async pages(page, askList) {
          const query = { page: 'CUSTOM', customPageId: page }
          const { attachments } = await askList(address('content-managed-page', query), list)
          return Object.keys(attachments.events).flatMap((eventId) =>
            tabs.map((tab) => address('event-page', { eventId, tab })),
          )
        },
        parse: parseFanDuel,
      },
    }
  },
})

const list = z.object({
  attachments: z.object({ events: z.record(z.string(), z.unknown()) }),
})
