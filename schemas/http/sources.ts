/** The state of the operator's sources, as `/sources` sends it. */

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
  id: example(z.string(), 'the-odds-api', 'Its name in `OVERROUND_FEEDS`.'),
  state: example(sourceState, 'out_of_credits'),
  reason: example(
    z.string().nullable(),
    'out_of_credits',
    'Why it is not up, as in `http_401`; else null.',
  ),
  advice: example(
    z.string().nullable(),
    'Its credits are used up: it goes on by itself when there are new ones, or book more.',
    'What the operator can do about it.',
  ),
  since: example(timestamp, '2026-11-20T11:40:00.000Z', 'When it came into this state.'),
  last_success: example(timestamp.nullable(), '2026-11-20T11:39:02.410Z'),
  next_try: example(
    timestamp.nullable(),
    '2026-11-20T12:40:00.000Z',
    'When it is asked next; null for an open stream, and while it is paused.',
  ),
  rows: example(count, 18204, 'Prices it has given since its process took it over.'),
  unmatched: example(
    count,
    12,
    'What it sent of markets, periods or participants that nothing of ours stands for; counted in `skipped` too.',
  ),
  skipped: example(
    z.record(z.string(), count),
    { unmapped_market: 12, fetch_http_500: 1 },
    'What it sent and was left out, by reason.',
  ),
  credits_left: example(credits, 0, 'Of a metered source, as it said last.'),
  credits_used: example(credits, 500, 'The same, since its month began.'),
  credits_per_month: example(credits, 500, 'What it may use in a month, by its settings.'),
  audience: example(
    z.enum(audiences),
    'owner',
    'Who may see its prices: `all`, or the owner’s accounts.',
  ),
  experimental: z.boolean().describe('Whether its operator offers no such access.'),
  sportsbooks: example(
    z.array(z.string()),
    ['betmgm', 'draftkings', 'fanduel'],
    'Those it has given prices of.',
  ),
  held_by: example(
    z.string().nullable(),
    'odds-1 4711',
    'The pipeline that runs it, by host and process id: of several, one.',
  ),
  updated_at: example(timestamp, '2026-11-20T12:00:00.000Z', 'When its process last said so.'),
})

export const sourceChange = z.strictObject({
  paused: z.boolean().describe('Whether it is not to be asked until further notice.'),
})

export const pausedSource = z.object({
  id: example(z.string(), 'the-odds-api'),
  paused: example(z.boolean(), true),
})

/** The number of sources in each state, for everybody. */
export const sourceCounts = z
  .partialRecord(z.enum(sourceStates), count)
  .describe('Live sources by state; absent where there are none.')
