/** What `/odds/comparison` answers with (interface 4.6, supplement 6.1 and 8.3). */

import { z } from 'zod'
import { objectOf, timestamp } from './envelope.ts'
import { exampleObject } from './events.ts'

const slug = z.string()

const quote = z.object({
  odds_american: z.int(),
  odds_decimal: z.number(),
  last_seen_at: timestamp,
  odds_changed_at: timestamp.nullable(),
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
})

const market = z.object({
  market_type: z.string(),
  hold: z
    .object({
      best_available: z.number().nullable(),
      by_book: z.record(slug, z.number()),
    })
    .describe(
      'The implied probabilities of all answers less 100 percent: of the best prices, and of each sportsbook with a price for every answer. Null and none where the answers do not exclude one another.',
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
    is_live: z.boolean(),
    books_available: z.array(slug).describe('Sportsbooks with prices on the event, by slug.'),
    markets: z.array(market).describe('One item a question: a market, player and line.'),
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
  })
  .describe('The optional members are the best price of the first selection, where there is one.')

export const comparisonObject = objectOf(comparison, {
  market_filter: z.array(z.string()).nullable().describe('The market types asked for.'),
})

export const exampleComparison = exampleObject(
  {
    event_id: 'nba_bulls_knicks_2027-01-14_b3',
    event_name: 'Chicago Bulls @ New York Knicks',
    sport: 'basketball',
    league: 'nba',
    home_team: 'New York Knicks',
    away_team: 'Chicago Bulls',
    start_time: '2027-01-15T00:40:00.000Z',
    is_live: false,
    books_available: ['caesars', 'draftkings'],
    markets: [
      {
        market_type: 'moneyline',
        hold: { best_available: 2.45, by_book: { caesars: 3.69, draftkings: 4.29 } },
        selections: [
          {
            selection: 'Chicago Bulls',
            selection_type: 'away',
            line: null,
            books: {
              caesars: {
                odds_american: 162,
                odds_decimal: 2.62,
                last_seen_at: '2027-01-14T21:03:10.000Z',
                odds_changed_at: '2027-01-14T20:58:02.000Z',
              },
              draftkings: {
                odds_american: 150,
                odds_decimal: 2.5,
                last_seen_at: '2027-01-14T21:03:11.204Z',
                odds_changed_at: null,
              },
            },
            best_book: 'caesars',
            best_odds: 162,
            worst_book: 'draftkings',
            worst_odds: 150,
            spread: 1.83,
          },
        ],
      },
    ],
    id: '661209344712850',
    sportsbook: 'caesars',
    market_type: 'moneyline',
    selection: 'Chicago Bulls',
    selection_type: 'away',
    line: null,
    odds_american: 162,
    odds_decimal: 2.62,
    odds_probability: 0.3817,
    probability: 0.3817,
  },
  { market_filter: null },
)
