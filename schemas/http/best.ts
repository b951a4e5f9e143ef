/** What `/odds/best` answers with (interface 4.5, supplement 6.1 and 8.3). */

import { z } from 'zod'
import { listOf, pastMeta, timestamp } from './envelope.ts'
import { withheld } from './odds-columns.ts'

const slug = z.string()

const offered = z.object({
  book: slug,
  sportsbook: slug.describe('The same as book.'),
  odds: z.object({ american: z.int(), decimal: z.number() }),
  edge: z
    .number()
    .describe(
      'Implied probability of the worst of these prices less that of this one, in points; of those that are not withheld. 0 for one that is.',
    ),
  line: z.number().nullable(),
  last_seen_at: timestamp,
  odds_changed_at: timestamp.nullable(),
  withheld: withheld.optional(),
})

export const bestItem = z.object({
  id: z.string().describe('Of the best price; as `/odds` has it.'),
  event_id: z.string(),
  event_name: z.string(),
  sport: slug,
  league: slug,
  home_team: z.string(),
  away_team: z.string(),
  market_type: z.string(),
  selection: z.string(),
  selection_type: z.string(),
  line: z.number().nullable(),
  best_odds: z.object({
    american: z.int(),
    decimal: z.number(),
    odds_probability: z.number(),
    probability: z.number(),
  }),
  best_book: slug.describe('Of several with the best price, the first by slug.'),
  all_books: z.array(offered).describe('Best price first, then by slug; withheld ones last.'),
  last_seen_at: timestamp.describe('The newest of all_books.'),
  player_name: z.string().optional(),
  stat_category: z.string().optional(),
  sportsbook: slug.describe('The same as best_book.'),
  odds_american: z.int(),
  odds_decimal: z.number(),
  odds_probability: z.number(),
  probability: z.number(),
  event_start_time: timestamp,
  is_live: z.boolean().describe('Whether the best price is one in play.'),
  withheld: withheld.optional().describe('Where all prices of the selection are withheld.'),
})

export const bestList = listOf(bestItem, pastMeta)
