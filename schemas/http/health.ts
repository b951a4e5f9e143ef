/** The responses of `/health` (interface 4.1), `/livez` and `/readyz`. */

import { z } from 'zod'
import { timestamp } from './envelope.ts'
import { sourceCounts } from './sources.ts'

const check = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  latency_ms: z.number().optional(),
  message: z.string().optional(),
})

const archiveHealth = z
  .object({
    state: z
      .enum(['starting', 'answering', 'unavailable', 'absent'])
      .describe('`absent`: the embedded ClickHouse is not installed, or does not load here.'),
    since: timestamp.describe('When it came into this state.'),
    reason: z
      .string()
      .nullable()
      .describe('Why the engine is absent; why it does not respond is in `/status`.'),
    records_behind: z
      .int()
      .min(0)
      .nullable()
      .describe('Records of the log not archived yet; null while unknown.'),
    seconds_behind: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'Wait of the oldest record not archived; 0 only if there is none, null while unknown.',
      ),
  })
  .describe('The store of history and closing lines; absent if the service keeps no archive.')

export const healthAnswer = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  version: z.literal('v1'),
  timestamp,
  checks: z.object({
    redis: check.describe('The board in memory.'),
    data: check.describe('The age of the newest price, and whether live sources answer.'),
    schema: check.describe('Whether all records of the log can be decoded.'),
  }),
  archive: archiveHealth.optional(),
  sources: sourceCounts.optional(),
})

/** The checks of the parts behind the API, beside those of `/health`. */
export const partChecks = z.object({
  storage: check.describe('Whether the log has room for more.'),
  log: check.describe('Whether the log responds, if it is on other machines.'),
  pipelines: check
    .optional()
    .describe('Whether pipelines process all prices; absent until the log reports it.'),
  clock: check.describe("Whether the service follows the system's clock."),
  archive: check.optional().describe('If the service keeps an archive.'),
})

export const livenessAnswer = z.object({ status: z.literal('ok') })

export const readinessAnswer = z.object({
  status: z.enum(['ready', 'starting', 'stopping']),
  reason: z.string().optional().describe('Why requests cannot be answered.'),
  checks: partChecks,
})
