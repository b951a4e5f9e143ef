/** The response of `/odds/comparison` (interface 4.6, supplement 6.1 and 8.3). */

import { z } from 'zod'
import { objectOf, pastMeta, timestamp } from './envelope.ts'
import { eventStatus, staleBooks } from './events.ts'
import { example, exampleOf } from './example.ts'
import { withheld } from './odds-columns.ts'

const slug = z.string()

const outOfPlay = z
  .literal(false)
  .optional()
  .describe('From before a game in play, so never the best. Absent otherwise.')

const quote = z.object({
  odds_american: example(z.int(), 162),
  odds_decimal: example(z.number(), 2.62),
  last_seen_at: example(timestamp, '2027-01-14T21:03:10.000Z'),
  odds_changed_at: example(timestamp.nullable(), '2027-01-14T20:58:02.000Z'),
  is_live: outOfPlay,
  withheld: withheld.optional(),
})

const selection = z.object({
  selection: example(z.string(), 'Chicago Bulls'),
  selection_type: example(z.string(), 'away'),
  line: z.number().nullable(),
  player_name: z.string().optional(),
  books: example(z.record(slug, quote), {
    caesars: exampleOf(quote),
    draftkings: {
      ...exampleOf(quote),
      odds_american: 150,
      odds_decimal: 2.5,
      last_seen_at: '2027-01-14T21:03:11.204Z',
      odds_changed_at: null,
    },
  }),
  best_book: example(
    slug.nullable(),
    'caesars',
    'Null if all are old, and in play for two-way handicaps of soccer.',
  ),
  best_odds: example(z.int().nullable(), 162),
  worst_book: example(slug.nullable(), 'draftkings'),
  worst_odds: example(z.int().nullable(), 150),
  spread: example(
    z.number().nullable(),
    1.83,
    'Implied probability of the worst less that of the best, in points.',
  ),
  is_live: outOfPlay.describe(
    'If the others are withheld: the best and worst are from before the game.',
  ),
  withheld: withheld.optional().describe('If all are withheld: the best and worst are of those.'),
})

export const comparedMarket = z.object({
  market_type: example(z.string(), 'moneyline'),
  line: example(
    z.number().nullable(),
    null,
    'Of the whole market; a handicap is that of the home side. Null without one.',
  ),
  team: z.enum(['home', 'away']).optional().describe('The team of the total or the yes and no.'),
  player_name: z.string().optional().describe('The player.'),
  hold: z
    .object({
      best_available: example(z.number().nullable(), 2.45),
      by_book: example(z.record(slug, z.number()), { caesars: 3.69, draftkings: 4.29 }),
    })
    .describe(
      'The implied probabilities of all outcomes, minus 100 percent: of the best prices, and of each sportsbook with a price for every outcome. Prices that are never the best have none. Null and empty if the outcomes do not exclude one another.',
    ),
  selections: z.array(selection),
})

export const comparison = z
  .object({
    event_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
    event_name: example(z.string(), 'Chicago Bulls @ New York Knicks'),
    sport: example(slug, 'basketball'),
    league: example(slug, 'nba'),
    home_team: example(z.string(), 'New York Knicks'),
    away_team: example(z.string(), 'Chicago Bulls'),
    start_time: example(timestamp, '2027-01-15T00:40:00.000Z'),
    status: example(eventStatus, 'upcoming'),
    is_live: z.boolean(),
    books_available: example(
      z.array(slug),
      ['caesars', 'draftkings'],
      'Sportsbooks with prices, by slug.',
    ),
    stale_books: staleBooks.describe('As in `/events`.'),
    markets: z
      .array(comparedMarket)
      .describe(
        'One item per market, identified by `market_type`, `line`, `team` and `player_name` together.',
      ),
    id: example(z.string().optional(), '661209344712850'),
    sportsbook: example(slug.optional(), 'caesars'),
    market_type: example(z.string().optional(), 'moneyline'),
    selection: example(z.string().optional(), 'Chicago Bulls'),
    selection_type: example(z.string().optional(), 'away'),
    line: example(z.number().nullable().optional(), null),
    odds_american: example(z.int().optional(), 162),
    odds_decimal: example(z.number().optional(), 2.62),
    odds_probability: example(z.number().optional(), 0.3817),
    probability: example(z.number().optional(), 0.3817),
    withheld: withheld.optional(),
  })
  .describe('Optional fields are the best price of the first selection that has one.')

export const comparisonObject = objectOf(comparison, {
  market_filter: example(z.array(z.string()).nullable(), null, 'The requested market types.'),
  ...pastMeta,
})
