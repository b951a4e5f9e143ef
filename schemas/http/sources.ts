/** How the operator's sources are, as `/sources` sends it. */

import { z } from 'zod'
import { audiences, sourceStates } from '../source.ts'
import { timestamp } from './envelope.ts'
import { example } from './example.ts'

const count = z.int().min(0)
const credits = z.number().nullable()

export const sourceState = z
  .enum(sourceStates)
  .describe(
    '`up`; `degraded`: a part of it fails, or all for the moment; `down`; `needs_key`: our key or login is refused; `out_of_credits`; `paused` by the operator. The prices of the last four count for nothing.',
  )

export const sourceItem = z.object({
  id: example(z.string().describe('Its name in `OVERROUND_FEEDS`.'), 'the-odds-api'),
  state: example(sourceState, 'out_of_credits'),
  reason: example(
    z.string().nullable().describe('Why it is not up, as in `http_401`; else null.'),
    'out_of_credits',
  ),
  advice: example(
    z.string().nullable().describe('What the operator can do about it.'),
    'Its credits are used up: it goes on by itself when there are new ones, or book more.',
  ),
  since: example(timestamp.describe('When it came into this state.'), '2026-11-20T11:40:00.000Z'),
  last_success: example(timestamp.nullable(), '2026-11-20T11:39:02.410Z'),
  next_try: example(
    timestamp
      .nullable()
      .describe('When it is asked next; null for an open stream, and while it is paused.'),
    '2026-11-20T12:40:00.000Z',
  ),
  rows: example(count.describe('Prices it has given since its process took it over.'), 18204),
  unmatched: example(
    count.describe(
      'What it sent of markets, periods or participants that nothing of ours stands for; counted in `skipped` too.',
    ),
    12,
  ),
  skipped: example(
    z.record(z.string(), count).describe('What it sent and was left out, by reason.'),
    { unmapped_market: 12, fetch_http_500: 1 },
  ),
  credits_left: example(credits.describe('Of a metered source, as it said last.'), 0),
  credits_used: example(credits.describe('The same, since its month began.'), 500),
  credits_per_month: example(credits.describe('What it may use in a month, by its settings.'), 500),
  audience: example(
    z.enum(audiences).describe('Who may see its prices: `all`, or the owner’s accounts.'),
    'owner',
  ),
  experimental: z.boolean().describe('Whether its operator offers no such access.'),
  sportsbooks: example(z.array(z.string()).describe('Those it has given prices of.'), [
    'betmgm',
    'draftkings',
    'fanduel',
  ]),
  held_by: example(
    z
      .string()
      .nullable()
      .describe('The pipeline that runs it, by host and process id: of several, one.'),
    'odds-1 4711',
  ),
  updated_at: example(
    timestamp.describe('When its process last said so.'),
    '2026-11-20T12:00:00.000Z',
  ),
})

export const sourceChange = z.strictObject({
  paused: z.boolean().describe('Whether it is not to be asked until further notice.'),
})

export const pausedSource = z.object({
  id: example(z.string(), 'the-odds-api'),
  paused: example(z.boolean(), true),
})

/** How many sources are in which state, for everybody. */
export const sourceCounts = z
  .partialRecord(z.enum(sourceStates), count)
  .describe('Live sources by state; absent where there are none.')
