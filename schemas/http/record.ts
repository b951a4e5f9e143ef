/** Requests and responses of `/record`: the opportunities that the service listed, and their results. */

import { z } from 'zod'
import { opportunityKinds } from '../opportunity.ts'
import { archiveMeta, filters, objectOf } from './envelope.ts'
import { example } from './example.ts'
import { boardQuery } from './odds-query.ts'
import { choice, choices, day } from './query.ts'

/** The most days that one request may span. */
export const recordDays = 31

/** The least samples, and the least events, for a mean to be shown. */
export const leastSamples = 30
export const leastEvents = 10

/** The parameters for everybody: with further filters, the difference of two responses could be a single bet. */
export const publicRecordQuery = {
  from: day({
    description: `First day (UTC) of detection. Default: six days before \`to\`; at most ${recordDays} days.`,
    example: '2027-01-08',
  }),
  to: day({ description: 'Last day. Default: today.', example: '2027-01-14' }),
  kind: choices(opportunityKinds, {
    description: 'Only these kinds. Default: all.',
    example: 'ev,arbitrage',
  }),
  format: choice(['json', 'csv'], {
    description: 'csv: the days as a file. Default: json.',
    example: 'json',
  }),
} as const

export const recordQuery = {
  ...publicRecordQuery,
  sport: boardQuery.sport,
  league: boardQuery.league,
  sportsbook: boardQuery.sportsbook,
} as const

const count = z.int().min(0)

const figure = z.object({
  samples: example(count, 412),
  events: example(count, 96, 'Number of games.'),
  too_few: example(
    z.boolean(),
    false,
    `Fewer than ${leastSamples} samples or ${leastEvents} events: no mean is shown.`,
  ),
  percent: example(z.number().nullable(), 1.84, 'The mean.'),
  low: example(z.number().nullable(), 0.97, 'Low end of its 95 % interval, clustered by event.'),
  high: example(z.number().nullable(), 2.71),
})

export type RecordFigure = z.output<typeof figure>

const shareExample = { samples: 412, events: 96, too_few: false, percent: 63, low: 57, high: 69 }

export const recordItem = z.object({
  kind: example(z.enum(opportunityKinds), 'ev'),
  listed: example(count, 530, 'Opportunities that have ended.'),
  events: example(count, 118, 'Number of games.'),
  median_seconds: example(z.number(), 74.2, 'Median time they lasted.'),
  avg_worth_percent: example(
    z.number().nullable(),
    2.31,
    'Mean gain at detection, percent of the stake; for low hold minus the hold. Null in public if too few.',
  ),
  gone_at_once: example(
    count,
    41,
    'Ended within a minute because a sportsbook withdrew or suspended a price.',
  ),
  clv: figure
    .nullable()
    .describe(
      '+EV before the start: first price times the sharp book’s no-vig closing probability, minus 1. Null for other kinds.',
    ),
  beat_close: example(
    figure.nullable(),
    shareExample,
    'Percent of them with a value above 0 at the close. Null for other kinds.',
  ),
  settled: example(
    figure,
    { samples: 301, events: 88, too_few: false, percent: 1.1, low: -7.9, high: 10.1 },
    'Gain by final scores in percent of the stake, at the first prices; stakes are split so that each leg returns the same.',
  ),
})

export const recordAnswer = objectOf(
  z.object({
    from: example(z.iso.date(), '2027-01-08'),
    to: example(z.iso.date(), '2027-01-14'),
    is_public: z
      .boolean()
      .describe('Whether it counts only opportunities at sportsbooks of the free tier.'),
    total: z.array(recordItem).describe('All days, by kind.'),
    days: z
      .array(recordItem.extend({ day: example(z.iso.date(), '2027-01-14') }))
      .describe('Newest day first, then by kind; empty days are left out.'),
  }),
  { filters: example(filters, { kind: ['ev'] }), ...archiveMeta },
)
