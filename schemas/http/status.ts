/** The state of the responding process, for its operator, as `/status` sends it. */

import { z } from 'zod'
import { objectOf, timestamp } from './envelope.ts'
import { healthAnswer, partChecks } from './health.ts'
import { sourceItem } from './sources.ts'

const count = z.int().min(0)
const ms = z.number().min(0)

const delays = z
  .object({
    count: count.describe('Measured prices: one in eight.'),
    p50_ms: ms,
    p95_ms: ms,
    p99_ms: ms,
  })
  .nullable()
  .describe('Null if none was measured.')

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
      newest_price_at: timestamp.nullable().describe('Null if there is none yet.'),
    }),
    sportsbooks: z
      .array(
        z.object({
          sportsbook: z.string(),
          book_to_board: delays.describe('From observation by a feed to the board.'),
          board_to_wire: delays.describe(
            'From the board to the sockets of streams that keep up; null if none is open.',
          ),
        }),
      )
      .describe('Delays of the last minute by sportsbook, at most 10 % too high.'),
    partitions: z
      .array(
        z.object({
          partition: count,
          pipeline_lag_records: count
            .nullable()
            .describe('Feed records that no pipeline has committed yet; null if unknown.'),
          api_lag_records: count
            .nullable()
            .describe('Table records that this process has not read yet; null if unknown.'),
          pipeline_silent_seconds: z
            .number()
            .min(0)
            .nullable()
            .describe(
              'Seconds since this process last saw a decision of a pipeline, accurate to five seconds; a running pipeline makes one every second. Null if unknown.',
            ),
        }),
      )
      .describe('Read from the log at most a second ago; empty if it does not respond.'),
    streams: z.object({ sse: count, websocket: count }).describe('Open streams of this process.'),
    sources: z.array(sourceItem).describe('As in `/sources`.'),
  }),
)
