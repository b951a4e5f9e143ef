/**
 * Polls Bovada: one coupon per league. A coupon may name all markets of an event or only the main
 * ones, and an event changes from one to the other as markets are added; so what is published are
 * always deltas, and a price that a coupon no longer names is withdrawn by name
 * (`withdrawals.ts`).
 */

import type { Feed } from '../feed.ts'
import type { HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { createPageReader } from '../withdrawals.ts'
import { parseBovada } from './parse.ts'

/** The league's path on the site, such as `/soccer/africa/rwanda/national-league`. */
export type BovadaLeague = string

export interface BovadaSettings {
  /** Default `https://www.bovada.lv`. */
  readonly baseUrl?: string
  readonly leagues: readonly BovadaLeague[]
  readonly intervalMs: number
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (league: BovadaLeague, error: unknown) => void
}

export function createBovadaFeed(settings: BovadaSettings): Feed {
  const { baseUrl = 'https://www.bovada.lv', leagues, ...polling } = settings
  const coupons = `${baseUrl}/services/sports/event/coupon/events/A/description`
  return createPollingFeed({
    ...polling,
    name: 'bovada',
    sportsbooks: ['bovada'],
    targets: leagues,
    namesWithdrawals: true,
    openReader: () =>
      createPageReader<BovadaLeague>({
        keyOf: (league) => league,
        parse: parseBovada,
        pages: async (league) => [{ url: `${coupons}${league}?lang=en` }],
      }),
  })
}
