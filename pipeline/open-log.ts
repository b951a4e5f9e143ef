/** Picks the log's adapter: Kafka where brokers are configured, else the directory of this machine. */

import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { openEmbeddedLog } from './log/embedded.ts'
import type { Log } from './log/log.ts'

export async function openLog(config: Config, logger: Logger): Promise<Log> {
  if (!config.kafka) {
    return openEmbeddedLog({
      path: join(config.dataDir, 'log'),
      longestAgeMs: config.embeddedHours * 3_600_000,
    })
  }
  // Only those who use Kafka load its client.
  const { openKafkaLog } = await import('./log/kafka.ts')
  return openKafkaLog({ ...config.kafka, clientId: `overround-${config.role}`, logger })
}
