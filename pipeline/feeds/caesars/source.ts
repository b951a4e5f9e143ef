/**
 * Polls Caesars: the schedule of a competition lists its events, and each tab of each event is one
 * request.
 */

import { z } from 'zod'
import { definePolledSource, names, state } from '../kit/source.ts'
import { parseCaesars } from './parse.ts'

const competition = z.strictObject({ sportId: z.string(), competitionId: z.string() })

export const caesars = definePolledSource({
  name: 'caesars',
  isOfficial: false,
  settings: {
    state,
    competitions: z
      .array(competition)
      .min(1)
      .describe(
        '`{"sportId", "competitionId"}` each, by the source’s own ids; `football` is soccer.',
      ),
    tabs: names
      .optional()
      .describe('Tabs that are read of each event, by the source’s names. Default `Popular`.'),
  },
  baseUrl: 'https://api.americanwagering.com',
  intervalMs: 10_000,
  targets: ({ competitions }) => competitions,
  read({ baseUrl, state, tabs = ['Popular'] }) {
    const site = `${baseUrl}/regions/us/locations/${state.toLowerCase()}/brands/czr/sb`
    return {
      pages: {
        keyOf: ({ competitionId }) => competitionId,
        async pages({ sportId, competitionId }, askList) {
          const query = new URLSearchParams({ competitionIds: competitionId })
          const url = `${site}/v3/sports/${sportId}/events/schedule?${query}`
          const events = (await askList(url, schedule)).competitions.flatMap(({ events }) => events)
          return events.flatMap(({ id }) =>
            tabs.map((tab) => `${site}/v4/events/${id}/tabs/${encodeURIComponent(tab)}`),
          )
        },
        parse: parseCaesars,
      },
    }
  },
})

const schedule = z.object({
  competitions: z.array(z.object({ events: z.array(z.object({ id: z.string() })) })),
})
