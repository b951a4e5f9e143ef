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
      .describe('Why the engine is absent; why it does not answer is in `/status`.'),
    records_behind: z
      .int()
      .min(0)
      .nullable()
      .describe('Records of the log that it does not have yet; null before the first look.'),
    seconds_behind: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'How long the oldest record that it does not have yet has waited; 0 only when there is none, null before the first look.',
      ),
  })
  .describe('What answers history and closing lines; absent where the service keeps no archive.')

export const healthAnswer = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  version: z.literal('v1'),
  timestamp,
  checks: z.object({
    redis: check.describe('The store that answers come from: the board in memory.'),
    data: check.describe('The age of the newest price, and whether live sources answer.'),
    schema: check.describe('Whether all records of the log can be decoded.'),
  }),
  archive: archiveHealth.optional(),
  sources: sourceCounts.optional(),
})

/** The checks of the parts behind the API, beside those of `/health`. */
export const partChecks = z.object({
  storage: check.describe('Whether the log has room for more.'),
  log: check.describe('Whether the log, where it is on other machines, answers.'),
  pipelines: check
    .optional()
    .describe('Whether somebody decides; absent while the log has not said.'),
  clock: check.describe('Whether the service goes by the time of the system.'),
  archive: check.optional().describe('Where the service keeps an archive.'),
})

export const livenessAnswer = z.object({ status: z.literal('ok') })

export const readinessAnswer = z.object({
  status: z.enum(['ready', 'starting', 'stopping']),
  reason: z.string().optional().describe('Why requests cannot be answered.'),
  checks: partChecks,
})
