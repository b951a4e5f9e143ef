/**
 * Polls Bovada: one coupon per league. A coupon may have all markets of an event or only the main
 * ones, and this changes as markets are added. So all records are deltas, and a price that a coupon
 * no longer names is removed explicitly (`kit/withdrawals.ts`).
 */

import { definePolledSource, names } from '../kit/source.ts'
import { parseBovada } from './parse.ts'

export const bovada = definePolledSource({
  name: 'bovada',
  isOfficial: false,
  settings: {
    leagues: names.describe('Paths on the site: `/soccer/africa/rwanda/national-league`.'),
  },
  baseUrl: 'https://www.bovada.lv',
  intervalMs: 10_000,
  targets: ({ leagues }) => leagues,
  read({ baseUrl }) {
    const coupons = `${baseUrl}/services/sports/event/coupon/events/A/description`
    return {
      pages: {
        keyOf: (league) => league,
        pages: async (league) => [`${coupons}${league}?lang=en`],
        parse: parseBovada,
      },
    }
  },
})
