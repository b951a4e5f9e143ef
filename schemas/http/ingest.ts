/**
 * The body of `POST /api/v1/ingest`, one record a line. Unknown fields of a record are refused, because a misspelt
 * `odds_decimal` must not become a missing price.
 */

import { z } from 'zod'
import { printable, takenShape } from '../attributes.ts'
import { eventStatuses, futureTypes } from '../feed-record.ts'
import { exactLine } from '../line-precision.ts'
import { outcomeMaxLength, outcomeSlug, slugOutcome } from '../reference/outcome-words.ts'
import { existingInstant, instant } from './instant.ts'

/** The largest body of one request, in bytes. */
export const maxBodyBytes = 8 * 1024 * 1024

/** The longest record, in bytes; longer ones are refused and the rest of the body is read. */
export const maxRecordBytes = 1024 * 1024

/** The most records of one body: more than fit into it, even of the shortest valid ones. */
export const maxRecords = 100_000

/** The most rejections named in one response; `rejected_count` has their total. */
export const maxNamedRejections = 1_000

/** The most warnings named in one response; `warning_count` has their total. */
export const maxNamedWarnings = 1_000

const text = printable
/** A share of bets or money, in percent. */
const share = z.number().min(0).max(100)
export const line = z.number().min(-100_000).max(100_000).overwrite(exactLine)

export const ingestEvent = z.strictObject({
  external_id: text.nullish(),
  sport: text,
  league: text,
  home_team: text,
  away_team: text,
  start_time: instant,
  is_live: z.boolean().default(false),
})

const probability = z
  .number()
  .describe('Instead of odds: the probability of the outcome without margin, from 0 to 1.')

/** A word for an outcome, read as `home`, `over`, `home_draw`, `2_1`. */
const selectionType = z
  .string()
  .overwrite(slugOutcome)
  .regex(outcomeSlug)
  .max(outcomeMaxLength)
  .describe('Such as home, over or 2_1. Case and blanks do not matter.')

export const ingestSelection = z.strictObject({
  selection: text.nullish(),
  selection_type: selectionType,
  line: line.nullish(),
  odds_decimal: z.number().nullish(),
  odds_american: z.number().nullish(),
  probability: probability.nullish(),
  removed: z.boolean().default(false),
  suspended: z.boolean().default(false),
  changed_at: existingInstant.nullish(),
  ...takenShape('selection'),
})

export const ingestMarket = z.strictObject({
  market_type: text,
  line: line.nullish(),
  player_name: text.nullish(),
  stat_category: text.nullish(),
  suspended: z.boolean().default(false),
  ...takenShape('market'),
  selections: z.array(ingestSelection).max(1_000),
})

/** A market on a season or a tournament. */
export const ingestFuture = z.strictObject({
  external_id: text.nullish(),
  sport: text,
  league: text,
  name: text.describe("The sportsbook's own name of the market."),
  future_type: z
    .enum(futureTypes)
    .describe('Its selections: teams, players, Over and Under, or Yes and No.'),
  subject: text
    .nullish()
    .describe('The team or player of an OVER_UNDER or YES_NO, if there is one.'),
  season: text
    .nullish()
    .describe(
      'Such as 2026-27. A market with neither this nor settles_at nor a season in its name is matched with no other sportsbook.',
    ),
  settles_at: instant.nullish().describe('When it is decided.'),
})

const { external_id, deep_link } = takenShape('selection')

export const ingestFutureSelection = z.strictObject({
  selection: text.describe('The team or player; Over, Under, Yes or No.'),
  line: line.nullish().describe('Required for an OVER_UNDER.'),
  odds_decimal: z.number().nullish(),
  odds_american: z.number().nullish(),
  probability: probability.nullish(),
  removed: z.boolean().default(false),
  suspended: z.boolean().default(false),
  changed_at: existingInstant.nullish(),
  external_id,
  deep_link,
})

const shareText = 'From 0 to 1, or percent if one share is above 1. 0 and 0 means unknown.'
export const sideShares = z.strictObject({ home: share, away: share }).describe(shareText)
export const totalShares = z.strictObject({ over: share, under: share }).describe(shareText)

export const statedMoneyline = z.strictObject({
  home_odds: z.number().nullish(),
  away_odds: z.number().nullish(),
  handle_pct: sideShares.nullish(),
  bets_pct: sideShares.nullish(),
})
export const statedSpread = z.strictObject({
  home_line: line.nullish(),
  away_line: line.nullish(),
  handle_pct: sideShares.nullish(),
  bets_pct: sideShares.nullish(),
})
export const statedTotal = z.strictObject({
  line: line.nullish(),
  handle_pct: totalShares.nullish(),
  bets_pct: totalShares.nullish(),
})
export const ingestSplits = z.strictObject({
  moneyline: statedMoneyline.nullish(),
  spread: statedSpread.nullish(),
  total: statedTotal.nullish(),
})

/** One record of a feed, by its `type`. */
export const ingestRecord = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('odds'),
    sportsbook: text,
    mode: z.enum(['snapshot', 'delta']),
    observed_at: instant,
    event: ingestEvent,
    markets: z.array(ingestMarket).max(5_000),
  }),
  z.strictObject({
    type: z.literal('futures'),
    sportsbook: text,
    mode: z
      .enum(['snapshot', 'delta'])
      .describe('snapshot: everything the sportsbook offers in this market now.'),
    observed_at: instant,
    market: ingestFuture,
    selections: z.array(ingestFutureSelection).max(1_000),
  }),
  z.strictObject({
    type: z.literal('event_status'),
    sportsbook: text,
    observed_at: instant,
    event: ingestEvent,
    status: z.enum(eventStatuses),
  }),
  z.strictObject({
    type: z.literal('game_state'),
    sportsbook: text,
    observed_at: instant,
    event: ingestEvent,
    state: z.preprocess(
      // A record would drop the field without an error.
      (state, context) => {
        if (typeof state !== 'object' || state === null || !Object.hasOwn(state, '__proto__')) {
          return state
        }
        context.addIssue('has a field that is not one of a game state')
        return z.NEVER
      },
      z.record(
        z.string().regex(/^[a-z][a-z0-9_]{0,59}$/),
        z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]),
      ),
    ),
  }),
  z.strictObject({
    type: z.literal('splits'),
    sportsbook: text,
    observed_at: instant,
    event: ingestEvent,
    splits: ingestSplits,
  }),
  z.strictObject({
    type: z.literal('book_status'),
    sportsbook: text,
    observed_at: instant,
    status: z.enum(['up', 'down']),
  }),
])

export type IngestRecord = z.infer<typeof ingestRecord>
/** A market of a record of prices, and a selection of it. */
export type IngestMarket = Extract<IngestRecord, { type: 'odds' }>['markets'][number]
export type IngestSelection = IngestMarket['selections'][number]

/** The response of `POST /api/v1/ingest`. */
export const ingestAnswer = z.object({
  data: z.object({
    accepted: z.int().describe('Records stored in the log.'),
    rejected: z
      .array(
        z.object({
          line: z.int().describe('From 1; in a JSON array, the position of the record.'),
          code: z.string(),
          message: z.string(),
        }),
      )
      .describe(`The first ${maxNamedRejections} rejected records, with reasons.`),
    rejected_count: z.int(),
    warnings: z
      .array(
        z.object({
          line: z.int().describe('As in `rejected`, for an accepted record.'),
          code: z.string().describe('The guide `own-prices` lists them.'),
          message: z.string(),
          market_type: z
            .string()
            .describe('As sent; the name of a future, or the league where it concerns no market.'),
          selection: z
            .string()
            .optional()
            .describe('For an invalid price: the suspended selection.'),
          path: z.string().optional(),
          count: z.int().optional(),
          did_you_mean: z.array(z.string()).optional().describe('Similar market ids.'),
        }),
      )
      .describe(`The first ${maxNamedWarnings} warnings about accepted records.`),
    warning_count: z.int(),
  }),
})
