/**
 * Picks the log's adapter: Kafka if brokers are configured, else a directory of this machine. The
 * directory's newest record moves the service's clock forward. It waits for brokers that do not
 * respond.
 */

import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import type { Logger } from 'pino'
import { aborted, sleep } from '../async/abort-signals.ts'
import type { ServiceClock } from '../process/clock.ts'
import { type Config, StartError } from '../settings/config.ts'
import { closeToOthers, hasLog, ownerText, requireOwnLog } from './data-directory.ts'
import { type DeletedUnread, openEmbeddedLog } from './embedded/embedded-log.ts'
import { fileSystemOfOthers } from './embedded/store-file.ts'
import {
  type Log,
  LogCorruptError,
  LogLockedError,
  LogSetupError,
  LogUnavailableError,
} from './log.ts'

/** The advice for a damaged log. */
export const repairAdvice = 'overround repair keeps what is whole of it.'

const deletedUnread =
  'records were deleted before they were read: this group was behind for longer than OVERROUND_EMBEDDED_HOURS, or by more than the 2 GiB that a topic keeps'

const unusedLog =
  'the data directory has an embedded log, which is not read with OVERROUND_KAFKA_BROKERS: its accounts, keys, bets and alerts are not on Kafka'

/**
 * Returns the risk of a data directory on a file system that other machines may write to; null on a
 * local one.
 * @param type as `statfs` returns it
 */
export function riskOnFileSystem(
  type: number,
): { readonly fileSystem: string; readonly risk: string } | null {
  const fileSystem = fileSystemOfOthers(type)
  const risk =
    'the data directory may be on another machine: its locks may not keep a second service out, nor a power cut its records'
  return fileSystem === null ? null : { fileSystem, risk }
}

/** The most that the clock may be behind the log; more is a mistake that waiting does not fix. */
const furthestBehindMs = 48 * 3_600_000

export interface OpenOptions {
  /** Ends the waiting. */
  readonly signal: AbortSignal
  /** Called repeatedly while brokers or registry do not respond, with the reason in a sentence. */
  readonly onWaiting?: (reason: string) => void
  /** How long an append may take before it fails; default: as long as it takes. */
  readonly appendWithinMs?: number
  /**
   * A group of this process. With the rights to it, the clock is compared with the brokers';
   * default: it is not.
   */
  readonly comparesClockIn?: string
}

/** How often a waiting start is logged. */
const remindMs = 5_000
const firstPauseMs = 250
const longestPauseMs = 2_000

/**
 * Waits for brokers and a registry that do not respond.
 * @returns null when stopped meanwhile
 * @throws StartError when the directory cannot be used, or topics, schemas or rights are not as they have to be
 */
export async function openLog(
  config: Config,
  logger: Logger,
  clock: ServiceClock,
  options: OpenOptions,
): Promise<Log | null> {
  const { dataDir } = config
  if (config.kafka) {
    if (isMainThread) await openBesideKafka(config, logger)
    return openKafka(config, logger, clock, options)
  }
  await usable(dataDir, () => requireOwnLog(dataDir))
  await usable(dataDir, () => openToOwnerAlone(config, logger))
  const onOther = riskOnFileSystem(statfsSync(dataDir).type)
  if (onOther !== null && isMainThread) {
    const { fileSystem, risk } = onOther
    logger.warn({ dataDir, fileSystem }, risk)
  }
  const log = await openDirectory(config, logger, clock)
  const behindMs = log.lastWrittenAt - clock.now()
  if (behindMs > furthestBehindMs) {
    await log.close()
    const [now, then] = [clock.now(), log.lastWrittenAt].map((at) => new Date(at).toISOString())
    throw new StartError(
      `The system's clock says ${now}, and the log was written until ${then}: set the clock. If it was wrong then, restore a backup of before (overround restore); without one, move OVERROUND_DATA_DIR away: a new log has no accounts, keys and bets.`,
    )
  }
  clock.continueFrom(log.lastWrittenAt)
  return log
}

/** Opens the directory of a log on Kafka: it has a copy of schemas, which a start can do without, and perhaps the archive. */
async function openBesideKafka(config: Config, logger: Logger) {
  const { dataDir } = config
  await openToOwnerAlone(config, logger).catch((err: Error) => {
    logger.warn({ err, dataDir }, 'the data directory cannot be used')
  })
  if (await hasLog(dataDir)) logger.warn({ unused: join(dataDir, 'log') }, unusedLog)
}

/** Closes the directory and all new files to other users. */
async function openToOwnerAlone({ dataDir }: Config, logger: Logger) {
  if (isMainThread) process.umask(0o077)
  const wasOpen = await closeToOthers(dataDir)
  if (wasOpen)
    logger.warn({ dataDir }, 'the data directory was open to others; now it is its owner’s alone')
}

/** @throws StartError when the work on the directory fails, as for a directory of another user */
async function usable<Value>(dataDir: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof StartError) throw cause
    const { message } = cause as Error
    const owner = await ownerText(dataDir, cause as NodeJS.ErrnoException)
    throw new StartError(`${dataDir} (OVERROUND_DATA_DIR) cannot be used: ${message}.${owner}`, {
      cause,
    })
  }
}

async function openKafka(
  { kafka, role, dataDir }: Config,
  logger: Logger,
  clock: ServiceClock,
  { signal, onWaiting = () => {}, appendWithinMs, comparesClockIn }: OpenOptions,
): Promise<Log | null> {
  // The client is loaded only where Kafka is used.
  const { openKafkaLog } = await import('./kafka/kafka-log.ts')
  const settings = {
    ...kafka!,
    clientId: `overround-${role}`,
    schemaDirectory: join(dataDir, 'schemas'),
    // Pipelines spread the prices over partitions, and an API follows them.
    notesPartitions: role !== 'api',
    logger,
    ...(appendWithinMs !== undefined && { appendWithinMs }),
    ...(comparesClockIn !== undefined && {
      compared: { clock: clock.now, group: comparesClockIn },
    }),
  }
  const since = performance.now()
  const stopped = aborted(signal).then(() => null)
  let reason = 'Kafka and the schema registry have not answered yet.'
  const tell = () => {
    logger.warn({ reason, forMs: Math.round(performance.now() - since) }, 'the start waits')
    onWaiting(reason)
  }
  const reminding = setInterval(tell, remindMs)
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await Promise.race([openKafkaLog(settings), stopped])
      } catch (error) {
        if (error instanceof LogSetupError) throw new StartError(error.message, { cause: error })
        if (!(error instanceof LogUnavailableError)) throw error
        const isNews = reason !== error.message
        reason = error.message
        if (isNews) tell()
      }
      await sleep(pauseMs, signal)
      if (signal.aborted) return null
    }
  } finally {
    clearInterval(reminding)
  }
}

async function openDirectory(
  { dataDir, embeddedHours }: Config,
  logger: Logger,
  clock: ServiceClock,
) {
  const path = join(dataDir, 'log')
  try {
    const longestAgeMs = Math.round(embeddedHours * 3_600_000)
    const onFault = (err: Error) => {
      logger.warn({ err, path }, 'background work on the log failed and will be tried again')
    }
    const onDeletedUnread = (deleted: DeletedUnread) => {
      logger.warn({ ...deleted }, deletedUnread)
    }
    return await openEmbeddedLog({ path, longestAgeMs, clock: clock.now, onFault, onDeletedUnread })
  } catch (cause) {
    if (cause instanceof LogLockedError) throw new StartError(cause.message, { cause })
    const { message } = cause as Error
    const next = cause instanceof LogCorruptError ? ` ${repairAdvice}` : ''
    throw new StartError(
      `The log in ${path} (OVERROUND_DATA_DIR) cannot be opened: ${message}.${next}`,
      {
        cause,
      },
    )
  }
}
