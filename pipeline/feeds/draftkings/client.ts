/**
 * Polls DraftKings: one request per subcategory of a league. An answer holds that subcategory of
 * every game of the league and nothing else, so what is published are deltas, and a price that an
 * answer no longer names is withdrawn by name (`withdrawals.ts`).
 */

import type { Feed } from '../feed.ts'
import type { HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { createPageReader } from '../withdrawals.ts'
import { parseDraftKings } from './parse.ts'

/** The tabs to ask for of one league, by the source's own ids. */
export interface DraftKingsLeague {
  readonly leagueId: string
  readonly subcategories: readonly { readonly categoryId: string; readonly id: string }[]
}

export interface DraftKingsSettings {
  /** Default `https://sportsbook-nash.draftkings.com`. */
  readonly baseUrl?: string
  /** US state whose prices are asked for, two letters. */
  readonly state: string
  readonly leagues: readonly DraftKingsLeague[]
  readonly intervalMs: number
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (league: DraftKingsLeague, error: unknown) => void
}

export function createDraftKingsFeed(settings: DraftKingsSettings): Feed {
  const {
    baseUrl = 'https://sportsbook-nash.draftkings.com',
    state,
    leagues,
    ...polling
  } = settings
  const site = `${baseUrl}/api/sportscontent/dkus${state.toLowerCase()}/v1/leagues`
  return createPollingFeed({
    ...polling,
    name: 'draftkings',
    sportsbooks: ['draftkings'],
    targets: leagues,
    namesWithdrawals: true,
    openReader: () =>
      createPageReader<DraftKingsLeague>({
        keyOf: ({ leagueId }) => leagueId,
        parse: parseDraftKings,
        async pages({ leagueId, subcategories }) {
          return subcategories.map(({ categoryId, id }) => ({
            url: `${site}/${leagueId}/categories/${categoryId}/subcategories/${id}`,
          }))
        },
      }),
  })
}
