/** The query parameters of the opportunity routes (interface 4.9, supplement 3.11). */

import { boardQuery, oddsQuery, offsetUpTo } from './odds-query.ts'
import { choice, decimal, flag, text } from './query.ts'

export const maxOpportunityOffset = 5_000

export const dateRanges = ['today', 'tomorrow', 'week'] as const

/** A field to sort by, upwards, or with `-` downwards. */
const sorted = <const Names extends readonly string[]>(names: Names) =>
  [...names, ...names.map((name) => `-${name}` as const)] as const

/** For every list of opportunities. */
export const opportunityQuery = {
  sport: boardQuery.sport,
  league: boardQuery.league,
  sportsbook: boardQuery.sportsbook,
  add_sportsbook: boardQuery.add_sportsbook,
  market: oddsQuery.market,
  event: boardQuery.event,
  team: boardQuery.team,
  live: boardQuery.live,
  min_odds: oddsQuery.min_odds,
  max_odds: oddsQuery.max_odds,
  date_range: choice(dateRanges, {
    description:
      'Events that start today, tomorrow, or from today on within seven days, by US Eastern time.',
  }),
  limit: boardQuery.limit,
  offset: offsetUpTo(maxOpportunityOffset),
} as const

const maxAge = decimal({
  description: 'Oldest price, in seconds since it was last seen.',
  example: 30,
  min: 0,
})

export const evSorts = {
  ev: 'ev',
  confidence: 'confidence',
  confidence_score: 'confidence',
  kelly: 'kelly',
  kelly_percent: 'kelly',
  time: 'time',
  start_time: 'time',
  book_count: 'book_count',
  books: 'book_count',
  odds: 'odds',
} as const

export const evQuery = {
  ...opportunityQuery,
  min_ev: decimal({ description: 'Lowest expected value, in percent.', example: 2 }),
  max_ev: decimal({ description: 'Highest expected value, in percent.', example: 15 }),
  min_market_width: decimal({ description: 'Least overround of the sharp market, in percent.' }),
  max_market_width: decimal({ description: 'Greatest overround of the sharp market, in percent.' }),
  max_hold: decimal({
    description:
      'Drops what is measured against a sharp market wider than this, in percent; default 5.',
    example: 5,
    min: 0,
    max: 10,
  }),
  min_kelly: decimal({ description: 'Least Kelly fraction, in percent.' }),
  max_kelly: decimal({ description: 'Greatest Kelly fraction, in percent.' }),
  min_confidence: decimal({ description: 'Lowest confidence score.', min: 0, max: 100 }),
  max_confidence: decimal({ description: 'Highest confidence score.', min: 0, max: 100 }),
  max_odds_age: maxAge,
  is_player_prop: flag({ description: 'true: only player props; false: only the others.' }),
  is_alternate_line: flag({ description: 'true: only alternate lines; false: only the others.' }),
  arb_available: flag({ description: 'true: only where there is an arbitrage too.' }),
  player_name: text({
    description: 'The player, in any case.',
    maxLength: 100,
    aliases: ['player'],
  }),
  stat_category: text({ description: 'The statistic, in any case.', maxLength: 100 }),
  selection: text({ description: 'The selection as shown, in any case.', maxLength: 200 }),
  devig_book: text({
    description:
      'A sportsbook to measure against instead of the sharp one. On a large board it needs a filter by event, league or sport.',
    example: 'betfair',
    maxLength: 60,
  }),
  sort: choice(sorted(Object.keys(evSorts) as (keyof typeof evSorts)[]), {
    description: 'What to sort by; with `-` the largest first. Default -ev.',
    example: '-ev',
  }),
} as const

export const arbitrageSorts = {
  profit: 'profit',
  time: 'time',
  start_time: 'time',
  sport: 'sport',
  market: 'market',
} as const

export const arbitrageQuery = {
  ...opportunityQuery,
  min_profit: decimal({ description: 'Lowest profit, in percent; default 0.5.', example: 1 }),
  max_odds_age: maxAge,
  group: choice(['best'], { description: 'best: only the best of each event and market.' }),
  format: choice(['json', 'csv'], { description: 'csv: a file for a spreadsheet.' }),
  sort: choice(sorted(Object.keys(arbitrageSorts) as (keyof typeof arbitrageSorts)[]), {
    description: 'What to sort by; with `-` the largest first. Default -profit.',
    example: '-profit',
  }),
} as const

export const middleSorts = {
  quality: 'quality',
  ev: 'ev',
  probability: 'probability',
  middle_size: 'middle_size',
} as const

const state = oddsQuery.state

export const middlesQuery = {
  ...opportunityQuery,
  min_size: decimal({ description: 'Least gap in points; default 0.5.', example: 1, min: 0 }),
  max_odds_age: maxAge,
  state,
  sort: choice(sorted(Object.keys(middleSorts) as (keyof typeof middleSorts)[]), {
    description: 'What to sort by, the largest first with or without `-`. Default quality.',
    example: 'quality',
  }),
} as const

export const middlesSummaryQuery = {
  sport: boardQuery.sport,
  league: boardQuery.league,
} as const

export const lowHoldSorts = { hold: 'hold', market: 'market', sport: 'sport' } as const

export const lowHoldQuery = {
  ...opportunityQuery,
  max_hold: decimal({
    description: 'Highest hold, in percent, at most 10; default 5.',
    example: 2,
    max: 10,
  }),
  max_odds_age: maxAge,
  state,
  sort: choice(sorted(Object.keys(lowHoldSorts) as (keyof typeof lowHoldSorts)[]), {
    description: 'What to sort by; with `-` the largest first. Default hold, the lowest first.',
    example: 'hold',
  }),
} as const
