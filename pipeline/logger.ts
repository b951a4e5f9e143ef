/** The process's logger: JSON lines of lifecycle and faults; what happens per record is counted. */

import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** Lines that wait while the disk under them is full; more are dropped. */
const heldBytes = 1_048_576

export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, part: string): Logger {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: heldBytes })
  // Without this, a file on a full disk as standard error would end the process.
  destination.on('error', () => {})
  return pino({ level: logLevel, base: { part } }, destination)
}
