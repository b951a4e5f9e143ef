/** The level of the text log, as `/admin/log-level` takes and sends it. */

import { z } from 'zod'
import { logLevels } from '../log-level.ts'
import { objectOf } from './envelope.ts'

export const logLevelChange = z.strictObject({
  level: z.enum(logLevels).describe('The least that is told; each has those behind it too.'),
})

export const logLevelAnswer = objectOf(
  z.object({
    level: z.enum(logLevels),
    configured: z.enum(logLevels).describe('That of the settings, which a restart brings back.'),
  }),
)
