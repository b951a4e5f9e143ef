/** The reference resources as they are sent (interface 2.10, supplement 3.1 to 3.4). */

import { z } from 'zod'
import { filters, listOf, timestamp } from './envelope.ts'
import { example } from './example.ts'

const count = z.int().min(0)
const eventCount = count.describe('Events with prices that the key may see.')
const liveCount = count.describe('Those of them that are in play.')
const numericalId = z
  .int()
  .min(1)
  .nullable()
  .describe('Assigned once and never reused; null if the reference data does not list it.')
const displayName = z.string().describe('The same as `name`.')
const slug = z.string().describe('The same as `id`.')
const isActive = z.boolean().describe('Whether it has an event now.')

export const sportItem = z.object({
  id: example(z.string().describe('What the `sport` filter takes.'), 'hockey'),
  numerical_id: example(numericalId, 3),
  name: example(z.string(), 'Ice Hockey'),
  display_name: example(displayName, 'Ice Hockey'),
  slug: example(slug, 'hockey'),
  active: example(isActive, true),
  leagues: example(z.array(z.string()).describe('Leagues with events now, by id.'), [
    'nhl',
    'sweden_-_shl',
  ]),
  event_count: example(eventCount, 23),
  live_count: example(liveCount, 4),
})

export const leagueItem = z.object({
  id: example(z.string().describe('What the `league` filter takes.'), 'italy_-_serie_a'),
  numerical_id: example(numericalId, 29),
  name: example(z.string(), 'Italy - Serie A'),
  display_name: example(displayName, 'Italy - Serie A'),
  slug: example(slug, 'italy_-_serie_a'),
  sport: example(z.string(), 'soccer'),
  sport_id: example(z.string().describe('The same as `sport`.'), 'soccer'),
  country: example(
    z.string().nullable().describe('Null for international and unlisted leagues.'),
    'italy',
  ),
  active: example(isActive, true),
  event_count: example(eventCount, 10),
  live_count: example(liveCount, 1),
})

export const regions = ['US', 'UK', 'EU', 'AU', 'GLOBAL'] as const

export const sportsbookItem = z.object({
  id: example(z.string().describe('What the `sportsbook` filter takes.'), 'fanduel'),
  numerical_id: example(numericalId, 2),
  name: example(z.string().describe('The same as `id`; `display_name` is for people.'), 'fanduel'),
  display_name: example(z.string(), 'FanDuel'),
  short_name: example(z.string(), 'FD'),
  slug: example(slug, 'fanduel'),
  active: example(z.boolean().describe('Whether `status` is `active`.'), true),
  status: example(
    z
      .enum(['active', 'inactive', 'limited'])
      .describe('`limited`: all sources of its prices are down, as far as the key may see them.'),
    'active',
  ),
  category: example(
    z.enum([
      'us_retail',
      'us_offshore',
      'sharp',
      'exchange',
      'prediction_market',
      'dfs',
      'social',
      'international',
      'unlisted',
    ]),
    'us_retail',
  ),
  is_sharp: z.boolean().describe('Whether its prices lead the market.'),
  has_live_odds: example(z.boolean(), true),
  has_player_props: example(z.boolean(), true),
  regions: example(z.array(z.enum(regions)), ['US']),
  features: example(
    z.array(z.string()).describe('`live`, `player_props`, `deep_links`, `liquidity`.'),
    ['live', 'player_props', 'deep_links'],
  ),
  requires_tier: example(
    z
      .enum(['hobby', 'pro', 'sharp'])
      .nullable()
      .describe('The lowest tier that sees its prices; null when every tier does.'),
    null,
  ),
  event_count: example(count.describe('Its events, if the key may see its prices; else 0.'), 187),
  last_update: example(
    timestamp
      .nullable()
      .describe('Its newest price sighting, if the key may see its prices; else null.'),
    '2026-11-20T12:00:00.000Z',
  ),
  source_status: example(
    z
      .enum(['up', 'down'])
      .nullable()
      .describe(
        'Whether a source of its prices answers, if the key may see them; null where none has said.',
      ),
    'up',
  ),
  source_since: example(timestamp.nullable().describe('Since when.'), '2026-11-20T09:12:40.000Z'),
  coming_soon: z.boolean(),
  unlisted: z.boolean().describe('Whether the reference data does not know it.'),
})

export const sportsbookList = listOf(sportsbookItem).extend({
  retired: example(
    z.array(z.string()).describe('Sportsbooks that filters know but that have no prices.'),
    ['foxbet'],
  ),
})

export const sportsbookDetail = sportsbookItem.extend({
  sports: example(
    z.array(z.string()).describe('Sports it has prices in now, if the key may see them.'),
    ['basketball', 'hockey'],
  ),
  markets: example(
    z.array(z.string()).describe('Market types it offers now, if the key may see them.'),
    ['moneyline', 'point_spread', 'puck_line', 'total_goals', 'total_points'],
  ),
})

export const marketItem = z.object({
  id: example(z.string().describe('What the `market` filter takes.'), 'total_goals'),
  numerical_id: example(numericalId, 18),
  market_type: example(z.string().describe('The same as `id`, as in rows.'), 'total_goals'),
  name: example(z.string(), 'Total Goals'),
  label: example(z.string().describe('The same as `name`.'), 'Total Goals'),
  description: example(z.string(), 'Goals of both sides together'),
  hasLine: example(z.boolean().describe('Whether its selections have a line.'), true),
  examples: example(z.array(z.string()).describe('Selections as rows name them.'), ['Over 2.5']),
  sports: example(z.array(z.string()), ['soccer', 'hockey', 'lacrosse']),
  event_count: example(
    count.nullable().describe('Events that offer it; null for a heading without rows now.'),
    96,
  ),
  selection_count: example(
    count.nullable().describe('Its distinct selections over these events.'),
    1140,
  ),
})

export const teamItem = z.object({
  id: example(z.string().describe('Unique within its sport.'), 'boston-celtics'),
  numerical_id: example(z.int().min(1), 34),
  name: example(z.string(), 'Boston Celtics'),
  abbreviation: example(z.string().nullable(), 'BOS'),
  logo: example(z.null().describe('No logos are held.'), null),
  city: example(z.string().nullable(), 'Boston'),
  mascot: example(z.string().nullable(), 'Celtics'),
  conference: example(z.string().nullable(), 'Eastern'),
  division: example(z.string().nullable(), 'Atlantic'),
  sport: example(z.string(), 'basketball'),
  leagues: example(z.array(z.string()), ['nba']),
  aliases: example(z.array(z.string()).describe('Other spellings that are understood.'), [
    'Celtics',
    'BOS',
    'BOS Celtics',
    'Boston',
  ]),
  event_count: example(eventCount, 2),
  live_count: example(liveCount, 1),
})

export const marketList = listOf(marketItem, {
  filters: example(filters, { sport: ['soccer'] }),
  total_events: example(z.int().describe('Events of these sports.'), 120),
  total_selections: example(z.int().describe('Sum of `selection_count`.'), 1_140),
  rate_limit: z
    .object({
      limit: z.int().describe('Requests a minute.'),
      remaining: z.int().describe('Of this minute.'),
      reset: z.int().describe('When the minute ends (epoch seconds).'),
    })
    .optional()
    .describe('The same as the `X-RateLimit-*` headers; absent in answers of tools.'),
})

export const teamList = listOf(teamItem, {
  filters: example(filters, { league: ['nba'], q: 'celtics' }),
  sport_filter: z.string().nullable().describe('Sport ids, separated by commas.'),
  league_filter: example(z.string().nullable().describe('League ids, separated by commas.'), 'nba'),
  query: example(z.string().nullable(), 'celtics'),
  total_events: example(z.int().describe('Events that any team of the filters plays in.'), 2),
  total_live: example(z.int().describe('Those of them that are in play.'), 1),
})
