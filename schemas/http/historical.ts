/** Requests and responses of the routes of `/historical` (interface 4.13, supplement 3.7 and 6.6). */

import { z } from 'zod'
import { missingCloseReasons } from '../closing-line.ts'
import { archiveMeta, filters, objectOf, timestamp } from './envelope.ts'
import { example, exampleOf } from './example.ts'
import { withheldClose } from './odds-columns.ts'
import { boardQuery, oddsQuery } from './odds-query.ts'
import { choice, day, dayOrInstant, list, required, text } from './query.ts'

const slug = z.string()
const count = z.int().min(0)

/** The most days that one request may span. */
export const closingWindowDays = 30

// ---- requests

export const clvGroupings = ['sportsbook', 'sport', 'league', 'market', 'day'] as const

export type ClvGrouping = (typeof clvGroupings)[number]

const interval = z
  .object({ low: z.number(), high: z.number() })
  .nullable()
  .describe(
    'The 95 % confidence interval of the mean, events as clusters; null unless two events differ.',
  )

export const clvGroup = z.object({
  group_key: example(z.string(), 'fanduel', 'A day when grouped by day.'),
  samples: example(count, 812, 'Compared closes.'),
  events: example(count, 71, 'Their events.'),
  avg_clv_percent: example(
    z.number(),
    -0.84,
    '(no-vig probability of the reference - own) / own, in percent, on average.',
  ),
  avg_clv_interval: example(interval, { low: -1.21, high: -0.47 }),
  avg_abs_clv_percent: example(z.number(), 2.17, 'The mean of absolute values.'),
  avg_abs_clv_interval: example(interval, { low: 1.98, high: 2.36 }),
  distinct_books: example(count, 1),
  distinct_sports: example(count, 4),
})

export const clvQuery = {
  from: dayOrInstant({
    description: `The first start: a day in UTC, or a time. Default: seven days before \`to\`, and never more than ${closingWindowDays} days before it.`,
    example: '2027-05-01',
  }),
  to: dayOrInstant({
    description: 'The last day of starts, or a time they are before; default and latest: today.',
    example: '2027-05-08',
  }),
  group_by: choice(clvGroupings, {
    description: 'What to group by. Default: `sportsbook`.',
    example: 'sportsbook',
  }),
  sport: boardQuery.sport,
  league: boardQuery.league,
  sportsbook: boardQuery.sportsbook,
  fields: list({
    description:
      'The fields of each group, with unrounded percentages. Default: all, with percentages to two places.',
    example: 'group_key,samples,avg_clv_percent',
    words: Object.keys(clvGroup.shape),
  }),
}

export const closingDayQuery = {
  date: required(day({ description: 'The day (UTC) of the starts.', example: '2027-05-02' })),
  sport: required(
    text({ description: 'One sport, by id or another usual name.', example: 'baseball' }),
  ),
  league: required(text({ description: 'One league, by id or name.', example: 'mlb' })),
  event: boardQuery.event,
  market: oddsQuery.market,
  sportsbook: boardQuery.sportsbook,
}

// ---- responses

/** The requested day, or a time. */
const dayOrTime = z.union([z.iso.date(), timestamp])

export const clv = z.object({
  group_by: example(z.enum(clvGroupings), 'sportsbook'),
  groups: example(
    z.array(clvGroup.partial()),
    [exampleOf(clvGroup)],
    'Most samples first. With `fields` only those.',
  ),
  date_range: z.object({
    from: example(dayOrTime, '2027-05-01'),
    to: example(dayOrTime, '2027-05-08'),
  }),
  total_events: example(
    count,
    96,
    'Events with a close, or the reason of a missing one, of the requested sportsbooks.',
  ),
  comparable_events: example(count, 71, 'Those with samples.'),
  not_comparable_events: z
    .object({
      no_close: example(count, 3, 'No requested sportsbook has a close with a no-vig probability.'),
      no_reference: example(count, 20, 'No sharp book has one.'),
      no_equal_line: example(count, 2, 'Not of one selection at one line.'),
    })
    .describe('The others, each counted once.'),
  sharp_reference: example(
    slug,
    'pinnacle',
    'The one most samples were compared with; else the first choice.',
  ),
  references: z
    .array(
      z.object({
        sportsbook: example(slug, 'pinnacle'),
        samples: example(count, 812),
        events: example(count, 71),
        from: example(timestamp, '2027-05-01T17:10:00.000Z', 'The first start of its events.'),
        to: example(timestamp, '2027-05-08T23:05:00.000Z', 'The last.'),
      }),
    )
    .describe(
      'The references: for each selection the first sharp book with a close. One that ends before the range has stopped quoting.',
    ),
  missing_closes: example(
    z.partialRecord(z.enum([...missingCloseReasons, 'withheld', 'incomplete']), count),
    { withdrawn: 40, suspended: 12, withheld: 2, incomplete: 9 },
    'Prices without a close to compare, by reason. `withheld`: the close was withheld as probably wrong. `incomplete`: there is a close, but another outcome of its market has none.',
  ),
})

const windowed = {
  source: z.literal('archive'),
  tier_window_days: example(count, 30),
  filters,
}

export const clvObject = objectOf(clv, {
  ...windowed,
  filters: example(filters, { sportsbook: ['fanduel'] }),
  phase: z.literal(1),
  ...archiveMeta,
})

const closingLine = z.object({
  market_type: example(z.string(), 'moneyline'),
  selection: example(z.string(), 'Seattle Mariners'),
  selection_type: example(z.string(), 'home'),
  line: z.number().nullable(),
  odds_american: example(z.int(), 131),
  odds_decimal: example(z.number(), 2.31),
  implied_probability: example(z.number(), 0.4329),
  no_vig_probability: example(
    z.number().nullable(),
    0.4214,
    'By the power method; null if an outcome of the market has no close, or the price was withheld.',
  ),
  withheld: withheldClose,
  player_name: z.string().optional(),
  stat_category: z.string().optional(),
  timestamp: example(
    timestamp,
    '2027-05-02T17:04:11.000Z',
    'When the sportsbook last changed the price.',
  ),
})

export const closingDay = z.object({
  date: example(z.iso.date(), '2027-05-02'),
  sport: example(slug, 'baseball'),
  league: example(slug, 'mlb'),
  events: z.array(
    z.object({
      event_id: example(z.string(), 'mlb_mariners_padres_2027-05-02_b2_g1'),
      sport: example(slug, 'baseball'),
      league: example(slug, 'mlb'),
      home_team: example(z.string(), 'Seattle Mariners'),
      away_team: example(z.string(), 'San Diego Padres'),
      event_start_time: example(timestamp, '2027-05-02T17:10:00.000Z'),
      first_captured_at: example(timestamp, '2027-05-02T17:09:48.000Z'),
      books: z.array(
        z.object({
          book: example(slug, 'pinnacle'),
          captured_at: example(timestamp, '2027-05-02T17:09:48.000Z'),
          lines: z.array(closingLine),
        }),
      ),
    }),
  ),
  total_events: example(count, 1),
  total_lines: example(count, 1),
})

export const closingDayObject = objectOf(closingDay, {
  ...windowed,
  filters: example(filters, { date: '2027-05-02', sport: ['baseball'], league: ['mlb'] }),
})
