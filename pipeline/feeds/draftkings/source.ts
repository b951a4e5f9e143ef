/** Polls DraftKings: one request per subcategory of a league. */

import { z } from 'zod'
import { definePolledSource, state } from '../kit/source.ts'
import { parseDraftKings } from './parse.ts'

const league = z.strictObject({
  leagueId: z.string(),
  subcategories: z.array(z.strictObject({ categoryId: z.string(), id: z.string() })).min(1),
})

export const draftKings = definePolledSource({
  name: 'draftkings',
  isOfficial: false,
  settings: {
    state,
    leagues: z
      .array(league)
      .min(1)
      .describe(
        '`{"leagueId", "subcategories": [{"categoryId", "id"}]}` each: the tabs that are read, by the source’s own ids.',
      ),
  },
  baseUrl: 'https://sportsbook-nash.draftkings.com',
  intervalMs: 10_000,
  targets: ({ leagues }) => leagues,
  read({ baseUrl, state }) {
    const site = `${baseUrl}/api/sportscontent/dkus${state.toLowerCase()}/v1/leagues`
    return {
      pages: {
        keyOf: ({ leagueId }) => leagueId,
        pages: async ({ leagueId, subcategories }) =>
          subcategories.map(
            ({ categoryId, id }) =>
              `${site}/${leagueId}/categories/${categoryId}/subcategories/${id}`,
          ),
        parse: parseDraftKings,
      },
    }
  },
})
