/** Requests and responses of `/record`: the opportunities that the service listed, and their results. */

import { z } from 'zod'
import { opportunityKinds } from '../opportunity.ts'
import { archiveMeta, filters, objectOf } from './envelope.ts'
import { example } from './example.ts'
import { movementsQuery } from './history.ts'
import { choice, choices, day } from './query.ts'

/** The most days that one request may span. */
export const recordDays = 31

/** The least samples, and the least events, for a mean to be shown. */
export const leastSamples = 30
export const leastEvents = 10

/** The parameters for everybody: with further filters, the difference of two responses could be a single bet. */
export const publicRecordQuery = {
  from: day({
    description: `The first day (UTC) of detection. Default: six days before \`to\`; at most ${recordDays} days in all.`,
    example: '2027-01-08',
  }),
  to: day({ description: 'The last day. Default: today.', example: '2027-01-14' }),
  kind: choices(opportunityKinds, {
    description: 'Of these kinds; of all when absent.',
    example: 'ev,arbitrage',
  }),
  format: choice(['json', 'csv'], {
    description: 'csv: the days as a file. json when absent.',
    example: 'json',
  }),
} as const

export const recordQuery = {
  ...publicRecordQuery,
  sport: movementsQuery.sport,
  league: movementsQuery.league,
  sportsbook: movementsQuery.sportsbook,
} as const

const count = z.int().min(0)

const figure = z.object({
  samples: example(count, 412),
  events: example(count, 96, 'Games they are of.'),
  too_few: example(
    z.boolean(),
    false,
    `Fewer than ${leastSamples} samples or ${leastEvents} events: no mean is shown.`,
  ),
  percent: example(z.number().nullable(), 1.84, 'The mean.'),
  low: example(z.number().nullable(), 0.97, 'Its 95 percent interval, events as clusters.'),
  high: example(z.number().nullable(), 2.71),
})

export type RecordFigure = z.output<typeof figure>

const shareExample = { samples: 412, events: 96, too_few: false, percent: 63, low: 57, high: 69 }

export const recordItem = z.object({
  kind: example(z.enum(opportunityKinds), 'ev'),
  listed: example(count, 530, 'Times that one existed and ended.'),
  events: example(count, 118, 'Games they were on.'),
  median_seconds: example(z.number(), 74.2, 'How long they stood.'),
  avg_worth_percent: example(
    z.number(),
    2.31,
    'What a stake gained when they were detected, as said then: +EV and middles on average, arbitrage for sure.',
  ),
  gone_at_once: example(
    count,
    41,
    'Those that ended within a minute because a sportsbook withdrew or suspended a price.',
  ),
  clv: figure
    .nullable()
    .describe(
      '+EV before the start: the sharp book’s no-vig close times the first price, less one. Null for other kinds.',
    ),
  beat_close: example(
    figure.nullable(),
    shareExample,
    'The share of them whose value at the close is above 0.',
  ),
  settled: example(
    figure,
    { samples: 301, events: 88, too_few: false, percent: 1.1, low: -7.9, high: 10.1 },
    'What a stake of 1 at the first prices gained by the final scores, shared so that each leg returns the same.',
  ),
})

export const recordAnswer = objectOf(
  z.object({
    from: example(z.iso.date(), '2027-01-08'),
    to: example(z.iso.date(), '2027-01-14'),
    is_public: z
      .boolean()
      .describe('Whether only opportunities at sportsbooks that everybody sees are counted.'),
    total: z.array(recordItem).describe('All days, by kind.'),
    days: z
      .array(recordItem.extend({ day: example(z.iso.date(), '2027-01-14') }))
      .describe('The newest day first, by kind; days without any are left out.'),
  }),
  { filters: example(filters, { kind: ['ev'] }), ...archiveMeta },
)
