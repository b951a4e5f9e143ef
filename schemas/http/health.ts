/** What `/health` answers (interface 4.1). */

import { z } from 'zod'
import { timestamp } from './envelope.ts'
import { sourceCounts } from './sources.ts'

const check = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  latency_ms: z.number().optional(),
  message: z.string().optional(),
})

export const healthAnswer = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  version: z.literal('v1'),
  timestamp,
  checks: z.object({ redis: check, data: check, schema: check }),
  sources: sourceCounts.optional(),
})
