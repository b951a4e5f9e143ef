/** The response of `/odds/best` (interface 4.5, supplement 6.1 and 8.3). */

import { z } from 'zod'
import { filters, listOf, pastMeta, timestamp } from './envelope.ts'
import { example } from './example.ts'
import { withheld } from './odds-columns.ts'

const slug = z.string()

const offered = z.object({
  book: example(slug, 'caesars'),
  sportsbook: example(slug, 'caesars', 'The same as book.'),
  odds: z.object({ american: example(z.int(), 162), decimal: example(z.number(), 2.62) }),
  edge: example(
    z.number(),
    1.83,
    'Implied probability of the worst price that is not withheld less that of this one, in points. 0 for a withheld price.',
  ),
  line: z.number().nullable(),
  last_seen_at: example(timestamp, '2027-01-14T21:03:10.000Z'),
  odds_changed_at: example(timestamp.nullable(), '2027-01-14T20:58:02.000Z'),
  withheld: withheld.optional(),
})

export const bestItem = z.object({
  id: example(z.string(), '661209344712850', 'Of the best price, as in `/odds`.'),
  event_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
  event_name: example(z.string(), 'Chicago Bulls @ New York Knicks'),
  sport: example(slug, 'basketball'),
  league: example(slug, 'nba'),
  home_team: example(z.string(), 'New York Knicks'),
  away_team: example(z.string(), 'Chicago Bulls'),
  market_type: example(z.string(), 'moneyline'),
  selection: example(z.string(), 'Chicago Bulls'),
  selection_type: example(z.string(), 'away'),
  line: z.number().nullable(),
  best_odds: z.object({
    american: example(z.int(), 162),
    decimal: example(z.number(), 2.62),
    odds_probability: example(z.number(), 0.3817),
    probability: example(z.number(), 0.3817),
  }),
  best_book: example(slug, 'caesars', 'If several have the best price, the first by slug.'),
  all_books: z.array(offered).describe('Best price first, then by slug; withheld ones last.'),
  last_seen_at: timestamp.describe('The latest of all_books.'),
  player_name: z.string().optional(),
  stat_category: z.string().optional(),
  sportsbook: example(slug, 'caesars', 'The same as best_book.'),
  odds_american: example(z.int(), 162),
  odds_decimal: example(z.number(), 2.62),
  odds_probability: example(z.number(), 0.3817),
  probability: example(z.number(), 0.3817),
  event_start_time: example(timestamp, '2027-01-15T00:40:00.000Z'),
  is_live: z.boolean().describe('Whether the best price is in play.'),
  withheld: withheld.optional().describe('If all prices of the selection are withheld.'),
})

export const bestList = listOf(bestItem, {
  filters: example(filters, { market: ['moneyline'] }),
  ...pastMeta,
})
