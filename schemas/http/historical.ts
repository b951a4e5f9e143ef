/** What the routes of `/historical` take and answer with (interface 4.13, supplement 3.7 and 6.6). */

import { z } from 'zod'
import { missingCloseReasons } from '../closing-line.ts'
import { archiveMeta, filters, objectOf, timestamp } from './envelope.ts'
import { boardQuery } from './odds-query.ts'
import { choice, day, dayOrInstant, list, required, text } from './query.ts'

const slug = z.string()
const count = z.int().min(0)

/** Days that one question may span. */
export const closingWindowDays = 30

// ---- questions

export const clvGroupings = ['sportsbook', 'sport', 'league', 'market', 'day'] as const

export type ClvGrouping = (typeof clvGroupings)[number]

const interval = z
  .object({ low: z.number(), high: z.number() })
  .nullable()
  .describe(
    'The 95 percent confidence interval of the mean before it, with events as clusters; null of fewer than two events.',
  )

export const clvGroup = z.object({
  group_key: z.string().describe('A day when grouped by day.'),
  samples: count.describe('Closes that were compared.'),
  events: count.describe('Events they are of.'),
  avg_clv_percent: z
    .number()
    .describe('(no-vig probability of the reference - own) / own, in percent, on average.'),
  avg_clv_interval: interval,
  avg_abs_clv_percent: z.number().describe('The same without the signs.'),
  avg_abs_clv_interval: interval,
  distinct_books: count,
  distinct_sports: count,
})

export const clvQuery = {
  from: dayOrInstant({
    description: `The first start: a day in UTC, or a time. Default: seven days before \`to\`, and never more than ${closingWindowDays} days before it.`,
    example: '2027-05-01',
  }),
  to: dayOrInstant({
    description:
      'The last day of starts, or a time before which they lie; default and latest: today.',
    example: '2027-05-08',
  }),
  group_by: choice(clvGroupings, {
    description: 'What each group is of; `sportsbook` when absent.',
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
  date: required(
    day({ description: 'The day of UTC the events start on.', example: '2027-05-02' }),
  ),
  sport: required(
    text({ description: 'One sport, by id or another usual name.', example: 'baseball' }),
  ),
  league: required(text({ description: 'One league, by id or name.', example: 'mlb' })),
}

// ---- answers

/** A day as it was asked for, or an instant. */
const dayOrTime = z.union([z.iso.date(), timestamp])

export const clv = z.object({
  group_by: z.enum(clvGroupings),
  groups: z.array(clvGroup.partial()).describe('Most samples first. With `fields` only those.'),
  date_range: z.object({ from: dayOrTime, to: dayOrTime }),
  total_events: count.describe(
    'Events with a close, or the reason of a missing one, of the sportsbooks asked for.',
  ),
  comparable_events: count.describe('Those with samples.'),
  not_comparable_events: z
    .object({
      no_close: count.describe('No sportsbook asked for has a close with a no-vig probability.'),
      no_reference: count.describe('No sharp book has one.'),
      no_equal_line: count.describe('Not of one selection at one line.'),
    })
    .describe('The others, each counted once.'),
  sharp_reference: slug.describe(
    'The one most samples were compared with; of none, the first choice.',
  ),
  references: z
    .array(
      z.object({
        sportsbook: slug,
        samples: count,
        events: count,
        from: timestamp.describe('The first start of its events.'),
        to: timestamp.describe('The last.'),
      }),
    )
    .describe(
      'Who the reference was: of each selection the first sharp book with a close. One that ends before the range does has ended to quote.',
    ),
  missing_closes: z
    .partialRecord(z.enum([...missingCloseReasons, 'incomplete']), count)
    .describe(
      'Prices without a close to compare, by reason. `incomplete`: there is a close, and another answer of its market has none.',
    ),
})

const windowed = {
  source: z.literal('archive'),
  tier_window_days: count,
  filters,
}

export const clvObject = objectOf(clv, { ...windowed, phase: z.literal(1), ...archiveMeta })

const closingLine = z.object({
  market_type: z.string(),
  selection: z.string(),
  selection_type: z.string(),
  line: z.number().nullable(),
  odds_american: z.int(),
  odds_decimal: z.number(),
  implied_probability: z.number(),
  no_vig_probability: z
    .number()
    .nullable()
    .describe('By the power method; null where an answer of the market has no close.'),
  player_name: z.string().optional(),
  stat_category: z.string().optional(),
  timestamp: timestamp.describe('When the sportsbook last changed the price.'),
})

export const closingDay = z.object({
  date: z.iso.date(),
  sport: slug,
  league: slug,
  events: z.array(
    z.object({
      event_id: z.string(),
      sport: slug,
      league: slug,
      home_team: z.string(),
      away_team: z.string(),
      event_start_time: timestamp,
      first_captured_at: timestamp,
      books: z.array(z.object({ book: slug, captured_at: timestamp, lines: z.array(closingLine) })),
    }),
  ),
  total_events: count,
  total_lines: count,
})

export const closingDayObject = objectOf(closingDay, windowed)
