/** Examples of the documents: what the routes of the reference data are sent and answer. */

import type { z } from 'zod'
import type {
  leagueItem,
  marketItem,
  sportItem,
  sportsbookDetail,
  sportsbookItem,
  teamItem,
} from '../reference.ts'

export const sportExample: z.output<typeof sportItem> = {
  id: 'hockey',
  numerical_id: 3,
  name: 'Ice Hockey',
  display_name: 'Ice Hockey',
  slug: 'hockey',
  active: true,
  leagues: ['nhl', 'sweden_-_shl'],
  event_count: 23,
  live_count: 4,
}

export const leagueExample: z.output<typeof leagueItem> = {
  id: 'italy_-_serie_a',
  numerical_id: 29,
  name: 'Italy - Serie A',
  display_name: 'Italy - Serie A',
  slug: 'italy_-_serie_a',
  sport: 'soccer',
  sport_id: 'soccer',
  country: 'italy',
  active: true,
  event_count: 10,
  live_count: 1,
}

export const sportsbookExample: z.output<typeof sportsbookItem> = {
  id: 'fanduel',
  numerical_id: 2,
  name: 'fanduel',
  display_name: 'FanDuel',
  short_name: 'FD',
  slug: 'fanduel',
  active: true,
  status: 'active',
  category: 'us_retail',
  is_sharp: false,
  has_live_odds: true,
  has_player_props: true,
  regions: ['US'],
  features: ['live', 'player_props', 'deep_links'],
  requires_tier: null,
  event_count: 187,
  last_update: '2026-11-20T12:00:00.000Z',
  source_status: 'up',
  source_since: '2026-11-20T09:12:40.000Z',
  coming_soon: false,
  unlisted: false,
}

export const sportsbookDetailExample: z.output<typeof sportsbookDetail> = {
  ...sportsbookExample,
  sports: ['basketball', 'hockey'],
  markets: ['moneyline', 'point_spread', 'puck_line', 'total_goals', 'total_points'],
}

export const marketExample: z.output<typeof marketItem> = {
  id: 'total_goals',
  numerical_id: 18,
  market_type: 'total_goals',
  name: 'Total Goals',
  label: 'Total Goals',
  description: 'Goals of both sides together',
  hasLine: true,
  examples: ['Over 2.5'],
  sports: ['soccer', 'hockey', 'lacrosse'],
  event_count: 96,
  selection_count: 1_140,
}

export const teamExample: z.output<typeof teamItem> = {
  id: 'boston-celtics',
  numerical_id: 34,
  name: 'Boston Celtics',
  abbreviation: 'BOS',
  logo: null,
  city: 'Boston',
  mascot: 'Celtics',
  conference: 'Eastern',
  division: 'Atlantic',
  sport: 'basketball',
  leagues: ['nba'],
  aliases: ['Celtics', 'BOS', 'BOS Celtics', 'Boston'],
  event_count: 2,
  live_count: 1,
}

const exampleTime = '2026-11-20T12:00:00.000Z'

/** A whole answer with one item. @param meta further members of `meta` */
export function listExample(
  item: object,
  meta: Readonly<Record<string, unknown>> = {},
  limit = 1,
): object {
  const pagination = {
    limit,
    offset: 0,
    count: 1,
    total: 1,
    has_more: false,
    next_offset: null,
  }
  return {
    success: true,
    data: [item],
    pagination,
    updated_at: exampleTime,
    meta: {
      count: 1,
      total: 1,
      filters: {},
      ...meta,
      pagination,
      updated_at: exampleTime,
      updated: exampleTime,
    },
  }
}

export const objectExample = (data: object): object => ({
  success: true,
  data,
  updated_at: exampleTime,
  meta: { updated_at: exampleTime, updated: exampleTime },
})
