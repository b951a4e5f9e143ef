/**
 * Keeps prices of two origins from one archive: closes, lives of opportunities and results of simulated games would stand
 * beside those of live ones, under the same sportsbooks, for good. The table `logs` has the origin of each log's prices;
 * the newest such row tells the archive's. An archive of an earlier version has none, and takes the first that comes.
 */

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { PriceOrigin } from '../../schemas/deployment.ts'
import type { Log } from '../log/log.ts'
import { originOf } from '../run/deployment.ts'
import { type ArchiveConfig, type Config, ConfigError } from '../settings/config.ts'
import { type Archive, longestQuerySeconds } from './archive.ts'

/** The prices that a process brings to its archive. */
export interface BroughtPrices {
  readonly origin: PriceOrigin
  /** Whether they may follow prices of another origin, of another log. */
  readonly mayFollowOthers: boolean
  /** The archive, in words. */
  readonly archive: string
  /** The setting that names another archive. */
  readonly setting: string
}

/** The row of `logs` that tells the archive's origin. */
interface NotedOrigin {
  readonly log_epoch: string
  readonly prices: PriceOrigin
  /** In UTC. */
  readonly since: string
}

const limits = { seconds: longestQuerySeconds, resultRows: 1, readRows: 1e6, memoryBytes: 1e9 }

export const broughtPrices = (config: Config, { at, database }: ArchiveConfig): BroughtPrices => ({
  origin: originOf(config),
  mayFollowOthers: config.adoptsLog,
  ...('directory' in at
    ? { archive: `The archive in ${at.directory}`, setting: 'OVERROUND_DATA_DIR' }
    : {
        archive: `The archive in the database ${database} (OVERROUND_CLICKHOUSE_URL)`,
        setting: 'OVERROUND_CLICKHOUSE_DATABASE',
      }),
})

/**
 * Compares the archive's origin with that of the prices, before anything in the archive is changed. A log whose prices
 * have got another origin has compared it itself.
 * @returns the row that tells the archive's origin; null where there is none
 * @throws ConfigError for prices that may not follow those of the archive
 * @throws ArchiveError
 */
export async function requireOrigin(
  archive: Pick<Archive, 'query'>,
  { epoch, continues }: Pick<Log, 'epoch' | 'continues'>,
  { origin, mayFollowOthers, archive: where, setting }: BroughtPrices,
): Promise<NotedOrigin | null> {
  const noted = await readOrigin(archive)
  if (noted === null || noted.prices === origin || mayFollowOthers) return noted
  if ([epoch, ...continues.map((former) => former.epoch)].includes(noted.log_epoch)) return noted
  throw new ConfigError(
    `${where} has ${noted.prices} prices (noted at ${noted.since} UTC), and this process would mix ${origin} ones (OVERROUND_FEEDS) with them: its records, closing lines and closing-line values would have both for good. Name another archive by ${setting}, or keep no history by OVERROUND_ARCHIVE=off. To go on in this one all the same, start once with OVERROUND_ADOPT_LOG=true.`,
  )
}

async function readOrigin(archive: Pick<Archive, 'query'>): Promise<NotedOrigin | null> {
  // A new archive has no such table, and one of an earlier version no such column.
  const columns = await archive.query(
    `SELECT 1 FROM system.columns
    WHERE database = currentDatabase() AND table = 'logs' AND name = 'prices' LIMIT 1`,
    {},
    limits,
  )
  if (columns.length === 0) return null
  const [newest] = await archive.query<NotedOrigin>(
    `SELECT log_epoch, prices, toString(began_at) AS since FROM logs
    WHERE prices IS NOT NULL ORDER BY began_at DESC LIMIT 1`,
    {},
    limits,
  )
  return newest ?? null
}

/**
 * Notes the origin of a log's prices.
 * @param noted as `requireOrigin` returned it
 * @throws ArchiveError
 */
export async function noteOrigin(
  archive: Pick<Archive, 'insert'>,
  { epoch }: Pick<Log, 'epoch'>,
  { origin }: BroughtPrices,
  noted: NotedOrigin | null,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  if (noted?.log_epoch === epoch && noted.prices === origin) return
  if (noted !== null && noted.prices !== origin) {
    const origins = { from: noted.prices, to: origin }
    logger.warn(origins, 'prices of another origin follow in the archive, whose rows stay')
  }
  // An origin may come back, so each row is a block of its own.
  await archive.insert('logs', `prices ${randomUUID()}`, [{ log_epoch: epoch, prices: origin }])
}
