/** The process's logger: JSON lines of lifecycle and faults; what happens per record is counted. */

import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, part: string): Logger {
  return pino({ level: logLevel, base: { part } }, pino.destination(2))
}
