/** Makes the archive's tables and then fills them from the log, until it is stopped. */

import type { Logger } from 'pino'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import { sleep } from '../async/abort-signals.ts'
import type { Log } from '../log/log.ts'
import type { Chains } from '../rules/odds/chains.ts'
import { retryWhileAway } from '../run/retry-while-away.ts'
import { type ArchiveAddress, ArchiveError, openArchive } from './archive.ts'
import { gapMessages } from './archive-gaps.ts'
import { type BroughtPrices, noteOrigin, requireOrigin } from './archive-origin.ts'
import { type InsertedBlock, runArchiver } from './archiver.ts'
import { revalueEvents, valueEvents } from './clv.ts'
import { type ChangedLifetime, migrate, type Placement } from './migrations.ts'

const pauseMs = 2_000
/** How often a lasting failure is logged after the first time. */
const remindMs = 60_000
/** The time within which all replicas of a cluster have the rows that one of them took. */
const replicasLagMs = 10_000

/**
 * Runs until `signal` aborts. While the log or the archive is away, it waits and tries again.
 * @param chain the sportsbooks whose closes are the reference of closing-line values
 * @throws ConfigError if the archive has prices of another origin that these must not be mixed with; it
 * is then unchanged
 */
export async function runArchive(
  address: ArchiveAddress,
  placement: Placement,
  prices: BroughtPrices,
  log: Pick<Log, 'join' | 'epoch' | 'continues' | 'places'>,
  chain: Chains,
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
  signal: AbortSignal,
): Promise<void> {
  let remindAt = 0
  function onWaiting({ code, message }: ArchiveError) {
    if (performance.now() < remindAt) return
    remindAt = performance.now() + remindMs
    logger.warn({ code, reason: message }, 'the archive failed; it is tried again')
  }

  const sayLifetime = createLifetimeLog(logger)
  let keptDays: ReadonlyMap<string, number> = new Map()
  const archive = openArchive(address, placement.database)
  try {
    while (!signal.aborted) {
      try {
        await createDatabase(address, placement)
        const noted = await requireOrigin(archive, log, prices)
        keptDays = await migrate(archive, placement, sayLifetime)
        await noteOrigin(archive, log, prices, noted, logger)
        await revalueEvents(archive, chain)
        break
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error
        onWaiting(error)
        await sleep(pauseMs, signal)
      }
    }
    if (signal.aborted) return
    remindAt = 0
    logger.info({ database: placement.database }, 'archive ready')
    const warnOfExpired = createExpiryWarning(keptDays, logger)
    const work = () =>
      runArchiver(log, archive, {
        signal,
        onWaiting,
        onGap: ({ kind, ...gap }) =>
          logger[kind === 'ahead' ? 'error' : 'warn'](gap, gapMessages[kind]),
        unseenMs: placement.cluster === null ? 0 : replicasLagMs,
        whenClosed: (closes) => valueEvents(archive, chain, eventsOf(closes)),
        onInserted: (_rows, block) => {
          remindAt = 0
          warnOfExpired(block)
        },
      })
    await retryWhileAway('archive', work, { signal, logger })
  } finally {
    await archive.close()
  }
}

const dayMs = 86_400_000

/**
 * Returns a function to call with each inserted block. It warns once if the engine deletes rows
 * right after their insert, because they are older than it keeps rows. Mostly these are rows of a
 * recording.
 * @param keptDays the days that a table keeps its rows; absent if it keeps them for good
 */
export function createExpiryWarning(
  keptDays: ReadonlyMap<string, number>,
  logger: Pick<Logger, 'warn'>,
  now: () => number = Date.now,
): (block: InsertedBlock) => void {
  let isTold = false
  return ({ table, oldestAt }) => {
    const days = keptDays.get(table)
    if (isTold || days === undefined || oldestAt >= now() - days * dayMs) return
    isTold = true
    logger.warn(
      { table, oldest: new Date(oldestAt).toISOString(), keptDays: days },
      'the archive deletes records older than OVERROUND_ARCHIVE_DAYS at once; set it higher to keep a recording of that time',
    )
  }
}

/** Returns a function that logs a changed lifetime, as a warning if it deletes rows kept so far. */
export function createLifetimeLog(
  logger: Pick<Logger, 'info' | 'warn'>,
): (change: ChangedLifetime) => void {
  return (change) => {
    if (change.formerDays === null || change.keptDays < change.formerDays) {
      logger.warn({ ...change }, 'OVERROUND_ARCHIVE_DAYS deletes records that were kept so far')
    } else {
      logger.info({ ...change }, 'OVERROUND_ARCHIVE_DAYS keeps records for longer')
    }
  }
}

const eventsOf = (closes: readonly ClosingLine[]) => [
  ...new Map(closes.map(({ eventId, league }) => [eventId, { eventId, league }])).values(),
]

/** @throws ArchiveError */
async function createDatabase(address: ArchiveAddress, { database, cluster }: Placement) {
  const server = openArchive(address, 'default')
  try {
    const onCluster = cluster === null ? '' : ` ON CLUSTER \`${cluster}\``
    await server.command(`CREATE DATABASE IF NOT EXISTS ${database}${onCluster}`)
  } finally {
    await server.close()
  }
}
