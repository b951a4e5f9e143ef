/** The state of the responding process, for its operator, as `/status` sends it. */

import { z } from 'zod'
import { objectOf, timestamp } from './envelope.ts'
import { healthAnswer, partChecks } from './health.ts'
import { sourceItem } from './sources.ts'

const count = z.int().min(0)
const ms = z.number().min(0)

const delays = z
  .object({
    count: count.describe('How many were measured: one price in eight.'),
    p50_ms: ms,
    p95_ms: ms,
    p99_ms: ms,
  })
  .nullable()
  .describe('Null where none was measured.')

export const statusAnswer = objectOf(
  z.object({
    health: healthAnswer
      .pick({ status: true })
      .extend({ checks: healthAnswer.shape.checks.extend(partChecks.shape) }),
    process: z.string().describe('Its host and process id.'),
    role: z.string().describe('As in `OVERROUND_ROLE`.'),
    version: z.string().describe('Of the package.'),
    started_at: timestamp,
    uptime_seconds: z.number().min(0),
    board: z.object({
      prices: count,
      events: count,
      newest_price_at: timestamp.nullable().describe('Null before the first.'),
    }),
    sportsbooks: z
      .array(
        z.object({
          sportsbook: z.string(),
          book_to_board: delays.describe('From the observation by a feed to the board.'),
          board_to_wire: delays.describe(
            'From there to the sockets of streams that keep pace; null while none is open.',
          ),
        }),
      )
      .describe('Delays of the last minute, each at most a tenth too high, by sportsbook.'),
    partitions: z
      .array(
        z.object({
          partition: count,
          pipeline_lag_records: count
            .nullable()
            .describe('Records of feeds that no pipeline has committed; null while nobody knows.'),
          api_lag_records: count
            .nullable()
            .describe('Records of tables that this process has not read; null while nobody knows.'),
          pipeline_silent_seconds: z
            .number()
            .min(0)
            .nullable()
            .describe(
              'For how long no pipeline has decided anything, as far as this process has seen, to within five seconds: one that runs does so every second. Null while nobody knows.',
            ),
        }),
      )
      .describe(
        'As the log says now, or said within the last second; empty when it does not answer.',
      ),
    streams: z.object({ sse: count, websocket: count }).describe('Those that are open here.'),
    sources: z.array(sourceItem).describe('As in `/sources`.'),
  }),
)
