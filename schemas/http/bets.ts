/** Requests and responses of the routes about an account's own bets. */

import { z } from 'zod'
import { printable } from '../attributes.ts'
import { betOutcomes } from '../bet.ts'
import { missingCloseReasons } from '../closing-line.ts'
import { priceFormats } from '../price-format.ts'
import { archiveMeta, listOf, objectOf, pagination, timestamp } from './envelope.ts'
import { example } from './example.ts'
import { line } from './ingest.ts'
import { instant } from './instant.ts'
import { oneOfKeyword } from './needed-fields.ts'
import { choice, day, flag, formed, list, text } from './query.ts'

/** The most bets of one request, and its most bytes. */
export const mostBetsAtOnce = 5_000
export const mostBetBytes = 4 * 1024 * 1024
/** The most bets in one sum. */
export const mostBetsInSum = 20_000
/** The most rejections named in one response; `rejected_count` has their total. */
export const mostNamedRejections = 1_000

const start = z.union([instant, z.iso.date()], {
  error: 'is an RFC 3339 date and time with a zone, or a date',
})

export const betStatement = z
  .strictObject({
    id: printable
      .nullish()
      .describe('Our id, for a bet sent again without a `reference`. Any other value is ignored.'),
    placed_at: instant.describe('When the bet was made.'),
    event_id: printable
      .nullish()
      .describe(
        'Our id of the event; then without teams and start. Sides are as the event is shown.',
      ),
    home_team: printable
      .nullish()
      .describe('As the sportsbook spells it; `home` is as the bet has it.'),
    away_team: printable.nullish(),
    start_time: start
      .nullish()
      .describe(
        'The start, or only its date by the clock of the league: US Eastern time in US leagues, UTC in others.',
      ),
    league: printable.nullish().describe('Id or name; optional if `sport` is given.'),
    sport: printable.nullish(),
    market: printable.describe(
      'Id or any name of the market: `moneyline`, `spread`, `Over/Under`.',
    ),
    selection: printable.describe(
      '`home`, `away`, `draw`, `over`, `under`, … or the name of a side.',
    ),
    line: line.nullish().describe("With the selection's own sign."),
    player_name: printable.nullish().describe('For a player market.'),
    odds_decimal: z.number().nullish(),
    odds_american: z.number().nullish(),
    stake: z.number().positive().max(1e12).describe('In your own currency; sums do not convert.'),
    sportsbook: printable,
    reference: z
      .string()
      .regex(/^(?=.*\S)[^\p{Cc}\p{Surrogate}]{1,100}$/u, 'is 1 to 100 printable characters')
      .meta({ minLength: 1, maxLength: 100 })
      .nullish()
      .describe('Your own name for the bet. A bet sent again with it is kept once.'),
    result: z
      .enum(betOutcomes)
      .nullish()
      .describe('How it ended, if you know; else the score settles it.'),
    returned: z.number().nonnegative().max(1e15).nullish().describe('The payout, with the stake.'),
    shared_by: z
      .int()
      .min(2)
      .max(1_000)
      .nullish()
      .describe('For a dead heat: how many shared the place.'),
    result_reason: printable.nullish().describe('Your own words for the result.'),
  })
  .meta({ [oneOfKeyword]: ['odds_decimal', 'odds_american'] })
export type StatedBet = z.output<typeof betStatement>

export const betsBody = z.union([betStatement, z.array(betStatement).max(mostBetsAtOnce)])

/**
 * The columns of a CSV file with their kinds: the fields of a bet, of which numeric ones are read as numbers; columns
 * that combine several; and those of our own file that show the bet as found, which are ignored when it comes back.
 */
const columnKinds = {
  placed_at: 'time',
  event_id: 'text',
  event: 'text',
  home_team: 'text',
  away_team: 'text',
  start_time: 'time',
  league: 'text',
  sport: 'text',
  market: 'text',
  selection: 'text',
  line: 'number',
  player_name: 'text',
  odds: 'odds',
  odds_decimal: 'odds',
  odds_american: 'odds',
  stake: 'number',
  sportsbook: 'text',
  reference: 'text',
  result: 'result',
  returned: 'number',
  profit: 'number',
  shared_by: 'number',
  result_reason: 'text',
  id: 'text',
  created_at: 'shown',
  found_event_id: 'shown',
  found_market: 'shown',
} as const

export type BetColumn = keyof typeof columnKinds
type ColumnKind = (typeof columnKinds)[BetColumn]

export const betColumns: ReadonlyMap<BetColumn, ColumnKind> = new Map(
  Object.entries(columnKinds) as [BetColumn, ColumnKind][],
)

/** The columns that our own file has. */
export const writtenColumns = [...betColumns.keys()].filter(
  (column) => column !== 'event' && column !== 'odds' && column !== 'profit',
)

// ---- responses

/**
 * Why a bet has no closing line value. `no_close_yet`: its game has not started, has only just, or nothing of it was
 * captured so far; `archive_behind`: it was captured, and the archive has yet to take it. Those of
 * `MissingCloseReason` are the sharp book's reasons for having no close of the price.
 */
export const betReasons = [
  'no_such_event',
  'several_events',
  'selection_unknown',
  'archive_not_ready',
  'placed_after_start',
  'no_close_yet',
  'archive_behind',
  'close_not_kept',
  'no_reference',
  'no_price_at_line',
  'not_devigged',
  ...missingCloseReasons,
] as const
export type BetReason = (typeof betReasons)[number]

/**
 * Why a bet is open. `not_by_score`: a final score does not settle the market, or the sport; `no_period_score`: it is
 * about a part of the game whose score nobody reported; `result_not_kept`: the archive has no result of the game;
 * `postponed`: it was, or was played at another time; `placed_after_start`: a handicap in play that sportsbooks
 * settle by different scores.
 */
export const openReasons = [
  'not_started',
  'not_over',
  'postponed',
  'cancelled',
  'no_final_score',
  'scores_differ',
  'game_shortened',
  'no_period_score',
  'not_by_score',
  'result_not_kept',
  ...betReasons,
] as const
export type OpenReason = (typeof openReasons)[number]

const percent = z.number().describe('Percent.')

const statedMembers = {
  event_id: z.string().nullable().describe('As stated.'),
  home_team: example(z.string().nullable(), 'NY Knicks'),
  away_team: example(z.string().nullable(), 'Brooklyn Nets'),
  start_time: example(z.string().nullable(), '2026-11-21T00:30:00.000Z', 'A time, or a date.'),
  league: example(z.string().nullable(), 'nba', 'Id.'),
  sport: example(z.string().nullable(), 'basketball'),
  market: example(z.string(), 'spread'),
  selection: example(z.string(), 'NY Knicks'),
  line: example(z.number().nullable(), -4.5),
  player_name: z.string().nullable(),
  odds_decimal: example(z.number(), 1.95),
  odds_american: example(z.int(), -105),
  stake: example(z.number(), 50),
  sportsbook: example(z.string(), 'draftkings'),
  reference: example(z.string().nullable(), 'slip-1042'),
}

const verdict = z.object({
  outcome: example(z.enum(betOutcomes), 'won'),
  returned: example(z.number().nullable(), null, 'With the stake; null if the outcome implies it.'),
  shared_by: example(z.int().nullable(), null, 'In a dead heat.'),
  reason: example(z.string().nullable(), 'settled by the sportsbook'),
  at: example(timestamp, '2026-11-21T09:00:00.000Z'),
})

const found = z.object({
  event_id: example(z.string(), 'nba_nets_knicks_2026-11-20_b3'),
  home_team: example(z.string(), 'New York Knicks'),
  away_team: example(z.string(), 'Brooklyn Nets'),
  start_time: example(timestamp, '2026-11-21T00:30:00.000Z', 'As it was when the bet was found.'),
  league: example(z.string(), 'nba'),
  sport: example(z.string(), 'basketball'),
  market_type: example(z.string(), 'point_spread'),
  selection: example(z.string(), 'New York Knicks'),
  line: example(z.number().nullable(), -4.5),
  player_name: z.string().nullable(),
})

export const betItem = z.object({
  id: example(z.string(), 'bet_482107733915460'),
  placed_at: example(timestamp, '2026-11-20T12:00:00.000Z'),
  created_at: example(timestamp, '2026-11-20T12:00:00.000Z'),
  ...statedMembers,
  found: found.nullable().describe('The matched selection; null while unknown.'),
  by_hand: verdict.nullable().describe('How it ended, as you stated it; else null.'),
})

export const betsAnswer = listOf(betItem, {
  max_bets: z.int().describe('Most bets an account of the tier keeps.'),
})

export const betsAddedAnswer = objectOf(
  z.object({
    accepted: example(z.int(), 1, 'Bets stored now or before.'),
    duplicates: example(z.int(), 0, 'Bets stored before, with the same reference.'),
    bets: z.array(
      z.object({
        line: example(z.int(), 1, 'Line of the file, or place in the array; from 1.'),
        id: example(z.string(), 'bet_482107733915460'),
        status: example(
          z.enum(['stored', 'duplicate', 'settled']),
          'stored',
          '`settled`: stored before; its result is stored now.',
        ),
        reference: example(z.string().nullable(), 'slip-1042'),
        event_id: example(
          z.string().nullable(),
          'nba_nets_knicks_2026-11-20_b3',
          'Null while not found.',
        ),
        reason: z.enum(betReasons).nullable().describe('Why it is not found.'),
      }),
    ),
    rejected: z.array(
      z.object({
        line: example(z.int(), 2),
        code: example(z.string(), 'missing_line'),
        message: example(z.string(), 'total_points over: the market is of a line'),
      }),
    ),
    rejected_count: example(z.int(), 1),
    ignored_columns: example(z.array(z.string()), [], 'With `other_columns=ignore`.'),
  }),
)

export const betDeletionAnswer = objectOf(
  z.object({ deleted: z.literal(true), id: example(z.string(), 'bet_482107733915460') }),
)

const close = z.object({
  sportsbook: example(z.string(), 'pinnacle'),
  start_time: example(timestamp, '2026-11-21T00:30:00.000Z', 'The start this close is for.'),
  odds_decimal: example(z.number().nullable(), 1.87),
  odds_american: example(z.int().nullable(), -115),
  no_vig_probability: example(
    z.number().nullable(),
    0.52384,
    'By the power method; null if an outcome of the market has no close.',
  ),
  missing: z.enum(missingCloseReasons).nullable().describe('Null for a close.'),
})

export const betClvItem = betItem.extend({
  clv_percent: example(
    percent.nullable(),
    2.148,
    "No-vig probability of the sharp book's close x decimal odds of the bet - 1.",
  ),
  reason: example(z.enum(betReasons).nullable(), null, 'Why there is no value; else null.'),
  close: close.nullable().describe("The sharp book's close behind the value."),
  sportsbook_clv_percent: example(
    percent.nullable(),
    0.6,
    "The same against the no-vig close of the bet's own sportsbook.",
  ),
  sportsbook_close: close.nullable(),
})

export const betMean = z.object({
  percent,
  low: percent.nullable(),
  high: percent.nullable(),
})
const meanOf = (what: string) =>
  betMean
    .nullable()
    .describe(
      `${what}, with its 95 % interval, events as clusters; null bounds for a single event.`,
    )

const sum = z.object({
  bets: example(z.int(), 1),
  with_clv: example(z.int(), 1, 'Bets with a value: the sample.'),
  events: example(z.int(), 1, 'Different events among them.'),
  beat_close: example(z.int(), 1, 'Bets whose value is above 0.'),
  stake: example(z.number(), 50, 'Of all bets.'),
  stake_with_clv: example(z.number(), 50),
  avg_clv: example(meanOf('The mean, each bet alike'), { percent: 2.148, low: null, high: null }),
  stake_weighted_clv: example(meanOf('The mean, weighted by stake'), {
    percent: 2.148,
    low: null,
    high: null,
  }),
})

export const betClvGroup = sum.extend({ group_key: example(z.string(), 'draftkings') })

const ended = (count: number) => example(z.int(), count)

const resultSum = sum.omit({ stake: true }).extend({
  open: example(z.int(), 0),
  open_stake: example(z.number(), 0),
  settled: example(z.int(), 1),
  won: ended(1),
  half_won: ended(0),
  refunded: ended(0),
  half_lost: ended(0),
  lost: ended(0),
  dead_heat: ended(0),
  cashed_out: ended(0),
  settled_stake: example(z.number(), 50, 'Of settled bets, including refunded ones.'),
  returned: example(z.number(), 97.5, 'Including stakes.'),
  profit: example(z.number(), 47.5),
  roi: example(meanOf('Profit by stake of settled bets (yield)'), {
    percent: 95,
    low: null,
    high: null,
  }),
})
export const betResultGroup = resultSum.extend({ group_key: example(z.string(), 'draftkings') })

export const betResultItem = betItem.extend({
  outcome: example(z.enum(betOutcomes).nullable(), 'won', 'Null while the bet is open.'),
  open_because: example(z.enum(openReasons).nullable(), null, 'Null for a settled bet.'),
  settled_by: example(
    z.enum(['score', 'hand']).nullable(),
    'score',
    'Your own statement overrides the score.',
  ),
  outcome_by_score: example(
    z.enum(betOutcomes).nullable(),
    'won',
    'By the final score, even if you stated another.',
  ),
  score: z
    .object({
      home_team: example(z.string(), 'New York Knicks'),
      away_team: example(z.string(), 'Brooklyn Nets'),
      home: example(z.int(), 112),
      away: example(z.int(), 104),
    })
    .nullable(),
  returned: example(z.number().nullable(), 97.5, 'With the stake, to the cent.'),
  profit: example(z.number().nullable(), 47.5),
  clv_percent: example(percent.nullable(), 2.148),
  clv_reason: example(z.enum(betReasons).nullable(), null, 'Why there is no value.'),
})

export const betResultsAnswer = objectOf(
  z.object({
    total: resultSum,
    by_sportsbook: z.array(betResultGroup),
    by_market: z.array(betResultGroup),
    by_league: z.array(betResultGroup),
    by_month: z.array(betResultGroup).describe('Of `placed_at`, UTC.'),
    open_reasons: example(z.record(z.string(), z.int()), {}, 'How many bets are open, by reason.'),
    bets: z.array(betResultItem).describe('One page of bets.'),
  }),
  {
    pagination: pagination,
    filters: example(z.record(z.string(), z.unknown()), {}),
    ...archiveMeta,
  },
)

/** The bettor's own outcome of a bet; an outcome of null takes it back. */
export const betVerdict = z.strictObject({
  outcome: z.enum(betOutcomes).nullable().describe('Null removes your statement.'),
  returned: z
    .number()
    .nonnegative()
    .max(1e15)
    .nullish()
    .describe('The payout, with the stake; needed for `cashed_out`.'),
  shared_by: z
    .int()
    .min(2)
    .max(1_000)
    .nullish()
    .describe('How many shared the place; needed for `dead_heat` without `returned`.'),
  reason: printable.nullish().describe('Your own words, kept with it.'),
})
export type BetVerdictStated = z.output<typeof betVerdict>

export const betVerdictAnswer = objectOf(betItem)

export const betsClvAnswer = objectOf(
  z.object({
    sharp_reference: example(
      z.array(z.string()),
      ['pinnacle', 'circa'],
      'Sharp books; the first with a close counts.',
    ),
    sharp_references: example(
      z.record(z.string(), z.int()),
      { pinnacle: 1 },
      'Bets measured against each sharp book.',
    ),
    total: sum,
    by_sportsbook: z.array(betClvGroup),
    by_market: z.array(betClvGroup),
    by_league: z.array(betClvGroup),
    by_month: z.array(betClvGroup).describe('Of `placed_at`, UTC.'),
    reasons: example(
      z.record(z.string(), z.int()),
      {},
      'How many bets have no value, by reason. No mean includes them.',
    ),
    bets: z.array(betClvItem).describe('One page of bets.'),
  }),
  {
    pagination: pagination,
    filters: example(z.record(z.string(), z.unknown()), {}),
    ...archiveMeta,
  },
)

// ---- parameters

export const betFilters = {
  sportsbook: list({ description: 'Ids or names of sportsbooks.', example: 'draftkings' }),
  league: list({ description: 'Ids or names of leagues.', example: 'nba' }),
  market: list({ description: 'Ids or names of markets.', example: 'moneyline' }),
  from: day({ description: 'Bets placed on this day or later, UTC.', example: '2026-11-01' }),
  to: day({ description: 'Bets placed on this day or earlier, UTC.', example: '2026-11-30' }),
} as const

/** Options of writing a CSV file. */
const exportOptions = {
  separator: choice(['comma', 'semicolon', 'tab'], {
    description: 'For CSV. Excel expects the separator of its country. Default: comma.',
  }),
  decimal: choice(['point', 'comma'], { description: 'For CSV. Default: point.' }),
  bom: flag({ description: 'Whether a CSV file begins with the UTF-8 mark that Excel needs.' }),
} as const

export const betResultFilters = {
  ...betFilters,
  ...exportOptions,
  format: choice(['json', 'csv'], {
    description: 'csv: a spreadsheet file of all matching bets, with how they ended.',
  }),
  state: choice(['open', 'settled'], {
    description: 'The page has only those. Sums are of all that match the other filters.',
  }),
} as const

/** Options of reading a CSV file, where its content does not show them. */
export const importOptions = {
  date_order: choice(['mdy', 'dmy', 'ymd'], {
    description:
      'Of dates in figures. Default: what the file shows; a date that can be read two ways is refused.',
    example: 'dmy',
  }),
  time_zone: formed({
    description: 'IANA time zone for times without one. Without it such times are refused.',
    pattern: /^[A-Za-z0-9_+/-]{1,64}$/,
    problem: 'is the name of a time zone, such as Europe/Berlin',
    example: 'America/New_York',
  }),
  decimal: choice(['point', 'comma'], {
    description: 'The decimal mark. Default: what the file shows.',
  }),
  odds_format: choice(priceFormats, {
    description: 'For the column `odds`. Default: what each price shows; others are refused.',
  }),
  sportsbook: text({ description: 'If the file has no such column.', example: 'draftkings' }),
  league: text({ description: 'If the file has no such column.', example: 'nba' }),
  other_columns: choice(['refuse', 'ignore'], {
    description: 'What happens to unknown columns. Default: refuse.',
  }),
} as const

export const betListFilters = {
  ...betFilters,
  ...exportOptions,
  found: flag({ description: 'Only bets whose event is known, or unknown.' }),
  format: choice(['json', 'csv'], {
    description: 'csv: a file with all matching bets, which can be sent again.',
  }),
} as const
