/** Picks the log's adapter: Kafka where brokers are configured, else the directory of this machine. */

import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, StartError } from './config.ts'
import { openEmbeddedLog } from './log/embedded.ts'
import { type Log, LogLockedError } from './log/log.ts'

/** @throws StartError when the directory cannot be used, LogUnavailableError when no broker answers */
export async function openLog(config: Config, logger: Logger): Promise<Log> {
  if (!config.kafka) {
    const path = join(config.dataDir, 'log')
    try {
      return await openEmbeddedLog({ path, longestAgeMs: config.embeddedHours * 3_600_000 })
    } catch (cause) {
      if (cause instanceof LogLockedError) throw new StartError(cause.message, { cause })
      const { message } = cause as Error
      throw new StartError(
        `The log in ${path} (OVERROUND_DATA_DIR) cannot be opened: ${message}.`,
        {
          cause,
        },
      )
    }
  }
  // Only those who use Kafka load its client.
  const { openKafkaLog } = await import('./log/kafka.ts')
  return openKafkaLog({ ...config.kafka, clientId: `overround-${config.role}`, logger })
}
