/**
 * The parts that all opportunities, and all lists of them, have in common (interface 2.6 to 2.9 and 4.9, supplement
 * 3.11, 5.6 to 5.9 and 6.4). Each kind has a file for its own parts.
 */

import { z } from 'zod'
import type { OpportunityKind } from '../../opportunity.ts'
import { opportunityWarnings } from '../../opportunity-warnings.ts'
import { timestamp } from '../envelope.ts'
import { example } from '../example.ts'
import { boardQuery, oddsQuery } from '../odds-query.ts'
import { choice, decimal, offsetUpTo, type QueryShape } from '../query.ts'

/** The contract of a kind of opportunity. */
export interface OpportunityContract {
  readonly kind: OpportunityKind
  /** The name of an item in the documents. */
  readonly schemaName: string
  /** One opportunity. */
  readonly item: z.ZodType<object>
  /** A page of them. */
  readonly list: z.ZodType
  readonly query: typeof opportunityQuery
  /** The values of `sort`, with the kind's key for each. */
  readonly sorts: Readonly<Record<string, string>>
  readonly defaultSort: string
  /** Parameters that exclude items from lists and streams even if a client does not send them. */
  readonly bounds: Readonly<Record<string, BoundDefaults>>
  /** The bounds that streams take in addresses and frames, and those that they take in addresses alone. */
  readonly streamQuery?: QueryShape
  readonly addressQuery?: QueryShape
  /** The descriptions of the streams' events. */
  readonly events: { readonly detected: string; readonly expired: string }
  /** Returns what a line of text says of an opportunity. */
  brief(item: object): Brief
}

export interface Brief {
  /** Gain in percent; for low hold, the hold. */
  readonly worth: number
  readonly bets: readonly BriefBet[]
}

export interface BriefBet {
  /** All that offer it. */
  readonly sportsbooks: readonly string[]
  readonly selection: string
  readonly american: number
}

/** The defaults of a bound; in percent, sizes in points. */
export interface BoundDefaults {
  readonly ofLists: number
  readonly ofStreams: number
}

// ---- items

export const slug = z.string()
const id = z.string().regex(/^[0-9a-f]{16}$/)
export const counts = z.record(z.string(), z.int())
export const percent = z.number()
export const oddsId = z.string().regex(/^\d{15}$/)
export const selectionType = z.string()
export const deepLink = z.string().nullable().describe('Link to the price at its sportsbook.')
export const maxBet = z
  .number()
  .nullable()
  .describe('Highest stake at this price in USD; null if not reported.')
export const age = z.number().describe('Seconds since the oldest of its prices was last seen.')
const warnings = z
  .array(z.string())
  .describe(
    [
      'Check these before betting; may be empty.',
      ...Object.entries(opportunityWarnings).map(([code, text]) => `\`${code}\`: ${text}.`),
    ].join(' '),
  )

/** The fields of every opportunity about its event and player. */
export const about = {
  id: example(id, '7c1e40b95ad2f386'),
  event_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
  event_name: example(z.string(), 'Chicago Bulls @ New York Knicks'),
  sport: example(slug, 'basketball'),
  league: example(slug, 'nba'),
  market_type: example(slug, 'total_points'),
  home_team: example(z.string(), 'New York Knicks'),
  away_team: example(z.string(), 'Chicago Bulls'),
  start_time: example(timestamp, '2027-01-15T00:40:00.000Z'),
  is_live: z.boolean(),
  is_player_prop: z.boolean(),
  player_name: z.string().nullable(),
  stat_category: z.string().nullable(),
  warnings: example(warnings, []),
  detected_at: example(
    timestamp,
    '2027-01-14T21:03:15.000Z',
    'When it appeared; it has existed without a break since.',
  ),
}

/** The origin of the prices. */
export const source = z.string()

// ---- requests

export const maxOpportunityOffset = 5_000

export const dateRanges = ['today', 'tomorrow', 'week'] as const

/** Returns words to sort by, each ascending, or with `-` descending. */
export function sortedBy<const Sorts extends Readonly<Record<string, string>>>(
  sorts: Sorts,
  of: { readonly description: string; readonly example: string },
) {
  const names = Object.keys(sorts)
  return choice([...names, ...names.map((name) => `-${name}`)], of)
}

/** The most milliseconds a client may request: an hour. */
export const mostMs = 3_600_000

/** A parameter of lists and streams. */
export const minAge = decimal({
  description:
    'Lowest age since `detected_at`, in milliseconds: leaves out short-lived ones. A stream sends one when it reaches this age.',
  min: 0,
  max: mostMs,
  example: 2_000,
})

/** The parameters of every list of opportunities. */
export const opportunityQuery = {
  sport: boardQuery.sport,
  league: boardQuery.league,
  sportsbook: boardQuery.sportsbook,
  add_sportsbook: boardQuery.add_sportsbook,
  books: boardQuery.books,
  market: oddsQuery.market,
  event: boardQuery.event,
  team: boardQuery.team,
  live: oddsQuery.live,
  min_age_ms: minAge,
  min_odds: oddsQuery.min_odds,
  max_odds: oddsQuery.max_odds,
  date_range: choice(dateRanges, {
    description:
      'Events that start today, tomorrow, or within seven days from today, by US Eastern time.',
  }),
  starts_within_minutes: decimal({
    description: 'Events that have not begun and start within this many minutes.',
    min: 0,
    max: 100_000,
    example: 120,
  }),
  limit: boardQuery.limit,
  offset: offsetUpTo(maxOpportunityOffset),
} as const

/**
 * Parameters of lists that are not filters: they affect presentation only, or change the
 * computation for one request.
 */
export const listParameters = [
  ...(['limit', 'offset', 'sort', 'format', 'state', 'group'] as const),
  ...(['devig_book', 'devig_books', 'devig_method'] as const),
] as const

export const maxAge = decimal({
  description: 'Highest age of the oldest price, in seconds since it was last seen.',
  example: 30,
  min: 0,
})

export const state = oddsQuery.state
