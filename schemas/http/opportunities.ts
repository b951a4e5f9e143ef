/** What the opportunity routes answer with (interface 2.6 to 2.9 and 4.9, supplement 5.6 to 5.9 and 6.4). */

import { z } from 'zod'
import { listOf, objectOf, timestamp } from './envelope.ts'

const slug = z.string()
const id = z.string().regex(/^[0-9a-f]{16}$/)
const counts = z.record(z.string(), z.int())
const percent = z.number()
const oddsId = z.string().regex(/^\d{15}$/)
const deepLink = z.string().nullable().describe('Leads to the price at its sportsbook.')
const age = z.number().describe('Seconds since the oldest of its prices was last seen.')
const warnings = z
  .array(z.string())
  .describe(
    [
      'What to look at before betting, possibly nothing.',
      '`LIVE_GAME`: in play. `POTENTIALLY_STALE_ODDS`, `LIVE_STALE_ODDS`, `STALE_PREMATCH_ODDS`: the oldest price was last seen more than 30 s ago in play, 120 s before the start; `VERY_STALE_ODDS`: 120 s and 600 s; `STALE_ODDS` of middles: 30 s.',
      '`HIGH_EV_SUSPICIOUS`: above 10 %. `SINGLE_SHARP_REF`: no second sharp book quotes the selection.',
      '`LOW_IMPLIED_TOTAL`: below 95. `LIVE_HIGH_PROFIT_SUSPICIOUS`: above 5 % in play.',
      '`HIGH_PROBABILITY`: both bets win with more than 15 %. `LARGE_GAP`: more than 3 points. `GUARANTEED_PROFIT`: the middle is an arbitrage. `MODEL_EXCEEDS_PRICES`: the model of results gives it more than the prices imply, by 5 points.',
      '`MARKET_MISMATCH_SUSPECTED`: two sportsbooks differ so much that one may mean another market.',
    ].join(' '),
  )

/** What every opportunity says of its event and player. */
const about = {
  id,
  event_id: z.string(),
  event_name: z.string(),
  sport: slug,
  league: slug,
  market_type: slug,
  home_team: z.string(),
  away_team: z.string(),
  start_time: timestamp,
  is_live: z.boolean(),
  is_player_prop: z.boolean(),
  player_name: z.string().nullable(),
  stat_category: z.string().nullable(),
  warnings,
  detected_at: timestamp.describe('Since when there has been this opportunity without a break.'),
}

const ev = z
  .object({
    ...about,
    game_id: z.string(),
    game: z.string(),
    market: slug,
    external_event_id: z.string().nullable(),
    selection_id: z.string().nullable(),
    odds_id: oddsId,
    ev_percentage: percent,
    ev_percent: percent,
    odds_american: z.int(),
    odds_decimal: z.number(),
    no_vig_odds: z.int().describe('The fair American price.'),
    fair_probability: z.number(),
    market_width: percent.describe('Overround of the sharp market.'),
    devig_method: z.literal('power'),
    sharp_book: slug,
    devig_book: slug,
    sharp_odds_american: z.int().optional().describe('Where the tier sees the sharp book.'),
    sharp_odds_decimal: z.number().optional(),
    selection: z.string(),
    line: z.number().nullable(),
    sportsbook: slug,
    confidence_score: z
      .int()
      .describe('0 to 100, of how many sportsbooks there are, age, width and the sharp book.'),
    confidence: z.int(),
    kelly_percent: percent.describe('The full Kelly stake, in percent of the bankroll.'),
    book_count: z.int(),
    arb_available: z.boolean(),
    arb_profit: percent.nullable(),
    is_alternate_line: z.boolean(),
    possibly_stale: z.boolean(),
    oldest_odds_age_seconds: age,
    deep_link: deepLink,
  })
  .describe('A price with a positive expected value.')

const source = z.string()

export const evList = listOf(ev, {
  source,
  last_update: timestamp.nullable(),
  summary: z.object({
    count: z.int(),
    avg_ev: percent,
    max_ev: percent,
    by_sportsbook: counts,
    by_sport: counts,
    by_market: counts,
  }),
})

const leg = z.object({
  sportsbook: slug,
  selection: z.string(),
  line: z.number().nullable(),
  odds_american: z.int(),
  odds_decimal: z.number(),
  implied_probability: z.number(),
  stake_percent: percent,
  timestamp,
  external_event_id: z.string().nullable(),
  selection_id: z.string().nullable(),
  market_id: z.string().nullable(),
  odds_id: oddsId,
  deep_link: deepLink,
})

const arbitrage = z
  .object({
    ...about,
    line: z.number().nullable(),
    profit_percent: percent,
    implied_total: percent,
    is_alternate_line: z.boolean(),
    possibly_stale: z.boolean(),
    oldest_odds_age_seconds: age,
    ev_available: z.boolean(),
    ev_percentage: percent.nullable(),
    legs: z.array(leg).min(2).max(3),
  })
  .describe('A price for every answer that together pay whatever happens.')

export const arbitrageList = listOf(arbitrage, {
  source,
  books_analyzed: z.int().describe('Sportsbooks with prices that the tier sees.'),
  summary: z.object({
    count: z.int(),
    avg_profit: percent,
    max_profit: percent,
    by_market: counts,
    by_sport: counts,
  }),
})

const middleSide = z.object({
  book: slug,
  selection: z.string(),
  line: z.number().nullable(),
  odds: z.object({
    american: z.int(),
    decimal: z.number(),
    probability: z.number(),
    fair_probability: z.number(),
  }),
  odds_american: z.int(),
  odds_decimal: z.number(),
  odds_probability: z.number(),
  stake_percent: percent,
  odds_age_seconds: z.number(),
  odds_id: oddsId,
  deep_link: deepLink,
})

const middle = z
  .object({
    ...about,
    side1: middleSide,
    side2: middleSide,
    middle_size: z.number(),
    middle_numbers: z.array(z.int()),
    middle_probability: z.number(),
    expected_value: z.number().describe('Per 100 staked.'),
    roi_percentage: percent,
    worst_case_loss: z.number(),
    best_case_profit: z.number(),
    break_even_percent: percent,
    odds_age_seconds: z.number(),
    is_guaranteed_profit: z.boolean(),
    guaranteed_roi: percent.nullable(),
    key_numbers: z.array(z.int()),
    key_number_probability: z.number(),
    quality_score: z
      .number()
      .describe('0 to 100, of probability, expected value, gap and freshness.'),
    market_overround: percent,
  })
  .describe('Two bets that both win when the result falls between their lines.')

export const middleList = listOf(middle, { source, summary: z.object({ count: z.int() }) })

export const middleObject = objectOf(middle)

export const middlesSummaryObject = objectOf(
  z.object({
    total: z.int(),
    positive_ev_count: z.int(),
    guaranteed_profit_count: z.int(),
    player_prop_count: z.int(),
    has_key_numbers_count: z.int(),
    by_sport: counts,
    by_market: counts,
    by_sportsbook: counts,
    avg_middle_size: z.number(),
    avg_probability: z.number(),
    avg_ev: z.number(),
    best_ev: z.object({ ev: z.number(), sport: slug, market: slug }).nullable(),
  }),
  { filters: z.record(z.string(), z.unknown()) },
)

const lowHoldSide = z.object({
  selection: z.string(),
  books: z.array(slug).describe('All with the best price.'),
  line: z.number().nullable(),
  odds: z.object({
    american: z.int(),
    decimal: z.number(),
    implied_probability: z.number(),
    probability: z.number(),
    fair_probability: z.number(),
  }),
  deep_links: z.record(slug, z.string()),
})

const lowHold = z
  .object({
    ...about,
    line: z.number().nullable(),
    hold_percentage: percent.describe('Sum of the implied probabilities less 100.'),
    side1: lowHoldSide,
    side2: lowHoldSide,
    side3: lowHoldSide.nullable(),
    is_alternate_line: z.boolean(),
    all_books: z.array(slug),
    confidence: z.int(),
    odds_age_seconds: z.number(),
    possibly_stale: z.boolean(),
  })
  .describe('The best price of every answer, and what they leave to the sportsbooks.')

export const lowHoldList = listOf(lowHold, {
  source,
  summary: z.object({
    count: z.int(),
    avg_hold: percent,
    min_hold: percent,
    by_market: counts,
    by_sport: counts,
  }),
})

// ---- examples

const updated = '2027-01-14T21:03:10.000Z'
const game = {
  event_id: 'nba_bulls_knicks_2027-01-14_b3',
  event_name: 'Chicago Bulls @ New York Knicks',
  sport: 'basketball',
  league: 'nba',
  home_team: 'New York Knicks',
  away_team: 'Chicago Bulls',
  start_time: '2027-01-15T00:40:00.000Z',
  is_live: false,
  is_player_prop: false,
  player_name: null,
  stat_category: null,
  warnings: [],
  detected_at: '2027-01-14T21:03:15.000Z',
}

function exampleList(item: object, meta: object): object {
  const pages = { limit: 50, offset: 0, count: 1, total: 1, has_more: false, next_offset: null }
  return {
    success: true,
    data: [item],
    pagination: pages,
    updated_at: updated,
    meta: {
      count: 1,
      total: 1,
      ...meta,
      pagination: pages,
      updated_at: updated,
      updated,
    },
  }
}

const exampleAnswer = (data: object, meta: object = {}) => ({
  success: true,
  data,
  updated_at: updated,
  meta: { ...meta, updated_at: updated, updated },
})

export const exampleEv = exampleList(
  {
    ...game,
    id: '7c1e40b95ad2f386',
    game_id: game.event_id,
    game: game.event_name,
    market_type: 'total_points',
    market: 'total_points',
    external_event_id: '34118820',
    selection_id: '0OU22850O',
    odds_id: '482107733919990',
    ev_percentage: 4.07,
    ev_percent: 4.07,
    odds_american: -104,
    odds_decimal: 1.962,
    no_vig_odds: -113,
    fair_probability: 0.5306,
    market_width: 2.21,
    devig_method: 'power',
    sharp_book: 'pinnacle',
    devig_book: 'pinnacle',
    sharp_odds_american: -118,
    sharp_odds_decimal: 1.847,
    selection: 'Over 228.5',
    line: 228.5,
    sportsbook: 'draftkings',
    confidence_score: 86,
    confidence: 86,
    kelly_percent: 4.24,
    book_count: 6,
    arb_available: false,
    arb_profit: null,
    is_alternate_line: false,
    possibly_stale: false,
    oldest_odds_age_seconds: 7.4,
    deep_link: '/api/v1/deeplink/482107733919990',
  },
  {
    source: 'live',
    last_update: updated,
    filters: { league: ['nba'], min_ev: 0, max_hold: 5 },
    summary: {
      count: 1,
      avg_ev: 4.07,
      max_ev: 4.07,
      by_sportsbook: { draftkings: 1 },
      by_sport: { basketball: 1 },
      by_market: { total_points: 1 },
    },
  },
)

export const exampleArbitrage = exampleList(
  {
    ...game,
    id: 'b04d5f1182e9c37a',
    market_type: 'moneyline',
    line: null,
    profit_percent: 0.98,
    implied_total: 99.03,
    is_alternate_line: false,
    possibly_stale: false,
    oldest_odds_age_seconds: 9.1,
    ev_available: true,
    ev_percentage: 1.94,
    legs: [
      ['caesars', 'Chicago Bulls', 172, 2.72, 0.3676, 37.13, '512883420190774'],
      ['draftkings', 'New York Knicks', -165, 1.606, 0.6226, 62.87, '190377420815526'],
    ].map(([sportsbook, selection, american, decimal, probability, stake, odds]) => ({
      sportsbook,
      selection,
      line: null,
      odds_american: american,
      odds_decimal: decimal,
      implied_probability: probability,
      stake_percent: stake,
      timestamp: updated,
      external_event_id: null,
      selection_id: null,
      market_id: null,
      odds_id: odds,
      deep_link: `/api/v1/deeplink/${odds}`,
    })),
  },
  {
    source: 'live',
    filters: { min_profit: 0.5 },
    books_analyzed: 15,
    summary: {
      count: 1,
      avg_profit: 0.98,
      max_profit: 0.98,
      by_market: { moneyline: 1 },
      by_sport: { basketball: 1 },
    },
  },
)

export const exampleArbitrageCsv = [
  'event,sport,market,line,profit%,implied_total,book1,selection1,odds1,stake1%,book2,selection2,odds2,stake2%,is_live,is_alternate_line,possibly_stale,warnings,detected_at,book3,selection3,odds3,stake3%',
  'Chicago Bulls @ New York Knicks,basketball,moneyline,,0.98,99.03,caesars,Chicago Bulls,172,37.13,draftkings,New York Knicks,-165,62.87,false,false,false,,2027-01-14T21:03:15.000Z,,,,',
  '',
].join('\r\n')

const exampleMiddleItem = {
  ...game,
  id: '5f20c8d71b3ea964',
  market_type: 'total_points',
  side1: {
    book: 'fanduel',
    selection: 'Over 226.5',
    line: 226.5,
    odds: { american: -110, decimal: 1.909, probability: 0.5238, fair_probability: 0.5056 },
    odds_american: -110,
    odds_decimal: 1.909,
    odds_probability: 0.5238,
    stake_percent: 50.56,
    odds_age_seconds: 4,
    odds_id: '512883420190771',
    deep_link: '/api/v1/deeplink/512883420190771',
  },
  side2: {
    book: 'caesars',
    selection: 'Under 229.5',
    line: 229.5,
    odds: { american: -105, decimal: 1.952, probability: 0.5122, fair_probability: 0.4944 },
    odds_american: -105,
    odds_decimal: 1.952,
    odds_probability: 0.5122,
    stake_percent: 49.44,
    odds_age_seconds: 6.5,
    odds_id: '190377420815522',
    deep_link: '/api/v1/deeplink/190377420815522',
  },
  middle_size: 3,
  middle_numbers: [227, 228, 229],
  middle_probability: 0.0663,
  expected_value: 2.93,
  roi_percentage: 2.93,
  worst_case_loss: -3.48,
  best_case_profit: 93.05,
  break_even_percent: 3.6,
  odds_age_seconds: 6.5,
  is_guaranteed_profit: false,
  guaranteed_roi: null,
  key_numbers: [],
  key_number_probability: 0,
  quality_score: 46.2,
  market_overround: 103.6,
}

export const exampleMiddles = exampleList(exampleMiddleItem, {
  source: 'live',
  filters: { min_size: 0.5 },
  summary: { count: 1 },
})

export const exampleMiddle = exampleAnswer(exampleMiddleItem)

export const exampleMiddlesSummary = exampleAnswer(
  {
    total: 41,
    positive_ev_count: 12,
    guaranteed_profit_count: 1,
    player_prop_count: 9,
    has_key_numbers_count: 6,
    by_sport: { basketball: 30, football: 11 },
    by_market: { point_spread: 19, total_points: 22 },
    by_sportsbook: { draftkings: 31, fanduel: 28 },
    avg_middle_size: 2.2,
    avg_probability: 0.087,
    avg_ev: -0.4,
    best_ev: { ev: 6.1, sport: 'football', market: 'point_spread' },
  },
  { filters: {} },
)

export const exampleLowHold = exampleList(
  {
    ...game,
    id: 'c39e61b20f8d754a',
    market_type: 'total_points',
    line: 228.5,
    hold_percentage: 0.73,
    side1: {
      selection: 'Over 228.5',
      books: ['betmgm', 'draftkings'],
      line: 228.5,
      odds: {
        american: -104,
        decimal: 1.962,
        implied_probability: 0.5098,
        probability: 0.5098,
        fair_probability: 0.5061,
      },
      deep_links: { draftkings: '/api/v1/deeplink/482107733919990' },
    },
    side2: {
      selection: 'Under 228.5',
      books: ['fanduel'],
      line: 228.5,
      odds: {
        american: 101,
        decimal: 2.01,
        implied_probability: 0.4975,
        probability: 0.4975,
        fair_probability: 0.4939,
      },
      deep_links: {},
    },
    side3: null,
    is_alternate_line: false,
    all_books: ['betmgm', 'draftkings', 'fanduel'],
    confidence: 82,
    odds_age_seconds: 8.8,
    possibly_stale: false,
  },
  {
    source: 'live',
    filters: { max_hold: 5 },
    summary: {
      count: 1,
      avg_hold: 0.73,
      min_hold: 0.73,
      by_market: { total_points: 1 },
      by_sport: { basketball: 1 },
    },
  },
)
