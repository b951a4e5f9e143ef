/** `/api/v1/admin/log-level`: the log level of this process until it is restarted. Needs the admin token. */

import type { Logger } from 'pino'
import { setLogLevel } from '../../pipeline/process/logger.ts'
import { logLevelAnswer, logLevelChange } from '../../schemas/http/log-level.ts'
import type { LogLevel } from '../../schemas/log-level.ts'
import { objectBody } from '../answer/json.ts'
import { openAction, type Route } from '../route.ts'
import { exampleInstant } from './account.ts'

/** @param configured the level of the settings */
export function createLogLevelRoutes(
  logger: Logger,
  configured: LogLevel,
  clock: () => number,
): Route[] {
  const shared = {
    path: '/api/v1/admin/log-level',
    access: 'admin',
    tag: 'Admin',
    query: {},
    answer: {
      description: 'The current level.',
      schema: logLevelAnswer,
      example: objectBody({ level: 'debug', configured: 'info' }, exampleInstant),
    },
    errors: [],
  } as const
  const answer = () => ({
    body: objectBody({ level: logger.level as LogLevel, configured }, clock()),
  })
  return [
    openAction({
      ...shared,
      method: 'get',
      summary: 'Log level of the process that responds.',
      handle: answer,
    }),
    openAction({
      ...shared,
      method: 'patch',
      summary: 'Changes the log level.',
      description:
        'Changes only the process that responds, including its pipeline, until it restarts. Send SIGUSR2 to other processes.',
      body: { as: 'json', schema: logLevelChange, maxBytes: 1_024, example: { level: 'debug' } },
      handle({ body }) {
        setLogLevel(logger, body.level)
        return answer()
      },
    }),
  ]
}
