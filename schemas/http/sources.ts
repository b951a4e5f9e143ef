/** How the operator's sources are, as `/sources` sends it. */

import { z } from 'zod'
import { audiences, sourceStates } from '../source.ts'
import { timestamp } from './envelope.ts'

const count = z.int().min(0)
const credits = z.number().nullable()

export const sourceState = z
  .enum(sourceStates)
  .describe(
    '`up`; `degraded`: a part of it fails, or all for the moment; `down`; `needs_key`: our key or login is refused; `out_of_credits`; `paused` by the operator. The prices of the last four count for nothing.',
  )

export const sourceItem = z.object({
  id: z.string().describe('Its name in `OVERROUND_FEEDS`.'),
  state: sourceState,
  reason: z.string().nullable().describe('Why it is not up, as in `http_401`; else null.'),
  advice: z.string().nullable().describe('What the operator can do about it.'),
  since: timestamp.describe('When it came into this state.'),
  last_success: timestamp.nullable(),
  next_try: timestamp
    .nullable()
    .describe('When it is asked next; null for an open stream, and while it is paused.'),
  rows: count.describe('Prices it has given since its process took it over.'),
  unmatched: count.describe(
    'What it sent of markets, periods or participants that nothing of ours stands for; counted in `skipped` too.',
  ),
  skipped: z.record(z.string(), count).describe('What it sent and was left out, by reason.'),
  credits_left: credits.describe('Of a metered source, as it said last.'),
  credits_used: credits.describe('The same, since its month began.'),
  credits_per_month: credits.describe('What it may use in a month, by its settings.'),
  audience: z.enum(audiences).describe('Who may see its prices: `all`, or the owner’s accounts.'),
  experimental: z.boolean().describe('Whether its operator offers no such access.'),
  sportsbooks: z.array(z.string()).describe('Those it has given prices of.'),
  held_by: z
    .string()
    .nullable()
    .describe('The pipeline that runs it, by host and process id: of several, one.'),
  updated_at: timestamp.describe('When its process last said so.'),
})

export const sourceChange = z.strictObject({
  paused: z.boolean().describe('Whether it is not to be asked until further notice.'),
})

export const pausedSource = z.object({ id: z.string(), paused: z.boolean() })

/** How many sources are in which state, for everybody. */
export const sourceCounts = z
  .partialRecord(z.enum(sourceStates), count)
  .describe('Live sources by state; absent where there are none.')

export const exampleSource: z.output<typeof sourceItem> = {
  id: 'the-odds-api',
  state: 'out_of_credits',
  reason: 'out_of_credits',
  advice: 'Its credits are used up: it goes on by itself when there are new ones, or book more.',
  since: '2026-11-20T11:40:00.000Z',
  last_success: '2026-11-20T11:39:02.410Z',
  next_try: '2026-11-20T12:40:00.000Z',
  rows: 18_204,
  unmatched: 12,
  skipped: { unmapped_market: 12, fetch_http_500: 1 },
  credits_left: 0,
  credits_used: 500,
  credits_per_month: 500,
  audience: 'owner',
  experimental: false,
  sportsbooks: ['betmgm', 'draftkings', 'fanduel'],
  held_by: 'odds-1 4711',
  updated_at: '2026-11-20T12:00:00.000Z',
}
