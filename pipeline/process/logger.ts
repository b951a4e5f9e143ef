/** The process's logger: JSON lines about lifecycle and faults. Events per record are metrics, not lines. */

import { type Logger, pino } from 'pino'
import type { LogLevel } from '../../schemas/log-level.ts'
import type { Config } from '../settings/config.ts'

/** The most bytes of lines kept while their disk is full; more are dropped. */
const heldBytes = 1_048_576

export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, part: string): Logger {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: heldBytes })
  // Without this, the process would end if its standard error is a file on a full disk.
  destination.on('error', () => {})
  return pino({ level: logLevel, base: { part } }, destination)
}

/** Logs the change at the more verbose of both levels. */
export function setLogLevel(logger: Logger, level: LogLevel) {
  if (level === logger.level) return
  const change = { from: logger.level, to: level }
  const tellsMore = logger.levels.values[level]! < logger.levelVal
  if (tellsMore) logger.level = level
  logger.info(change, 'log level changed')
  logger.level = level
}

/** Handles `SIGUSR2`: switches to `debug`, or from any other level back to that of the settings. */
export function toggleLogLevel(logger: Logger, configured: LogLevel) {
  setLogLevel(logger, logger.level === configured ? 'debug' : configured)
}
