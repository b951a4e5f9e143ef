/**
 * Picks the log's adapter: Kafka where brokers are configured, else the directory of this machine,
 * whose newest record the service's clock goes on from.
 */

import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ServiceClock } from './clock.ts'
import { type Config, StartError } from './config.ts'
import { openEmbeddedLog } from './log/embedded.ts'
import { type Log, LogLockedError, LogSetupError } from './log/log.ts'

/** Further behind the log, the system's clock or the log is of a mistake that nobody can ride out. */
const furthestBehindMs = 48 * 3_600_000

/** @throws StartError when the directory cannot be used, LogUnavailableError when no broker answers */
export async function openLog(config: Config, logger: Logger, clock: ServiceClock): Promise<Log> {
  if (!config.kafka) {
    const log = await openDirectory(config, clock)
    const behindMs = log.lastWrittenAt - clock.now()
    if (behindMs > furthestBehindMs) {
      await log.close()
      const [now, then] = [clock.now(), log.lastWrittenAt].map((at) => new Date(at).toISOString())
      throw new StartError(
        `The system's clock says ${now}, and the log was written until ${then}: set the clock; if it was wrong then, move OVERROUND_DATA_DIR away.`,
      )
    }
    clock.continueFrom(log.lastWrittenAt)
    return log
  }
  // Only those who use Kafka load its client.
  const { openKafkaLog } = await import('./log/kafka.ts')
  try {
    return await openKafkaLog({
      ...config.kafka,
      clientId: `overround-${config.role}`,
      schemaDirectory: join(config.dataDir, 'schemas'),
      logger,
    })
  } catch (cause) {
    if (!(cause instanceof LogSetupError)) throw cause
    throw new StartError(cause.message, { cause })
  }
}

async function openDirectory({ dataDir, embeddedHours }: Config, clock: ServiceClock) {
  const path = join(dataDir, 'log')
  try {
    const longestAgeMs = embeddedHours * 3_600_000
    return await openEmbeddedLog({ path, longestAgeMs, clock: clock.now })
  } catch (cause) {
    if (cause instanceof LogLockedError) throw new StartError(cause.message, { cause })
    const { message } = cause as Error
    throw new StartError(`The log in ${path} (OVERROUND_DATA_DIR) cannot be opened: ${message}.`, {
      cause,
    })
  }
}
