/** The operator's live sources: their state, tests of settings, and adding one (`/sources`). */

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
  id: example(
    z.string(),
    'the-odds-api',
    'Its name in `OVERROUND_FEEDS` and `/sources/available`.',
  ),
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
  settings: example(
    z.record(z.string(), z.unknown()).nullable(),
    null,
    'If it was added here: its settings, without keys and passwords. Null for a source of `OVERROUND_FEEDS`.',
  ),
  updated_at: example(timestamp, '2026-11-20T12:00:00.000Z', 'When its process last reported.'),
})

export const availableSource = z.object({
  id: example(z.string(), 'kalshi'),
  official: example(z.boolean(), true, 'Whether its operator offers this access.'),
  settings: example(
    z.record(z.string(), z.unknown()),
    { type: 'object', properties: { leagues: { type: 'array', items: { type: 'string' } } } },
    'JSON Schema of its settings. Keys and passwords are `writeOnly`.',
  ),
})

/** Settings that are tested or added. */
export const statedSource = z.strictObject({
  source: example(z.string().min(1), 'kalshi', 'Its id in `/sources/available`.'),
  settings: example(
    z.record(z.string(), z.unknown()),
    { leagues: ['NBA', 'NFL'] },
    'As in `OVERROUND_FEEDS_FILE`. Of a source that was added before, absent keys and passwords stay.',
  ),
})

export const addedSource = z.object({
  id: example(z.string(), 'kalshi'),
  added: example(z.boolean(), true),
})

export const sourceTrial = z.object({
  id: example(z.string(), 'kalshi'),
  state: example(sourceState, 'up'),
  reason: example(z.string().nullable(), null, 'Why it is not up, as in `http_401`.'),
  advice: example(z.string().nullable(), null),
  round_ended: example(
    z.boolean(),
    true,
    'Whether all of it was read. False for a stream, and for a source that takes longer than the test.',
  ),
  took_ms: example(count, 1840),
  events: example(count, 14, 'Games, and markets on seasons and tournaments.'),
  prices: example(count, 168),
  sportsbooks: example(z.array(z.string()), ['kalshi']),
  leagues: example(
    z.record(z.string(), count),
    { NBA: 14 },
    'Events by league, by the source’s name of it.',
  ),
  skipped: example(z.record(z.string(), count), {}, 'Left out, by reason.'),
  credits_left: example(credits, null, 'Of a metered source, behind this test.'),
  examples: example(
    z.array(
      z.object({
        sportsbook: example(z.string(), 'kalshi'),
        league: example(z.string(), 'NBA'),
        away_team: example(z.string(), 'Los Angeles Lakers'),
        home_team: example(z.string(), 'Boston Celtics'),
        start_time: example(timestamp, '2026-11-21T00:30:00.000Z'),
        prices: example(count, 12),
      }),
    ),
    [
      {
        sportsbook: 'kalshi',
        league: 'NBA',
        away_team: 'Los Angeles Lakers',
        home_team: 'Boston Celtics',
        start_time: '2026-11-21T00:30:00.000Z',
        prices: 12,
      },
    ],
    'The first events that came, to compare with the source’s own page.',
  ),
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
