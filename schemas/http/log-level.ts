/** The level of the text log, as `/admin/log-level` takes and sends it. */

import { z } from 'zod'
import { logLevels } from '../log-level.ts'
import { objectOf } from './envelope.ts'

export const logLevelChange = z.strictObject({
  level: z.enum(logLevels).describe('The lowest level to write; levels after it are written too.'),
})

export const logLevelAnswer = objectOf(
  z.object({
    level: z.enum(logLevels),
    configured: z.enum(logLevels).describe('The level in the settings; a restart returns to it.'),
  }),
)
