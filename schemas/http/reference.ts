/** The reference resources as they are sent (interface 2.10, supplement 3.1 to 3.4). */

import { z } from 'zod'
import { answersOfMarkets } from '../reference/market-question.ts'
import { filters, listOf, timestamp } from './envelope.ts'
import { example } from './example.ts'

const count = z.int().min(0)
const eventCount = count.describe('Events with prices that the key may see.')
const liveCount = count.describe('How many of them are in play.')
const numericalId = z
  .int()
  .min(1)
  .nullable()
  .describe('Assigned once and never reused; null if the reference data does not list it.')
const displayName = z.string().describe('The same as `name`.')
const slug = z.string().describe('The same as `id`.')
const isActive = z.boolean().describe('Whether it has an event now.')

export const sportItem = z.object({
  id: example(z.string(), 'hockey', 'Value of the `sport` filter.'),
  numerical_id: example(numericalId, 3),
  name: example(z.string(), 'Ice Hockey'),
  display_name: example(displayName, 'Ice Hockey'),
  slug: example(slug, 'hockey'),
  active: example(isActive, true),
  leagues: example(z.array(z.string()), ['nhl', 'sweden_-_shl'], 'Leagues with events now, by id.'),
  event_count: example(eventCount, 23),
  live_count: example(liveCount, 4),
})

export const leagueItem = z.object({
  id: example(z.string(), 'italy_-_serie_a', 'Value of the `league` filter.'),
  numerical_id: example(numericalId, 29),
  name: example(z.string(), 'Italy - Serie A'),
  display_name: example(displayName, 'Italy - Serie A'),
  slug: example(slug, 'italy_-_serie_a'),
  sport: example(z.string(), 'soccer'),
  sport_id: example(z.string(), 'soccer', 'The same as `sport`.'),
  country: example(z.string().nullable(), 'italy', 'Null for international and unlisted leagues.'),
  active: example(isActive, true),
  event_count: example(eventCount, 10),
  live_count: example(liveCount, 1),
})

export const regions = ['US', 'UK', 'EU', 'AU', 'GLOBAL'] as const

export const sportsbookItem = z.object({
  id: example(z.string(), 'fanduel', 'Value of the `sportsbook` filter.'),
  numerical_id: example(numericalId, 2),
  name: example(z.string(), 'fanduel', 'The same as `id`; `display_name` is for people.'),
  display_name: example(z.string(), 'FanDuel'),
  short_name: example(z.string(), 'FD'),
  slug: example(slug, 'fanduel'),
  active: example(z.boolean(), true, 'Whether `status` is `active`.'),
  status: example(
    z.enum(['active', 'inactive', 'limited']),
    'active',
    '`limited`: all sources of its prices are down, if the key may see them.',
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
  is_reference: z
    .boolean()
    .describe(
      'Whether it only measures others (`OVERROUND_REFERENCES`), if the key may see its prices.',
    ),
  has_live_odds: example(z.boolean(), true),
  has_player_props: example(z.boolean(), true),
  regions: example(z.array(z.enum(regions)), ['US']),
  features: example(
    z.array(z.string()),
    ['live', 'player_props', 'deep_links'],
    '`live`, `player_props`, `deep_links`, `liquidity`.',
  ),
  requires_tier: example(
    z.enum(['hobby', 'pro', 'sharp']).nullable(),
    null,
    'The lowest tier that sees its prices; null when every tier does.',
  ),
  event_count: example(count, 187, 'Its events, if the key may see its prices; else 0.'),
  last_update: example(
    timestamp.nullable(),
    '2026-11-20T12:00:00.000Z',
    'When its prices were last seen, if the key may see them; else null.',
  ),
  source_status: example(
    z.enum(['up', 'down']).nullable(),
    'up',
    'Whether a source of its prices works, if the key may see them; null if unknown.',
  ),
  source_since: example(
    timestamp.nullable(),
    '2026-11-20T09:12:40.000Z',
    'When `source_status` began.',
  ),
  coming_soon: z.boolean(),
  unlisted: z.boolean().describe('Whether it is missing in the reference data.'),
})

export const sportsbookList = listOf(sportsbookItem).extend({
  retired: example(
    z.array(z.string()),
    ['foxbet'],
    'Former sportsbooks: filters accept them, but they have no prices.',
  ),
})

export const sportsbookDetail = sportsbookItem.extend({
  sports: example(
    z.array(z.string()),
    ['basketball', 'hockey'],
    'Sports it has prices in now, if the key may see them.',
  ),
  markets: example(
    z.array(z.string()),
    ['moneyline', 'point_spread', 'puck_line', 'total_goals', 'total_points'],
    'Market types it offers now, if the key may see them.',
  ),
})

export const marketItem = z.object({
  id: example(z.string(), 'total_goals', 'Value of the `market` filter.'),
  numerical_id: example(numericalId, 18),
  market_type: example(z.string(), 'total_goals', 'The same as `id`, as in rows.'),
  name: example(z.string(), 'Total Goals'),
  label: example(z.string(), 'Total Goals', 'The same as `name`.'),
  description: example(z.string(), 'Goals of both sides together'),
  hasLine: example(z.boolean(), true, 'Whether its selections have a line.'),
  answers: example(
    z.enum(answersOfMarkets),
    'over_under',
    'Its outcomes: which they are, and whether together they leave none out; a guess where `numerical_id` is null.',
  ),
  examples: example(z.array(z.string()), ['Over 2.5'], 'Selections as named in rows.'),
  sports: example(z.array(z.string()), ['soccer', 'hockey', 'lacrosse']),
  event_count: example(
    count.nullable(),
    96,
    'Events that offer it; null for a category of markets without rows now.',
  ),
  selection_count: example(count.nullable(), 1140, 'Its distinct selections in these events.'),
})

export const teamItem = z.object({
  id: example(z.string(), 'boston-celtics', 'Unique within its sport.'),
  numerical_id: example(z.int().min(1), 34),
  name: example(z.string(), 'Boston Celtics'),
  abbreviation: example(z.string().nullable(), 'BOS'),
  logo: example(z.null(), null, 'Always null.'),
  city: example(z.string().nullable(), 'Boston'),
  mascot: example(z.string().nullable(), 'Celtics'),
  conference: example(z.string().nullable(), 'Eastern'),
  division: example(z.string().nullable(), 'Atlantic'),
  sport: example(z.string(), 'basketball'),
  leagues: example(z.array(z.string()), ['nba']),
  aliases: example(
    z.array(z.string()),
    ['Celtics', 'BOS', 'BOS Celtics', 'Boston'],
    'Other accepted spellings.',
  ),
  event_count: example(eventCount, 2),
  live_count: example(liveCount, 1),
})

export const marketList = listOf(marketItem, {
  filters: example(filters, { sport: ['soccer'] }),
  total_events: example(z.int(), 120, 'Events of these sports.'),
  total_selections: example(z.int(), 1_140, 'Sum of `selection_count`.'),
  rate_limit: z
    .object({
      limit: z.int().describe('Requests a minute.'),
      remaining: z.int().describe('Left in this minute.'),
      reset: z.int().describe('When the minute ends (epoch seconds).'),
    })
    .optional()
    .describe('The same as the `X-RateLimit-*` headers; absent in responses of tools.'),
})

export const teamList = listOf(teamItem, {
  filters: example(filters, { league: ['nba'], q: 'celtics' }),
  sport_filter: z.string().nullable().describe('Sport ids, separated by commas.'),
  league_filter: example(z.string().nullable(), 'nba', 'League ids, separated by commas.'),
  query: example(z.string().nullable(), 'celtics'),
  total_events: example(z.int(), 2, 'Events of the matching teams.'),
  total_live: example(z.int(), 1, 'How many of them are in play.'),
})
