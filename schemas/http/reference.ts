/** The reference resources as they are sent (interface 2.10, supplement 3.1 to 3.4). */

import { z } from 'zod'
import { listOf, timestamp } from './envelope.ts'

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
  id: z.string().describe('What the `sport` filter takes.'),
  numerical_id: numericalId,
  name: z.string(),
  display_name: displayName,
  slug,
  active: isActive,
  leagues: z.array(z.string()).describe('Leagues with events now, by id.'),
  event_count: eventCount,
  live_count: liveCount,
})

export const leagueItem = z.object({
  id: z.string().describe('What the `league` filter takes.'),
  numerical_id: numericalId,
  name: z.string(),
  display_name: displayName,
  slug,
  sport: z.string(),
  sport_id: z.string().describe('The same as `sport`.'),
  country: z.string().nullable().describe('Null for international and unlisted leagues.'),
  active: isActive,
  event_count: eventCount,
  live_count: liveCount,
})

export const regions = ['US', 'UK', 'EU', 'AU', 'GLOBAL'] as const

export const sportsbookItem = z.object({
  id: z.string().describe('What the `sportsbook` filter takes.'),
  numerical_id: numericalId,
  name: z.string().describe('The same as `id`; `display_name` is for people.'),
  display_name: z.string(),
  short_name: z.string(),
  slug,
  active: z.boolean().describe('Whether `status` is `active`.'),
  status: z
    .enum(['active', 'inactive', 'limited'])
    .describe('`limited`: all sources of its prices are down, as far as the key may see them.'),
  category: z.enum([
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
  is_sharp: z.boolean().describe('Whether its prices lead the market.'),
  has_live_odds: z.boolean(),
  has_player_props: z.boolean(),
  regions: z.array(z.enum(regions)),
  features: z.array(z.string()).describe('`live`, `player_props`, `deep_links`, `liquidity`.'),
  requires_tier: z
    .enum(['hobby', 'pro', 'sharp'])
    .nullable()
    .describe('The lowest tier that sees its prices; null when every tier does.'),
  event_count: count.describe('Its events, if the key may see its prices; else 0.'),
  last_update: timestamp
    .nullable()
    .describe('Its newest price sighting, if the key may see its prices; else null.'),
  source_status: z
    .enum(['up', 'down'])
    .nullable()
    .describe(
      'Whether a source of its prices answers, if the key may see them; null where none has said.',
    ),
  source_since: timestamp.nullable().describe('Since when.'),
  coming_soon: z.boolean(),
  unlisted: z.boolean().describe('Whether the reference data does not know it.'),
})

export const sportsbookList = listOf(sportsbookItem).extend({
  retired: z.array(z.string()).describe('Sportsbooks that filters know but that have no prices.'),
})

export const sportsbookDetail = sportsbookItem.extend({
  sports: z.array(z.string()).describe('Sports it has prices in now, if the key may see them.'),
  markets: z.array(z.string()).describe('Market types it offers now, if the key may see them.'),
})

export const marketItem = z.object({
  id: z.string().describe('What the `market` filter takes.'),
  numerical_id: numericalId,
  market_type: z.string().describe('The same as `id`, as in rows.'),
  name: z.string(),
  label: z.string().describe('The same as `name`.'),
  description: z.string(),
  hasLine: z.boolean().describe('Whether its selections have a line.'),
  examples: z.array(z.string()).describe('Selections as rows name them.'),
  sports: z.array(z.string()),
  event_count: count
    .nullable()
    .describe('Events that offer it; null for a heading without rows now.'),
  selection_count: count.nullable().describe('Its distinct selections over these events.'),
})

export const teamItem = z.object({
  id: z.string().describe('Unique within its sport.'),
  numerical_id: z.int().min(1),
  name: z.string(),
  abbreviation: z.string().nullable(),
  logo: z.null().describe('No logos are held.'),
  city: z.string().nullable(),
  mascot: z.string().nullable(),
  conference: z.string().nullable(),
  division: z.string().nullable(),
  sport: z.string(),
  leagues: z.array(z.string()),
  aliases: z.array(z.string()).describe('Other spellings that are understood.'),
  event_count: eventCount,
  live_count: liveCount,
})
