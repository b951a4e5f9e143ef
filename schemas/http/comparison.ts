/** What `/odds/comparison` answers with (interface 4.6, supplement 6.1 and 8.3). */

import { z } from 'zod'
import { objectOf, pastMeta, timestamp } from './envelope.ts'
import { eventStatus } from './events.ts'
import { withheld } from './odds-columns.ts'

const slug = z.string()

const quote = z.object({
  odds_american: z.int(),
  odds_decimal: z.number(),
  last_seen_at: timestamp,
  odds_changed_at: timestamp.nullable(),
  withheld: withheld.optional(),
})

const selection = z.object({
  selection: z.string(),
  selection_type: z.string(),
  line: z.number().nullable(),
  player_name: z.string().optional(),
  books: z.record(slug, quote),
  best_book: slug,
  best_odds: z.int(),
  worst_book: slug,
  worst_odds: z.int(),
  spread: z
    .number()
    .describe('Implied probability of the worst price less that of the best, in points.'),
  withheld: withheld
    .optional()
    .describe('Where all prices are withheld: then the best and the worst are of them.'),
})

export const comparedMarket = z.object({
  market_type: z.string(),
  line: z
    .number()
    .nullable()
    .describe('Of the whole question: of a handicap, as the home side has it. Null without one.'),
  team: z.enum(['home', 'away']).optional().describe('Whose total, or whose yes and no, it is.'),
  player_name: z.string().optional().describe('Of whom it asks.'),
  hold: z
    .object({
      best_available: z.number().nullable(),
      by_book: z.record(slug, z.number()),
    })
    .describe(
      'The implied probabilities of all answers less 100 percent: of the best prices, and of each sportsbook with a price for every answer. Prices that are withheld are none of the best, and have no hold. Null and none where the answers do not exclude one another.',
    ),
  selections: z.array(selection),
})

export const comparison = z
  .object({
    event_id: z.string(),
    event_name: z.string(),
    sport: slug,
    league: slug,
    home_team: z.string(),
    away_team: z.string(),
    start_time: timestamp,
    status: eventStatus,
    is_live: z.boolean(),
    books_available: z.array(slug).describe('Sportsbooks with prices on the event, by slug.'),
    markets: z
      .array(comparedMarket)
      .describe(
        'One item a question; `market_type`, `line`, `team` and `player_name` together name it.',
      ),
    id: z.string().optional(),
    sportsbook: slug.optional(),
    market_type: z.string().optional(),
    selection: z.string().optional(),
    selection_type: z.string().optional(),
    line: z.number().nullable().optional(),
    odds_american: z.int().optional(),
    odds_decimal: z.number().optional(),
    odds_probability: z.number().optional(),
    probability: z.number().optional(),
    withheld: withheld.optional(),
  })
  .describe('Optional fields are the best price of the first selection, if there is one.')

export const comparisonObject = objectOf(comparison, {
  market_filter: z.array(z.string()).nullable().describe('The market types asked for.'),
  ...pastMeta,
})
